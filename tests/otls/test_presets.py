"""Each preset is what its file says, and simulates; each set-up's scene too."""
import concurrent.futures
import json
import math
import subprocess

from support import NENDO, OTLS, ROOT, Case

METHODS = ("elastoplastic", "coupling", "melt", "rheology")
FRAMES = 10


def presets(method):
    return json.loads((OTLS / f"presets/{method}.json").read_text())["presets"]


def setups():
    return json.loads((OTLS / "presets/setups.json").read_text())["setups"]


def swatch(method, preset):
    """The scene of a preset's swatch, and what is set in it."""
    given = preset.get("swatch", {})
    scene = OTLS / f"presets/scenes/{given.get('scene', method)}.json"
    values = {f"bodies.{given.get('body', 0)}.material.preset": preset["name"],
              **given.get("set", {})}
    return scene, [f"{path}={json.dumps(v)}" for path, v in values.items()]


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

    def test_nendo_has_the_values_of_the_files(self):
        """The material that the program takes for a preset's name, field by field."""
        for method in METHODS:
            for preset in presets(method):
                scene, assignments = swatch(method, preset)
                out = self.folder / method / preset["name"]
                self.simulate(scene, assignments, out, 0)
                body = preset.get("swatch", {}).get("body", 0)
                material = json.loads((out / "scene.json").read_text())["bodies"][body]["material"]
                for name, value in preset["values"].items():
                    self.assertEqual(material[name], value, f"{method} {preset['name']} {name}")

    def simulate(self, scene, assignments, out, frames):
        options = [word for a in assignments for word in ("--set", a)]
        result = subprocess.run([NENDO, "sim", str(scene), "--out", str(out), "--quiet",
                                 "--threads", "1", "--frames", f"0-{frames}", *options],
                                capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, f"{scene} {assignments}: {result.stderr}")

    def test_all_simulate(self):
        runs = [(f"{m}_{p['name']}", *swatch(m, p)) for m in METHODS for p in presets(m)]
        runs += [(f"setup_{s['name']}", ROOT / s["scene"], []) for s in setups()
                 if s["scene"].startswith("examples")]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda run: self.simulate(run[1], run[2], self.folder / run[0], FRAMES),
                          runs))
        for name, _, _ in runs:
            rows = [json.loads(line) for line in
                    (self.folder / name / "stats.jsonl").read_text().split("\n") if line]
            self.assertEqual(len(rows), FRAMES + 1, name)
            # It moved, and nothing is infinite.
            self.assertNotEqual(rows[0]["hash"], rows[-1]["hash"], name)
            self.assertFalse([k for k, v in rows[-1].items()
                              if isinstance(v, float) and not math.isfinite(v)], name)
