#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the libraries of the assets, their builders and the tables of presets.

    nendo_help otls && python3 otls/generate.py        (nendo_help reads the fields of the solvers)
    python3 otls/generate.py --out DIR                 writes to DIR instead of the repository

The sources are nodes.json, networks.py and presets/. Each written file says so in its first lines,
or is in a folder nendo_*.hda.
"""
import argparse
import sys
from pathlib import Path
from typing import Dict

sys.path.insert(0, str(Path(__file__).resolve().parent))

import networks  # noqa: E402
from generator import builder, fields, library, looks, nodepresets, presets, shelf, version  # noqa: E402
from generator.network import resolve  # noqa: E402

HERE = Path(__file__).resolve().parent


def generate(nodes: Path, preset_folder: Path) -> Dict[str, str]:
    """All generated texts, by their path in the repository."""
    declared = fields.load(nodes)
    files: Dict[str, str] = {}
    materials = presets.load(preset_folder, declared)
    for method, list_of in materials.items():
        files[f"solvers/{method}/presets.cpp"] = presets.cpp_table(method, list_of)
    assets = networks.assets()
    for asset in assets:
        resolve(asset, declared)
    setups = presets.load_setups(preset_folder / "setups.json", assets)
    for asset in assets:
        asset.presets = nodepresets.of_asset(asset, materials, setups)
        for path, text in library.write(asset, declared).items():
            files[f"otls/{asset.file}.hda/{path}"] = text
        files[f"otls/builders/{asset.file}.py"] = builder.write(asset)
    files["otls/packages/nendo.json"] = version.package()
    files["otls/toolbar/nendo.shelf"] = shelf.write(setups)
    files["otls/scripts/python/nendo_setups.py"] = shelf.write_data(setups, materials, looks.load())
    return files


def main() -> int:
    """Writes the files that changed. An error is one line on stderr."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--out", type=Path, default=HERE.parent,
                        help="folder to write to (default: the repository)")
    parser.add_argument("--nodes", type=Path, default=HERE / "nodes.json")
    parser.add_argument("--presets", type=Path, default=HERE / "presets")
    options = parser.parse_args()
    try:
        files = generate(options.nodes, options.presets)
    except fields.Problem as problem:
        print(f"generate.py: {problem}", file=sys.stderr)
        return 1
    for name, text in files.items():
        path = options.out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
            print(name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
