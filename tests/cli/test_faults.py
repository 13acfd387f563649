# SPDX-License-Identifier: Apache-2.0
"""Faults: killed, disk full, disk broken, no memory, files that lie, signals, two at once.

NENDO_FAULT_RUNS is the number of times that a run is killed (12; use 100 by hand), NENDO_FAULT_HOOK
the path of the library that makes file operations fail.
"""
import contextlib
import json
import os
import pathlib
import random
import resource
import signal
import struct
import subprocess
import time
import unittest

from nendo_cli import NENDO, ROOT, Case

RUNS = int(os.environ.get("NENDO_FAULT_RUNS", "12"))
HOOK = os.environ.get("NENDO_FAULT_HOOK")
MEGABYTE = 1 << 20

# 343 masters of clay that fall and spread; slaves are added and removed; a body enters later.
SCENE = {
    "fps": 24,
    "frames": 8,
    "solver": {"spacing": 0.1, "time_step": 0.004},
    "bodies": [
        {"name": "clay", "box": {"center": [0, 0.4, 0], "size": [0.7, 0.7, 0.7]},
         "material": {"preset": "clay"}, "velocity": [0, -3, 0]},
        {"name": "late", "box": {"center": [0, 1.2, 0], "size": [0.3, 0.3, 0.3]},
         "material": {"preset": "jelly"}, "start": 0.15, "velocity": [0, -2, 0]},
    ],
    "colliders": [{"name": "ground", "plane": {}}],
    "output": {"checkpoint_every": 3, "internals": True},
}


