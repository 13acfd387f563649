# SPDX-License-Identifier: Apache-2.0
"""The networks of the assets, declared once. otls/generate.py makes libraries and builders from
them.

Types and parameters of Houdini's own nodes are in tests/otls/HOUDINI_NODES.md, with the published
assets that show them; those of our nodes are in nodes.json.
"""
from pathlib import Path
from typing import Dict, List, Sequence

from generator import looks
from generator.fields import Parameter
from generator.network import Asset, Box, Expr, Node, Port, Promote, Rgb, Value

PRESETS = Path(__file__).resolve().parent / "presets"
SAVE = "hou.pwd().node('save').parm('execute').pressButton()"
COLOR = (0.72, 0.45, 0.33)  # default color of the rendered surface
RENDER = "hou.pwd().node('{}/render').parm('execute').pressButton()"


def simulation_parameters() -> List[Parameter]:
    """Parameters that every simulation has besides the fields of its solver."""
    folder, disk = "Simulation", "Disk"
    return [
        Parameter("resimulate", "button", "Reset simulation", "Deletes the simulated frames.",
                  folder=folder),
        Parameter("startframe", "whole", "Start frame",
                  "Frame at which the matter has the shape that is wired in.", folder=folder,
                  defaults=(1,), low=1, high=240),
        Parameter("ground", "toggle", "Ground", "Adds a plane that everything falls on.",
                  folder=folder, defaults=(1,)),
        Parameter("ground_height", "number", "Ground height", "Height of the plane.", unit="m",
                  folder=folder, disable_when="{ ground == 0 }", defaults=(0,), low=-10, high=10),
        Parameter("deforming", "toggle", "Colliders change shape",
                  "Reads the second input at each frame instead of once.", folder=folder,
                  defaults=(1,)),
        Parameter("emit", "toggle", "Emit", "Turns the third input into matter repeatedly.",
                  folder=folder, defaults=(0,)),
        Parameter("emit_every", "whole", "Emit every", "Number of frames between two emissions.",
                  unit="frames", folder=folder, disable_when="{ emit == 0 }", defaults=(10,),
                  min=1, low=1, high=100, low_is_hard=True),
        Parameter("cachemaxsize", "whole", "Memory for frames",
                  "Largest amount of memory for simulated frames.", unit="MB", folder=folder,
                  defaults=(5000,), min=1, low=1, high=50000, low_is_hard=True),
        Parameter("loadfromdisk", "toggle", "Load from disk",
                  "Reads the files below instead of simulating.", folder=disk, defaults=(0,)),
        Parameter("cachefile", "text", "Files", "One file per frame.", folder=disk,
                  default_text="$HIP/geo/$HIPNAME.$OS.$F.bgeo.sc"),
        Parameter("save", "button", "Save to disk", "Simulates all frames and writes the files.",
                  folder=disk, default_text=SAVE),
        Parameter("explicitcache", "toggle", "Checkpoints",
                  "Writes the whole simulation to disk, to continue from a frame.", folder=disk,
                  defaults=(0,)),
        Parameter("explicitcachename", "text", "Checkpoint files", "One file per checkpoint.",
                  folder=disk, disable_when="{ explicitcache == 0 }",
                  default_text="$HIP/sim/$HIPNAME.$OS.$SF.sim"),
        Parameter("explicitcachensteps", "whole", "Checkpoints kept",
                  "Number of checkpoints that are kept. Older ones are deleted.", folder=disk,
                  disable_when="{ explicitcache == 0 }", defaults=(2,), low=1, high=100),
        Parameter("explicitcachecheckpointspacing", "whole", "Frames between checkpoints",
                  "Number of frames between checkpoints. Higher values write less, and "
                  "simulate more again after a restart.", unit="frames", folder=disk,
                  disable_when="{ explicitcache == 0 }", defaults=(10,), min=1, low=1, high=100,
                  low_is_hard=True),
    ]


