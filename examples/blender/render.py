# SPDX-License-Identifier: Apache-2.0
"""Renders a run with Blender's Cycles, without a window:

    blender -b --python-exit-code 1 -P examples/blender/render.py -- DIR --frames 12,24 --out PICTURES

DIR is a folder with the scene.usda of `nendo usd`, which has the geometry, camera, lights and
materials. Reading it needs the USD library (usd-core on PyPI; NENDO_USD names its folder). With
--vdb, the fog volumes of `nendo vdb --density` are drawn instead of the meshes."""
import argparse
import math
import os
import pathlib
import sys

import bpy
from mathutils import Matrix

sys.path.append(os.environ.get("NENDO_USD", ""))
try:
    from pxr import Gf, Usd, UsdGeom, UsdLux, UsdShade, UsdVol
except ImportError:
    sys.exit("render_blender: error: the USD library is missing; run "
             "pip install --target FOLDER usd-core, and set NENDO_USD=FOLDER")

Y_TO_Z = Matrix.Rotation(math.radians(90), 4, "X")  # Up is z in Blender.


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="render_blender.py", description=__doc__)
    parser.add_argument("folder", type=pathlib.Path, help="folder with scene.usda")
    parser.add_argument("--frames", default="", help="frames, as A,B,... (default: the last)")
    parser.add_argument("--out", type=pathlib.Path, help="folder for the pictures (default: the same)")
    parser.add_argument("--size", default="", help="size in pixels, as WIDTHxHEIGHT (default: the scene's)")
    parser.add_argument("--samples", type=int, default=48, help="rays per pixel")
    parser.add_argument("--threads", type=int, default=0, help="number of threads (default: 0, all)")
    parser.add_argument("--vdb", action="store_true", help="draw fog volumes instead of meshes")
    return parser.parse_args(sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else [])


def matrix_of(prim: Usd.Prim, time: Usd.TimeCode) -> Matrix:
    world = UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(time)
    return Y_TO_Z @ Matrix([list(row) for row in world]).transposed()


# ---- materials ---------------------------------------------------------------------------------

def set_input(node: bpy.types.Node, names: tuple, value) -> None:
    """Sets the first input that exists in this version of Blender."""
    for name in names:
        if name in node.inputs:
            node.inputs[name].default_value = value
            return


def inputs_of(material: UsdShade.Material) -> dict:
    """Values of the MaterialX shader; for connected colors, their default."""
    found = {}
    for given in material.ComputeSurfaceSource("mtlx")[0].GetInputs():
        sources = given.GetConnectedSources()[0]
        if sources:
            found[given.GetBaseName()] = UsdShade.Shader(
                sources[0].source.GetPrim()).GetInput("default").Get()
        else:
            found[given.GetBaseName()] = given.Get()
    return found


def make_material(material: UsdShade.Material) -> bpy.types.Material:
    known = bpy.data.materials.get(material.GetPrim().GetName())
    if known:
        return known
    values = inputs_of(material)
    made = bpy.data.materials.new(material.GetPrim().GetName())
    made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    shader = nodes["Principled BSDF"]
    color = (*values["base_color"], 1)
    set_input(shader, ("Base Color",), color)
    set_input(shader, ("Roughness",), values["specular_roughness"])
    set_input(shader, ("IOR",), values["specular_IOR"])
    set_input(shader, ("Metallic",), values["metalness"])
    set_input(shader, ("Transmission Weight", "Transmission"), values.get("transmission", 0))
    set_input(shader, ("Subsurface Weight", "Subsurface"), values.get("subsurface", 0))
    if "subsurface" in values:
        scale = values["subsurface_scale"]
        set_input(shader, ("Subsurface Radius",), [scale * c for c in values["subsurface_radius"]])
        set_input(shader, ("Subsurface Color",), color)
    if "emission" in values:
        set_input(shader, ("Emission Color", "Emission"), color)
        set_input(shader, ("Emission Strength",), values["emission"])
    # Use the colors of points if a mesh has them. Transparent matter gets its color by absorption.
    clear = values.get("transmission", 0)
    attribute = nodes.new("ShaderNodeAttribute")
    attribute.attribute_name = "displayColor"
    for name in ("Base Color", "Subsurface Color"):
        if name in shader.inputs and clear < 0.9:
            links.new(attribute.outputs["Color"], shader.inputs[name])
    if clear >= 0.9:
        set_input(shader, ("Base Color",), (1, 1, 1, 1))
        volume = nodes.new("ShaderNodeVolumeAbsorption")
        volume.inputs["Color"].default_value = color
        volume.inputs["Density"].default_value = 1 / values["transmission_depth"]
        links.new(volume.outputs["Volume"], nodes["Material Output"].inputs["Volume"])
    return made


def bind(item: bpy.types.Object, prim: Usd.Prim) -> None:
    material = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()[0]
    if material:
        item.data.materials.append(make_material(material))


# ---- shapes ------------------------------------------------------------------------------------