class FaultCase(Case):
    def setUp(self):
        super().setUp()
        self.scene_file = self.write("scene.json", SCENE)

    def straight(self, scene=None):
        """An undisturbed run: its hashes, its files, and its duration [s]."""
        out = self.folder / "straight"
        start = time.monotonic()
        self.sim(scene or self.scene_file, out=out)
        spent = time.monotonic() - start
        return [row["hash"] for row in self.stats(out)], self.frames(out), spent

    def frames(self, out):
        return {p.name: p.read_bytes() for p in pathlib.Path(out).glob("*.????.*")}

    def check_resumed(self, hashes, frames, scene=None, out=None):
        """Resumes the run, to the bits of the undisturbed one, with nothing left over."""
        out = out or self.out
        self.sim(scene or self.scene_file, "--resume", out=out)
        self.assertEqual([row["hash"] for row in self.stats(out)], hashes)
        self.assertEqual(self.frames(out), frames)
        self.assert_tidy(out)

    def assert_tidy(self, out):
        left = [p.name for p in out.iterdir() if "tmp" in p.name or "lock" in p.name]
        self.assertEqual(left, [])

    def assert_failed(self, done, code, *parts):
        """Checks for one line with the reason, and the exit code."""
        self.assertEqual(done.returncode, code, done.stderr)
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertTrue(lines[0].startswith("nendo: error: "), done.stderr)
        for part in parts:
            self.assertIn(part, lines[0])

    def run_nendo(self, *arguments, **options):
        return subprocess.run([NENDO, *map(str, arguments)], capture_output=True, text=True,
                              timeout=300, **options)

    def start_sim(self, *arguments, out=None, scene=None):
        process = subprocess.Popen(
            [NENDO, "sim", scene or self.scene_file, "--out", out or self.out, "--json",
             *map(str, arguments)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end, process)
        return process

    def end(self, process):
        if process.poll() is None:
            process.kill()
        process.communicate()

    def wait_for_frame(self, process, frame=1):
        for line in process.stdout:
            event = json.loads(line)
            if event["event"] == "frame" and event["frame"] >= frame:
                return
        self.fail("the run ended before the frame came")


class Killed(FaultCase):
    def test_a_run_killed_at_random_times_resumes_to_the_same_bits(self):
        hashes, frames, spent = self.straight()
        seed = int(os.environ.get("NENDO_FAULT_SEED", "1"))
        draw = random.Random(seed)
        killed = 0
        for run in range(RUNS):
            out = self.folder / f"killed{run}"
            process = self.start_sim(out=out)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=draw.uniform(0, spent))
            killed += process.poll() is None
            self.end(process)
            with self.subTest(seed=seed, run=run):
                self.check_resumed(hashes, frames, out=out)
        print(f"killed {killed} of {RUNS} runs")
        self.assertGreater(killed, RUNS // 2)

    def test_a_run_killed_again_and_again_resumes_to_the_same_bits(self):
        """Killed again and again, as on a farm that takes machines away."""
        hashes, frames, spent = self.straight()
        draw = random.Random(2)
        for _ in range(4):
            process = self.start_sim("--resume")
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=draw.uniform(0.1, 0.5) * spent)
            self.end(process)
        self.check_resumed(hashes, frames)

    def check_killed_at(self, kills, name, last, **solver):
        """An example scene, killed and resumed with another number of threads."""
        scene = json.loads((ROOT / "examples" / "scenes" / f"{name}.json").read_text())
        scene["solver"].update(solver)
        scene["frames"] = last
        file = self.folder / f"{name}.json"
        file.write_text(json.dumps(scene))
        hashes, frames, _ = self.straight(file)
        self.assertEqual(len(hashes), last + 1)
        for frame in kills:
            out = self.folder / f"{name}{frame}"
            process = self.start_sim("--threads", 1, out=out, scene=file)
            self.wait_for_frame(process, frame)
            self.end(process)
            self.check_resumed(hashes, frames, scene=file, out=out)
        return frames

    def test_bones_that_yield_in_contact_resume_to_the_same_bits(self):
        frames = self.check_killed_at((3, 20, 40), "spoon_on_table", 60)
        self.assertIn("bones.0060.bgeo.sc", sorted(frames))

    def test_fluid_on_a_membrane_resumes_to_the_same_bits(self):
        frames = self.check_killed_at((3, 12), "thin_membrane", 24)
        self.assertIn("particles.0024.bgeo.sc", sorted(frames))

    def test_a_melting_animal_resumes_to_the_same_bits(self):
        frames = self.check_killed_at((2, 7), "melting_animal", 12, spacing=0.08)
        self.assertIn("matter.0012.bgeo.sc", sorted(frames))

    def test_a_partial_frame_is_not_a_frame(self):
        self.sim(self.scene_file, "--frames", "0-1")
        whole = self.out / "masters.0001.bgeo.sc"
        half = self.out / "masters.0001.bgeo.sc.tmp-7-0"
        half.write_bytes(whole.read_bytes()[:99])
        self.nendo("surface", self.out, "--frames", "1")
        self.sim(self.scene_file, "--resume", "--frames", "0-2")
        self.assertFalse(half.exists())


