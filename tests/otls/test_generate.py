"""What is generated is what is committed, and a new field reaches everything by one run."""
import json
import re
import subprocess

import hda
from support import ASSETS, NENDO_HELP, OTLS, ROOT, Case, generate


class Generated(Case):
    def test_nothing_is_stale(self):
        result = generate(self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        written = self.files_of(self.folder)
        self.assertGreater(len(written), 60)
        for name in written:
            self.assertEqual((ROOT / name).read_text(), (self.folder / name).read_text(),
                             f"{name} is stale; run: python3 otls/generate.py")
        # Nothing is left over from networks that are gone.
        for library in OTLS.glob("*.hda"):
            self.assertIn(library.name[:-4], ASSETS)
            for name in self.files_of(library):
                self.assertIn(f"otls/{library.name}/{name}", written)

    def test_nodes_json_is_what_the_solvers_declare(self):
        subprocess.run([NENDO_HELP, str(self.folder)], check=True, capture_output=True)
        self.assertEqual((OTLS / "nodes.json").read_text(),
                         (self.folder / "nodes.json").read_text(),
                         "nodes.json is stale; run: nendo_help otls")


class ThrowawayField(Case):
    """A field that is added to what the solvers declare, and nothing else."""

    FIELD = {"name": "sparkle", "kind": "number", "label": "Sparkle", "unit": "lm",
             "help": "How much it sparkles.", "folder": "Steps", "disable_when": "",
             "hide_when": "", "defaults": [0.25], "default_text": "", "choices": [],
             "choice_labels": [], "min": 0.0, "max": 2.0, "above_min": False, "low": 0.0,
             "high": 2.0, "low_is_hard": True, "high_is_hard": True}

    def setUp(self):
        super().setUp()
        data = json.loads((OTLS / "nodes.json").read_text())
        for node in data["nodes"]:
            if node["name"] in ("nendo_elastoplastic", "nendo_melt"):
                node["parameters"].append(dict(self.FIELD))
        data["materials"]["melt"].append({"name": "sparkle", "unit": "lm", "min": 0.0, "max": 2.0,
                                          "above_min": False, "may_be_none": False,
                                          "choices": []})
        self.nodes = self.folder / "nodes.json"
        self.nodes.write_text(json.dumps(data))
        self.presets = self.folder / "presets"
        self.presets.mkdir()
        for file in (OTLS / "presets").glob("*.json"):
            (self.presets / file.name).write_text(file.read_text())
        self.out = self.folder / "out"

    def run_generator(self):
        return generate(self.out, "--nodes", str(self.nodes), "--presets", str(self.presets))

    def test_it_is_in_the_asset_its_help_and_its_builder(self):
        result = self.run_generator()
        self.assertEqual(result.returncode, 0, result.stderr)
        for name in ("nendo_elastoplastic", "nendo_melt"):
            (asset,) = hda.parse_library(self.out / f"otls/{name}.hda")
            parm = asset.dialog.parms["sparkle"]
            self.assertEqual((parm.label, parm.type, parm.default, parm.help, parm.folder),
                             ("Sparkle [lm]", "float", ["0.25"], "How much it sparkles.",
                              "Steps"))
            self.assertEqual(parm.range, (0, True, 2, True))
            solver = asset.children["hdaroot/simulation/solver"]
            self.assertEqual(solver.parms["sparkle"], ['=ch("../../sparkle")'])
            page = asset.sections["Help"].read_text()
            self.assertIn("Sparkle [lm]:\n    #id: sparkle\n\n    How much it sparkles. Takes "
                          "values of at least 0 and at most 2. Default: 0.25.\n", page)
            self.assertIn("'sparkle'", (self.out / f"otls/builders/{name}.py").read_text())
        (other,) = hda.parse_library(self.out / "otls/nendo_rheology.hda")
        self.assertNotIn("sparkle", other.dialog.parms)

    def test_presets_may_have_it_in_its_range(self):
        path = self.presets / "melt.json"
        data = json.loads(path.read_text())
        data["presets"][0]["values"]["sparkle"] = 1.5
        path.write_text(json.dumps(data))
        result = self.run_generator()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn('{"sparkle", 1.5}', (self.out / "solvers/melt/presets.cpp").read_text())
        data["presets"][0]["values"]["sparkle"] = 3
        path.write_text(json.dumps(data))
        result = self.run_generator()
        self.assertEqual(result.returncode, 1)
        self.assertIn("preset 'ice': sparkle is 3, out of 0.0 to 2.0 [lm]", result.stderr)
        # Without the field, the preset is refused.
        result = generate(self.out, "--presets", str(self.presets))
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, re.escape("there is no field 'sparkle'"))
