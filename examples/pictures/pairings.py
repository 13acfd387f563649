# SPDX-License-Identifier: Apache-2.0
"""Plots Fig 3.2 and 3.4 of the melting thesis: how fast a flattened animal recovers its shape with
each pairing of constraint and solver.

    python3 examples/pictures/pairings.py NENDO OUT_DIR PICTURE.png [FRAMES]

NENDO is the nendo program. Needs python3-matplotlib.
"""
import json
import pathlib
import sys

from runs import plt, simulate

SPACING = 0.05  # Spacing of the particles [m]

PAIRINGS = (
    ("SM Jacobi", "positions", "jacobi", False),
    ("SM Gauss-Seidel", "positions", "gauss_seidel", False),
    ("OP Jacobi", "oriented", "jacobi", False),
    ("OP Gauss-Seidel", "oriented", "gauss_seidel", False),
    ("OP weighted Jacobi", "oriented", "jacobi", True),
    ("OP hybrid", "oriented", "hybrid", False),
    ("OP weighted hybrid", "oriented", "hybrid", True),
)


def run(nendo, out, frames, constraint, scheme, weighted):
    """Simulates one iteration per frame, and returns d_sum per pair, in spacings."""
    folder = pathlib.Path(out) / f"{constraint}-{scheme}-{'weighted' if weighted else 'plain'}"
    rows = simulate(nendo, "flattened_animal", folder, f"solver.constraint={constraint}",
                    f"solver.scheme={scheme}", f"solver.weighted={json.dumps(weighted)}",
                    f"frames={frames}")
    return [row["deformation"] / SPACING for row in rows[1:]]


def main(nendo, out, picture, frames="300"):
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), sharey=True)
    for name, constraint, scheme, weighted in PAIRINGS:
        curve = run(nendo, out, frames, constraint, scheme, weighted)
        for axes, shown in ((left, not weighted and scheme != "hybrid"),
                            (right, constraint == "oriented" and scheme != "gauss_seidel")):
            if shown:
                axes.semilogy(range(1, len(curve) + 1), curve, label=name)
    left.set(xlabel="iterations", ylabel="d_sum per pair, in spacings",
             title="melting thesis, Fig 3.2")
    right.set(xlabel="iterations", title="melting thesis, Fig 3.4")
    for axes in (left, right):
        axes.legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(picture, dpi=90)


if __name__ == "__main__":
    main(*sys.argv[1:])
