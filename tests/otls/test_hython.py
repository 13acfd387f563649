# SPDX-License-Identifier: Apache-2.0
"""The networks that hython would build, on a stand-in for hou, against the expanded libraries."""
import ast
import importlib.util
import inspect
import re
import struct
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

from support import ASSETS, OTLS, ROOT, Case, hou_names, ledger

PATHS = [str(OTLS / "builders"), str(OTLS / "scripts/python")]
sys.path[:0] = [str(ROOT / "tests/standin/hou"), *PATHS]
SCRIPTS = [OTLS / "build.py", OTLS / "builders/builder.py", OTLS / "scripts/python/nendo_tools.py",
           ROOT / "examples/hython/scenes/build.py", ROOT / "examples/hython/batch.py"]

import hda  # noqa: E402
import hou  # noqa: E402
from generator import fields  # noqa: E402
from stubs import check_types, find_stubs  # noqa: E402


def load_script(path, name):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def tell_types():
    """All types that the stand-in may create: Houdini's by the ledger, ours by nodes.json."""
    hou.standin_types.clear()
    hou.standin_assets.clear()
    for kind, (parms, _) in ledger().items():
        hou.standin_know(kind, parms)
    # Every object has a transform, and networks are created with these.
    hou.standin_know("Object/geo", {"t"})
    hou.standin_know("Top/localscheduler", set())
    for node in fields.load(OTLS / "nodes.json").nodes.values():
        hou.standin_know(f"{node.context.capitalize()}/{node.name}",
                         {p.name for p in node.parameters})


def shown(value):
    if isinstance(value, bool):
        return "on" if value else "off"
    return as_read([value])[0] if isinstance(value, str) else float(value)


def recorded(parm):
    """A parameter's values as the parser gives them."""
    parts = list(parm) if isinstance(parm, hou.ParmTuple) else [parm]
    return [shown(p.standin_value) if p.standin_expression is None else "=" + p.standin_expression
            for p in parts]


def as_read(values):
    """Numbers of a library as floats."""
    return [float(v) if re.fullmatch(r"-?[\d.]+(e[-+]?\d+)?", v) else v for v in values]


def unpacked(data):
    """Texts of a file of presets: INDX, nothing, their number; names and offsets; texts."""
    if data is None:
        return {}
    magic, nothing, count = struct.unpack_from(">4s8sI", data)
    assert (magic, nothing) == (b"INDX", bytes(8))
    places, at = {}, 16
    for _ in range(count):
        (length,) = struct.unpack_from(">I", data, at)
        name = data[at + 4:at + 4 + length].decode()
        places[name] = struct.unpack_from(">II", data, at + 4 + length)
        at += 16 + length
    return {name: data[at + start:at + start + size].decode()
            for name, (start, size) in places.items()}


class Built(Case):
    """A test case with all assets built."""

    @classmethod
    def setUpClass(cls):
        tell_types()
        hou.hipFile.clear()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.made = load_script(OTLS / "build.py", "nendo_build").build_all(folder.name)
        cls.assets = {name: hda.parse_library(OTLS / f"{name}.hda")[0] for name in ASSETS}


