"""Builds ready scenes in Houdini: what the tools of the shelf call."""
from __future__ import annotations  # hou.OpNode is called hou.Node before Houdini 20.5

from typing import Any, Dict, Optional, Sequence, cast

import hou

from nendo_setups import SETUPS

VERSION = "1.0"


def make_scene(name: str) -> hou.OpNode:
    """What a tool of the shelf does: a geometry object with shapes and an asset, wired and set; one step of undo."""
    setup = SETUPS.get(name)
    if setup is None:
        raise ValueError(f"there is no set-up {name!r}; there are {', '.join(SETUPS)}")
    root = cast("Optional[hou.OpNode]", hou.node("/obj"))
    if root is None:
        raise RuntimeError("/obj is not there")
    with hou.undos.group(f"Nendo: {setup['label']}"):
        geometry = root.createNode("geo", f"nendo_{name}")
        for child in geometry.children():
            child.destroy()
        asset = build_setup(geometry, name, setup)
        geometry.layoutChildren()
    return asset


def build_setup(geometry: hou.OpNode, name: str, setup: Dict[str, Any],
                shift: Sequence[float] = (0, 0, 0)) -> hou.OpNode:
    """The asset of a set-up in a geometry object, with its inputs, moved by shift, and a comment."""
    asset = geometry.createNode(f"nendo::{setup['method']}::{VERSION}", name)
    box = geometry.createNetworkBox()
    box.setComment(f"{setup['label']}: {setup['help']}")
    for index, shape in enumerate(setup["inputs"]):
        if shape is None:
            continue
        node = geometry.createNode(shape["type"], f"{name}_input{index + 1}")
        for parm, value in shape["parms"].items():
            set_parm(node, parm, value)
        box.addItem(node)
        if any(shift):
            moved = geometry.createNode("xform", f"{name}_place{index + 1}")
            set_parm(moved, "t", list(shift))
            moved.setInput(0, node)
            box.addItem(moved)
            node = moved
        asset.setInput(index, node)
    for parm, value in setup["parameters"].items():
        set_parm(asset, parm, value)
    box.addItem(asset)
    box.fitAroundContents()
    asset.setGenericFlag(hou.nodeFlag.Display, True)
    asset.setGenericFlag(hou.nodeFlag.Render, True)
    return asset


def set_parm(node: hou.OpNode, name: str, value: Any) -> None:
    """Values of vectors come as lists."""
    if isinstance(value, list):
        parts = node.parmTuple(name)
        if parts is not None:
            parts.set(tuple(value))
            return
    else:
        parm = node.parm(name)
        if parm is not None:
            parm.set(value)
            return
    raise RuntimeError(f"{node.path()}: has no parameter {name}")