def emission() -> Node:
    """Adds the points of emit_source to the matter, without an id: the solver adopts them."""
    return Node("emission", "sopsolver::2.0", nodes=[
        Node("dop_geometry", "dopimport", parms={
            "doppath": '`stamps("..", "DOPNET", "../..")`',
            "objpattern": '`stamps("..", "OBJID", arg(dopnodeobjs(".."), 0))`',
            "importstyle": "fetch",
            "geodatapath": '`stamps("..", "DATANAME", chs("../datapath"))`',
            "pointvels": "none", "donotsim": True}),
        Node("new_points", "object_merge", parms={"objpath1": "../../../emit_source"}),
        Node("no_id", "attribwrangle", ["new_points"],
             {"class": "point", "snippet": "i@id = -1;"}),
        Node("add", "merge", ["dop_geometry", "no_id"]),
        Node("when", "switch", ["dop_geometry", "add"], {"input": Expr(
            'ch("../../../emit") && ($F - ch("../../../startframe"))'
            ' % ch("../../../emit_every") == 0')}),
        Node("output", "output", ["when"], {"outputidx": 0}, shown=True),
    ])


def simulation(solver: str, matter: str, data: Dict[str, str]) -> Node:
    """A DOP network: one object with its data, our solver, its colliders, and gravity."""
    attached = [Node(name.lower(), "sopgeo",
                     parms={"usesoppath": True, "soppath": f"../../{path}", "dataname": name})
                for name, path in {"Geometry": matter, **data}.items()]
    def up(name: str) -> str:
        return f'ch("../../{name}")'
    nodes = [
        Node("object", "emptyobject", parms={"objname": "nendo"}),
        *attached,
        Node("data", "applydata", ["object", *(n.name for n in attached)]),
        emission(),
        Node("solver", solver),
        Node("solve", "multisolver", ["data", "emission", "solver"]),
        Node("nothing", "null"),
        Node("collider", "staticobject", parms={
            "soppath": "../../colliders", "animategeo": Expr(up("deforming"), 1),
            "friction": Expr(up("collider_friction"), 0.5)}),
        Node("ground", "groundplane", parms={
            "t": (0, Expr(up("ground_height")), 0),
            "friction": Expr(up("collider_friction"), 0.5)}),
        Node("use_collider", "switch", ["nothing", "collider"],
             {"input": Expr('if(npoints("../../colliders") == 0, 0, 1)')}),
        Node("use_ground", "switch", ["nothing", "ground"], {"input": Expr(up("ground"), 1)}),
        Node("obstacles", "merge", ["use_collider", "use_ground"]),
        Node("still", "staticsolver", ["obstacles"]),
        Node("affect", "merge", ["still", "solve"], {"affectortype": "ordered"}),
        Node("gravity", "gravity", ["affect"], {"force": tuple(
            Expr(f'ch("../../gravity{axis}")', value) for axis, value in
            zip("xyz", (0, -9.81, 0)))}),
        Node("output", "output", ["gravity"], shown=True),
    ]
    parms: Dict[str, Value] = {name: Expr(f'ch("../{name}")', value) for name, value in (
        ("resimulate", 0), ("startframe", 1), ("cachemaxsize", 5000), ("explicitcache", 0),
        ("explicitcachensteps", 2), ("explicitcachecheckpointspacing", 10))}
    parms["explicitcachename"] = '`chs("../explicitcachename")`'
    return Node("simulation", "dopnet", parms=parms, nodes=nodes)


def result(shown: Sequence[Node]) -> List[Node]:
    """The simulated points, from the simulation or from disk, and the nodes that show them."""
    return [
        Node("import", "dopimport", parms={"doppath": "../simulation", "objpattern": "nendo",
                                           "importstyle": "fetch", "pointvels": "none"}),
        Node("save", "rop_geometry", ["import"],
             {"sopoutput": '`chs("../cachefile")`', "trange": "on"}),
        Node("load", "file", parms={"file": '`chs("../cachefile")`'}),
        Node("points", "switch", ["import", "load"], {"input": Expr('ch("../loadfromdisk")')}),
        *shown,
    ]


