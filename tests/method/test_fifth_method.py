# SPDX-License-Identifier: Apache-2.0
"""A fifth method, dust, is added by its folder and its name in the registry, and nothing else."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["NENDO_BUILD"])
PROGRAM = os.environ["NENDO_DUST"]
NODES = os.environ["NENDO_DUST_NODES"]
SCENE = {
    "method": "dust", "frames": 12, "fps": 24, "precision": "double",
    "output": {"format": "geo"},
    "solver": {"spacing": 0.1, "time_step": 0.01},
    "bodies": [{"name": "cloud", "box": {"size": [0.4, 0.3, 0.2]}, "translate": [0, 5, 0],
                "velocity": [1, 0, 0], "material": {"preset": "quartz"}}],
}


class FifthMethod(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.scene = self.folder / "dust.json"
        self.scene.write_text(json.dumps(SCENE))

    def run_program(self, *arguments: object, code: int = 0) -> str:
        done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout + done.stderr

    def rows(self, out: pathlib.Path) -> list:
        return [json.loads(line) for line in (out / "stats.jsonl").read_text().splitlines()]

    def test_the_schema_describes_its_scenes(self) -> None:
        schema = json.loads(self.run_program("scene", "--schema"))
        scene = schema["$defs"]["dust_scene"]
        self.assertEqual(scene["properties"]["method"]["enum"], ["dust"])
        self.assertIn("dust_scene", json.dumps(schema["anyOf"]))

    def test_a_wrong_parameter_is_refused_with_its_range(self) -> None:
        said = self.run_program("sim", self.scene, "--out", self.folder / "out",
                                "--set", "solver.spacing=-1", code=1)
        self.assertIn("solver.spacing", said)
        self.assertIn("above 0", said)

    def test_nendo_sim_lets_it_fall_freely(self) -> None:
        out = self.folder / "out"
        self.run_program("sim", self.scene, "--out", out, "--quiet")
        rows = self.rows(out)
        self.assertEqual([row["frame"] for row in rows], list(range(13)))
        self.assertEqual(rows[-1]["particles"], 24)
        info = json.loads(self.run_program("info", out / "dust.0012.geo", "--json"))
        first = json.loads(self.run_program("info", out / "dust.0000.geo", "--json"))

        def lowest(described: dict) -> list:
            return next(a["min"] for a in described["point_attributes"] if a["name"] == "P")
        moved = [b - a for a, b in zip(lowest(first), lowest(info))]
        time = 12 / 24
        for got, expected in zip(moved, (time, -9.81 * time**2 / 2, 0)):
            self.assertAlmostEqual(got, expected, delta=1e-6)

    def test_a_checkpoint_resumes_to_the_same_bits(self) -> None:
        whole, parts = self.folder / "whole", self.folder / "parts"
        self.run_program("sim", self.scene, "--out", whole, "--quiet")
        self.run_program("sim", self.scene, "--out", parts, "--frames", "0-5", "--quiet")
        self.run_program("sim", self.scene, "--out", parts, "--resume", "--quiet")
        self.assertEqual(self.rows(whole)[-1]["hash"], self.rows(parts)[-1]["hash"])
        described = json.loads(self.run_program("info", whole / "checkpoint.nendo", "--json"))
        self.assertEqual(described["method"], "dust")

    def test_the_list_of_nodes_has_its_microsolver(self) -> None:
        listed = json.loads(subprocess.run([NODES], capture_output=True, text=True,
                                           check=True).stdout)
        node = next(node for node in listed["nodes"] if node["name"] == "nendo_dust")
        names = {parameter["name"] for parameter in node["parameters"]}
        self.assertLessEqual({"gravity", "spacing", "time_step", "density"}, names)


if __name__ == "__main__":
    unittest.main()
