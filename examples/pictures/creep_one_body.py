# SPDX-License-Identifier: Apache-2.0
"""Plots Fig 2 of the rheology paper: a body on a joint of three elements is pushed and released,
compared with the analytic curve.

    python3 examples/pictures/creep_one_body.py NENDO OUT_DIR PICTURE.png

NENDO is the nendo program. Needs python3-matplotlib.
"""
import cmath
import pathlib
import sys

from runs import attributes, plt, simulate

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


def run(nendo, out, *settings):
    """Simulates, and returns times [s] and displacements [m]."""
    folder = pathlib.Path(out) / ("yield" if settings else "plain")
    rows = simulate(nendo, "creep_one_body", folder, *settings)
    places = [attributes(nendo, folder, "bones", row["frame"])["P"]["min"][0] for row in rows]
    return [row["time"] for row in rows], places


def main(nendo, out, picture):
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3))
    times, places = run(nendo, out)
    analytic = [pushed(t) - pushed(t - UNTIL) for t in times]
    left.plot(times, analytic, color="gray", linewidth=3, alpha=0.5, label="analytic")
    left.plot(times, places, label="h = 0.02 s")
    error = max(abs(a - b) for a, b in zip(places, analytic)) / max(analytic)
    left.set(xlabel="time [s]", ylabel="displacement [m]",
             title=f"three elements: error {100 * error:.1f} % of the peak")
    left.legend()
    right.plot(times, places, label="no yield")
    for force in (0.5, 1.0, 1.5):
        _, with_yield = run(nendo, out, f"bodies.0.joint.yield={force}")
        right.plot(times, with_yield, label=f"yield {force} N")
    right.set(xlabel="time [s]", ylabel="displacement [m]", title="permanent displacement")
    right.legend()
    figure.tight_layout()
    figure.savefig(picture, dpi=90)


if __name__ == "__main__":
    main(*sys.argv[1:])
