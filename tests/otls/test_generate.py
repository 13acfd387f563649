# SPDX-License-Identifier: Apache-2.0
"""Generated files are the committed ones, and a new field reaches everything by one run."""
import json
import re
import subprocess
import sys

import hda
from support import ASSETS, NENDO_HELP, NENDO_THROWAWAY, OTLS, ROOT, Case, generate

sys.path.insert(0, str(ROOT / "tests/standin/hou"))
from stubs import check_types  # noqa: E402


class Generated(Case):
    def test_generated_files_are_up_to_date(self):
        result = generate(self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        written = self.files_of(self.folder)
        self.assertGreater(len(written), 60)
        for name in written:
            self.assertEqual((ROOT / name).read_text(), (self.folder / name).read_text(),
                             f"{name} is stale; run: python3 otls/generate.py")
        # Nothing is left over from removed networks.
        for library in OTLS.glob("*.hda"):
            self.assertIn(library.name[:-4], ASSETS)
            for name in self.files_of(library):
                self.assertIn(f"otls/{library.name}/{name}", written)

    def test_nodes_json_agrees_with_the_solvers(self):
        subprocess.run([NENDO_HELP, str(self.folder)], check=True, capture_output=True)
        self.assertEqual((OTLS / "nodes.json").read_text(),
                         (self.folder / "nodes.json").read_text(),
                         "nodes.json is stale; run: nendo_help otls")


    def test_the_generator_passes_mypy(self):
        check_types(self, self.folder, [OTLS / "generate.py"])


class ThrowawayField(Case):
    """One more line in a solver's parameters and in its material, and nothing else.

    nendo_throwaway is compiled with that line; the generator then runs once on its output.
    """

    HELP = "How much it sparkles."

    def setUp(self):
        super().setUp()
        subprocess.run([NENDO_THROWAWAY, str(self.folder)], check=True)
        self.presets = self.folder / "presets"
        self.presets.mkdir()
        for file in (OTLS / "presets").glob("*.json"):
            (self.presets / file.name).write_text(file.read_text())
        self.out = self.folder / "out"

    def run_generator(self):
        return generate(self.out, "--nodes", str(self.folder / "nodes.json"), "--presets",
                        str(self.presets))

    def give(self, value):
        """The first preset of the method has a value for the field."""
        path = self.presets / "melt.json"
        data = json.loads(path.read_text())
        data["presets"][0]["values"]["sparkle"] = value
        path.write_text(json.dumps(data))

    def test_a_new_field_reaches_everything_by_one_run(self):
        self.give(1.5)
        result = self.run_generator()
        self.assertEqual(result.returncode, 0, result.stderr)
        # The parameters that the node gives to Houdini.
        parm = json.loads((self.folder / "templates.json").read_text())["sparkle"]
        self.assertEqual(parm, {"label": "Sparkle [lm]", "help": self.HELP, "default": 0.25,
                                "range": [0, 2], "hard": [True, True]})
        # The asset: its parameter, the link to the node inside, and its builder.
        (asset,) = hda.parse_library(self.out / "otls/nendo_melt.hda")
        parm = asset.dialog.parms["sparkle"]
        self.assertEqual((parm.label, parm.type, parm.default, parm.help, parm.folder),
                         ("Sparkle [lm]", "float", ["0.25"], self.HELP, "Glitter"))
        self.assertEqual(parm.range, (0, True, 2, True))
        solver = asset.children["hdaroot/simulation/solver"]
        self.assertEqual(solver.parms["sparkle"], ['=ch("../../sparkle")'])
        self.assertIn("'sparkle'", (self.out / "otls/builders/nendo_melt.py").read_text())
        # Help pages of the node and of the asset.
        for page in (self.folder / "help.txt", asset.sections["Help"]):
            self.assertIn(f"Sparkle [lm]:\n    #id: sparkle\n\n    {self.HELP} Takes values of at "
                          "least 0 and at most 2. Default: 0.25.\n", page.read_text())
        # Scene files: the solver's parameters and the material.
        scene = json.loads((self.folder / "schema.json").read_text())
        for place, default in ((scene["properties"]["solver"], {"default": 0.25}),
                               (scene["properties"]["bodies"]["items"]["properties"]["material"],
                                {})):
            self.assertEqual(place["properties"]["sparkle"],
                             {"title": "Sparkle", "description": f"{self.HELP} [lm]",
                              "type": "number", "minimum": 0, "maximum": 2, **default})
        # The preset that has it.
        self.assertIn('{"sparkle", 1.5}', (self.out / "solvers/melt/presets.cpp").read_text())
        # Other methods are not affected.
        (other,) = hda.parse_library(self.out / "otls/nendo_rheology.hda")
        self.assertNotIn("sparkle", other.dialog.parms)

    def test_presets_must_keep_a_new_field_in_its_range(self):
        self.give(3)
        result = self.run_generator()
        self.assertEqual(result.returncode, 1)
        self.assertIn("preset 'ice': sparkle is 3, out of 0.0 to 2.0 [lm]", result.stderr)
        # Without the field, the preset is refused.
        result = generate(self.out, "--presets", str(self.presets))
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, re.escape("there is no field 'sparkle'"))
