# SPDX-License-Identifier: Apache-2.0
"""Each preset agrees with its file and simulates; so does the scene of each set-up."""
import concurrent.futures
import json
import math
import subprocess
import sys

from support import NENDO, OTLS, ROOT, Case

sys.path.insert(0, str(OTLS / "presets"))
from swatch import METHODS, swatches  # noqa: E402

FRAMES = 10


def presets(method):
    return json.loads((OTLS / f"presets/{method}.json").read_text())["presets"]


def setups():
    return json.loads((OTLS / "presets/setups.json").read_text())["setups"]


class Presets(Case):
    def test_there_are_many_and_each_has_a_source(self):
        names = [(m, p["name"]) for m in METHODS for p in presets(m)]
        self.assertGreaterEqual(len(names), 24)
        self.assertEqual(len(set(names)), len(names))
        for wanted in ("rubber", "jelly", "clay", "dough", "gum", "cream", "wet_sand", "steel",
                       "lead", "balloon", "membrane", "jellyfish", "wax", "ice", "chocolate",
                       "lava", "gelatin"):
            self.assertIn(wanted, {name for _, name in names})
        for wanted in ("spoon", "wire", "bumper", "sagging_candle", "wax_candle", "water_balloon",
                       "membrane", "jellyfish"):
            self.assertIn(wanted, {s["name"] for s in setups()})

    def test_the_program_has_the_values_of_the_files(self):
        """The material that the program uses for a preset's name, field by field."""
        result = subprocess.run([NENDO, "scene", "--presets"], capture_output=True, text=True,
                                check=True)
        lines = iter(result.stdout.split("\n")[:-1])
        said = {}
        for head, values in zip(lines, lines):
            said[head.split(":")[0]] = dict(v.split(" ") for v in values.strip(" ;").split("; "))
            said[head.split(":")[0]]["source"] = head.split(": ", 1)[1]
        self.assertEqual(set(said), {f"{m} {p['name']}" for m in METHODS for p in presets(m)})
        for method in METHODS:
            for preset in presets(method):
                given = said[f"{method} {preset['name']}"]
                self.assertEqual(given["source"], preset["source"])
                for name, value in preset["values"].items():
                    text = given[name]
                    self.assertEqual(text if isinstance(value, str) else
                                     None if text == "none" else float(text), value,
                                     f"{method} {preset['name']} {name}")

    def test_each_set_up_has_a_scene_of_its_own(self):
        """Of its method, with a body of its material; what it fills is as fine and as large."""
        scenes = {setup["name"]: setup["scene"] for setup in setups()}
        self.assertEqual(len(set(scenes.values())), len(scenes))
        for setup in setups():
            scene = json.loads((ROOT / setup["scene"]).read_text())
            self.assertEqual(scene["method"], setup["method"])
            given = setup["parameters"]
            for name in ("preset", "coupling_preset", "body_coupling_preset"):
                if name in given:
                    materials = [b["material"].get("preset") for b in scene["bodies"]]
                    self.assertIn(given[name], materials, setup["name"])
            if setup["scene"].startswith("otls"):
                self.assertEqual(scene["solver"]["spacing"], given["spacing"])
                self.assertEqual(scene["bodies"][0].get("velocity", [0, 0, 0]),
                                 given.get("velocity", [0, 0, 0]))
                shapes = [*scene["bodies"], *scene["colliders"][1:]]
                for shape, wired in zip(shapes, setup["inputs"]):
                    parms = wired["parms"]
                    self.assertEqual(shape[wired["type"]], {
                        "sphere": lambda: {"center": parms["t"], "radius": parms["scale"]},
                        "box": lambda: {"center": parms["t"],
                                        "size": parms.get("size", [1, 1, 1])},
                    }[wired["type"]]())

    def simulate(self, scene, values, out, frames):
        options = [word for path, value in values.items()
                   for word in ("--set", f"{path}={json.dumps(value)}")]
        result = subprocess.run([NENDO, "sim", str(scene), "--out", str(out), "--quiet",
                                 "--threads", "1", "--frames", f"0-{frames}", *options],
                                capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, f"{scene} {values}: {result.stderr}")

    def test_all_presets_simulate(self):
        runs = swatches()
        self.assertEqual(len(runs), sum(len(presets(m)) for m in METHODS) + len(setups()))
        # Materials of this method are simulated coarser than for their pictures, to save time.
        for name, _, _, values, _ in runs:
            if name.startswith("elastoplastic_"):
                values["solver.spacing"] = 0.08
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda run: self.simulate(run[2], run[3], self.folder / run[0], FRAMES),
                          runs))
        for name, *_ in runs:
            rows = [json.loads(line) for line in
                    (self.folder / name / "stats.jsonl").read_text().split("\n") if line]
            self.assertEqual(len(rows), FRAMES + 1, name)
            # It has moved, and nothing is infinite.
            self.assertNotEqual(rows[0]["hash"], rows[-1]["hash"], name)
            self.assertFalse([k for k, v in rows[-1].items()
                              if isinstance(v, float) and not math.isfinite(v)], name)
