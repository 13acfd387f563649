# SPDX-License-Identifier: Apache-2.0
"""The batch scripts for hython on a stand-in for hou, checked by mypy where it is installed."""
import json
import os
import re
import stat
import subprocess
import sys

from farm_case import ROOT, FarmCase

SCRIPTS = ROOT / "examples" / "hython"
STANDIN = ROOT / "tests" / "standin" / "hou"
sys.path.insert(0, str(STANDIN))
from stubs import check_types  # noqa: E402

NODES = {"/out/cache": {"type": "geometry"}, "/out/mantra1": {"type": "ifd"},
         "/out/karma1": {"type": "usdrender"}, "/obj/clay": {"type": "geo", "parms": ["young"]}}
NO_LICENSE = "No licenses could be found to run this application."


class Hython(FarmCase):
    def setUp(self):
        super().setUp()
        self.record = self.folder / "record.jsonl"
        self.refusals = self.folder / "refusals"
        self.refusals.write_text("0")
        # As in hython: hou is imported before the script starts, or there is no license.
        self.command("hython", f"""left=$(cat {self.refusals})
if ((left > 0)); then echo $((left - 1)) >{self.refusals}; echo "{NO_LICENSE}" >&2; exit 3; fi
exec {sys.executable} -B -c 'import os, runpy, sys
import hou
sys.argv = sys.argv[1:]
sys.path.insert(0, os.path.dirname(sys.argv[0]))
runpy.run_path(sys.argv[0], run_name="__main__")' "$@"
""")

    def command(self, name, text):
        path = self.commands / name
        path.write_text("#!/bin/bash\n" + text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def script(self, name, *arguments, nodes=None, code=0, version="0.1.0"):
        scene = self.write("shot.hip", nodes or NODES)
        variables = {"PYTHONPATH": str(STANDIN), "HOU_RECORD": str(self.record)}
        if version:
            variables["NENDO_VERSION"] = version
        if not arguments or not str(arguments[0]).endswith((".usd", ".hip")):
            arguments = (scene, *arguments)
        done = subprocess.run(
            [sys.executable, "-B", str(SCRIPTS / name), *map(str, arguments),
             "--license-wait", "0.01"], capture_output=True, text=True, timeout=60,
            env=self.environment(**variables))
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def records(self):
        if not self.record.exists():
            return []
        return [json.loads(line) for line in self.record.read_text().splitlines()]

    def test_a_wedge_is_simulated(self):
        done = self.script("sim.py", "--rop", "/out/cache", "--frames", "1-4",
                           "--set", "/obj/clay/young=1e5", "--attribute", "wedgeindex=3",
                           "--attribute", "look=soft", "--nendo-version", "0.1")
        self.assertEqual(self.records()[1:], [
            ["option", "wedgeindex", 3], ["option", "look", "soft"],
            ["set", "/obj/clay/young", 1e5], ["render", "/out/cache", [1, 4, 1]]])
        self.assertEqual(re.findall(r"^ALF_PROGRESS .*$", done.stdout, re.M),
                         [f"ALF_PROGRESS {p}%" for p in (25, 50, 75, 100)])

    def test_progress_has_the_form_of_each_engine(self):
        for form, last in (("openjd", "openjd_progress: 100.0"), ("deadline", "Progress: 100%")):
            done = self.script("surface.py", "--rop", "/out/cache", "--frames", "1-9x4",
                               "--progress", form)
            self.assertIn(last, done.stdout.splitlines())
        self.assertEqual(self.records()[-1], ["render", "/out/cache", [1, 9, 4]])

    def test_every_renderer_is_supported(self):
        for rop in ("/out/mantra1", "/out/karma1"):
            self.script("render.py", "--rop", rop, "--frames", "7")
            self.assertEqual(self.records()[-1], ["render", rop, [7, 7, 1]])
        done = self.script("render.py", "--rop", "/out/cache", "--frames", "7", code=1)
        self.assertIn("is a geometry; give one of: ifd", done.stderr + done.stdout)

    def test_husk_renders_usd_files(self):
        self.command("husk", f'echo "$*" >>{self.calls}\necho "ALF_PROGRESS 100%"\n')
        usd = self.write("shot.usd", "#usda 1.0\n")
        self.script("render.py", usd, "--frames", "11-20x3", "--output", "a.$F4.exr")
        self.assertEqual(self.calls.read_text(),
                         "--frame 11 --frame-count 4 --frame-inc 3 --renderer Karma "
                         f"--verbose 3a --output a.$F4.exr {usd}\n")
        self.command("husk", f'echo "{NO_LICENSE}"; exit 1\n')
        done = self.script("render.py", usd, "--frames", "1", "--license-retries", "2", code=75)
        self.assertEqual(done.stdout.count(NO_LICENSE), 3)
        self.command("husk", "exit 9\n")
        self.script("render.py", usd, "--frames", "1", code=3)
        self.script("render.py", usd, "--frames", "1", "--set", "/a/b=1", code=1)

    def test_a_missing_license_is_waited_for(self):
        self.refusals.write_text("2")
        done = self.script("sim.py", "--rop", "/out/cache", "--frames", "1-2")
        self.assertEqual(done.stderr.count("no license; attempt"), 2)
        self.assertEqual(self.records()[-1][0], "render")
        self.refusals.write_text("9")
        self.script("sim.py", "--rop", "/out/cache", "--frames", "1-2", "--license-retries", "1",
                    code=75)
        self.assertEqual(self.refusals.read_text().strip(), "7")

    def test_a_license_lost_during_a_run_is_waited_for(self):
        nodes = {"/out/cache": {"type": "geometry", "fails_at": 2, "message": NO_LICENSE}}
        self.script("sim.py", "--rop", "/out/cache", "--frames", "1-2", "--license-retries", "1",
                    nodes=nodes, code=75)
        self.assertEqual([r[0] for r in self.records()].count("render"), 2)

    def test_failures_are_reported(self):
        nodes = {"/out/cache": {"type": "geometry", "fails_at": 3, "message": "Disk full"}}
        log = self.folder / "log.txt"
        done = self.script("sim.py", "--rop", "/out/cache", "--frames", "1-4", "--log", log,
                           nodes=nodes, code=3)
        self.assertIn("ALF_PROGRESS 50%", done.stdout)
        self.assertIn("/out/cache: Disk full", log.read_text())
        nodes = {"/out/cache": {"type": "geometry", "errors": ["Nendo: not finite"]}}
        self.script("sim.py", "--rop", "/out/cache", "--frames", "1-4", nodes=nodes, code=3)

    def test_bad_arguments_are_refused(self):
        common = ("--rop", "/out/cache", "--frames", "1-4")
        self.script("sim.py", *common, "--set", "/obj/clay/yung=1", code=1)
        self.script("sim.py", "--rop", "/out/nothing", "--frames", "1-4", code=1)
        self.script("sim.py", "--frames", "1-4", code=1)
        self.script("sim.py", str(self.folder / "none.hip"), *common, code=1)
        self.script("sim.py", *common, "--nendo-version", "0.2", code=1)
        self.script("sim.py", *common, version="", code=1)
        self.assertNotIn("render", [row[0] for row in self.records()])
        for frames in ("4-1", "a", "1-4x0"):
            self.script("sim.py", "--rop", "/out/cache", "--frames", frames, code=2)
        done = self.script("sim.py", *common, "--hython", "no-such-hython", code=1)
        self.assertIn("houdini_setup", done.stderr)

    def test_the_package_states_the_version(self):
        package = json.loads((ROOT / "otls" / "packages" / "nendo.json").read_text())
        versions = [entry["NENDO_VERSION"] for entry in package["env"] if "NENDO_VERSION" in entry]
        project = re.search(r"project\(nendo VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())
        self.assertEqual(versions, [project[1]])

    def test_the_scripts_pass_mypy(self):
        scripts = [SCRIPTS / f"{name}.py" for name in ("batch", "sim", "surface", "render")]
        check_types(self, self.folder, scripts)
