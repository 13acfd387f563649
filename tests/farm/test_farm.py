# SPDX-License-Identifier: Apache-2.0
"""Jobs: wedges, refusals, local runs, reports."""
import json
import math
import os
import pathlib
import re
import signal
import subprocess
import time
import xml.dom.minidom

from farm_case import CAMERA, NENDO, ROOT, YOUNG, FarmCase


class Wedges(FarmCase):
    def plan(self, wedges, *arguments):
        """The wedges of a dry run, by name: path -> value as text."""
        scene = self.scene()
        done = self.submit(scene, self.write("wedges.json", wedges), "--dry-run", *arguments)
        self.assertFalse(self.job.exists(), "a dry run wrote something")
        found = {}
        for line in done.stdout.splitlines():
            if line.startswith("wedge "):
                name, _, assignments = line[6:].partition(": ")
                found[name] = dict(a.split("=", 1) for a in assignments.split())
        return found, done.stdout

    def test_a_grid_makes_every_combination(self):
        grid = [{"path": YOUNG, "values": [1e4, 2e4, 3e4]},
                {"path": "bodies.0.material.density", "values": [900, 1100]}]
        wedges, _ = self.plan({"grid": grid})
        self.assertEqual(list(wedges), ["w0", "w1", "w2", "w3", "w4", "w5"])
        pairs = [(float(w[YOUNG]), float(w["bodies.0.material.density"]))
                 for w in wedges.values()]
        self.assertEqual(pairs, [(y, d) for y in (1e4, 2e4, 3e4) for d in (900, 1100)])

    def test_a_list_names_wedges_that_share_values(self):
        wedges, _ = self.plan({"set": ["solver.spacing=0.375"],
                               "list": [{"name": "soft", "set": [f"{YOUNG}=1e4"]},
                                        {"set": [f"{YOUNG}=1e5"]}]})
        self.assertEqual(list(wedges), ["soft", "w1"])
        self.assertEqual({w["solver.spacing"] for w in wedges.values()}, {"0.375"})

    def test_a_latin_hypercube_samples_every_slice_once(self):
        cube = {"samples": 8, "seed": 5,
                "axes": [{"path": YOUNG, "from": 1e4, "to": 1e6, "log": True},
                         {"path": "bodies.0.material.density", "from": 800, "to": 1200},
                         {"path": "output.checkpoint_every", "from": 1, "to": 8,
                          "integer": True}]}
        wedges, _ = self.plan({"latin_hypercube": cube})
        again, _ = self.plan({"latin_hypercube": cube})
        self.assertEqual(wedges, again)
        other, _ = self.plan({"latin_hypercube": {**cube, "seed": 6}})
        self.assertNotEqual(wedges, other)
        # Each of eight slices of each axis has exactly one sample.

        slices = [[int(8 * math.log10(float(w[YOUNG]) / 1e4) / 2) for w in wedges.values()],
                  [int(8 * (float(w["bodies.0.material.density"]) - 800) / 400)
                   for w in wedges.values()],
                  [int(w["output.checkpoint_every"]) - 1 for w in wedges.values()]]
        for axis in slices:
            self.assertEqual(sorted(axis), list(range(8)))

    def test_tasks_cover_all_frames(self):
        _, text = self.plan({"list": [{"set": [f"{YOUNG}=1e4"]}, {"set": [f"{YOUNG}=2e4"]}]},
                            "--frames", "0-2,4-4", "--chunk", "2")
        tasks = [line.split(":")[0][5:] for line in text.splitlines() if line.startswith("task ")]
        self.assertEqual(tasks, ["sim.w0", "sim.w1", "frames.w0.0-1", "frames.w1.0-1",
                                 "frames.w0.2-2", "frames.w1.2-2", "frames.w0.4-4",
                                 "frames.w1.4-4", "report"])


    def test_the_example_jobs_are_valid(self):
        for name, count in (("grid", 6), ("list", 3), ("hypercube", 6)):
            done = self.submit(ROOT / "examples/scenes/cube_soft.json",
                               ROOT / f"examples/farm/cube_{name}.json", "--dry-run")
            self.assertEqual(done.stdout.count("wedge "), count, done.stdout)


