# SPDX-License-Identifier: Apache-2.0
"""The libraries: well formed, parameters from the fields, known nodes, connected wires."""
import json
import re
import xml.etree.ElementTree as ElementTree

import hda
from support import ASSETS, HERE, OTLS, Case, ledger

import networks
from generator import fields, looks
from generator.network import resolve, walk

DECLARED = fields.load(OTLS / "nodes.json")
CHILDREN = {"dopnet": "Dop", "sopsolver::2.0": "Sop", "matnet": "Vop", "materiallibrary": "Vop",
            "lopnet": "Lop", "objnet": "Object", "ropnet": "Driver"}


def parsed(name):
    (asset,) = hda.parse_library(OTLS / f"{name}.hda")
    return asset


def table_of(asset, path):
    parent = path.rsplit("/", 1)[0]
    return asset.table if parent == "hdaroot" else CHILDREN[asset.children[parent].type]


class Assets(Case):
    def test_there_are_six_assets_with_our_names(self):
        self.assertEqual(len(ASSETS), 6)
        for name in ASSETS:
            asset = parsed(name)
            self.assertEqual(asset.operator, f"nendo::{name[6:]}::1.0")
            self.assertEqual(asset.dialog.name, asset.operator)
            self.assertTrue((OTLS / f"config/Icons/{asset.fields['Icon']}.svg").exists())
            self.assertIn(f"#internal: {asset.operator}", asset.sections["Help"].read_text())
            ElementTree.parse(asset.sections["Tools.shelf"])

    def test_parameters_are_the_fields(self):
        """Default, range, menu, help and unit are those declared by one of our nodes."""
        for spec in networks.assets():
            resolve(spec, DECLARED)
            asset = parsed(spec.file)
            own = {p.name for p in spec.own}
            by_path = {path: node for path, _, node in walk(spec.nodes, spec.table)}
            linked = 0
            for name, parm in asset.dialog.parms.items():
                if name in own:
                    continue
                first = self.declared_by(spec, by_path, name)
                self.assert_same(parm, first, f"{spec.name}: {name}")
                linked += 1
            self.assertEqual(linked + len(own), len(asset.dialog.parms))
            if spec.promote:
                self.assertGreater(linked, 30)

    def declared_by(self, spec, by_path, name):
        """The field of the first node that is linked to the asset's parameter."""
        for promote in spec.promote:
            node = by_path[promote.node]
            base = name[len(promote.prefix):]
            if name.startswith(promote.prefix) and f'/{name}' in str(node.parms.get(base)):
                return DECLARED.nodes[node.type].parameter(base)
        return self.fail(f"{spec.name}: no node is linked to {name}")

    def assert_same(self, parm, field, where):
        unit = "" if field.unit == "1" else f" [{field.unit}]"
        self.assertEqual(parm.label, field.label + unit, where)
        self.assertEqual(parm.help, field.help, where)
        self.assertEqual([token for token, _ in parm.menu], list(field.choices), where)
        if field.kind in ("menu", "text"):
            self.assertEqual(parm.default, [field.default_text], where)
        else:
            self.assertEqual([float(v) for v in parm.default], list(field.defaults), where)
        if field.kind in ("number", "whole", "vector"):
            if field.low is not None:
                self.assertEqual(parm.range[:2], (field.low, field.low_is_hard), where)
            if field.high is not None:
                self.assertEqual(parm.range[2:], (field.high, field.high_is_hard), where)

    def test_nodes_and_parameters_are_known(self):
        known = ledger()
        used = {"Sop/subnet": set(), "Object/geo": set(), "Top/subnet": set(),
                "TopNet/topnet": set(), "Sop/xform": {"t"}, "Sop/merge": set(),
                "Top/localscheduler": set()}
        for name in ASSETS:
            asset = parsed(name)
            for path, child in asset.children.items():
                if child.type in DECLARED.nodes:
                    node = DECLARED.nodes[child.type]
                    self.assertEqual(table_of(asset, path).lower(), node.context, path)
                    for parm in child.parms:
                        self.assertIsNotNone(node.parameter(parm), f"{path}: {parm}")
                    self.assertLessEqual(len(child.inputs), node.inputs, path)
                    continue
                kind = f"{table_of(asset, path)}/{child.type}"
                self.assertIn(kind, known, path)
                self.assertLessEqual(set(child.parms), known[kind][0], path)
                self.assertLessEqual(len(child.inputs), known[kind][1], path)
                used.setdefault(kind, set()).update(child.parms)
        for setup in json.loads((OTLS / "presets/setups.json").read_text())["setups"]:
            for shape in setup["inputs"]:
                if shape:
                    kind = f"Sop/{shape['type']}"
                    self.assertLessEqual(set(shape["parms"]), known[kind][0])
                    used.setdefault(kind, set()).update(shape["parms"])
        self.assertEqual(used, {kind: parms for kind, (parms, _) in known.items()})

    def test_presets_are_the_materials_and_the_set_ups(self):
        """Each preset of the method, with the values of its file, for existing parameters."""
        setups = json.loads((OTLS / "presets/setups.json").read_text())["setups"]
        for name in ASSETS[:4]:
            asset, method = parsed(name), name[6:]
            materials = json.loads((OTLS / f"presets/{method}.json").read_text())["presets"]
            own = [s for s in setups if s["method"] == method]
            self.assertEqual(list(asset.presets), [m["label"] for m in materials]
                             + [f"Set-up {s['label']}" for s in own])
            for preset, values in asset.presets.items():
                self.assertLessEqual(set(values), set(asset.dialog.parms), preset)
            for material in materials:
                values = asset.presets[material["label"]]
                chosen = {k: v for k, v in values.items() if v != ["off"]}
                menu = "preset" if method != "coupling" else \
                    "body_coupling_preset" if material["values"]["phase"] == "body" else \
                    "coupling_preset"
                self.assertEqual(chosen, {menu: [material["name"]]})
            for setup in own:
                values = asset.presets[f"Set-up {setup['label']}"]
                for parm, value in setup["parameters"].items():
                    if asset.dialog.parms[parm].type == "toggle":
                        self.assertEqual(values[parm], ["on" if value else "off"])
                        continue
                    parts = value if isinstance(value, list) else [value]
                    self.assertEqual([v if isinstance(parts[0], str) else float(v)
                                      for v in values[parm]], parts, parm)

    def test_links_lead_to_parameters(self):
        """Each ch("../x") of a node names a parameter of the asset, or of an existing node."""
        count = 0
        for name in ASSETS:
            asset = parsed(name)
            for path, child in asset.children.items():
                for parm, values in child.parms.items():
                    for up, target in re.findall(r'chs?\("((?:\.\./)+)(\w+)"\)',
                                                 " ".join(values)):
                        depth = up.count("../")
                        if depth != path.count("/"):
                            self.assertEqual((path.rsplit("/", 1)[1], target),
                                             ("dop_geometry", "datapath"))
                            continue
                        base = target if target in asset.dialog.parms else target[:-1]
                        self.assertIn(base, asset.dialog.parms, f"{path}: {parm}")
                        if base != target:
                            self.assertEqual(asset.dialog.parms[base].size, 3)
                        count += 1
        self.assertGreater(count, 300)

    def test_paths_lead_to_nodes(self):
        for name in ASSETS:
            asset = parsed(name)
            for path, child in asset.children.items():
                paths = [value for parm in ("soppath", "doppath", "objpath1", "loppath")
                         for value in child.parms.get(parm, []) if not value.startswith("`")]
                for values in child.parms.values():
                    paths += re.findall(r'opfullpath\("([^"]*\w)"\)', " ".join(values))
                for value in paths:
                    self.assertIn(self.walked(path, value), asset.children, f"{path}: {value}")

    def walked(self, path, steps):
        """The node that a path from another node leads to."""
        parts = path.split("/")
        for step in steps.split("/"):
            parts = parts[:-1] if step == ".." else parts + [step]
        return "/".join(parts)

    def test_every_node_is_wired_or_referred_to(self):
        for name in ASSETS:
            asset = parsed(name)
            text = (OTLS / f"{name}.hda").rglob("Contents.mime")
            contents = next(text).read_text()
            callbacks = " ".join(p.tags.get("script_callback", "")
                                 for p in asset.dialog.parms.values())
            targets = [f"hdaroot/{t}" for t in re.findall(r"node\('([^']+)'\)", callbacks)]
            self.assertLessEqual(set(targets), set(asset.children))
            for path, child in asset.children.items():
                network, own = path.rsplit("/", 1)
                feeds = any(source == own for other, node in asset.children.items()
                            if other.rsplit("/", 1)[0] == network
                            for source, _ in node.inputs.values())
                shown = child.flags.get("display") == "on" or child.type == "output"
                # Chosen by the menu of looks, or pressed by a button (and the nodes that hold it).
                chosen = child.flags.get("material") == "on"
                pressed = any(f"{target}/".startswith(f"{path}/") for target in targets)
                named = f"/{own}\"" in contents or f"../{own}/" in contents
                named = named or f'/{own}\\"' in contents or chosen or pressed
                self.assertTrue(feeds or shown or named, path)

    def test_every_look_has_its_materials(self):
        """Both renderers, each number of the solvers' table, and a menu that names the nodes."""
        asset, table = parsed("nendo_render"), looks.load()
        tokens = [token for token, _ in asset.dialog.parms["look"].menu]
        self.assertEqual(tokens, [look.name for look in table.looks])
        self.assertGreaterEqual(len(tokens), 18)
        for look in table.looks:
            karma = asset.children[f"hdaroot/karma/materials/{look.name}"].parms
            mantra = asset.children[f"hdaroot/materials/{look.name}"].parms
            for parms, names in ((karma, ("specular_roughness", "metalness", "specular_IOR",
                                          "transmission", "subsurface", "emission")),
                                 (mantra, ("rough", "metallic", "ior", "transparency", "sss",
                                           "emitint"))):
                self.assertEqual([float(parms[name][0]) for name in names],
                                 [look.roughness, look.metallic, look.ior, look.transmission,
                                  look.subsurface, look.glow], look.name)
            self.assertEqual(tuple(map(float, karma["subsurface_radius"])), look.scatter)
            self.assertEqual(karma["subsurface_scale"], [f'={look.depth!r}*ch("../../../size")'])
            self.assertEqual(mantra["sssdist"], [f'={look.depth!r}*ch("../../size")'])
        labels = dict(asset.dialog.parms["look"].menu)
        self.assertEqual(labels["jelly"], "Jelly (jellyfish, gelatin)")

    def test_a_malformed_table_of_looks_is_refused(self):
        text = looks.TABLE.read_text()
        path = self.folder / "look.cpp"
        for old, new, said in (
                ("roughness, metallic,", "metallic, roughness,", "the line of columns"),
                ('{"clay", 0.85, 0,', '{"clay", 0.85,', "not a row of looks"),
                ("0.01, warm, 0},", "0.01, cold, 0},", "not a row of looks"),
                ('{"rubber", 0.45', '{"clay", 0.45', "a look appears twice"),
                ('{"steel", "metal"}', '{"steel", "iron"}', "there is no look 'iron'"),
                ('{"lead", "metal"}', '{lead, "metal"}', "by_preset does not have"),
                ('(method == "melt")', '("melt" == method)', "the look of a method")):
            self.assertIn(old, text)
            path.write_text(text.replace(old, new, 1))
            with self.assertRaisesRegex(fields.Problem, said):
                looks.load(path)

    def test_outputs_and_inputs_are_counted(self):
        for name in ASSETS:
            asset = parsed(name)
            most = int(asset.fields["Inputs"].split(" to ")[1])
            self.assertEqual(sorted(asset.dialog.inputs), list(range(1, most + 1)))
            outputs = [c for p, c in asset.children.items()
                       if c.type == "output" and p.count("/") == 1]
            self.assertEqual(len(outputs), int(asset.fields["Outputs"]))
            for child in asset.children.values():
                for source, _ in child.inputs.values():
                    if source.startswith("("):
                        self.assertLess(int(source[1:-1]), most)

    def test_a_sample_of_published_grammar_is_read(self):
        """Rules of published assets beyond those that ours need."""
        (asset,) = hda.parse_library(HERE / "samples/grammar.hda")
        parms = asset.dialog.parms
        self.assertEqual(parms["size"].menu, [("1", "One"), ("2", 'A "two"')])
        self.assertEqual(parms["size"].folder, "Inner")
        self.assertEqual(parms["frames"].default, ["=$FSTART hscript-expr", "240"])
        self.assertEqual(parms["frames"].range, (0, False, 100, True))
        self.assertEqual(set(parms), {"size", "frames", "item#", "old"})
        child = asset.children["hdaroot/first"]
        self.assertEqual(child.inputs, {0: ("(__dot1)", 0)})
        self.assertEqual(child.parms, {"t": ["=sin($F) * {1}", "1.5", "-2e-3"],
                                       "pattern": ["[A-B]<C>"],
                                       "code": ['a = 1;\nb = "two";'], "empty": []})
