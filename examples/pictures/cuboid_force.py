# SPDX-License-Identifier: Apache-2.0
"""Plots Fig 3 of Hirato: the force on the springs of a block, and the height at which it floats.

    python3 examples/pictures/cuboid_force.py NENDO OUT_DIR PICTURE.png

NENDO is the nendo program. Needs python3-matplotlib.
"""
import json
import sys

from runs import SCENES, plt, simulate

SCENE = "telescopic_cuboid"


def main(nendo, out, picture):
    rows = simulate(nendo, SCENE, out)
    keys = json.loads((SCENES / f"{SCENE}.json").read_text())["muscles"][0]["keys"]
    figure, (upper, lower) = plt.subplots(2, 1, figsize=(7, 4.5), sharex=True)
    end = rows[-1]["time"]
    upper.plot([k["time"] for k in keys] + [end], [k["force"] for k in keys] + [0], color="tab:red")
    upper.axhline(0, color="gray", linewidth=0.5)
    upper.set(ylabel="force on the springs [m/s²]", title="Hirato, Fig 3: floats, sinks, floats")
    lower.plot([r["time"] for r in rows], [r["bodies_center"][1] for r in rows])
    lower.set(xlabel="time [s]", ylabel="height of the block [m]")
    figure.tight_layout()
    figure.savefig(picture, dpi=90)


if __name__ == "__main__":
    main(*sys.argv[1:])
