# SPDX-License-Identifier: Apache-2.0
"""The files for each engine; installed engines run them, the others have stand-ins."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import unittest
import xml.etree.ElementTree as tree
import xmlrpc.server

from farm_case import CAMERA, NENDO, FarmCase

OPENJD = "openjd-cli==0.8.0"


def find_openjd():
    """The `openjd` command, from PyPI if it is not installed; None if it cannot be installed."""
    build = pathlib.Path(os.environ["NENDO_BUILD"]) / "openjd"
    for place in (shutil.which("openjd"), build / "bin" / "openjd"):
        if place and pathlib.Path(place).exists():
            return str(place)
    for command in ([sys.executable, "-m", "venv", str(build)],
                    [str(build / "bin" / "pip"), "install", "-q", OPENJD]):
        if subprocess.run(command, capture_output=True, timeout=300).returncode != 0:
            shutil.rmtree(build, ignore_errors=True)
            return None
    return str(build / "bin" / "openjd")


class OpenJobDescription(FarmCase):
    def test_the_template_is_valid_and_runs_to_the_same_files(self):
        openjd = find_openjd()
        if openjd is None:
            raise unittest.SkipTest(f"{OPENJD} is not to be had")
        scene = self.scene(camera=CAMERA)
        arguments = ("--chunk", "3", "--size", "96x54")
        self.submit(scene, self.list_wedges(1e4, 1e5), "--engine", "openjd", "--no-submit",
                    *arguments)
        template = str(self.job / "submit" / "template.json")
        checked = subprocess.run([openjd, "check", template, "--output", "json"],
                                 capture_output=True, text=True)
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        self.assertEqual(json.loads(checked.stdout)["status"], "success")
        ran = subprocess.run([openjd, "run", template], capture_output=True, text=True, timeout=600)
        self.assertEqual(ran.returncode, 0, ran.stdout[-3000:] + ran.stderr[-3000:])
        self.assertIn("openjd_progress: 100.0", ran.stdout)

        here, self.job = self.job, self.folder / "local"
        self.submit(scene, self.list_wedges(1e4, 1e5), *arguments)
        for wedge in ("w0", "w1"):
            files = sorted(path.name for path in (self.job / "wedges" / wedge).iterdir())
            self.assertEqual(sorted(p.name for p in (here / "wedges" / wedge).iterdir()), files)
            for name in files:
                if name.endswith((".bgeo.sc", ".png", ".nendo")) or name == "scene.json":
                    self.assertEqual((here / "wedges" / wedge / name).read_bytes(),
                                     (self.job / "wedges" / wedge / name).read_bytes(), name)
        self.assertEqual([row["hash"] for row in self.table(here)],
                         [row["hash"] for row in self.table()])

    def test_the_job_is_submitted_as_a_bundle(self):
        self.stand_in("deadline")
        self.submit(self.scene(), self.list_wedges(1e4), "--engine", "openjd")
        self.assertEqual(self.calls.read_text(), f"deadline bundle submit {self.job}/submit\n")


class Slurm(FarmCase):
    def test_arrays_are_submitted_in_blocks(self):
        self.stand_in("sbatch", f"wc -l <{self.calls}")
        self.submit(self.scene(), self.list_wedges(1e4, 2e4, 3e4), "--engine", "slurm",
                    "--no-submit", "--chunk", "3", "--threads", "4")
        out = self.run_script("--partition=fx", NENDO_ARRAY="2")
        self.assertEqual(out, "slurm: jobs 1 2 3 4 5 6 7\n")
        calls = self.calls.read_text().splitlines()
        for call in calls:
            self.assertIn(" --requeue ", call)
            self.assertIn(" --partition=fx ", call)
            self.assertIn(" --cpus-per-task=4 ", call)
        found = [(re.search(r"--array=\S+", call), re.search(r"--dependency=\S+", call),
                  call.split("task.sh ")[1]) for call in calls]
        self.assertEqual([(a and a[0], d and d[0], t) for a, d, t in found], [
            ("--array=0-1", None, "sim 0"),
            ("--array=0-1", "--dependency=aftercorr:1", "frames 0 0"),
            ("--array=0-1", "--dependency=aftercorr:1", "frames 0 1"),
            ("--array=0-0", None, "sim 2"),
            ("--array=0-0", "--dependency=aftercorr:4", "frames 2 0"),
            ("--array=0-0", "--dependency=aftercorr:4", "frames 2 1"),
            (None, "--dependency=afterany:1:2:3:4:5:6", "report")])

    def test_the_task_script_runs_its_task(self):
        self.submit(self.scene(), self.list_wedges(1e4, 2e4), "--engine", "slurm", "--no-submit")
        done = subprocess.run(["bash", str(self.job / "submit" / "task.sh"), "sim", "0"],
                              capture_output=True, text=True,
                              env={**os.environ, "SLURM_ARRAY_TASK_ID": "1",
                                   "SLURMD_NODENAME": "rack7"})
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = (self.job / "log" / "sim.w1.jsonl").read_text().splitlines()
        log = [json.loads(line) for line in lines]
        self.assertEqual([row["event"] for row in log], ["start", "end"])
        self.assertEqual((log[0]["host"], log[1]["code"]), ("rack7", 0))


class OpenCue(FarmCase):
    def test_the_spec_follows_the_dtd(self):
        self.submit(self.scene(), self.list_wedges(1e4, 2e4), "--engine", "opencue",
                    "--no-submit", "--chunk", "3")
        (self.commands / "opencue").mkdir()
        (self.commands / "opencue" / "__init__.py").write_text(
            "class api:\n"
            "    @staticmethod\n"
            "    def launchSpecAndWait(spec):\n"
            f"        open({str(self.calls)!r}, 'w').write(spec)\n"
            "        return []\n")
        self.run_script(PYTHONPATH=str(self.commands), NENDO_SHOW="clay", NENDO_SHOT="s10",
                        USER="ann")
        text = self.calls.read_text()
        self.assertIn("cjsl-1.12.dtd", text)
        spec = tree.fromstring(text)
        # The order is that of the DTD.
        self.assertEqual([child.tag for child in spec],
                         ["facility", "show", "shot", "user", "uid", "job", "depends"])
        self.assertEqual([spec.find(tag).text for tag in ("show", "shot", "user")],
                         ["clay", "s10", "ann"])
        self.assertEqual([child.tag for child in spec.find("job")],
                         ["paused", "maxretries", "autoeat", "env", "layers"])
        layers = {layer.get("name"): layer for layer in spec.iter("layer")}
        self.assertEqual(list(layers), ["sim", "frames_0-2", "frames_3-4", "report"])
        for layer in layers.values():
            self.assertEqual([child.tag for child in layer], ["cmd", "range", "chunk", "services"])
        self.assertEqual(layers["frames_3-4"].find("cmd").text,
                         f"{NENDO} farm task {self.job} frames #IFRAME# 1")
        self.assertEqual(layers["sim"].find("range").text, "0-1")
        depends = [(d.get("type"), d.find("deplayer").text, d.find("onlayer").text)
                   for d in spec.iter("depend")]
        self.assertEqual(sorted(depends), [
            ("FRAME_BY_FRAME", "frames_0-2", "sim"), ("FRAME_BY_FRAME", "frames_3-4", "sim"),
            ("LAYER_ON_LAYER", "report", "frames_0-2"), ("LAYER_ON_LAYER", "report", "frames_3-4")])


class HQueue(FarmCase):
    def test_jobs_wait_for_the_jobs_before_them(self):
        jobs = []

        def newjob(specs):
            first = len(jobs)
            jobs.extend(specs)
            return list(range(first, len(jobs)))

        server = xmlrpc.server.SimpleXMLRPCServer(("127.0.0.1", 0), logRequests=False)
        server.register_function(newjob)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.submit(self.scene(), self.list_wedges(1e4, 2e4), "--engine", "hqueue", "--no-submit",
                    "--chunk", "3")
        out = self.run_script(HQSERVER=f"http://127.0.0.1:{server.server_address[1]}")
        self.assertEqual(out, "hqueue: jobs 0 1 2 3 4 5 6\n")
        self.assertEqual([(job["name"], job["childrenIds"]) for job in jobs], [
            ("job.sim.w0", []), ("job.sim.w1", []),
            ("job.frames.w0.0-2", [0]), ("job.frames.w1.0-2", [1]),
            ("job.frames.w0.3-4", [0]), ("job.frames.w1.3-4", [1]),
            ("job.report", [0, 1, 2, 3, 4, 5])])
        self.assertEqual(jobs[5]["command"], f"{NENDO} farm task {self.job} frames 1 1")


class Deadline(FarmCase):
    def test_job_and_plugin_files_are_written(self):
        self.stand_in("deadlinecommand",
                      f'cat "$1" "$2" >>{self.calls}; n=$(grep -c ^Plugin= {self.calls})\n'
                      'echo Result=Success; echo JobID=id$n')
        self.submit(self.scene(), self.list_wedges(1e4, 2e4), "--engine", "deadline",
                    "--no-submit", "--chunk", "3")
        out = self.run_script("Pool=fx", "Group=linux")
        self.assertEqual(out, "deadline: jobs id1,id2,id3,id4\n")
        jobs = [dict(line.split("=", 1) for line in part.splitlines() if "=" in line)
                for part in self.calls.read_text().split("Plugin=CommandLine\n")[1:]]
        self.assertEqual([job["Name"] for job in jobs],
                         ["job.sim", "job.frames.0", "job.frames.1", "job.report"])
        self.assertEqual([job.get("JobDependencies") for job in jobs],
                         [None, "id1", "id1", "id1,id2,id3"])
        self.assertEqual([job["IsFrameDependent"] for job in jobs],
                         ["false", "true", "true", "false"])
        self.assertEqual({job["Pool"] for job in jobs}, {"fx"})
        self.assertEqual([job["Frames"] for job in jobs], ["0-1", "0-1", "0-1", "0-0"])
        self.assertEqual(jobs[2]["Executable"], NENDO)
        self.assertEqual(jobs[2]["Arguments"], f"farm task {self.job} frames <STARTFRAME> 1")


class Tractor(FarmCase):
    def test_the_script_is_valid_tcl(self):
        self.stand_in("tractor-spool")
        self.submit(self.scene(), self.list_wedges(1e4, 2e4), "--engine", "tractor",
                    "--no-submit", "--chunk", "3")
        self.run_script("--engine=farm:80")
        self.assertEqual(self.calls.read_text(),
                         f"tractor-spool --engine=farm:80 {self.job}/submit/job.alf\n")
        # Tcl's own reader if Python has it, otherwise the braces alone.
        text = self.submit_text("job.alf")
        self.assertEqual(text.count("{"), text.count("}"))
        try:
            import tkinter
        except ImportError:
            return
        tcl = tkinter.Tcl()
        tcl.eval("""set seen {}
            proc Job {args} {array set o $args; eval $o(-subtasks)}
            proc Task {title args} {
                global seen; array set o $args; eval $o(-subtasks); lappend seen $title}
            proc Instance {title} {
                global seen; if {$title ni $seen} {error "$title is not known yet"}}""")
        tcl.eval(text)
        self.assertEqual(tcl.eval("set seen").split(), [
            "job.sim.w0", "job.frames.w0.0-2", "job.sim.w1", "job.frames.w1.0-2",
            "job.frames.w0.3-4", "job.frames.w1.3-4", "job.report"])
