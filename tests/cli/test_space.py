# SPDX-License-Identifier: Apache-2.0
"""Cost follows the particles, not the space around them (Saida 2017, Fig 16)."""
import os
import re
import shutil
import subprocess
import unittest

from nendo_cli import NENDO, Case

SPACING = 0.0625
SIDE = 6 * SPACING  # of a box: 216 masters
NEAR = 6 * SPACING  # between boxes
WIDER = 100


@unittest.skipUnless(shutil.which("valgrind"), "counts of instructions need valgrind")
class Space(Case):
    def spread(self, name, gap):
        """Eight boxes of clay that sink into the ground, on a 3 x 3 grid with one cell free."""
        pitch = SIDE + gap
        bodies = [{"name": f"box {k}", "material": {"preset": "clay"},
                   "box": {"center": [(k % 3 - 1) * pitch, SIDE / 2, (k // 3 - 1) * pitch],
                           "size": [SIDE, SIDE, SIDE]},
                   "velocity": [0, -1, 0]} for k in range(8)]
        return self.write(name, {
            "fps": 125, "frames": 1, "solver": {"spacing": SPACING, "time_step": 0.001},
            "bodies": bodies, "colliders": [{"name": "ground", "plane": {}}]})

    def instructions(self, scene, out):
        counts = self.folder / "callgrind.out"
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={counts}", "--quiet",
             NENDO, "sim", scene, "--out", out, "--threads", "1", "--quiet"],
            capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        return int(re.search(r"^(?:summary|totals): (\d+)", counts.read_text(), re.M)[1])

    def peak_memory(self, scene, out):
        """Peak memory of the whole process [KiB]."""
        process = subprocess.Popen([NENDO, "sim", scene, "--out", out, "--threads", "1", "--quiet"])
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        return usage.ru_maxrss

    def test_cost_follows_the_particles(self):
        costs, sizes, peaks = [], [], []
        for name, gap in (("near", NEAR), ("far", WIDER * NEAR)):
            scene = self.spread(f"{name}.json", gap)
            costs.append(self.instructions(scene, self.folder / name))
            row = self.stats(self.folder / name)[-1]
            self.assertEqual((row["masters"], row["substeps"]), (8 * 6**3, 8))
            self.assertGreater(row["cg_iterations"], 0)
            sizes.append(row["bytes"])
            peaks.append(self.peak_memory(scene, self.folder / f"{name} again"))
        print(f"instructions {costs}, bytes {sizes}, peak KiB {peaks}")
        self.assertAlmostEqual(costs[1] / costs[0], 1, delta=0.1)
        self.assertAlmostEqual(sizes[1] / sizes[0], 1, delta=0.05)
        self.assertAlmostEqual(peaks[1] / peaks[0], 1, delta=0.05)
