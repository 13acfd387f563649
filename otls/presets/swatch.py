#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Simulates and renders a swatch of each preset and set-up, and puts them on one sheet:

    python3 otls/presets/swatch.py [--nendo build/ci/nendo] [--out build/swatches] [NAME...]

Writes OUT/METHOD_NAME.png and OUT/sheet.png (with matplotlib, Debian's python3-matplotlib). Runs
that are there are not made again.
"""
import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List, Tuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
METHODS = ("elastoplastic", "coupling", "melt", "rheology")
# Name, label, scene, what is set in it, its last frame.
Swatch = Tuple[str, str, Path, Dict[str, Any], int]


def swatches() -> List[Swatch]:
    """All of them, materials first."""
    found: List[Swatch] = []
    for method in METHODS:
        for preset in json.loads((HERE / f"{method}.json").read_text())["presets"]:
            given = preset.get("swatch", {})
            scene = HERE / f"scenes/{given.get('scene', method)}.json"
            body = f"bodies.{given.get('body', 0)}"
            values = {f"{body}.material.preset": preset["name"], f"{body}.color": preset["color"],
                      **given.get("set", {})}
            frames = json.loads(scene.read_text())["frames"]
            found.append((f"{method}_{preset['name']}", f"{preset['label']} ({method})", scene,
                          values, frames))
    for setup in json.loads((HERE / "setups.json").read_text())["setups"]:
        found.append((f"setup_{setup['name']}", setup["label"], ROOT / setup["scene"], {},
                      setup.get("swatch_frame", 24)))
    return found


def make(swatch: Swatch, nendo: str, out: Path) -> None:
    """The picture of the last frame."""
    name, _, scene, values, last = swatch
    picture = out / f"{name}.png"
    if picture.exists():
        return
    run = out / "runs" / name
    options = [word for path, value in values.items()
               for word in ("--set", f"{path}={json.dumps(value)}")]
    subprocess.run([nendo, "sim", str(scene), "--out", str(run), "--frames", f"0-{last}",
                    "--quiet", *options], check=True)
    subprocess.run([nendo, "render", str(run), "--frames", f"{last}-{last}", "--size", "320x240",
                    "--quiet"], check=True)
    (run / f"render.{last:04}.png").replace(picture)
    print(picture, flush=True)


def sheet(made: List[Swatch], out: Path) -> None:
    """All pictures with their names, six a row."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    columns = 6
    rows = -(-len(made) // columns)
    figure, axes = pyplot.subplots(rows, columns, figsize=(2.4 * columns, 2.05 * rows), dpi=80)
    for axis in axes.flat:
        axis.axis("off")
    for axis, (name, label, *_) in zip(axes.flat, made):
        axis.imshow(pyplot.imread(out / f"{name}.png"))
        axis.set_title(label, fontsize=8)
    figure.tight_layout(pad=0.3)
    figure.savefig(out / "sheet.png")


def main() -> int:
    """Makes those that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--nendo", default=str(ROOT / "build/ci/nendo"))
    parser.add_argument("--out", type=Path, default=ROOT / "build/swatches")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    wanted = [s for s in swatches() if not options.names or s[0] in options.names]
    for swatch in wanted:
        make(swatch, options.nendo, options.out)
    sheet(wanted, options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
