# SPDX-License-Identifier: Apache-2.0
"""VDB files for renderers, as read by the distribution's own OpenVDB tools and Python module."""
import json
import shutil
import struct
import subprocess
import unittest

from nendo_cli import Case

PYTHON = "/usr/bin/python3"  # The distribution's, for its module.
SCENE = {
    "method": "melt", "frames": 1, "fps": 24,
    "solver": {"spacing": 0.1, "time_step": 0.01, "air_temperature": 20},
    "bodies": [
        {"name": "cold", "box": {"center": [0, 0.5, 0], "size": [0.6, 0.6, 0.6]},
         "temperature": 10, "material": {"preset": "wax"}},
        {"name": "warm", "box": {"center": [3, 0.5, 0], "size": [0.6, 0.6, 0.6]},
         "temperature": 40, "material": {"preset": "wax"}},
    ],
}
READ = """
import json, sys
import pyopenvdb as vdb
grids, metadata = vdb.readAll(sys.argv[1])
report = {}
for grid in grids:
    values = {}
    for point in json.loads(sys.argv[2]):
        index = [round(x) for x in grid.transform.worldToIndex(point)]
        value = grid.getConstAccessor().getValue(tuple(index))
        values[str(point)] = list(value) if hasattr(value, "__len__") else value
    report[grid.name] = {
        "class": str(grid.gridClass), "type": grid.valueTypeName, "half": grid.saveFloatAsHalf,
        "vector": str(grid.vectorType), "voxels": grid.activeVoxelCount(), "values": values,
        "creator": grid.creator, "background": str(grid.background)}
json.dump(report, sys.stdout)
"""


class Volumes(Case):
    def setUp(self):
        super().setUp()
        self.sim(self.write("melt.json", SCENE))
        self.nendo("surface", self.out)

    def read(self, path, points):
        have = subprocess.run([PYTHON, "-c", "import pyopenvdb"], capture_output=True)
        if have.returncode != 0:
            raise unittest.SkipTest("Debian's package python3-openvdb is not installed")
        done = subprocess.run([PYTHON, "-c", READ, str(path), json.dumps(points)],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_the_python_module_reads_grids_and_values(self):
        # On the top faces of the two boxes, and in the middle of the first.
        top, other, middle = [0, 0.8, 0], [3, 0.8, 0], [0, 0.5, 0]
        self.nendo("vdb", self.out, "--density")
        grids = self.read(self.out / "volume.0001.vdb", [top, other, middle])
        self.assertEqual(set(grids), {"surface", "vel", "temperature", "density"})
        self.assertEqual({n: (g["type"], g["class"]) for n, g in grids.items()},
                         {"surface": ("float", "level set"), "vel": ("vec3s", "unknown"),
                          "temperature": ("float", "fog volume"),
                          "density": ("float", "fog volume")})
        self.assertIn("contravariant relative", grids["vel"]["vector"])
        self.assertEqual({g["creator"] for g in grids.values()}, {"Nendo"})
        self.assertFalse(any(g["half"] for g in grids.values()))
        self.assertLess(abs(grids["surface"]["values"][str(top)]), 0.05)
        self.assertLess(grids["surface"]["values"][str(middle)], 0)
        # It falls from rest for one frame.
        self.assertAlmostEqual(grids["vel"]["values"][str(top)][1], -9.81 / 24, delta=0.05)
        self.assertAlmostEqual(grids["temperature"]["values"][str(top)], 10, delta=1)
        self.assertAlmostEqual(grids["temperature"]["values"][str(other)], 40, delta=1)
        self.assertEqual(grids["temperature"]["voxels"], grids["surface"]["voxels"])
        self.assertAlmostEqual(grids["density"]["values"][str(middle)], 1)

    def test_grids_can_have_half_precision(self):
        top = [0, 0.8, 0]
        self.nendo("vdb", self.out)
        whole = self.read(self.out / "volume.0001.vdb", [top])
        size = (self.out / "volume.0001.vdb").stat().st_size
        self.nendo("vdb", self.out, "--half")
        half = self.read(self.out / "volume.0001.vdb", [top])
        self.assertTrue(all(g["half"] for g in half.values()))
        self.assertLess((self.out / "volume.0001.vdb").stat().st_size, 0.75 * size)
        for name, grid in whole.items():
            mine, theirs = (g["values"][str(top)] for g in (half[name], grid))
            for a, b in zip(*([v] if isinstance(v, float) else v for v in (mine, theirs))):
                self.assertEqual(a, struct.unpack("e", struct.pack("e", b))[0], name)

    def test_the_tools_print_the_file(self):
        if shutil.which("vdb_print") is None:
            raise unittest.SkipTest("Debian's package libopenvdb-tools is not installed")
        self.nendo("vdb", self.out, "--half")
        done = subprocess.run(["vdb_print", "-m", str(self.out / "volume.0001.vdb")],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        for part in ("surface", "vel", "temperature", "level set", "Nendo",
                     "is_saved_as_half_float: true"):
            self.assertIn(part, done.stdout)

    def test_a_run_without_surfaces_is_reported(self):
        for path in self.out.glob("surface.*"):
            path.unlink()
        done = self.nendo("vdb", self.out, code=1)
        self.assertIn("nendo surface", done.stderr)