def surfaced() -> List[Node]:
    """First output: the surface. Second output: the points."""
    return result([
        Node("surface", "nendo_surface", ["points"]),
        Node("output_surface", "output", ["surface"], {"outputidx": 0}, shown=True),
        Node("output_points", "output", ["points"], {"outputidx": 1}),
    ])


COLLIDERS = Port("Colliders", "Polygons or level sets (VDB), at rest, moving or changing their "
                 "shape.")
SOURCES = Port("Sources", "Geometry that becomes new matter while the simulation runs.")
OUTPUTS = [Port("Surface", "The surface that Nendo Surface makes."),
           Port("Points", "The simulated particles, with all attributes.")]
BOXES = [Box("Input: geometry is filled with particles.", ["source", "emit_source"]),
         Box("The simulation. Dive in to wire your own forces and solvers.",
             ["colliders", "simulation"]),
         Box("Output: points, simulated or from disk, and their surface.",
             ["import", "save", "load", "points", "surface", "output_surface", "output_points"])]
SURFACE = Promote("surface", "surface_", folder="Surface", folder_prefix="Surface ")


def elastoplastic() -> Asset:
    """Clay, rubber, dough."""
    filled: Dict[str, Value] = {"matter": "elastoplastic", "show": "particles"}
    return Asset(
        "elastoplastic", "Nendo Elastoplastic Solver", "Sop", "nendo_elastoplastic",
        "Simulates clay, rubber, dough, gum and tearing sheets.",
        "Wire a closed mesh and press play. The mesh is filled with particles of the material, "
        "which fall on the ground and on the colliders and come out as a surface.",
        "nendo_elastoplastic",
        [Port("Geometry", "Closed polygons or level sets (VDB) to fill.", True), COLLIDERS,
         SOURCES], OUTPUTS, simulation_parameters(),
        [Promote("source"), Promote("emit_source"),
         Promote("simulation/solver", skip_folders=("Data", "Material")), SURFACE],
        [Node("source", "nendo_source", ["@1"], dict(filled)),
         Node("colliders", "null", ["@2"]),
         Node("emit_source", "nendo_source", ["@3"], dict(filled)),
         simulation("nendo_elastoplastic", "source", {}), *surfaced()], BOXES,
        ["dop/nendo_elastoplastic", "sop/nendo_source", "sop/nendo_surface"])


def melt() -> Asset:
    """Wax, ice, chocolate."""
    filled: Dict[str, Value] = {"matter": "elastoplastic", "show": "particles"}
    only = ("spacing", "body", "velocity", "angular_velocity")
    return Asset(
        "melt", "Nendo Melt Solver", "Sop", "nendo_melt",
        "Simulates wax, ice, chocolate, lava and gelatin that melt, flow and freeze.",
        "Wire a closed mesh, choose a material, and turn on the heat ball or make the colliders "
        "hot.", "nendo_melt",
        [Port("Geometry", "Closed polygons or level sets (VDB) to fill.", True), COLLIDERS,
         SOURCES], OUTPUTS, simulation_parameters(),
        [Promote("source", only=only), Promote("emit_source", only=only),
         Promote("simulation/solver"), SURFACE],
        [Node("source", "nendo_source", ["@1"], dict(filled)),
         Node("colliders", "null", ["@2"]),
         Node("emit_source", "nendo_source", ["@3"], dict(filled)),
         simulation("nendo_melt", "source", {}), *surfaced()], BOXES,
        ["dop/nendo_melt", "sop/nendo_source", "sop/nendo_surface"])


