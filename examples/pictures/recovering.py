# SPDX-License-Identifier: Apache-2.0
"""Shared by recovering_3_3.py and recovering_3_5.py: pictures of a flattened animal that recovers
its shape, one row per pairing of constraint and solver."""
import json
import pathlib
import subprocess

from runs import plt, simulate

ITERATIONS = 100  # Iterations per frame
SIZE = "180x160"


def run(nendo, out, constraint, scheme, weighted):
    """Simulates a pairing unless its run exists, and returns the folder of the run."""
    folder = pathlib.Path(out) / f"{constraint}-{scheme}-{'weighted' if weighted else 'plain'}"
    if not (folder / "stats.jsonl").exists():
        simulate(nendo, "flattened_animal", folder, f"solver.constraint={constraint}",
                 f"solver.scheme={scheme}", f"solver.weighted={json.dumps(weighted)}",
                 f"solver.iterations={ITERATIONS}", "solver.watch_deformation=false", "frames=10")
    return folder


def render(nendo, folder, iterations):
    """The picture after this many iterations, as an array."""
    frame = iterations // ITERATIONS
    strip = folder / f"frame{frame}"
    subprocess.run([nendo, "render", folder, "--frames", f"{frame}-{frame}", "--sheet", "1",
                    "--only-sheet", "--size", SIZE, "--samples", "4", "--out", strip], check=True)
    return plt.imread(strip / "sheet.png")


def draw(shown, pairings, nendo, out, picture):
    """Draws rows of (name, constraint, scheme, weighted) after each of the iterations in `shown`."""
    figure, axes = plt.subplots(len(pairings), len(shown), figsize=(7.6, 6.6))
    for row, (name, *pairing) in zip(axes, pairings):
        folder = run(nendo, out, *pairing)
        for cell, iterations in zip(row, shown):
            cell.imshow(render(nendo, folder, iterations))
            cell.set(xticks=[], yticks=[])
        row[0].set_ylabel(name, fontsize=8)
    for cell, iterations in zip(axes[0], shown):
        cell.set_title(f"{iterations} iterations", fontsize=8)
    figure.tight_layout(pad=0.4)
    figure.savefig(picture, dpi=90)