class Builders(Built):
    def test_each_library_has_one_asset(self):
        self.assertEqual([p.rsplit("/", 1)[1] for p in self.made], [f"{n}.hda" for n in ASSETS])
        self.assertEqual(hou.node("/obj").children(), ())

    def pairs(self):
        for asset in self.assets.values():
            yield asset, hou.standin_assets[f"{asset.table}/{asset.operator}"]

    def test_builders_make_the_same_nodes_wires_and_values(self):
        compared = {"nodes": 0, "wires": 0, "values": 0}
        for asset, made in self.pairs():
            found = {}
            self.collect(made.standin_contents, "hdaroot", found)
            self.assertEqual(set(found), set(asset.children))
            for path, child in asset.children.items():
                node = found[path]
                self.assertEqual(node.standin_type, child.type, path)
                wires = {i: s.standin_name if isinstance(s, hou.Node) else f"({s.standin_index})"
                         for i, s in node.standin_inputs.items()}
                self.assertEqual(wires, {i: s for i, (s, _) in child.inputs.items()}, path)
                values = {n: recorded(p) for n, p in node.standin_parms.items()}
                self.assertEqual(values, {n: as_read(v) for n, v in child.parms.items()}, path)
                self.assertEqual(node.standin_flags.get("Display", False),
                                 child.flags["display"] == "on", path)
                self.assertEqual(node.standin_flags.get("Material", False),
                                 child.flags.get("material") == "on", path)
                compared["nodes"] += 1
                compared["wires"] += len(wires)
                compared["values"] += len(values)
        self.assertGreater(min(compared.values()), 100, compared)

    def collect(self, node, path, found):
        for name, child in node.standin_children.items():
            found[f"{path}/{name}"] = child
            self.collect(child, f"{path}/{name}", found)

    def test_builders_make_the_same_parameters(self):
        for asset, made in self.pairs():
            templates = dict((t.standin_name, (folder, t))
                             for folder, t in made.standin_group.standin_all())
            self.assertEqual(list(templates), list(asset.dialog.parms))
            for name, parm in asset.dialog.parms.items():
                folder, template = templates[name]
                values = template.standin_values
                self.assertEqual((folder, template.standin_label, template.standin_help),
                                 (parm.folder, parm.label, parm.help))
                self.assertEqual(template.standin_conditions.get("DisableWhen", ""),
                                 parm.disablewhen)
                self.assertEqual(template.standin_conditions.get("HideWhen", ""), parm.hidewhen)
                if "default" in values:
                    self.assertEqual([str(v) if isinstance(v, str) else float(v)
                                      for v in values["default"]],
                                     parm.default if parm.type == "string"
                                     else [float(v) for v in parm.default], name)
                self.assertEqual(values.get("menu", []), parm.menu)
                if parm.range:
                    self.assertEqual(values["range"], parm.range, name)
                self.assertEqual(values.get("callback", ""), parm.tags.get("script_callback", ""))

    def test_builders_make_the_same_boxes_labels_and_help(self):
        for asset, made in self.pairs():
            contents = made.standin_contents
            boxes = {box.standin_comment: {n.standin_name for n in box.standin_items}
                     for box in contents.standin_boxes}
            read = {text: {c.path.rsplit("/", 1)[1] for c in asset.children.values()
                           if c.box == name} for name, text in asset.boxes.items()}
            self.assertEqual(boxes, read)
            self.assertEqual(unpacked(made.standin_sections.get("Presets")),
                             {name: (asset.sections["Presets"] / name).read_text()
                              for name in asset.presets})
            self.assertEqual(made.standin_sections["Help"], asset.sections["Help"].read_text())
            self.assertEqual(made.standin_icon, asset.fields["Icon"])
            self.assertEqual(made.standin_values["label"], asset.fields["Label"])
            self.assertEqual("{} to {}".format(*made.standin_values["inputs"]),
                             asset.fields["Inputs"])
            self.assertEqual(str(made.standin_outputs), asset.fields["Outputs"])


