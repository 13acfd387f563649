# SPDX-License-Identifier: Apache-2.0
"""Builds binary libraries of the assets inside Houdini:

    hython otls/build.py [OUT]          (OUT: build/hda)

The plugin (nendo_source and the other nodes) must be loaded. If a library that is built this way
differs from the expanded one beside this file, the built one is right.
"""
import importlib
import os
import sys
from typing import List

HERE = os.path.dirname(os.path.abspath(__file__))
ASSETS = ("nendo_elastoplastic", "nendo_coupling", "nendo_melt", "nendo_rheology", "nendo_render",
          "nendo_wedge")


def help_text(name: str) -> str:
    """The help page of the expanded library."""
    folder = os.path.join(HERE, name + ".hda")
    inside = [d for d in os.listdir(folder) if d.startswith("nendo_8_8")]
    with open(os.path.join(folder, inside[0], "Help"), encoding="utf-8") as file:
        return file.read()


def build_all(out: str) -> List[str]:
    """Builds all libraries, and returns their paths."""
    sys.path.insert(0, os.path.join(HERE, "builders"))
    os.makedirs(out, exist_ok=True)
    return [importlib.import_module(name).build(out, help_text(name)) for name in ASSETS]


if __name__ == "__main__":
    for path in build_all(sys.argv[1] if len(sys.argv) > 1 else os.path.join("build", "hda")):
        print(path)