def add_object(name: str, data, matrix: Matrix) -> bpy.types.Object:
    item = bpy.data.objects.new(name, data)
    item.matrix_world = matrix
    bpy.context.scene.collection.objects.link(item)
    return item


def add_mesh(prim: Usd.Prim, time: Usd.TimeCode) -> None:
    mesh = UsdGeom.Mesh(prim)
    points = mesh.GetPointsAttr().Get(time)
    if not points:
        return
    counts = mesh.GetFaceVertexCountsAttr().Get(time)
    corners = list(mesh.GetFaceVertexIndicesAttr().Get(time))
    faces, at = [], 0
    for count in counts:
        faces.append(corners[at:at + count])
        at += count
    data = bpy.data.meshes.new(prim.GetName())
    data.from_pydata([tuple(p) for p in points], [], faces)
    data.polygons.foreach_set("use_smooth", [len(faces) > 1] * len(faces))
    colors = UsdGeom.PrimvarsAPI(prim).GetPrimvar("displayColor")
    values = colors.Get(time) if colors else None
    if values:
        if len(values) == 1:
            values = [values[0]] * len(points)
        layer = data.attributes.new("displayColor", "FLOAT_COLOR", "POINT")
        layer.data.foreach_set("color", [c for rgb in values for c in (*rgb, 1)])
    elif prim.GetPath().pathString.startswith("/nendo/"):
        shade = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()[0]
        rgb = inputs_of(shade)["base_color"] if shade else (0.5, 0.5, 0.5)
        layer = data.attributes.new("displayColor", "FLOAT_COLOR", "POINT")
        layer.data.foreach_set("color", [*rgb, 1] * len(points))
    bind(add_object(prim.GetPath().pathString, data, matrix_of(prim, time)), prim)


def add_solid(prim: Usd.Prim, time: Usd.TimeCode) -> None:
    """Adds a cube, sphere or capsule of a collider."""
    if prim.IsA(UsdGeom.Cube):
        bpy.ops.mesh.primitive_cube_add(size=UsdGeom.Cube(prim).GetSizeAttr().Get())
    else:
        ball = UsdGeom.Sphere(prim) if prim.IsA(UsdGeom.Sphere) else UsdGeom.Capsule(prim)
        bpy.ops.mesh.primitive_uv_sphere_add(radius=ball.GetRadiusAttr().Get(), segments=64,
                                             ring_count=32)
    item = bpy.context.object
    if prim.IsA(UsdGeom.Capsule):
        # A sphere whose halves are moved apart along y.
        half = UsdGeom.Capsule(prim).GetHeightAttr().Get() / 2
        for vertex in item.data.vertices:
            x, y, z = vertex.co
            vertex.co = (x, z + (half if z > 0 else -half), -y)
    for face in item.data.polygons:
        face.use_smooth = not prim.IsA(UsdGeom.Cube)
    item.data.attributes.new("displayColor", "FLOAT_COLOR", "POINT").data.foreach_set(
        "color", [0.33, 0.34, 0.36, 1] * len(item.data.vertices))
    item.matrix_world = matrix_of(prim, time)
    bind(item, prim)


def add_points(prim: Usd.Prim, time: Usd.TimeCode) -> None:
    """Adds particles as small spheres: one mesh that is drawn at every point."""
    shape = UsdGeom.Points(prim)
    points = shape.GetPointsAttr().Get(time)
    if not points:
        return
    data = bpy.data.meshes.new(prim.GetName())
    data.from_pydata([tuple(p) for p in points], [], [])
    cloud = add_object(prim.GetPath().pathString, data, matrix_of(prim, time))
    widths = shape.GetWidthsAttr().Get(time) or [0.02]
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=2, radius=max(widths) / 2)
    ball = bpy.context.object
    ball.parent = cloud
    cloud.instance_type = "VERTS"
    bind(ball, prim)


def add_volume(prim: Usd.Prim, time: Usd.TimeCode) -> None:
    """Adds a volume, which Blender reads from its file."""
    path = None
    for target in UsdVol.Volume(prim).GetFieldPaths().values():
        path = UsdVol.OpenVDBAsset(prim.GetStage().GetPrimAtPath(target)).GetFilePathAttr().Get(time)
    data = bpy.data.volumes.new("volume")
    data.filepath = path.resolvedPath
    if not data.grids.load():
        sys.exit(f"render_blender: error: Blender cannot read {path.resolvedPath}: "
                 f"{data.grids.error_message}")
    print("render_blender: grids", sorted(grid.name for grid in data.grids))
    if "density" not in [grid.name for grid in data.grids]:
        sys.exit("render_blender: error: the grid `density` is missing; run nendo vdb --density")
    low, high = prim.GetAttribute("extent").Get(time)
    size = (Gf.Vec3f(high) - Gf.Vec3f(low)).GetLength()
    material = bpy.data.materials.new("fog")
    material.use_nodes = True
    nodes = material.node_tree.nodes
    nodes.remove(nodes["Principled BSDF"])
    shader = nodes.new("ShaderNodeVolumePrincipled")
    shader.inputs["Density"].default_value = 40 / size
    shader.inputs["Color"].default_value = (0.8, 0.85, 0.9, 1)
    material.node_tree.links.new(shader.outputs["Volume"], nodes["Material Output"].inputs["Volume"])
    item = add_object("volume", data, matrix_of(prim, time))
    data.materials.append(material)
    item.visible_shadow = True


