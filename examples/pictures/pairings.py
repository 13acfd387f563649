# SPDX-License-Identifier: Apache-2.0
"""Plots melting thesis, Fig 3.2 and 3.4: how a flattened animal goes back to its shape, by pairing.

    python3 examples/pictures/pairings.py NENDO OUT_DIR PICTURE.png [FRAMES]

NENDO is the built command line. Needs python3-matplotlib.
"""
import json
import pathlib
import subprocess
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend comes first)

SPACING = 0.05  # of the particles [m]

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
    """Simulates one iteration a frame, and returns d_sum per pair over the spacing."""
    scene = pathlib.Path(__file__).parent.parent / "scenes" / "flattened_animal.json"
    folder = pathlib.Path(out) / f"{constraint}-{scheme}-{'weighted' if weighted else 'plain'}"
    settings = [f"solver.constraint={constraint}", f"solver.scheme={scheme}",
                f"solver.weighted={json.dumps(weighted)}", f"frames={frames}"]
    command = [nendo, "sim", scene, "--out", folder, "--overwrite", "--quiet"]
    for setting in settings:
        command += ["--set", setting]
    subprocess.run(command, check=True)
    rows = [json.loads(line) for line in (folder / "stats.jsonl").read_text().splitlines()]
    return [row["deformation"] / SPACING for row in rows[1:]]


def main(nendo, out, picture, frames="300"):
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), sharey=True)
    for name, constraint, scheme, weighted in PAIRINGS:
        curve = run(nendo, out, frames, constraint, scheme, weighted)
        for axes, shown in ((left, not weighted and scheme != "hybrid"),
                            (right, constraint == "oriented" and scheme != "gauss_seidel")):
            if shown:
                axes.semilogy(range(1, len(curve) + 1), curve, label=name)
    left.set(xlabel="iterations", ylabel="d_sum per pair, in spacings", title="melting thesis, Fig 3.2")
    right.set(xlabel="iterations", title="melting thesis, Fig 3.4")
    for axes in (left, right):
        axes.legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(picture, dpi=90)


if __name__ == "__main__":
    main(*sys.argv[1:])
