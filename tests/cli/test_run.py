# SPDX-License-Identifier: Apache-2.0
"""Runs: same bits for any number of threads, stopped and resumed or not; folders; frames."""
import json
import signal
import subprocess

from nendo_cli import NENDO, Case


class SameBits(Case):
    def test_any_number_of_threads_gives_the_same_bits(self):
        scene = self.scene(solver={"spacing": 0.05, "time_step": 0.005}, frames=2)
        hashes = set()
        for threads in (1, 2, 8):
            out = self.folder / f"threads{threads}"
            self.sim(scene, "--threads", threads, out=out)
            hashes.add(tuple(row["hash"] for row in self.stats(out)))
        self.assertEqual(len(hashes), 1)

    def test_a_resumed_run_has_the_same_bits(self):
        scene = self.scene(frames=6)
        straight = self.folder / "straight"
        self.sim(scene, out=straight)
        self.sim(scene, "--frames", "0-3")
        self.sim(scene, "--resume")
        self.assertEqual([row["hash"] for row in self.stats()],
                         [row["hash"] for row in self.stats(straight)])
        for frame in straight.glob("masters.*"):
            self.assertEqual(frame.read_bytes(), (self.out / frame.name).read_bytes(), frame.name)

    def test_a_run_in_double_precision_can_be_resumed(self):
        scene = self.scene(frames=4, precision="double")
        straight = self.folder / "straight"
        self.sim(scene, out=straight)
        self.sim(scene, "--frames", "0-1")
        self.sim(scene, "--resume")
        self.assertEqual(self.final_hash(), self.final_hash(straight))

    def test_a_run_with_bodies_still_to_enter_can_be_resumed(self):
        body = {"box": {"center": [0, 1, 0], "size": [0.5, 0.5, 0.5]}, "material": {"preset": "clay"},
                "copies": {"count": 3, "interval": 0.1, "translate": [0, 0.2, 0]}}
        scene = self.scene(frames=8, bodies=[body])
        straight = self.folder / "straight"
        self.sim(scene, out=straight)
        self.sim(scene, "--frames", "0-4")
        self.sim(scene, "--resume")
        self.assertEqual(self.final_hash(), self.final_hash(straight))
        masters = [row["masters"] for row in self.stats()]
        self.assertEqual((masters[0], masters[-1]), (8, 24))

    def test_a_run_can_be_resumed_after_an_unclean_end(self):
        """Rows and frames after the checkpoint, as kill -9 leaves them."""
        scene = self.scene(frames=5)
        self.sim(scene, "--frames", "0-2")
        saved = (self.out / "checkpoint.nendo").read_bytes()
        self.sim(scene, "--resume")
        rows = self.stats()
        (self.out / "checkpoint.nendo").write_bytes(saved)
        with open(self.out / "stats.jsonl", "a") as stats:
            stats.write('{"frame": 6, "ti')
        self.sim(scene, "--resume")
        self.assertEqual([row["frame"] for row in self.stats()], [0, 1, 2, 3, 4, 5])
        self.assertEqual([r["hash"] for r in self.stats()], [r["hash"] for r in rows])

    def test_an_interrupted_run_can_be_resumed(self):
        scene = self.scene(solver={"spacing": 0.04, "time_step": 0.0005}, frames=6,
                           output={"checkpoint_every": 100})
        process = subprocess.Popen([NENDO, "sim", scene, "--out", self.out, "--json"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for line in process.stdout:
            if json.loads(line)["event"] == "frame":
                break
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=120)
        self.assertEqual(process.returncode, 130)
        info = json.loads(self.nendo("info", self.out / "checkpoint.nendo", "--json").stdout)
        frame = info["frame"]
        self.assertGreaterEqual(frame, 1)
        self.assertLess(frame, 6)
        self.assertEqual(self.stats()[-1]["frame"], frame)
        self.assertEqual(self.stats()[-1]["hash"], info["hash"])
        self.assertFalse([p for p in self.out.iterdir() if "tmp" in p.name])

        self.sim(scene, "--resume")
        straight = self.folder / "straight"
        self.sim(scene, out=straight)
        self.assertEqual(self.final_hash(), self.final_hash(straight))


class Folders(Case):
    def test_a_run_writes_its_files(self):
        self.sim(self.scene(frames=3, output={"internals": True}))
        names = sorted(p.name for p in self.out.iterdir())
        frames = [f"{kind}.{n:04}.bgeo.sc" for kind in ("masters", "slaves") for n in range(4)]
        self.assertEqual(names, sorted(frames + ["checkpoint.nendo", "scene.json", "stats.jsonl"]))

    def test_only_the_requested_frames_are_written(self):
        self.sim(self.scene(frames=9), "--frames", "2-3")
        self.assertEqual(sorted(p.name for p in self.out.glob("masters.*")),
                         ["masters.0002.bgeo.sc", "masters.0003.bgeo.sc"])
        self.assertEqual([row["frame"] for row in self.stats()], [0, 1, 2, 3])

    def test_every_format_is_written(self):
        infos = []
        for kind in ("bgeo.sc", "bgeo", "geo"):
            out = self.folder / kind
            self.sim(self.scene(frames=1), "--set", f"output.format={kind}", out=out)
            info = json.loads(self.nendo("info", out / f"masters.0001.{kind}", "--json").stdout)
            infos.append({k: v for k, v in info.items() if k not in ("file", "bytes", "format")})
        self.assertEqual(infos[0], infos[1])
        self.assertEqual(infos[0], infos[2])
        self.assertEqual(infos[0]["points"], 27)

    def test_an_earlier_run_is_kept(self):
        scene = self.scene(frames=1)
        self.sim(scene)
        before = {p.name: p.read_bytes() for p in self.out.iterdir()}
        done = self.sim(scene, code=1)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertIn("--resume", done.stderr)
        self.assertEqual(before, {p.name: p.read_bytes() for p in self.out.iterdir()})

    def test_overwrite_leaves_nothing_behind(self):
        self.sim(self.scene(frames=3))
        (self.out / "notes.txt").write_text("mine")
        self.sim(self.scene(frames=1), "--overwrite")
        self.assertEqual(len(list(self.out.glob("masters.*"))), 2)
        self.assertEqual((self.out / "notes.txt").read_text(), "mine")

    def test_resume_refuses_another_scene(self):
        self.sim(self.scene(frames=1))
        done = self.sim(self.scene(frames=2), "--resume", "--set", "bodies.0.material.young=2e5",
                        code=1)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertIn("another scene", done.stderr)

    def test_resuming_an_empty_folder_starts_a_run(self):
        self.sim(self.scene(frames=1), "--resume")
        self.assertEqual([row["frame"] for row in self.stats()], [0, 1])

    def test_the_copy_of_the_scene_gives_the_same_run(self):
        self.sim(self.scene(frames=2), "--set", "bodies.0.material.young=3e5")
        again = self.folder / "again"
        self.sim(self.out / "scene.json", out=again)
        self.assertEqual(self.final_hash(), self.final_hash(again))


class Talk(Case):
    def test_json_output_is_one_object_per_line(self):
        done = self.sim(self.scene(), "--json")
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        frames = [line for line in lines if line["event"] == "frame"]
        self.assertEqual([line["frame"] for line in frames], [1, 2, 3, 4])
        self.assertEqual(lines[-1]["event"], "done")
        self.assertEqual(lines[-1]["hash"], self.final_hash())
        self.assertEqual(done.stderr, "")

    def test_plain_output_ends_with_the_hash(self):
        done = self.sim(self.scene())
        self.assertNotIn("\r", done.stdout)
        self.assertIn(self.final_hash(), done.stdout.splitlines()[-1])

    def test_quiet_prints_nothing(self):
        done = self.sim(self.scene(), "--quiet")
        self.assertEqual(done.stdout + done.stderr, "")

    def test_statistics_obey_physics(self):
        self.sim(self.scene(), "--set", "bodies.0.box.center=[0,3,0]")
        rows = self.stats()
        self.assertEqual([row["frame"] for row in rows], [0, 1, 2, 3, 4])
        for row in rows[1:]:
            for key in ("substeps", "cg_iterations", "kinetic_energy", "elastic_energy",
                        "gravity_energy", "momentum", "angular_momentum", "masters", "slaves",
                        "slaves_added", "slaves_removed", "bytes", "max_speed", "wall_ms"):
                self.assertIn(key, row)
            self.assertAlmostEqual(row["time"], row["frame"] / 24, places=9)
            self.assertTrue(row["stages_ms"])
            self.assertGreater(row["substeps"], 0)
            self.assertEqual(row["masters"], 27)
            # A body in free fall: momentum m g t.
            exact = -1000 * 0.75**3 * 9.81 * row["time"]
            self.assertAlmostEqual(row["momentum"][1] / exact, 1, places=4)
