# SPDX-License-Identifier: Apache-2.0
"""Plots Saida 2017, Fig 7: the same cube lands with and without slaves.

    python3 examples/pictures/slaves_or_not.py NENDO OUT_DIR PICTURE.png

NENDO is the nendo program. Needs python3-matplotlib.
"""
import pathlib
import sys

from runs import attributes, plt, simulate

EDGE = 0.35  # Edge of the cube [m]


def run(nendo, out, stress_points):
    """Simulates, and returns times [s], heights relative to the edge and elastic energies [J]."""
    folder = pathlib.Path(out) / stress_points
    rows = simulate(nendo, "slaves_or_not", folder, f"solver.stress_points={stress_points}")
    heights = []
    for row in rows:
        place = attributes(nendo, folder, "masters", row["frame"])["P"]
        heights.append((place["max"][1] - place["min"][1]) / EDGE)
    return [r["time"] for r in rows], heights, [r["elastic_energy"] for r in rows]


def main(nendo, out, picture):
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3))
    for stress_points, label in (("slaves", "with slaves"), ("masters", "without slaves")):
        times, heights, energies = run(nendo, out, stress_points)
        left.plot(times, heights, label=label)
        right.plot(times, energies, label=label)
    left.axhline(13 / 14, color="gray", linewidth=0.5)
    left.set(xlabel="time [s]", ylabel="height / edge", title="height of the cube")
    right.set(xlabel="time [s]", ylabel="elastic energy [J]",
              title="elastic energy of the impact")
    left.legend()
    figure.tight_layout()
    figure.savefig(picture, dpi=90)


if __name__ == "__main__":
    main(*sys.argv[1:])