def coupling() -> Asset:
    """Fluids and stretchy bodies."""
    fluid: Dict[str, Value] = {"matter": "coupling", "membrane": False, "first_id": 0, "body": 0,
                               "show": "particles"}
    body: Dict[str, Value] = {"matter": "coupling", "first_id": 1000000, "body": 1}
    def part(name: str, show: str) -> List[Node]:
        return [Node(f"body_{name}", "nendo_source", ["body"], {**body, "show": show}),
                Node(f"use_{name}", "switch", ["nothing", f"body_{name}"],
                     {"input": Expr('if(npoints("../body") == 0, 0, 1)')})]
    return Asset(
        "coupling", "Nendo Coupling Solver", "Sop", "nendo_coupling",
        "Simulates fluids and the stretchy bodies in them: membranes, balloons, jellyfish.",
        "Wire geometry to fill with fluid, and geometry that becomes a body of springs. The "
        "density of a body follows its stretch, so muscles make it rise and sink.",
        "nendo_coupling",
        [Port("Fluid", "Closed polygons or level sets (VDB) to fill.", True), COLLIDERS, SOURCES,
         Port("Body", "Closed polygons to fill with springs, or a skin: see Membrane.")],
        OUTPUTS, simulation_parameters(),
        [Promote("source"), Promote("emit_source"),
         Promote("body_particles", "body_", folder="Body", folder_prefix="Body "),
         Promote("body_springs", "body_"), Promote("body_faces", "body_"),
         Promote("simulation/solver", skip_folders=("Data", "Material")), SURFACE],
        [Node("source", "nendo_source", ["@1"], dict(fluid)),
         Node("colliders", "null", ["@2"]),
         Node("emit_source", "nendo_source", ["@3"], dict(fluid)),
         Node("body", "null", ["@4"]),
         Node("nothing", "null"),
         *part("particles", "particles"), *part("springs", "springs"), *part("faces", "faces"),
         Node("matter", "merge", ["source", "use_particles"]),
         simulation("nendo_coupling", "matter",
                    {"Springs": "use_springs", "Faces": "use_faces"}), *surfaced()],
        [Box("Input: fluid, and a body of particles, springs and faces.",
             ["source", "emit_source", "body", "nothing", "body_particles", "use_particles",
              "body_springs", "use_springs", "body_faces", "use_faces", "matter"]), *BOXES[1:]],
        ["dop/nendo_coupling", "sop/nendo_source", "sop/nendo_surface"])


def rheology() -> Asset:
    """Spoons, wires, bumpers."""
    own = [p for p in simulation_parameters() if not p.name.startswith("emit")]
    network = simulation("nendo_rheology", "bones", {"Joints": "joints"})
    network.nodes = [n for n in network.nodes if n.name != "emission"]
    for node in network.nodes:
        node.inputs = [i for i in node.inputs if i != "emission"]
    return Asset(
        "rheology", "Nendo Rheology Solver", "Sop", "nendo_rheology",
        "Simulates spoons, wires, bumpers and candles that bend and stay bent.",
        "Wire a closed mesh. Bones are made along its center line and simulated, and the mesh "
        "follows them.", "nendo_rheology",
        [Port("Mesh", "Closed polygons at rest, or a line.", True), COLLIDERS],
        [Port("Skin", "The mesh, moved by the bones."),
         Port("Bones", "The simulated bones, as points.")], own,
        [Promote("bones"), Promote("joints"), Promote("skin"), Promote("simulation/solver")],
        [Node("bones", "nendo_skin", ["@1"], {"output": "bones"}),
         Node("joints", "nendo_skin", ["@1"], {"output": "joints"}),
         Node("colliders", "null", ["@2"]), network,
         *result([Node("skin", "nendo_skin", ["@1", "points"], {"output": "skin"}),
                  Node("output_skin", "output", ["skin"], {"outputidx": 0}, shown=True),
                  Node("output_bones", "output", ["points"], {"outputidx": 1})])],
        [Box("Input: bones and joints of the mesh.", ["bones", "joints"]), BOXES[1],
         Box("Output: the mesh on the simulated bones.",
             ["import", "save", "load", "points", "skin", "output_skin", "output_bones"])],
        ["dop/nendo_rheology", "sop/nendo_skin"])


