# SPDX-License-Identifier: Apache-2.0
"""The same bits on machines with and without AVX2, by telling the loader which one to assume."""
import os
import platform
import subprocess
import unittest

from nendo_cli import NENDO, ROOT, Case

WITHOUT_AVX2 = {**os.environ, "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2"}

# Scenes with coarse particles: file, spacing, frames.
SCENES = [("cube_hard", 0.25, 12), ("cube_plastic", 0.2, 12), ("sheet_on_cross", 0.1, 4),
          ("animal_on_bar_high", 0.13, 8), ("animals_merging", 0.25, 20), ("gum_poked", 0.1, 12)]


def version(environment=None):
    return subprocess.run([NENDO, "--version"], capture_output=True, text=True,
                          env=environment).stdout.split()[-1]


@unittest.skipUnless(platform.machine() == "x86_64" and version() != "portable",
                     "this machine has no AVX2")
class Machines(Case):
    def hashes(self, scene, spacing, frames, precision, environment):
        out = self.folder / "run"
        done = subprocess.run(
            [NENDO, "sim", ROOT / "examples" / "scenes" / f"{scene}.json", "--out", out,
             "--overwrite", "--frames", f"0-{frames}", "--quiet",
             "--set", f"solver.spacing={spacing}", "--set", "solver.time_step=0.002",
             "--set", f"precision={precision}"],
            capture_output=True, text=True, env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = self.stats(out)
        self.assertGreater(sum(row["substeps"] for row in rows), frames)
        return [row["hash"] for row in rows]

    def test_the_loader_picks_code_that_the_machine_can_run(self):
        self.assertEqual(version(), "AVX2")
        self.assertEqual(version(WITHOUT_AVX2), "portable")

    def test_all_kinds_of_machines_give_the_same_bits(self):
        for precision in ("float", "double"):
            for scene, spacing, frames in SCENES:
                with self.subTest(scene=scene, precision=precision):
                    wide = self.hashes(scene, spacing, frames, precision, None)
                    plain = self.hashes(scene, spacing, frames, precision, WITHOUT_AVX2)
                    self.assertEqual(wide, plain)
