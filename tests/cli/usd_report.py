# SPDX-License-Identifier: Apache-2.0
"""The USD library's report about a stage, as JSON: python usd_report.py scene.usda FRAME..."""
import json
import sys

from pxr import Gf, Usd, UsdGeom, UsdLux, UsdRender, UsdShade, UsdVol


def complaints(path):
    """Errors and warnings of the library's own checker, old or new."""
    try:
        from pxr import UsdValidation
    except ImportError:
        from pxr import UsdUtils
        checker = UsdUtils.ComplianceChecker(arkit=False, skipARKitRootLayerCheck=True)
        checker.CheckCompliance(path)
        return checker.GetErrors() + checker.GetFailedChecks() + checker.GetWarnings()
    registry = UsdValidation.ValidationRegistry()
    validators = registry.GetOrLoadAllValidators()
    context = UsdValidation.ValidationContext(validators)
    errors = [f"{e.GetName()}: {e.GetMessage()}" for e in context.Validate(Usd.Stage.Open(path))]
    # usd-core comes without MaterialX and so does not know its shaders.
    return [e for e in errors if not e.startswith("MissingShaderIdInRegistry: shaderId 'ND_")]


def numbers(value):
    if value is None:
        return None
    return [list(v) if hasattr(v, "__len__") else v for v in value]


def describe_shape(prim, frames):
    shape = {"type": prim.GetTypeName(), "frames": {}}
    material, _ = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()
    shape["material"] = str(material.GetPath()) if material else None
    shape["primvars"] = {p.GetPrimvarName(): p.GetInterpolation()
                         for p in UsdGeom.PrimvarsAPI(prim).GetPrimvars() if p.GetAttr()}
    for frame in frames:
        time = Usd.TimeCode(frame)
        row = {}
        for name in ("points", "velocities", "ids", "widths", "normals", "extent",
                     "faceVertexCounts", "faceVertexIndices"):
            row[name] = numbers(prim.GetAttribute(name).Get(time)) if prim.HasAttribute(name) \
                else None
        for name in shape["primvars"]:
            row["primvars:" + name] = numbers(prim.GetAttribute("primvars:" + name).Get(time))
        computed = UsdGeom.Boundable.ComputeExtentFromPlugins(UsdGeom.Boundable(prim), time)
        row["computed_extent"] = numbers(computed)
        shape["frames"][frame] = row
    return shape


def describe_volume(prim, frames):
    volume = {"extent": {}, "grids": {}}
    for frame in frames:
        volume["extent"][frame] = numbers(prim.GetAttribute("extent").Get(frame))
    for name, path in UsdVol.Volume(prim).GetFieldPaths().items():
        asset = UsdVol.OpenVDBAsset(prim.GetStage().GetPrimAtPath(path))
        volume["grids"][name] = {
            "name": asset.GetFieldNameAttr().Get(), "class": asset.GetFieldClassAttr().Get(),
            "type": asset.GetFieldDataTypeAttr().Get(),
            "files": {f: asset.GetFilePathAttr().Get(f).resolvedPath for f in frames}}
    return volume


def describe_camera(stage):
    camera = UsdGeom.Camera(stage.GetPrimAtPath("/nendo/camera")).GetCamera(Usd.TimeCode(0))
    ray = camera.frustum.ComputeViewDirection()
    return {"fov": camera.GetFieldOfView(Gf.Camera.FOVVertical), "view": list(ray),
            "aspect": camera.aspectRatio, "eye": list(camera.frustum.GetPosition())}


def describe_materials(stage):
    shaders = {}
    for prim in stage.Traverse():
        if not prim.IsA(UsdShade.Material):
            continue
        material = UsdShade.Material(prim)
        found = shaders[prim.GetName()] = {}
        for context in ("", "mtlx"):
            shader = material.ComputeSurfaceSource(context)[0]
            found[context] = {"id": shader.GetIdAttr().Get()}
            for given in shader.GetInputs():
                source = given.GetConnectedSources()[0]
                value = source[0].source.GetPath().name if source else given.Get()
                plain = isinstance(value, (float, int, str, bool))
                found[context][given.GetBaseName()] = value if plain else list(value)
    return shaders


def describe(path, frames):
    stage = Usd.Stage.Open(path)
    root = stage.GetDefaultPrim()
    report = {
        "complaints": complaints(path), "root": str(root.GetPath()),
        "meters": UsdGeom.GetStageMetersPerUnit(stage), "up": UsdGeom.GetStageUpAxis(stage),
        "start": stage.GetStartTimeCode(), "end": stage.GetEndTimeCode(),
        "fps": stage.GetTimeCodesPerSecond(), "shapes": {}, "volumes": {}, "lights": {},
        "variant": root.GetVariantSet("shown").GetVariantSelection(),
        "variants": root.GetVariantSet("shown").GetVariantNames(),
        "camera": describe_camera(stage), "materials": describe_materials(stage),
        "layers": [layer.identifier for layer in stage.GetUsedLayers()],
    }
    settings = UsdRender.Settings.GetStageRenderSettings(stage)
    report["resolution"] = list(settings.GetResolutionAttr().Get())
    report["products"] = [str(p) for p in settings.GetProductsRel().GetTargets()]
    report["shown"] = [p.GetName() for p in root.GetChildren()]
    root.GetVariantSet("shown").SetVariantSelection("all")
    for prim in stage.Traverse():
        if prim.IsA(UsdGeom.PointBased):
            report["shapes"][str(prim.GetPath())] = describe_shape(prim, frames)
        elif prim.IsA(UsdVol.Volume):
            report["volumes"][str(prim.GetPath())] = describe_volume(prim, frames)
        elif prim.HasAPI(UsdLux.LightAPI):
            report["lights"][str(prim.GetPath())] = prim.GetTypeName()
    cache = UsdGeom.BBoxCache(frames[0], ["default"])
    report["bounds"] = {}
    for frame in frames:
        cache.SetTime(frame)
        for group in ("particles", "surface", "skin"):
            prim = stage.GetPrimAtPath(f"/nendo/{group}")
            if prim:
                box = cache.ComputeWorldBound(prim).ComputeAlignedRange()
                report["bounds"].setdefault(group, {})[frame] = \
                    None if box.IsEmpty() else [list(box.GetMin()), list(box.GetMax())]
    return report


if __name__ == "__main__":
    json.dump(describe(sys.argv[1], [int(f) for f in sys.argv[2:]]), sys.stdout)