def wedge() -> Asset:
    """Repeats a simulation with a different value each time."""
    folder = "Wedge"
    return Asset(
        "wedge", "Nendo Wedge", "Top", "nendo_wedge",
        "Simulates a scene several times, with a different value of one parameter each time.",
        "Set the path of the node save inside an asset, and the path of a parameter, such as "
        "/obj/clay/nendo/young. Put `@wedgeindex` in the path of the files to give each wedge its "
        "own.", "", [],
        [Port("Done", "One item, when all wedges are simulated.")],
        [Parameter("target", "text", "Save node", "Path of the node save in a Nendo asset.",
                   folder=folder, default_text="/obj/nendo/nendo/save"),
         Parameter("channel", "text", "Parameter", "Path of the parameter that changes.",
                   folder=folder, default_text="/obj/nendo/nendo/young"),
         Parameter("count", "whole", "Count", "Number of values.", folder=folder, defaults=(5,),
                   min=1, low=1, high=50, low_is_hard=True),
         Parameter("first", "number", "First", "Value of the first wedge.", folder=folder,
                   defaults=(0,), low=0, high=1),
         Parameter("last", "number", "Last", "Value of the last wedge.", folder=folder,
                   defaults=(1,), low=0, high=1)], [],
        [Node("values", "wedge", parms={
            "wedgecount": Expr('ch("../count")', 5), "wedgeattributes": 1, "name1": "value",
            "type1": "0", "wedgetype1": "0", "floatrange1": (Expr('ch("../first")'),
                                                             Expr('ch("../last")', 1)),
            "exportchannel1": True, "channel1": '`chs("../channel")`'}),
         Node("simulate", "ropfetch", ["values"], {"roppath": '`chs("../target")`',
                                                   "batchall": True}),
         Node("all", "waitforall", ["simulate"]),
         Node("output", "output", ["all"], shown=True)],
        [Box("The values, one simulation for each, and a wait for all of them.",
             ["values", "simulate", "all", "output"])])


def render_parameters(known: looks.Looks) -> List[Parameter]:
    """Parameters of a picture: material, camera, light and files."""
    names = [look.name for look in known.looks]
    others = [known.presets_of(name, PRESETS) for name in names]
    labels = [name.capitalize() + (f" ({', '.join(list_of)})" if list_of else "")
              for name, list_of in zip(names, others)]
    matter, camera, light, out = "Material", "Camera", "Light", "Picture"
    return [
        Parameter("look", "menu", "Look",
                  "Render material; the presets that use it are in brackets.", folder=matter,
                  default_text=names[0], choices=tuple(names), choice_labels=tuple(labels)),
        Parameter("color", "color", "Color", "Color of the surface, and of the light inside it.",
                  folder=matter, defaults=COLOR),
        Parameter("size", "number", "Size", "Size of the matter. Light goes deeper into larger "
                  "matter.", unit="m", folder=matter, defaults=(1,), min=0, above_min=True,
                  low=0.01, high=10),
        Parameter("camera_position", "vector", "Position", "Position of the camera.", unit="m",
                  folder=camera, defaults=(0, 1, 4)),
        Parameter("camera_rotation", "vector", "Rotation",
                  "Rotation of the camera. Without rotation it looks along -Z.", unit="degrees",
                  folder=camera, defaults=(-12, 0, 0)),
        Parameter("focal", "number", "Focal length",
                  "Focal length of the camera. Lower values show more of the scene.", unit="mm",
                  folder=camera, defaults=(35,), min=0, above_min=True, low=10, high=200),
        Parameter("key_rotation", "vector", "Key rotation",
                  "Rotation of the key light. Without rotation it shines along -Z.", unit="degrees",
                  folder=light, defaults=(-45, 35, 0)),
        Parameter("key_intensity", "number", "Key intensity", "Brightness of the distant light.",
                  folder=light, defaults=(1,), min=0, low=0, high=10, low_is_hard=True),
        Parameter("sky_intensity", "number", "Sky intensity",
                  "Brightness of the light from all sides.", folder=light, defaults=(0.5,), min=0,
                  low=0, high=10, low_is_hard=True),
        Parameter("width", "whole", "Width", "Width of the picture.", unit="pixels", folder=out,
                  defaults=(1280,), min=1, low=1, high=4096, low_is_hard=True),
        Parameter("height", "whole", "Height", "Height of the picture.", unit="pixels", folder=out,
                  defaults=(720,), min=1, low=1, high=4096, low_is_hard=True),
        Parameter("samples", "whole", "Karma samples",
                  "Number of rays per pixel. More rays give less noise.", folder=out,
                  defaults=(16,), min=1, low=1, high=256, low_is_hard=True),
        Parameter("all_frames", "toggle", "All frames",
                  "Renders the whole frame range instead of the current frame.", folder=out,
                  defaults=(0,)),
        Parameter("picture", "text", "Files", "One file per frame.", folder=out,
                  default_text="$HIP/render/$HIPNAME.$OS.$F4.exr"),
        Parameter("render_karma", "button", "Render with Karma",
                  "Renders with Karma and writes the files.", folder=out,
                  default_text=RENDER.format("karma")),
        Parameter("render_mantra", "button", "Render with Mantra",
                  "Renders with Mantra and writes the files.", folder=out,
                  default_text=RENDER.format("mantra")),
    ]


