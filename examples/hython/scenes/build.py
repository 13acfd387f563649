# SPDX-License-Identifier: Apache-2.0
"""Builds example scenes in Houdini, one per method and one with all four:

    hython examples/hython/scenes/build.py [OUT] [SCENE...]       (OUT: build/hip)

SCENE is clay, water, wax, spoon or all_four (default: all of them). Needs the package nendo.
"""
from __future__ import annotations  # hou.OpNode is called hou.Node before Houdini 20.5

import os
import sys
from typing import Dict, List, Optional, Sequence, Tuple, cast

import hou

import nendo_tools
from nendo_setups import SETUPS

Placed = Tuple[str, Tuple[float, float, float], Optional[str]]

# Setups of each scene, their positions, and the setup whose surface they fall on.
SCENES: Dict[str, Sequence[Placed]] = {
    "clay": (("clay_ball", (0, 0, 0), None), ("dough_on_ball", (3, 0, 0), None)),
    "water": (("water_balloon", (0, 0, 0), None),),
    "wax": (("wax_candle", (0, 0, 0), None), ("ice_cube", (1, 0, 0), None)),
    "spoon": (("spoon", (0, 0, 0), None), ("wire", (2, 0, 0), None)),
    # Wax melts over a lump of clay, water falls on it, and a spoon bends over it.
    "all_four": (("clay_ball", (0, -0.7, 0), None), ("wax_candle", (0, 1.1, 0), "clay_ball"),
                 ("water_balloon", (0.6, 1.5, 0), "clay_ball"),
                 ("spoon", (0, 0, 0.8), "clay_ball")),
}


def build_scene(name: str) -> None:
    """Clears the open scene and fills it."""
    hou.hipFile.clear(suppress_save_prompt=True)
    hou.setFps(24)
    hou.playbar.setFrameRange(1, 120)
    root = cast("Optional[hou.OpNode]", hou.node("/obj"))
    if root is None:
        raise RuntimeError("/obj does not exist")
    geometry = root.createNode("geo", f"nendo_{name}")
    for child in geometry.children():
        child.destroy()
    assets: Dict[str, hou.OpNode] = {}
    for setup, shift, collider in SCENES[name]:
        assets[setup] = nendo_tools.build_setup(geometry, setup, SETUPS[setup], shift)
        if collider is not None:
            assets[setup].setInput(1, assets[collider])
    everything = geometry.createNode("merge", "everything")
    for index, asset in enumerate(assets.values()):
        everything.setInput(index, asset)
    everything.setGenericFlag(hou.nodeFlag.Display, True)
    everything.setGenericFlag(hou.nodeFlag.Render, True)
    geometry.layoutChildren()


def main(arguments: List[str]) -> int:
    """Saves one file per scene."""
    out = arguments[0] if arguments else os.path.join("build", "hip")
    names = arguments[1:] or list(SCENES)
    for name in names:
        if name not in SCENES:
            print(f"there is no scene {name!r}; choose one of {', '.join(SCENES)}", file=sys.stderr)
            return 1
    os.makedirs(out, exist_ok=True)
    for name in names:
        build_scene(name)
        path = os.path.join(out, f"nendo_{name}.hip")
        hou.hipFile.save(path)
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
