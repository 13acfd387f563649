# SPDX-License-Identifier: Apache-2.0
"""Plots Saida 2017, Fig 7: the same cube lands with and without slaves.

    python3 examples/pictures/slaves_or_not.py NENDO OUT_DIR PICTURE.png

NENDO is the built command line. Needs python3-matplotlib.
"""
import json
import pathlib
import subprocess
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend comes first)

EDGE = 0.35  # of the cube [m]


def run(nendo, out, stress_points):
    """Simulates, and returns times [s], extents over the edge and elastic energies [J]."""
    scene = pathlib.Path(__file__).parent.parent / "scenes" / "slaves_or_not.json"
    folder = pathlib.Path(out) / stress_points
    subprocess.run([nendo, "sim", scene, "--out", folder, "--overwrite", "--quiet",
                    "--set", f"solver.stress_points={stress_points}"], check=True)
    rows = [json.loads(line) for line in (folder / "stats.jsonl").read_text().splitlines()]
    extents = []
    for row in rows:
        cache = folder / f"masters.{row['frame']:04d}.bgeo.sc"
        info = json.loads(subprocess.run([nendo, "info", cache, "--json"], check=True,
                                         capture_output=True, text=True).stdout)
        P = next(a for a in info["point_attributes"] if a["name"] == "P")
        extents.append((P["max"][1] - P["min"][1]) / EDGE)
    return [r["time"] for r in rows], extents, [r["elastic_energy"] for r in rows]


def main(nendo, out, picture):
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3))
    for stress_points, label in (("slaves", "with slaves"), ("masters", "without")):
        times, extents, energies = run(nendo, out, stress_points)
        left.plot(times, extents, label=label)
        right.plot(times, energies, label=label)
    left.axhline(13 / 14, color="gray", linewidth=0.5)
    left.set(xlabel="time [s]", ylabel="extent over edge", title="height of the cube")
    right.set(xlabel="time [s]", ylabel="elastic energy [J]", title="elastic energy: the impact, taken up or not")
    left.legend()
    figure.tight_layout()
    figure.savefig(picture, dpi=90)


if __name__ == "__main__":
    main(*sys.argv[1:])
