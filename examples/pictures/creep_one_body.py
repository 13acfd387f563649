# SPDX-License-Identifier: Apache-2.0
"""Plots rheology paper, Fig 2: a body on a joint of three elements, pushed and let go, and the analytic curve.

    python3 examples/pictures/creep_one_body.py NENDO OUT_DIR PICTURE.png

NENDO is the built command line. Needs python3-matplotlib.
"""
import cmath
import json
import pathlib
import subprocess
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend comes first)

K_F, D_F, D_D, MASS, FORCE, UNTIL = 10, 2, 20, 0.1, 1, 1  # as in the scene


def pushed(t):
    """Displacement [m] under a force from time 0 on: inverse Laplace transform of F N / (s^2 Q)."""
    if t <= 0:
        return 0
    a, b, c = MASS * (D_D + D_F), D_F * D_D + MASS * K_F, D_D * K_F
    slope, start = D_D + D_F, K_F
    x = start / c * t + (slope * c - start * b) / c**2
    root = cmath.sqrt(b * b - 4 * a * c)
    for s in ((-b + root) / (2 * a), (-b - root) / (2 * a)):
        x += (slope * s + start) / (s * s * (2 * a * s + b)) * cmath.exp(s * t)
    return FORCE * x.real


def run(nendo, out, set_values):
    """Simulates, and returns times [s], places [m] and speeds [m/s]."""
    scene = pathlib.Path(__file__).parent.parent / "scenes" / "creep_one_body.json"
    folder = pathlib.Path(out) / ("yield" if set_values else "plain")
    sets = [word for value in set_values for word in ("--set", value)]
    subprocess.run([nendo, "sim", scene, "--out", folder, "--overwrite", "--quiet"] + sets, check=True)
    rows = [json.loads(line) for line in (folder / "stats.jsonl").read_text().splitlines()]
    places, speeds = [], []
    for row in rows:
        cache = folder / f"bones.{row['frame']:04d}.bgeo.sc"
        info = json.loads(subprocess.run([nendo, "info", cache, "--json"], check=True,
                                         capture_output=True, text=True).stdout)
        find = {a["name"]: a["min"] for a in info["point_attributes"] if "min" in a}
        places.append(find["P"][0])
        speeds.append(find["v"][0])
    return [r["time"] for r in rows], places, speeds


def main(nendo, out, picture):
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3))
    times, places, speeds = run(nendo, out, [])
    analytic = [pushed(t) - pushed(t - UNTIL) for t in times]
    left.plot(times, analytic, color="gray", linewidth=3, alpha=0.5, label="analytic")
    left.plot(times, places, label="h = 0.02 s")
    error = max(abs(a - b) for a, b in zip(places, analytic)) / max(analytic)
    left.set(xlabel="time [s]", ylabel="displacement [m]",
             title=f"three elements: {100 * error:.1f} % of the peak apart")
    left.legend()
    right.plot(times, places, label="no yield")
    for force in (0.5, 1.0, 1.5):
        _, with_yield, _ = run(nendo, out, [f"bodies.0.joint.yield={force}"])
        right.plot(times, with_yield, label=f"yield {force} N")
    right.set(xlabel="time [s]", ylabel="displacement [m]", title="what stays")
    right.legend()
    figure.tight_layout()
    figure.savefig(picture, dpi=90)


if __name__ == "__main__":
    main(*sys.argv[1:])