class Refusals(FarmCase):
    """Nothing reaches the engine, whose stand-in would record it."""

    def refuse(self, *parts, wedges=None, arguments=(), scene=None, path=None):
        self.stand_in("sbatch", "echo 1")
        wedges = wedges or {"list": [{"set": [f"{YOUNG}=1e4"]}, {"set": [f"{YOUNG}=2e4"]}]}
        environment = self.environment(**({"PATH": path} if path else {}))
        done = self.submit(scene or self.scene(), self.write("wedges.json", wedges),
                           "--engine", "slurm", *arguments, code=1, environment=environment)
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 1, done.stderr)
        for part in parts:
            self.assertIn(part, lines[0])
        self.assertIn("; ", lines[0])
        self.assertFalse(self.calls.exists(), "something was submitted")
        self.assertFalse((self.job / "submit").exists())
        return lines[0]

    def test_an_unknown_parameter_is_refused_in_the_readers_words(self):
        path = "bodies.0.material.yung"
        text = self.refuse("wedge w1", path, "unknown key", "young",
                           wedges={"list": [{"set": [f"{YOUNG}=1e4"]}, {"set": [f"{path}=2e4"]}]})
        reader = self.nendo("scene", "--check", self.scene(), "--set", f"{path}=2e4",
                            code=1).stderr
        self.assertEqual(text.partition(path)[2], reader.strip().partition(path)[2])

    def test_a_value_out_of_range_is_refused(self):
        self.refuse("wedge w0", YOUNG, wedges={"grid": [{"path": YOUNG, "values": [-1]}]})

    def test_a_missing_mesh_is_refused(self):
        self.refuse("nowhere.obj", wedges={"list": [{"set": ["colliders.0.mesh=nowhere.obj"]}]})

    def test_overlapping_frames_are_refused(self):
        self.refuse("2-4", "overlaps", arguments=("--frames", "0-2,2-4"))
        self.refuse("0-1", arguments=("--frames", "3-4,0-1"))

    def test_frames_beyond_the_end_are_refused(self):
        self.refuse("frame 4", "frame 9", arguments=("--frames", "0-9"))
        self.refuse("wedge w0", "frame 2", arguments=("--frames", "0-4"),
                    wedges={"grid": [{"path": "frames", "values": [2, 4]}]})

    def test_an_unwritable_folder_is_refused(self):
        self.job = pathlib.Path("/proc/nendo/job")
        self.refuse("/proc/nendo/job")
        blocker = self.folder / "file"
        blocker.write_text("")
        self.job = blocker / "job"
        self.refuse(str(self.job))
        if os.geteuid() != 0:
            self.job = self.folder / "closed"
            self.job.mkdir(mode=0o500)
            self.refuse(str(self.job), "can't be written")

    def test_bad_names_are_refused(self):
        def named(*names):
            return {"list": [{"name": name, "set": [f"{YOUNG}={1 + k}e4"]}
                             for k, name in enumerate(names)]}

        self.refuse("collides", "Soft", wedges=named("soft", "Soft"))
        self.refuse("collides", "w1", wedges={"list": [
            {"name": "w1", "set": [f"{YOUNG}=1e4"]}, {"set": [f"{YOUNG}=2e4"]}]})
        self.refuse("../soft", wedges=named("../soft"))
        self.refuse("cannot name a folder", arguments=("--name", "a b"))
        self.job = self.folder / "with space"
        self.refuse("' '", "--out", arguments=("--name", "clay"))

    def test_equal_wedges_are_refused(self):
        self.refuse("same as wedge w0", wedges={"grid": [{"path": YOUNG, "values": [1e4, 1e4]}]})

    def test_files_that_are_not_wedges_are_refused(self):
        self.refuse("no wedges", wedges={"grid": []})
        self.refuse("more than one", wedges={"grid": [{"path": YOUNG, "values": [1]}],
                                             "list": [{"set": []}]})
        self.refuse("axes.0", "from", wedges={"latin_hypercube": {
            "samples": 2, "axes": [{"path": YOUNG, "from": 2, "to": 1}]}})
        self.refuse("100000", wedges={"grid": [{"path": f"x{k}", "values": list(range(100))}
                                               for k in range(3)]})

    def test_a_missing_engine_is_refused(self):
        self.refuse("sbatch", "--no-submit", path="/nowhere")

    def test_a_second_job_in_the_folder_is_refused(self):
        wedges = self.list_wedges(1e4)
        self.submit(self.scene(), wedges, "--no-submit")
        before = sorted(self.job.rglob("*"))
        done = self.submit(self.scene(), wedges, code=1)
        self.assertIn("submit.sh", done.stderr)
        self.assertEqual(sorted(self.job.rglob("*")), before)