def above(name: str, value: float, levels: int) -> Expr:
    """A parameter of the asset, as seen from a node some levels of networks below."""
    return Expr(f'ch("{"../" * levels}{name}")', value)


def render_materials(known: looks.Looks) -> Dict[str, List[Node]]:
    """One material per look: MaterialX for Karma, as in the USD files, and a Mantra shader."""
    made: Dict[str, List[Node]] = {"karma": [], "mantra": []}
    for look in known.looks:
        def color(levels: int) -> Rgb:
            return Rgb(above(f"color{c}", v, levels)
                       for c, v in zip("rgb", COLOR))

        def depth(levels: int, share: float = look.depth) -> Expr:
            return Expr(f'{share!r}*ch("{"../" * levels}size")', share)
        made["karma"].append(Node(look.name, "mtlxstandard_surface", material=True, parms={
            "base": 1, "base_color": color(3), "specular_roughness": look.roughness,
            "specular_IOR": look.ior, "metalness": look.metallic,
            "transmission": look.transmission, "transmission_color": color(3),
            "transmission_depth": depth(3), "subsurface": look.subsurface,
            "subsurface_color": color(3), "subsurface_radius": Rgb(look.scatter),
            "subsurface_scale": depth(3), "emission": look.glow, "emission_color": color(3)}))
        made["mantra"].append(Node(look.name, "principledshader::2.0", material=True, parms={
            "basecolor": color(2), "basecolor_usePointColor": False, "rough": look.roughness,
            "ior": look.ior, "metallic": look.metallic, "transparency": look.transmission,
            "transcolor": color(2), "transdist": depth(2), "sss": look.subsurface,
            "ssscolor": color(2), "sssdist": depth(2), "emitint": look.glow,
            "emitcolor": color(2)}))
    return made


def render_stage(own: Dict[str, Parameter], materials: Sequence[Node]) -> Node:
    """Karma: a chain of the surface, its material, camera, lights and settings."""
    def vector(name: str) -> Value:
        return tuple(above(name + c, v, 2) for c, v in zip("xyz", own[name].defaults))

    def number(name: str) -> Expr:
        return above(name, own[name].defaults[0], 2)
    return Node("karma", "lopnet", nodes=[
        Node("import", "sopimport", parms={"soppath": "../../surface", "enable_pathprefix": True,
                                           "pathprefix": "/nendo"}),
        Node("materials", "materiallibrary", ["import"], {
            "matpathprefix": "/materials/", "materials": 1, "matnode1": "*"}, materials),
        Node("assign", "assignmaterial", ["materials"], {
            "nummaterials": 1, "primpattern1": "/nendo",
            "matspecpath1": '/materials/`chs("../../look")`'}),
        Node("camera", "camera", ["assign"], {
            "primpath": "/cameras/nendo", "t": vector("camera_position"),
            "r": vector("camera_rotation"), "focalLength": number("focal"),
            "horizontalAperture": 20.955, "aspectratio": (number("width"), number("height")),
            "clippingRange": (0.01, 10000)}),
        Node("key", "distantlight::2.0", ["camera"], {
            "primpath": "/lights/key", "r": vector("key_rotation"),
            "xn__inputsintensity_i0a": number("key_intensity")}),
        Node("sky", "domelight::2.0", ["key"], {
            "primpath": "/lights/sky", "xn__inputsintensity_i0a": number("sky_intensity")}),
        Node("settings", "karmarenderproperties", ["sky"], {
            "camera": "/cameras/nendo", "resolution": (number("width"), number("height")),
            "samplesperpixel": number("samples"), "picture": '`chs("../../picture")`'}),
        Node("render", "usdrender_rop", ["settings"], {
            "renderer": "BRAY_HdKarma", "loppath": "../settings",
            "outputimage": '`chs("../../picture")`', "trange": number("all_frames")}),
    ])