class Scenes(Built):
    def setUp(self):
        super().setUp()
        hou.hipFile.clear()
        hou.standin_selected.clear()

    def test_each_tool_of_the_shelf_builds_its_scene(self):
        import nendo_setups
        import nendo_tools
        shelf = ElementTree.parse(OTLS / "toolbar/nendo.shelf").getroot()
        tools = {t.get("name"): t.find("script").text for t in shelf.findall("tool")}
        members = [m.get("name") for m in shelf.find("toolshelf")]
        self.assertEqual(members, list(tools))
        self.assertEqual(members, [f"nendo_{name}" for name in (*nendo_setups.SETUPS, "render",
                                                                "wedge")])
        for name, setup in nendo_setups.SETUPS.items():
            hou.hipFile.clear()
            hou.standin_undo.clear()
            exec(tools[f"nendo_{name}"], {"nendo_tools": nendo_tools})
            self.assertEqual(hou.standin_undo, [f"Nendo: {setup['label']}"])
            (geometry,) = hou.node("/obj").children()
            asset = geometry.node(name)
            self.assertEqual(asset.standin_type, f"nendo::{setup['method']}::1.0")
            self.assertEqual({i for i, s in enumerate(setup["inputs"]) if s},
                             set(asset.standin_inputs))
            self.assertEqual(set(asset.standin_parms), set(setup["parameters"]))
            self.assertTrue(asset.standin_flags["Display"])
            # A collider that presses on a body moves.
            moving = [v for i, source in asset.standin_inputs.items() if i == 1
                      for v in recorded(source.standin_parms["t"]) if str(v).startswith("=")]
            self.assertEqual(len(moving), name in ("spoon", "bumper"), name)

    def press(self, tool):
        """Runs a tool of the shelf; it is one step of undo."""
        import nendo_tools
        shelf = ElementTree.parse(OTLS / "toolbar/nendo.shelf").getroot()
        (script,) = [t.find("script").text for t in shelf.findall("tool")
                     if t.get("name") == f"nendo_{tool}"]
        hou.standin_undo.clear()
        exec(script, {"nendo_tools": nendo_tools})
        self.assertEqual(hou.standin_undo, [f"Nendo: {tool.capitalize()}"])

    def test_the_render_tool_builds_its_nodes(self):
        """Below the selected asset, with its look and color; otherwise below a ball of clay."""
        import nendo_setups
        import nendo_tools
        self.press("render")
        self.assertEqual([n.name() for n in hou.node("/obj").children()], ["nendo_clay_ball"])
        for setup, look in (("wax_candle", "wax"), ("wire", "metal"), ("water_balloon", "water")):
            hou.hipFile.clear()
            asset = nendo_tools.make_scene(setup)
            hou.standin_selected[:] = [asset, hou.node("/obj")]
            self.press("render")
            (geometry,) = hou.node("/obj").children()
            render = geometry.node(f"{setup}_render")
            self.assertEqual(render.standin_type, "nendo::render::1.0")
            self.assertEqual(render.standin_inputs, {0: asset})
            self.assertEqual(recorded(render.standin_parms["look"]), [look])
            colors = [color for presets in nendo_setups.LOOKS.values()
                      for known, color in presets.values() if known == look]
            self.assertIn(recorded(render.standin_parms["color"]), colors)
            self.assertTrue(render.standin_flags["Render"])

    def test_the_wedge_tool_builds_its_nodes(self):
        import nendo_tools
        self.press("wedge")
        self.assertIsNotNone(hou.node("/tasks/clay_ball_wedges/wedge"))
        for setup in ("lava", "bumper", "jellyfish", "jelly_cube"):
            hou.hipFile.clear()
            hou.standin_selected[:] = [nendo_tools.make_scene(setup)]
            self.press("wedge")
            wedge = hou.node(f"/tasks/{setup}_wedges/wedge")
            self.assertEqual(wedge.standin_type, "nendo::wedge::1.0")
            (target,) = recorded(wedge.standin_parms["target"])
            (channel,) = recorded(wedge.standin_parms["channel"])
            asset, save = target.rsplit("/", 1)
            self.assertIn(f"hdaroot/{save}", self.assets[
                f"nendo_{hou.node(asset).standin_type.split('::')[1]}"].children)
            asset, parm = channel.rsplit("/", 1)
            self.assertIsNotNone(hou.node(asset).parmTuple(parm[:-1]))

    def test_unknown_names_are_refused(self):
        import nendo_tools
        with self.assertRaisesRegex(ValueError, "no setup 'clai'"):
            nendo_tools.make_scene("clai")
        geometry = hou.node("/obj").createNode("geo", "test")
        with self.assertRaises(hou.Error):
            geometry.createNode("bax", "box")
        box = geometry.createNode("box", "box")
        with self.assertRaisesRegex(RuntimeError, "has no parameter siez"):
            nendo_tools.set_parm(box, "siez", [1, 1, 1])
        with self.assertRaises(AttributeError):
            box.setInputs(0, box)

    def test_the_example_scenes_are_built(self):
        scenes = load_script(ROOT / "examples/hython/scenes/build.py", "nendo_scenes")
        hou.standin_saved.clear()
        self.assertEqual(scenes.main([str(self.folder)]), 0)
        self.assertEqual([p.rsplit("/", 1)[1] for p in hou.standin_saved],
                         [f"nendo_{name}.hip" for name in scenes.SCENES])
        self.assertEqual(len(scenes.SCENES), 5)
        scenes.build_scene("all_four")
        (geometry,) = hou.node("/obj").children()
        types = {c.standin_type for c in geometry.children()}
        for method in ("elastoplastic", "coupling", "melt", "rheology"):
            self.assertIn(f"nendo::{method}::1.0", types)
        self.assertGreaterEqual(len(geometry.standin_boxes), 4)
        self.assertTrue(all(box.standin_comment for box in geometry.standin_boxes))
        self.assertEqual(geometry.node("wax_candle").standin_inputs[1].standin_name, "clay_ball")
        self.assertEqual(scenes.main([str(self.folder), "none"]), 1)