@unittest.skipUnless(HOOK, "NENDO_FAULT_HOOK is not set")
class Hooked(FaultCase):
    """Faults at a given file operation."""

    def hooked(self, kind, at, *arguments):
        environment = dict(os.environ, LD_PRELOAD=HOOK, NENDO_FAULT=kind, NENDO_FAULT_AT=str(at),
                           NENDO_FAULT_COUNT=str(self.folder / "count"))
        return self.run_nendo("sim", self.scene_file, "--out", self.out, *arguments,
                              env=environment)

    def points(self, count):
        """Operations drawn from a seed, spread over the run, always with the first ones."""
        self.assertEqual(self.hooked("kill", 0).returncode, 0)
        last = int((self.folder / "count").read_text())
        self.assertGreater(last, 50)
        draw = random.Random(3)
        return list(range(1, 6)) + sorted(draw.sample(range(6, last + 1), max(0, count - 5)))

    def clear(self):
        for path in self.out.iterdir():
            path.unlink()

    def test_a_run_killed_at_any_file_operation_can_be_resumed(self):
        hashes, frames, _ = self.straight()
        for at in self.points(RUNS):
            self.clear()
            with self.subTest(at=at):
                self.assertEqual(self.hooked("kill", at).returncode, -signal.SIGKILL)
                self.check_resumed(hashes, frames)

    def test_a_run_killed_while_it_replaces_an_earlier_one_can_be_resumed(self):
        """Nothing of the earlier run is mistaken for the new one's."""
        hashes, frames, _ = self.straight()
        other = dict(SCENE, frames=10, gravity=[0, -5, 0])
        for at in range(1, 100, 9):
            self.sim(self.write("other.json", other), "--overwrite", "--frames", "0-9")
            self.assertEqual(self.hooked("kill", at, "--overwrite").returncode, -signal.SIGKILL)
            with self.subTest(at=at):
                note = json.loads(self.nendo("info", self.out / "checkpoint.nendo",
                                             "--json").stdout)
                if note["frame"] == 9:  # not replaced yet: the earlier run is whole
                    self.assertEqual(len(self.frames(self.out)), 20)
                    continue
                self.check_resumed(hashes, frames)

    def test_a_disk_error_is_reported(self):
        hashes, frames, _ = self.straight()
        failed = 0
        for at in self.points(RUNS):
            self.clear()
            with self.subTest(at=at):
                done = self.hooked("EIO", at)
                self.assertIn(done.returncode, (0, 3), done.stderr)
                if done.returncode == 3:
                    failed += 1
                    self.assert_failed(done, 3, "Input/output error")
                self.check_frames_are_whole(frames)
                self.check_resumed(hashes, frames)
        self.assertGreater(failed, RUNS // 2)

    def test_a_full_disk_is_reported(self):
        hashes, frames, _ = self.straight()
        for at in self.points(RUNS):
            self.clear()
            with self.subTest(at=at):
                done = self.hooked("ENOSPC", at)
                if done.returncode != 0:  # only the lock's removal was left
                    self.assert_failed(done, 3, "No space left")
                self.check_frames_are_whole(frames)
                self.assert_tidy(self.out)
                self.check_resumed(hashes, frames)

    def check_frames_are_whole(self, frames):
        for name, content in self.frames(self.out).items():
            if "tmp" not in name:
                self.assertEqual(content, frames[name], name)
        if (self.out / "stats.jsonl").exists():
            self.stats()


class Limits(FaultCase):
    """Limits that the system sets for the process."""

    def limited(self, limit, value, *arguments):
        def set_limit():
            resource.setrlimit(limit, (value, value))
        return self.run_nendo(*arguments, preexec_fn=set_limit)

    def test_a_limit_on_file_size_is_reported(self):
        """Like a full disk, on any machine: no file may be larger than this."""
        hashes, frames, _ = self.straight()
        sizes = sorted(len(content) for content in frames.values())
        for size in (0, 100, sizes[0] - 1, sizes[len(sizes) // 2], sizes[-1] + 1):
            out = self.folder / f"limit{size}"
            done = self.limited(resource.RLIMIT_FSIZE, size, "sim", self.scene_file, "--out", out)
            self.assert_failed(done, 3, "File too large")
            for name, content in self.frames(out).items():
                self.assertEqual(content, frames[name], name)
            self.assert_tidy(out)
            self.check_resumed(hashes, frames, out=out)

    def test_a_limit_on_file_size_is_reported_by_surface_and_render(self):
        self.sim(self.scene_file, "--frames", "0-0")
        before = sorted(p.name for p in self.out.iterdir())
        for arguments in (("surface", self.out), ("surface", self.out, "--mesh", "ply"),
                          ("render", self.out, "--size", "96x64")):
            done = self.limited(resource.RLIMIT_FSIZE, 1000, *arguments)
            self.assert_failed(done, 3)
            self.assertEqual(sorted(p.name for p in self.out.iterdir()), before)

    def test_a_lack_of_memory_is_reported(self):
        """A run too large for its memory says so and leaves no partial output."""
        large = self.write("large.json", dict(SCENE, solver={"spacing": 0.008, "time_step": 0.004}))
        failures = 0
        for megabytes in (250, 350, 450, 600, 800):
            out = self.folder / f"memory{megabytes}"
            done = self.limited(resource.RLIMIT_AS, megabytes * MEGABYTE, "sim", large, "--out",
                                out, "--threads", "2", "--frames", "0-1")
            with self.subTest(megabytes=megabytes):
                self.assert_failed(done, 3, "memory")
                failures += 1
                if out.exists():
                    self.assert_tidy(out)
        self.assertEqual(failures, 5)

    def test_a_lack_of_memory_to_read_a_file_is_reported(self):
        """The file is valid, but too large for the memory."""
        values = bytes(40 * MEGABYTE)
        name = self.write("large.ply", b"ply\nformat binary_little_endian 1.0\nelement vertex "
                          + str(len(values) // 12).encode()
                          + b"\nproperty float x\nproperty float y\nproperty float z\nend_header\n"
                          + values)
        done = self.limited(resource.RLIMIT_AS, 200 * MEGABYTE, "info", name)
        self.assertIn(done.returncode, (1, 3))
        self.assert_failed(done, done.returncode, "memory")


class Folders(FaultCase):
    def test_a_read_only_folder_is_reported(self):
        locked = self.folder / "locked"
        locked.mkdir()
        locked.chmod(0o555)
        self.addCleanup(locked.chmod, 0o755)
        self.folder.chmod(0o755)

        def nobody():  # root may write anywhere
            if os.geteuid() == 0:
                os.setgid(65534)
                os.setuid(65534)
        for out in (locked, locked / "out"):
            done = self.run_nendo("sim", self.scene_file, "--out", out, preexec_fn=nobody)
            self.assertIn(done.returncode, (1, 3), done.stderr)
            self.assert_failed(done, done.returncode, "Permission denied", str(out))
            self.assertEqual(list(locked.iterdir()), [])

    def test_an_output_folder_below_a_file_is_refused(self):
        done = self.run_nendo("sim", self.scene_file, "--out", self.scene_file + "/out")
        self.assert_failed(done, 3, "scene.json/out")

    def test_a_second_run_in_a_folder_is_refused(self):
        first = self.start_sim()
        self.wait_for_frame(first)
        for arguments in (("--resume",), ("--overwrite",)):
            done = self.run_nendo("sim", self.scene_file, "--out", self.out, *arguments)
            self.assert_failed(done, 1, "another nendo", str(self.out))
        out, _ = first.communicate(timeout=120)
        self.assertEqual(first.returncode, 0)
        hashes, frames, _ = self.straight()
        self.assertEqual(self.frames(self.out), frames)
        self.assert_tidy(self.out)

    def test_only_one_of_many_runs_starts_in_a_folder(self):
        """Several runs start in one new folder: one of them runs, the others are refused."""
        processes = [self.start_sim() for _ in range(4)]
        for process in processes:
            process.communicate(timeout=120)
        codes = sorted(process.returncode for process in processes)
        self.assertEqual(codes.count(0), 1, codes)
        hashes, frames, _ = self.straight()
        self.assertEqual([row["hash"] for row in self.stats()], hashes)
        self.assertEqual(self.frames(self.out), frames)

    def test_a_killed_run_holds_no_lock(self):
        process = self.start_sim()
        self.wait_for_frame(process)
        process.kill()
        process.communicate()
        self.assertTrue([p for p in self.out.iterdir() if "lock" in p.name])
        hashes, frames, _ = self.straight()
        self.check_resumed(hashes, frames)


class Signals(FaultCase):
    def check_signal(self, number):
        process = self.start_sim()
        self.wait_for_frame(process, 2)
        process.send_signal(number)
        _, messages = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 130)
        info = json.loads(self.nendo("info", self.out / "checkpoint.nendo", "--json").stdout)
        self.assertGreaterEqual(info["frame"], 2)
        self.assertLess(info["frame"], SCENE["frames"])
        self.assertEqual(self.stats()[-1]["frame"], info["frame"])
        self.assertEqual(self.stats()[-1]["hash"], info["hash"])
        self.assert_tidy(self.out)
        hashes, frames, _ = self.straight()
        self.check_resumed(hashes, frames)

    def test_an_interrupt_ends_the_run_cleanly(self):
        self.check_signal(signal.SIGINT)

    def test_a_request_to_terminate_ends_the_run_cleanly(self):
        self.check_signal(signal.SIGTERM)


class Lies(FaultCase):
    """Headers that claim 10^9 points are refused at once, without allocating memory for them."""
    CLAIM = 10**9

    def check(self, name, *parts):
        def set_limit():
            resource.setrlimit(resource.RLIMIT_AS, (300 * MEGABYTE, 300 * MEGABYTE))
        start = time.monotonic()
        done = self.run_nendo("info", name, preexec_fn=set_limit)
        self.assertLess(time.monotonic() - start, 20)
        self.assert_failed(done, 1, *parts)
        self.assertNotIn("memory", done.stderr)

    def replaced(self, content, old, new):
        self.assertEqual(content.count(old), 1, old)
        return content.replace(old, new)

    def frame(self, kind):
        self.sim(self.scene_file, "--frames", "0-0", "--set", f"output.format={kind}",
                 out=self.folder / kind)
        return (self.folder / kind / f"masters.0000.{kind}").read_bytes()

    def test_geo_claims_are_not_trusted(self):
        lie = self.replaced(self.frame("geo"), b'"pointcount",343', b'"pointcount",%d' % self.CLAIM)
        self.check(self.write("lie.geo", lie), "lie.geo")

    def test_bgeo_claims_are_not_trusted(self):
        # The count is a 16-bit number here (type 0x12); 10^9 needs one of 32 bits (0x13).
        lie = self.replaced(self.frame("bgeo"), b"\x12" + struct.pack("<h", 343),
                            b"\x13" + struct.pack("<i", self.CLAIM))
        self.check(self.write("lie.bgeo", lie), "lie.bgeo")

    def test_bgeo_arrays_are_not_trusted(self):
        """An array that claims 10^9 numbers."""
        content = self.frame("bgeo")
        at = content.index(b"rawpagedata") + len(b"rawpagedata")
        start = content.index(b"\x40", at)  # an array of one type: type, length, numbers
        lie = content[:start + 2] + b"\xf4" + struct.pack("<I", self.CLAIM) + content[start + 5:]
        self.check(self.write("lie.bgeo", lie), "lie.bgeo")

    def test_bgeo_sc_chunks_are_not_trusted(self):
        """The index claims that the last chunk unpacks to 10^9 bytes; then that each chunk does."""
        content = self.frame("bgeo.sc")
        for at in (-20, -28):
            lie = content[:at] + struct.pack(">Q", self.CLAIM) + content[at + 8:]
            self.check(self.write("lie.bgeo.sc", lie), "lie.bgeo.sc")

    def test_ply_claims_are_not_trusted(self):
        lie = (b"ply\nformat binary_little_endian 1.0\nelement vertex %d\nproperty float x\n"
               b"property float y\nproperty float z\nend_header\n" % self.CLAIM) + bytes(1200)
        self.check(self.write("lie.ply", lie), "lie.ply")

    def test_checkpoint_claims_are_not_trusted(self):
        """Without the right checksum; tests/unit/io_checkpoint.cpp tests it with the right one."""
        self.sim(self.scene_file, "--frames", "0-0")
        content = (self.out / "checkpoint.nendo").read_bytes()
        at = content.index(b"masters") + len(b"masters")
        lie = content[:at] + struct.pack("<Q", self.CLAIM) + content[at + 8:]
        self.check(self.write("lie.nendo", lie), "lie.nendo")

    def test_scenes_with_too_many_particles_are_refused(self):
        for change in ({"solver": {"spacing": 1e-6}},
                       {"bodies": [{"box": {"size": [1e9, 1e9, 1e9]}}]}):
            self.check(self.write("lie.json", dict(SCENE, **change)), "4e9 particles")

    def test_deep_nesting_is_refused(self):
        body = '{"union": {"parts": [' * 100000 + '{"box": {}}' + "]}}" * 100000
        self.check(self.write("deep.json", '{"bodies": [' + body + "]}"), "nested")
        self.check(self.write("deep.geo", "[" * 1000000), "nested")