# ---- camera and lights -------------------------------------------------------------------------

def add_camera(prim: Usd.Prim, time: Usd.TimeCode) -> None:
    lens = UsdGeom.Camera(prim).GetCamera(time)
    data = bpy.data.cameras.new("camera")
    data.sensor_fit = "VERTICAL"
    data.angle = math.radians(lens.GetFieldOfView(Gf.Camera.FOVVertical))
    data.clip_start, data.clip_end = lens.clippingRange.min, lens.clippingRange.max
    bpy.context.scene.camera = add_object("camera", data, matrix_of(prim, time))


def add_light(prim: Usd.Prim, time: Usd.TimeCode) -> None:
    light = UsdLux.LightAPI(prim)
    strength, color = light.GetIntensityAttr().Get(), light.GetColorAttr().Get()
    if prim.IsA(UsdLux.DomeLight):
        world = bpy.data.worlds.new("sky")
        world.use_nodes = True
        sky = world.node_tree.nodes["Background"]
        sky.inputs["Color"].default_value = (*color, 1)
        sky.inputs["Strength"].default_value = strength
        bpy.context.scene.world = world
        return
    if prim.IsA(UsdLux.DistantLight):
        data = bpy.data.lights.new(prim.GetName(), "SUN")
        data.energy = strength
        data.angle = math.radians(UsdLux.DistantLight(prim).GetAngleAttr().Get())
    else:
        rect = UsdLux.RectLight(prim)
        data = bpy.data.lights.new(prim.GetName(), "AREA")
        data.shape, data.size = "RECTANGLE", rect.GetWidthAttr().Get()
        data.size_y = rect.GetHeightAttr().Get()
        data.energy = strength * math.pi * data.size * data.size_y  # Radiance to watts.
    data.color = color
    add_object(prim.GetName(), data, matrix_of(prim, time))


# ---- the picture -------------------------------------------------------------------------------

def build(stage: Usd.Stage, time: Usd.TimeCode) -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    for prim in stage.Traverse():
        if prim.IsA(UsdGeom.Mesh):
            add_mesh(prim, time)
        elif prim.IsA(UsdGeom.Points):
            add_points(prim, time)
        elif prim.IsA(UsdGeom.Gprim) and not prim.IsA(UsdVol.Volume):
            add_solid(prim, time)
        elif prim.IsA(UsdVol.Volume):
            add_volume(prim, time)
        elif prim.IsA(UsdGeom.Camera):
            add_camera(prim, time)
        elif prim.HasAPI(UsdLux.LightAPI):
            add_light(prim, time)


def set_up(size: tuple, samples: int, threads: int) -> None:
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.samples = samples
    try:
        scene.cycles.use_denoising = True
        scene.cycles.denoiser = "OPENIMAGEDENOISE"
    except TypeError:  # Blender was built without it.
        scene.cycles.use_denoising = False
    scene.cycles.max_bounces = 12
    scene.cycles.caustics_reflective = False
    scene.cycles.blur_glossy = 1.0  # Less noise in light through water with few rays per pixel.
    scene.cycles.sample_clamp_indirect = 3.0  # No white dots from single rays.
    scene.render.resolution_x, scene.render.resolution_y = size
    scene.render.resolution_percentage = 100
    scene.render.image_settings.file_format = "PNG"
    scene.view_settings.view_transform = "Standard"  # Filmic would desaturate the colors.
    scene.view_settings.exposure = -0.4
    if threads:
        scene.render.threads_mode = "FIXED"
        scene.render.threads = threads


def main() -> None:
    options = read_arguments()
    path = options.folder / "scene.usda"
    if not path.exists():
        sys.exit(f"render_blender: error: {path} is missing; run nendo usd {options.folder} first")
    stage = Usd.Stage.Open(str(path))
    if options.vdb:
        stage.GetDefaultPrim().GetVariantSet("shown").SetVariantSelection("volume")
    size = tuple(stage.GetPrimAtPath("/Render/settings").GetAttribute("resolution").Get())
    if options.size:
        size = tuple(int(n) for n in options.size.split("x"))
    frames = [int(f) for f in options.frames.split(",") if f] or [int(stage.GetEndTimeCode())]
    out = options.out or options.folder
    out.mkdir(parents=True, exist_ok=True)
    for frame in frames:
        build(stage, Usd.TimeCode(frame))
        set_up(size, options.samples, options.threads)
        picture = out / f"cycles.{frame:04}.png"
        bpy.context.scene.render.filepath = str(picture)
        bpy.ops.render.render(write_still=True)
        print("render_blender:", picture)


main()