class Names(Case):
    def test_scripts_use_only_names_with_a_source(self):
        known = hou_names()
        for path in SCRIPTS:
            for name, member in re.findall(r"\bhou\.([A-Za-z]\w*)(?:\.([A-Za-z]\w*))?",
                                           path.read_text()):
                self.assertIn(name, known, path.name)
                if member:
                    self.assertIn(member, known[name], path.name)
        self.assertEqual(known, standin_names())

    def test_the_stand_in_is_a_part_of_hou(self):
        """Each name and each argument is in the stubs that were made from Houdini."""
        stubs = find_stubs()
        if stubs is None:
            raise unittest.SkipTest("no stubs of hou")
        parts = {node.name: node for node in
                 ast.parse((stubs / "hou/__init__.pyi").read_text()).body
                 if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        compared = 0
        for name, members in standin_names().items():
            if isinstance(parts[name], ast.FunctionDef):
                compared += self.compare(getattr(hou, name), [parts[name]], name)
                continue
            for member in sorted(members):
                found = self.find(parts, name, member)
                self.assertTrue(found, f"hou.{name}.{member}")
                if callable(getattr(getattr(hou, name), member)):
                    compared += self.compare(getattr(getattr(hou, name), member), found, member)
            if name.endswith("ParmTemplate") and name != "ParmTemplate":
                made = self.find(parts, name, "__init__")
                compared += self.compare(getattr(hou, name).__init__, made, name)
        self.assertGreater(compared, 80)

    def find(self, parts, name, member):
        """The declarations of a member in a class or its bases: functions, or an assignment."""
        found = [node for node in parts[name].body
                 if getattr(node, "name", None) == member
                 or isinstance(node, ast.AnnAssign) and node.target.id == member]
        for base in parts[name].bases:
            if not found and base.id in parts:
                found = self.find(parts, base.id, member)
        return found

    def compare(self, ours, theirs, where):
        """Our arguments are theirs, in their order; required ones are required here or set."""
        taken = [a for a in inspect.signature(ours).parameters if a != "self"]
        said = [[a.arg for a in one.args.args if a.arg != "self"] for one in theirs]
        self.assertTrue(any([a for a in names if a in taken] == taken for names in said),
                        f"{where}: {taken} of {said}")
        return len(taken)

    def test_the_scripts_pass_mypy(self):
        builders = sorted((OTLS / "builders").glob("nendo_*.py"))
        setups = OTLS / "scripts/python/nendo_setups.py"
        check_types(self, self.folder, [*SCRIPTS[:3], setups, *builders], PATHS)
        check_types(self, self.folder, [SCRIPTS[3]], PATHS)


def standin_names():
    """Names of the stand-in and their members, as in the ledger."""
    found = {}
    for name, value in vars(hou).items():
        ours = getattr(value, "__module__", "") in ("hou", "hou_parms")
        if name.startswith(("standin_", "_")) or not ours:
            continue
        members = {m for m in vars(value) if not m.startswith(("standin_", "_"))} \
            if isinstance(value, type) else set()
        if isinstance(value, type) and issubclass(value, hou.OpNode):
            members -= {m for m in vars(hou.Node)}
        found[name] = members
    # What only the others are made of.
    for name in ("Error", "NetworkMovableItem", "SubnetIndirectInput"):
        del found[name]
    return found
