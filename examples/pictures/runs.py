# SPDX-License-Identifier: Apache-2.0
"""Shared by the plots of this folder: matplotlib without a window, and runs of nendo."""
import json
import pathlib
import subprocess
import sys

try:
    import matplotlib
except ImportError:
    sys.exit("The plots need matplotlib: apt-get install python3-matplotlib, and run them with "
             "/usr/bin/python3.")

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402, F401  (the backend must be set first)

SCENES = pathlib.Path(__file__).parent.parent / "scenes"


def simulate(nendo, scene, folder, *settings):
    """Simulates a scene with some values replaced, and returns the rows of its statistics."""
    command = [nendo, "sim", SCENES / f"{scene}.json", "--out", folder, "--overwrite", "--quiet"]
    for setting in settings:
        command += ["--set", setting]
    subprocess.run(command, check=True)
    lines = (pathlib.Path(folder) / "stats.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def attributes(nendo, folder, stem, frame):
    """The point attributes of a frame by name, each with its `min` and `max`."""
    cache = pathlib.Path(folder) / f"{stem}.{frame:04d}.bgeo.sc"
    info = subprocess.run([nendo, "info", cache, "--json"], check=True, capture_output=True,
                          text=True)
    return {a["name"]: a for a in json.loads(info.stdout)["point_attributes"]}
