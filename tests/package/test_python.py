# SPDX-License-Identifier: Apache-2.0
"""The Python module, installed by pip into a virtual environment against the installed library.

pip fetches the module's build tools and NumPy; without network the tests are skipped."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import package
from package import BUILD, ROOT, run

NENDO = os.environ["NENDO"]
SCENES = ROOT / "tests/fuzz/corpus/scene"
# One scene of each method.
METHODS = {"elastoplastic": "small", "coupling": "fluid", "rheology": "bones", "melt": "melting"}


def make_environment():
    """A virtual environment with the module; raises SkipTest with the reason."""
    place = BUILD / "python"
    python = place / "env/bin/python"
    if not python.exists():
        run(sys.executable, "-m", "venv", place / "env")
    fetch = subprocess.run([python, "-m", "pip", "install", "-q", "numpy", "pybind11>=2.10",
                            "scikit-build-core>=0.10"], capture_output=True, text=True)
    if fetch.returncode != 0:
        raise unittest.SkipTest("build tools can't be fetched: " + fetch.stderr[-300:])
    package.install(place / "prefix")
    run(python, "-m", "pip", "install", "--no-build-isolation", "--no-deps", "--force-reinstall",
        "-C", f"build-dir={place / 'build'}", ROOT / "examples/python",
        env={**os.environ, "nendo_ROOT": str(place / "prefix")})
    return python


class Python(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.python = make_environment()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)

    def script(self, text):
        """Runs a script that prints one JSON value, and returns it."""
        code = f"import json, os, signal, nendo\nSCENES = {str(SCENES)!r}\n{text}"
        return json.loads(run(self.python, "-c", code, cwd=self.folder))

    def test_version(self):
        self.assertEqual(self.script("print(json.dumps(nendo.__version__))"),
                         package.project_version())

    def test_drop_clay_falls_and_rests(self):
        lines = run(self.python, ROOT / "examples/python/drop_clay.py").splitlines()
        times, heights = zip(*((float(line.split()[0]), float(line.split()[2])) for line in lines))
        self.assertAlmostEqual(heights[0], 1, delta=0.03)
        package.assert_falls(self, times, heights, 0.25)
        package.assert_rests(self, times, heights, package.REST)

    def test_every_method_computes_the_bits_of_the_program(self):
        for method, name in METHODS.items():
            with self.subTest(method):
                out = self.folder / name
                run(NENDO, "sim", SCENES / f"{name}.json", "--out", out, "--frames", "0-2",
                    "--quiet")
                rows = (out / "stats.jsonl").read_text().splitlines()
                found = self.script(f"""
sim = nendo.Simulation(SCENES + "/{name}.json")
while sim.frame < 2: report = sim.advance_frame()
print(json.dumps([sim.method, sim.hash, sim.frame, report["substeps"]]))""")
                last = json.loads(rows[-1])
                self.assertEqual(found, [method, last["hash"], 2, last["substeps"]])

    def test_columns_are_arrays_with_the_shapes_of_their_elements(self):
        shapes = self.script("""
sim = nendo.Simulation(SCENES + "/small.json")
columns = sim.columns()["masters"]
assert (sim["masters"]["P"] == columns["P"]).all()
try: sim["nonsense"]
except KeyError as e: assert "masters, slaves" in str(e)
print(json.dumps({name: [list(columns[name].shape), str(columns[name].dtype)] for name in columns}))
""")
        rows = shapes["id"][0][0]
        self.assertGreater(rows, 0)
        self.assertEqual(shapes["id"], [[rows], "int64"])
        self.assertEqual(shapes["P"], [[rows, 3], "float32"])
        self.assertEqual(shapes["F_E"], [[rows, 3, 3], "float32"])
        self.assertEqual(shapes["mass"], [[rows], "float32"])

    def test_errors_tell_what_where_and_remedy(self):
        found = self.script("""
def caught(action):
    try: action()
    except nendo.Error as e: return [e.what, e.where, e.remedy, str(e)]
sim = nendo.Simulation(SCENES + "/small.json")
print(json.dumps([caught(lambda: nendo.Simulation({"bodies": [], "gravty": [0, 0, 0]})),
                  caught(lambda: nendo.Simulation("missing.json")),
                  caught(lambda: sim.advance(-1)),
                  caught(lambda: sim.advance(0.1, lambda fraction, stage: sim.advance(0.1)))]))
""")
        for what, where, remedy, text in found:
            self.assertTrue(what and where and remedy)
            self.assertIn(what, text)
        self.assertIn("gravty", found[0][1] + found[0][0])
        self.assertIn("gravity", found[0][2])
        self.assertIn("missing.json", found[1][1])

    def test_ctrl_c_and_exceptions_leave_the_state_as_it_was(self):
        found = self.script("""
sim = nendo.Simulation(SCENES + "/small.json")
before, calls = sim.hash, []
def press(fraction, stage):
    calls.append(fraction)
    os.kill(os.getpid(), signal.SIGINT)
def fail(fraction, stage): raise ValueError(stage)
names = []
for progress in (press, fail):
    try: sim.advance(1, progress)
    except (KeyboardInterrupt, ValueError) as e: names.append(type(e).__name__)
unchanged = sim.hash == before
sim.advance(0.01)
print(json.dumps([names, len(calls), unchanged, sim.hash != before]))""")
        self.assertEqual(found[0], ["KeyboardInterrupt", "ValueError"])
        self.assertLess(found[1], 20)
        self.assertEqual(found[2:], [True, True])

    def test_checkpoints_resume_with_the_same_bits(self):
        found = self.script("""
sim = nendo.Simulation(SCENES + "/small.json")
sim.advance_frame(); sim.save("half.nendo"); sim.advance_frame()
again = nendo.Simulation(SCENES + "/small.json")
again.load("half.nendo"); again.advance_frame()
print(json.dumps([sim.hash, again.hash, sim.time, again.time]))""")
        self.assertEqual(found[0], found[1])
        self.assertEqual(found[2], found[3])

    def test_schema_and_presets_cover_every_method(self):
        schema, presets = self.script("print(json.dumps([nendo.schema(), nendo.presets()]))")
        self.assertEqual(schema, json.loads(run(NENDO, "scene", "--schema")))
        self.assertEqual(set(presets), set(METHODS))
        self.assertEqual(presets["elastoplastic"]["clay"]["young"], 140000)


if __name__ == "__main__":
    unittest.main()
