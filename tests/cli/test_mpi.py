# SPDX-License-Identifier: Apache-2.0
"""One simulation on several processes: `mpirun nendo sim --mpi`."""
import os
import pathlib
import shutil
import signal
import subprocess
import time
import unittest

from nendo_cli import NENDO, ROOT, Case

MPIRUN = shutil.which("mpirun")

# Clay that falls on a bar across every cut and tears; a second body enters later.
CLAY = {
    "fps": 24,
    "frames": 8,
    "precision": "double",
    "solver": {"spacing": 0.1, "time_step": 0.001, "implicitness": 0},
    "bodies": [
        {"name": "clay", "box": {"center": [0, 0.9, 0], "size": [1.4, 0.4, 0.4]},
         "material": {"preset": "clay"}, "velocity": [0, -5, 0]},
        {"name": "late", "box": {"center": [0.2, 1.4, 0], "size": [0.5, 0.3, 0.3]},
         "material": {"preset": "dough"}, "start": 0.1, "velocity": [0, -3, 0]},
    ],
    "colliders": [{"name": "ground", "plane": {}},
                  {"name": "bar", "capsule": {"a": [0, 0.4, -1], "b": [0, 0.4, 1], "radius": 0.1}}],
    "output": {"checkpoint_every": 2},
}


@unittest.skipUnless(MPIRUN, "there is no mpirun")
class MpiCase(Case):
    def command(self, processes, *arguments):
        return [MPIRUN, "--oversubscribe", "--allow-run-as-root", "--bind-to", "none",
                "-n", str(processes), NENDO, "sim", *map(str, arguments), "--mpi",
                "--threads", "1"]

    def mpi(self, processes, *arguments, code=0):
        done = subprocess.run(self.command(processes, *arguments), capture_output=True, text=True,
                              timeout=300)
        self.assertEqual(done.returncode, code, f"{done.stdout}\n{done.stderr}")
        return done

    def frames(self, out):
        return {p.name: p.read_bytes() for p in pathlib.Path(out).glob("masters.????.*")}

    def hashes(self, out):
        return [row["hash"] for row in self.stats(out)]


class SameResult(MpiCase):
    def test_fig_15_on_2_and_4_processes(self):
        scene = ROOT / "examples/scenes/many_animals.json"
        options = ["--frames", "0-3", "--set", "precision=double", "--set",
                   "solver.implicitness=0"]
        alone = self.folder / "alone"
        self.sim(scene, *options, "--threads", "1", out=alone)
        substeps = sum(row["substeps"] for row in self.stats(alone))
        self.assertGreaterEqual(substeps, 200)
        for processes in 2, 4:
            with self.subTest(processes=processes):
                out = self.folder / str(processes)
                self.mpi(processes, scene, "--out", out, *options)
                # Every bit of the state is equal, and so within any tolerance.
                self.assertEqual(self.hashes(out), self.hashes(alone))
                self.assertEqual(self.frames(out), self.frames(alone))
                last, one = self.stats(out)[-1], self.stats(alone)[-1]
                self.assertGreater(last["ghosts"], 0)
                self.assertGreater(last["sent_bytes"], 0)
                for value in "momentum", "angular_momentum", "elastic_energy", "slaves_added":
                    self.assertEqual(last[value], one[value])


class Refused(MpiCase):
    def refused(self, *arguments, parts, scene=None):
        done = subprocess.run(self.command(2, scene or self.write("scene.json", CLAY), "--out",
                                           self.out, *arguments),
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 1, done.stderr)
        errors = [line for line in done.stderr.splitlines() if line.startswith("nendo: error: ")]
        self.assertEqual(len(errors), 1, done.stderr)
        for part in parts:
            self.assertIn(part, errors[0])
        self.assertFalse(self.out.exists(), "something was written")

    def test_scenes_that_cannot_be_shared_are_refused(self):
        self.refused("--set", "solver.implicitness=1",
                     parts=["solver.implicitness", "without --mpi"])
        self.refused("--set", "solver.remove_slaves=merge", parts=["solver.remove_slaves"])
        self.refused("--set", "bodies.1.material.preset=jelly", parts=["join"])
        self.refused(scene=ROOT / "examples/scenes/membrane_fluid.json", parts=["--mpi"])
        self.refused(scene=self.folder / "none.json", parts=["none.json"])


class Killed(MpiCase):
    def processes_of(self, parent):
        """The processes that mpirun started, by rank."""
        found = {}
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                if int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1]) != parent:
                    continue
                for item in (entry / "environ").read_bytes().split(b"\0"):
                    if item.startswith(b"OMPI_COMM_WORLD_RANK="):
                        found[int(item.split(b"=")[1])] = int(entry.name)
            except (OSError, IndexError):
                continue
        return found

    def killed_run(self, scene, rank):
        """Kills one process when frame 3 is done. Returns the output and the exit code."""
        job = subprocess.Popen(self.command(3, scene, "--out", self.out),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            limit = time.monotonic() + 60
            while not list(self.out.glob("masters.0003.*")):
                self.assertLess(time.monotonic(), limit, "no frame was written")
                self.assertIsNone(job.poll())
                time.sleep(0.002)
            os.kill(self.processes_of(job.pid)[rank], signal.SIGKILL)
            said = job.communicate(timeout=60)
        finally:
            job.kill()
        return said[0] + said[1], job.returncode

    def test_a_lost_process_ends_the_job_which_can_be_resumed(self):
        scene = self.write("scene.json", CLAY)
        straight = self.folder / "straight"
        self.sim(scene, "--threads", "1", out=straight)
        for rank, resume in (2, self.resume_alone), (0, self.resume_together):
            with self.subTest(rank=rank):
                self.out = self.folder / f"killed{rank}"
                said, code = self.killed_run(scene, rank)
                self.assertNotEqual(code, 0)
                self.assertRegex(said, rf"rank {rank} .* signal 9")
                self.assertLess(self.stats()[-1]["frame"], CLAY["frames"])
                resume(scene)
                self.assertEqual(self.hashes(self.out), self.hashes(straight))
                self.assertEqual(self.frames(self.out), self.frames(straight))

    def resume_alone(self, scene):
        self.sim(scene, "--resume")

    def resume_together(self, scene):
        self.mpi(2, scene, "--out", self.out, "--resume")
