# SPDX-License-Identifier: Apache-2.0
"""Pictures of a flattened animal on its way back to its shape, by pairing: what recovering_3_3.py
and recovering_3_5.py share. Needs python3-matplotlib.
"""
import json
import pathlib
import subprocess
import sys

try:
    import matplotlib
except ImportError:
    sys.exit("recovering.py draws with matplotlib: apt-get install python3-matplotlib, and run it "
             "with /usr/bin/python3")

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend comes first)

ITERATIONS = 100  # in a frame
SIZE = "180x160"


def simulate(nendo, out, constraint, scheme, weighted):
    """Runs a pairing unless that is done, and returns the folder of the run."""
    folder = pathlib.Path(out) / f"{constraint}-{scheme}-{'weighted' if weighted else 'plain'}"
    if (folder / "stats.jsonl").exists():
        return folder
    scene = pathlib.Path(__file__).parent.parent / "scenes" / "flattened_animal.json"
    command = [nendo, "sim", scene, "--out", folder, "--overwrite", "--quiet"]
    for setting in (f"solver.constraint={constraint}", f"solver.scheme={scheme}",
                    f"solver.weighted={json.dumps(weighted)}",
                    f"solver.iterations={ITERATIONS}", "solver.watch_deformation=false",
                    "frames=10"):
        command += ["--set", setting]
    subprocess.run(command, check=True)
    return folder


def render(nendo, folder, iterations):
    """The picture after so many iterations, as an array."""
    frame = iterations // ITERATIONS
    strip = folder / f"frame{frame}"
    subprocess.run([nendo, "render", folder, "--frames", f"{frame}-{frame}", "--sheet", "1",
                    "--only-sheet", "--size", SIZE, "--samples", "4", "--out", strip], check=True)
    return plt.imread(strip / "sheet.png")


def draw(shown, pairings, nendo, out, picture):
    """Rows of (name, constraint, scheme, weighted) after each of the iterations in `shown`."""
    figure, axes = plt.subplots(len(pairings), len(shown), figsize=(7.6, 6.6))
    for row, (name, *pairing) in zip(axes, pairings):
        folder = simulate(nendo, out, *pairing)
        for cell, iterations in zip(row, shown):
            cell.imshow(render(nendo, folder, iterations))
            cell.set(xticks=[], yticks=[])
        row[0].set_ylabel(name, fontsize=8)
    for cell, iterations in zip(axes[0], shown):
        cell.set_title(f"{iterations} iterations", fontsize=8)
    figure.tight_layout(pad=0.4)
    figure.savefig(picture, dpi=90)
