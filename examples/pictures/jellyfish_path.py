# SPDX-License-Identifier: Apache-2.0
"""Plots the way of the jellyfish of Hirato, Fig 5, with and without the pulse of its ring muscle.

    python3 examples/pictures/jellyfish_path.py NENDO OUT_DIR PICTURE.png

NENDO is the built command line. Needs python3-matplotlib.
"""
import json
import pathlib
import subprocess
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend comes first)

SCENE = pathlib.Path(__file__).parent.parent / "scenes" / "jellyfish.json"


def run(nendo, folder, changes):
    """Times [s], heights [m] and places from left to right [m] of the bell."""
    command = [nendo, "sim", SCENE, "--out", folder, "--overwrite", "--quiet"]
    for change in changes:
        command += ["--set", change]
    subprocess.run(command, check=True)
    rows = [json.loads(line) for line in (folder / "stats.jsonl").read_text().splitlines()]
    centers = [r["bodies_center"] for r in rows]
    return [r["time"] for r in rows], [c[1] for c in centers], [c[0] for c in centers]


def main(nendo, out, picture):
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5))
    for name, label, changes in (("pulse", "with its pulse", []),
                                 ("still", "without", ["muscles=[]"])):
        times, heights, across = run(nendo, pathlib.Path(out) / name, changes)
        left.plot(times, heights, label=label)
        right.plot(times, across, label=label)
    for tap in json.loads(SCENE.read_text())["taps"]:
        right.axvspan(tap["start"], tap["end"], alpha=0.15, label=f"tap on the {tap['name']}")
    left.set(xlabel="time [s]", ylabel="height [m]", title="Hirato, Fig 5: the bell swims up")
    right.set(xlabel="time [s]", ylabel="from left to right [m]", title="and drifts with the taps")
    left.legend()
    right.legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(picture, dpi=90)


if __name__ == "__main__":
    main(*sys.argv[1:])
