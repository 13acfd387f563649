# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of the farm: small jobs, and stand-ins for engines that are not installed."""
import csv
import json
import os
import pathlib
import stat
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from nendo_cli import NENDO, ROOT, Case  # noqa: E402, F401

YOUNG = "bodies.0.material.young"
CAMERA = {"eye": [2, 1.5, 4], "target": [0, 0.4, 0]}


class FarmCase(Case):
    def setUp(self):
        super().setUp()
        self.job = self.folder / "job"
        self.commands = self.folder / "commands"
        self.commands.mkdir()
        self.calls = self.folder / "calls.txt"

    def list_wedges(self, *values):
        return self.write("wedges.json",
                          {"list": [{"set": [f"{YOUNG}={value}"]} for value in values]})

    def stand_in(self, name, answer=":"):
        """A command on the PATH that records how it was called, then runs `answer`."""
        path = self.commands / name
        path.write_text(f'#!/bin/bash\necho "{name} $*" >>{self.calls}\n{answer}\n')
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def environment(self, **more):
        return {**os.environ, "PATH": f"{self.commands}:{os.environ['PATH']}", **more}

    def submit(self, scene, wedges, *arguments, code=0, environment=None):
        done = subprocess.run(
            [NENDO, "farm", "submit", scene, "--wedges", wedges, "--out", str(self.job),
             *map(str, arguments)],
            capture_output=True, text=True, timeout=300, env=environment or self.environment())
        self.assertEqual(done.returncode, code, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def submit_text(self, name):
        return (self.job / "submit" / name).read_text()

    def run_script(self, *arguments, **environment):
        done = subprocess.run(["bash", str(self.job / "submit" / "submit.sh"), *arguments],
                              capture_output=True, text=True, timeout=300,
                              env=self.environment(**environment))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def table(self, job=None):
        with open((job or self.job) / "report" / "table.csv", newline="") as file:
            return list(csv.DictReader(file))

    def status(self):
        return json.loads(self.nendo("farm", "status", self.job, "--json").stdout)
