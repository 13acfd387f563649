# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of the command line: running `nendo`, tiny scenes, temporary folders."""
import copy
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

NENDO = os.environ["NENDO"]
ROOT = pathlib.Path(__file__).resolve().parents[2]

# Twenty-seven particles that fall on a plane.
SMALL = {
    "fps": 24,
    "frames": 4,
    "solver": {"spacing": 0.25, "time_step": 0.005},
    "bodies": [
        {"name": "cube", "box": {"center": [0, 0.5, 0], "size": [0.75, 0.75, 0.75]},
         "material": {"preset": "jelly"}}
    ],
    "colliders": [{"name": "ground", "plane": {}}],
}

CUBE_OBJ = """v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1
f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 2 3 7 6\nf 1 5 8 4
"""


class Case(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.out = self.folder / "out"

    def write(self, name, content):
        """Writes a file of text, bytes or JSON to the temporary folder."""
        path = self.folder / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content))
        return str(path)

    def scene(self, **changes):
        """The small scene with top-level keys replaced."""
        scene = copy.deepcopy(SMALL)
        scene.update(changes)
        return self.write("scene.json", scene)

    def nendo(self, *arguments, code=0):
        done = subprocess.run([NENDO, *map(str, arguments)], capture_output=True, text=True,
                              timeout=300)
        self.assertEqual(done.returncode, code, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def sim(self, scene, *arguments, out=None, code=0):
        return self.nendo("sim", scene, "--out", out or self.out, *arguments, code=code)

    def stats(self, out=None):
        lines = ((out or self.out) / "stats.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines]

    def final_hash(self, out=None):
        return self.stats(out)[-1]["hash"]

    def assert_bad_input(self, done, *parts):
        """Expects one line on stderr with the place and the remedy, and nothing written."""
        self.assertEqual(done.returncode, 1)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertTrue(done.stderr.startswith("nendo: error: "), done.stderr)
        self.assertIn("; ", done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr)
        self.assertFalse(self.out.exists(), "something was written")
