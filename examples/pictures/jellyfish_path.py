# SPDX-License-Identifier: Apache-2.0
"""Plots the path of the jellyfish of Hirato, Fig 5, with and without the pulse of its ring muscle.

    python3 examples/pictures/jellyfish_path.py NENDO OUT_DIR PICTURE.png

NENDO is the nendo program. Needs python3-matplotlib.
"""
import json
import pathlib
import sys

from runs import SCENES, plt, simulate

SCENE = "jellyfish"


def main(nendo, out, picture):
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5))
    for name, label, changes in (("pulse", "with pulse", []),
                                 ("still", "without pulse", ["muscles=[]"])):
        rows = simulate(nendo, SCENE, pathlib.Path(out) / name, *changes)
        times = [row["time"] for row in rows]
        left.plot(times, [row["bodies_center"][1] for row in rows], label=label)
        right.plot(times, [row["bodies_center"][0] for row in rows], label=label)
    for tap in json.loads((SCENES / f"{SCENE}.json").read_text())["taps"]:
        right.axvspan(tap["start"], tap["end"], alpha=0.15, label=f"tap on the {tap['name']}")
    left.set(xlabel="time [s]", ylabel="height [m]", title="Hirato, Fig 5: the bell swims up")
    right.set(xlabel="time [s]", ylabel="from left to right [m]", title="and drifts with the taps")
    left.legend()
    right.legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(picture, dpi=90)


if __name__ == "__main__":
    main(*sys.argv[1:])
