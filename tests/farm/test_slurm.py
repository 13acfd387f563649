# SPDX-License-Identifier: Apache-2.0
"""Six wedges on a real Slurm of two nodes, one of which is lost halfway."""
import json
import unittest

from farm_case import CAMERA, FarmCase
from slurm_cluster import Cluster, missing_commands

WEDGES = (1e4, 3e4, 1e5, 3e5, 1e6, 3e6)
FRAMES = 20


class LostNode(FarmCase):
    def frames_done(self, wedge):
        stats = self.job / "wedges" / wedge / "stats.jsonl"
        return len(stats.read_text().splitlines()) - 1 if stats.exists() else 0

    def running_on(self, node):
        """The wedge that the node is simulating, a few frames after its start."""
        for log in (self.job / "log").glob("sim.*.jsonl"):
            rows = [json.loads(line) for line in log.read_text().splitlines()]
            wedge = log.name.split(".")[1]
            if rows and rows[-1]["event"] == "start" and rows[-1]["host"] == node \
                    and 3 <= self.frames_done(wedge) <= FRAMES - 5:
                return wedge
        return None

    def test_every_wedge_completes_to_the_same_bits(self):
        missing = missing_commands()
        if missing:
            raise unittest.SkipTest("not installed: " + ", ".join(missing))
        scene = self.scene(frames=FRAMES, camera=CAMERA,
                           solver={"spacing": 0.08, "time_step": 0.001})
        wedges = self.list_wedges(*WEDGES)
        cluster = Cluster(self.folder)
        self.addCleanup(cluster.stop)
        cluster.start()
        self.submit(scene, wedges, "--engine", "slurm", "--threads", "1", "--chunk", "11",
                    "--size", "64x36", "--no-surface", environment=cluster.environment)
        found = []
        cluster.wait(lambda: found.append(self.running_on("n1")) or found[-1],
                     "no simulation ran on n1", 120)
        cluster.kill_node("n1")
        lost = found[-1]
        self.assertLess(self.frames_done(lost), FRAMES, "it was not in the middle of it")
        cluster.wait(lambda: cluster.ask("squeue", "-h") == "" and
                     (self.job / "report" / "index.html").exists(), "the job did not end", 900)

        status = self.status()
        self.assertEqual((status["sim"]["done"], status["frames"]["done"]), (6, 12), status)
        rows = {row["wedge"]: row for row in self.table()}
        self.assertEqual({row["state"] for row in rows.values()}, {"done"})
        told = rows[lost]["restarts"]
        self.assertRegex(told, rf"sim\.{lost}: attempt 1 on n1 was killed, its process or node "
                               r"lost; attempt 2 on n2 continued from frame \d+ and completed")
        self.assertGreaterEqual(int(told.split("from frame ")[1].split()[0]), 2)
        self.assertIn(told, (self.job / "report" / "index.html").read_text())
        self.assertEqual({w for w, row in rows.items() if "killed" in row["restarts"]}, {lost})

        on_slurm, self.job = self.job, self.folder / "local"
        self.submit(scene, wedges, "--threads", "1", "--no-surface", "--no-render")
        for wedge in rows:
            here, there = self.job / "wedges" / wedge, on_slurm / "wedges" / wedge
            self.assertEqual([row["hash"] for row in self.stats(there)],
                             [row["hash"] for row in self.stats(here)], wedge)
            files = sorted(here.glob("masters.*"))
            self.assertEqual(len(files), FRAMES + 1)
            for file in files:
                self.assertEqual(file.read_bytes(), (there / file.name).read_bytes(), file.name)