class Local(FarmCase):
    def test_a_job_runs_reports_and_runs_again(self):
        scene = self.scene(camera=CAMERA)
        self.submit(scene, self.list_wedges(1e4, 1e5), "--chunk", "3", "--size", "96x54",
                    "--mesh", "ply")
        names = {path.name for path in (self.job / "wedges" / "w1").iterdir()}
        for frame in range(5):
            for name in ("masters.{:04}.bgeo.sc", "surface.{:04}.vdb", "surface.{:04}.ply",
                         "render.{:04}.png"):
                self.assertIn(name.format(frame), names)
        # The same result as by hand.
        self.sim(scene, "--set", f"{YOUNG}=1e5")
        self.assertEqual(self.stats(self.job / "wedges" / "w1")[-1]["hash"], self.final_hash())

        rows = self.table()
        self.assertEqual([row["wedge"] for row in rows], ["w0", "w1"])
        self.assertEqual([float(row[YOUNG]) for row in rows], [1e4, 1e5])
        self.assertEqual({row["state"] for row in rows}, {"done"})
        self.assertEqual({row["frame"] for row in rows}, {"4"})
        self.assertEqual(rows[1]["hash"], self.final_hash())
        self.assertEqual({row["restarts"] for row in rows}, {""})
        page = (self.job / "report" / "index.html").read_text()
        self.assertIn("No task was killed", page)
        for source in re.findall(r'src="([^"]+)"', page):
            self.assertTrue((self.job / "report" / source).exists(), source)
        for plot in re.findall(r"<svg.*?</svg>", page, re.S):
            xml.dom.minidom.parseString(plot)

        status = self.status()
        self.assertEqual((status["sim"]["done"], status["frames"]["done"]), (2, 4))
        stamps = {p: p.stat().st_mtime_ns for p in (self.job / "wedges").rglob("*")}
        self.run_script()
        self.assertEqual({p: p.stat().st_mtime_ns for p in (self.job / "wedges").rglob("*")},
                         stamps)

    def test_chunks_give_the_same_result_as_one_piece(self):
        """The position of the camera does not depend on which frames a task renders."""
        self.submit(self.scene(), self.list_wedges(1e4), "--chunk", "1", "--size", "96x54",
                    "--no-surface")
        run = self.job / "wedges" / "w0"
        whole = self.folder / "whole"
        self.nendo("render", run, "--out", whole, "--size", "96x54")
        for picture in sorted(whole.glob("render.*.png")):
            self.assertEqual(picture.read_bytes(), (run / picture.name).read_bytes(), picture.name)

    def test_a_killed_process_is_resumed(self):
        scene = self.scene(frames=12, solver={"spacing": 0.09, "time_step": 0.001})
        self.submit(scene, self.list_wedges(1e5), "--no-submit", "--no-surface", "--no-render",
                    "--threads", "1")
        task = subprocess.Popen([NENDO, "farm", "task", self.job, "sim", "0"],
                                stdout=subprocess.PIPE, text=True)
        for line in task.stdout:
            if "frame 3 of 12" in line:
                break
        children = pathlib.Path(f"/proc/{task.pid}/task/{task.pid}/children").read_text().split()
        self.assertEqual(len(children), 1)
        os.kill(int(children[0]), signal.SIGKILL)
        rest = task.communicate(timeout=300)[0]
        self.assertEqual(task.returncode, 0, rest)
        self.assertIn("ALF_PROGRESS 100%", rest)
        self.nendo("farm", "task", self.job, "report")
        self.sim(scene, "--set", f"{YOUNG}=1e5")
        row = self.table()[0]
        self.assertEqual(row["hash"], self.final_hash())
        self.assertRegex(row["restarts"], r"sim\.w0: attempt 1 on \S+ was killed by signal 9; "
                                          r"attempt 2 on \S+ continued from frame [3-9]\d* and "
                                          r"completed")

    def test_a_killed_task_ends_its_process(self):
        scene = self.scene(frames=40, solver={"spacing": 0.09, "time_step": 0.001})
        self.submit(scene, self.list_wedges(1e5), "--no-submit", "--no-surface", "--no-render")
        task = subprocess.Popen([NENDO, "farm", "task", self.job, "sim", "0"],
                                stdout=subprocess.PIPE, text=True)
        task.stdout.readline()
        child = pathlib.Path(f"/proc/{task.pid}/task/{task.pid}/children").read_text().split()[0]
        task.kill()
        task.communicate()
        for _ in range(100):
            state = pathlib.Path(f"/proc/{child}/stat")
            if not state.exists() or ") Z" in state.read_text():
                break
            time.sleep(0.05)
        else:
            self.fail("the simulation runs on")
        self.assertEqual(len(self.status()["started"]), 1)

    def test_an_interrupted_task_has_failed(self):
        scene = self.scene(frames=40, solver={"spacing": 0.09, "time_step": 0.001})
        self.submit(scene, self.list_wedges(1e5), "--no-submit")
        task = subprocess.Popen([NENDO, "farm", "task", self.job, "sim", "0"],
                                stdout=subprocess.PIPE, text=True)
        task.stdout.readline()
        task.send_signal(signal.SIGTERM)
        task.communicate(timeout=60)
        self.assertEqual(task.returncode, 130)
        self.assertIn("code 130", self.status()["failed"][0])

    def test_frames_need_their_simulation(self):
        self.submit(self.scene(), self.list_wedges(1e4), "--no-submit")
        done = self.nendo("farm", "task", self.job, "frames", "0", "0", code=3)
        self.assertIn("sim.w0", done.stderr)
        done = self.nendo("farm", "task", self.job, "sim", "7", code=1)
        self.assertIn("1 wedges", done.stderr)

    def test_a_wedge_that_fails_is_named(self):
        """The other wedges are done, the page is made, and the exit code reports the failure."""
        self.submit(self.scene(), self.list_wedges(1e4, 2e4), "--no-submit", "--no-surface",
                    "--size", "96x54")
        (self.job / "wedges" / "w0").write_text("in the way")
        done = subprocess.run(["bash", str(self.job / "submit" / "submit.sh")],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertEqual([row["state"] for row in self.table()], ["failed: sim.w0", "done"])
        self.assertIn("failed: sim.w0", (self.job / "report" / "index.html").read_text())


class ManyTasks(FarmCase):
    def test_ten_thousand_wedges_are_quick_to_plan(self):
        cube = {"samples": 2000, "axes": [{"path": YOUNG, "from": 1e4, "to": 1e6}]}
        wedges = self.write("wedges.json", {"latin_hypercube": cube})
        scene = self.scene(frames=3)
        for engine in ("slurm", "openjd", "opencue", "hqueue", "deadline", "tractor"):
            self.job = self.folder / engine
            start = time.monotonic()
            done = self.submit(scene, wedges, "--engine", engine, "--no-submit", "--chunk", "1")
            print(f"{engine}: 10,001 tasks in {time.monotonic() - start:.2f} s")
            self.assertIn("2000 wedges, 10001 tasks", done.stdout)
        alf = (self.job / "submit" / "job.alf").read_text()
        self.assertEqual(alf.count("RemoteCmd"), 10001)
        self.assertEqual(len(json.loads((self.job / "job.json").read_text())["wedges"]), 2000)