def render_mantra(own: Dict[str, Parameter]) -> List[Node]:
    """Mantra: camera and lights as objects, and a driver that renders the surrounding object."""
    def vector(name: str) -> Value:
        return tuple(above(name + c, v, 2) for c, v in zip("xyz", own[name].defaults))

    def number(name: str) -> Expr:
        return above(name, own[name].defaults[0], 2)
    objects = '`opfullpath("../../objects/{}")`'
    return [
        Node("objects", "objnet", nodes=[
            Node("camera", "cam", parms={
                "t": vector("camera_position"), "r": vector("camera_rotation"),
                "focal": number("focal"), "aperture": 20.955,
                "res": (number("width"), number("height"))}),
            Node("key", "hlight::2.0", parms={
                "r": vector("key_rotation"), "light_type": "distant",
                "light_intensity": number("key_intensity")}),
            Node("sky", "envlight", parms={"light_intensity": number("sky_intensity")})]),
        Node("mantra", "ropnet", nodes=[Node("render", "ifd", parms={
            "camera": objects.format("camera"), "vobject": "",
            "forceobject": '`opfullpath("../../..")`', "alights": "",
            "forcelights": f"{objects.format('key')} {objects.format('sky')}",
            "vm_picture": '`chs("../../picture")`', "trange": number("all_frames")})])]


def render() -> Asset:
    """Renders the output of the other assets."""
    known = looks.load()
    own = render_parameters(known)
    by_name = {p.name: p for p in own}
    materials = render_materials(known)
    return Asset(
        "render", "Nendo Render", "Sop", "nendo_render",
        "Renders a surface with Karma or Mantra, with a material, a camera and lights.",
        "Wire the surface that a Nendo asset makes, choose a look, and press a button. For Mantra, "
        "set the render flag of this node. The looks are those of the pictures and USD files that "
        "`nendo` writes. The surface has one color; the point attribute `Cd` is not used. In "
        "Mantra, red and blue light go equally deep below the surface.", "",
        [Port("Surface", "Polygons, such as the first output of a Nendo asset.", True)],
        [Port("Surface", "The surface, with its material for Mantra.")], own, [],
        [Node("surface", "null", ["@1"]),
         Node("materials", "matnet", nodes=materials["mantra"]),
         Node("assign", "material", ["surface"], {
             "shop_materialpath1": '../materials/`chs("../look")`'}),
         Node("output", "output", ["assign"], {"outputidx": 0}, shown=True),
         render_stage(by_name, materials["karma"]), *render_mantra(by_name)],
        [Box("The surface, and one Mantra material per look.",
             ["surface", "materials", "assign", "output"]),
         Box("Karma: surface, materials, camera, lights, settings.", ["karma"]),
         Box("Mantra: camera and lights as objects, and the driver.", ["objects", "mantra"])],
        ["sop/nendo_surface", "sop/nendo_skin"])


def assets() -> List[Asset]:
    """New copies of all assets."""
    return [elastoplastic(), coupling(), melt(), rheology(), render(), wedge()]
