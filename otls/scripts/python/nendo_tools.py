# SPDX-License-Identifier: Apache-2.0
"""Builds ready scenes in Houdini: what the tools of the shelf call."""
from __future__ import annotations  # hou.OpNode is called hou.Node before Houdini 20.5

from typing import Any, Dict, Optional, Sequence, cast

import hou

from nendo_setups import LOOKS, SETUPS

VERSION = "1.0"


def make_scene(name: str) -> hou.OpNode:
    """What a tool of the shelf does: a ready set-up, in one step of undo."""
    setup = SETUPS.get(name)
    if setup is None:
        raise ValueError(f"there is no set-up {name!r}; there are {', '.join(SETUPS)}")
    with hou.undos.group(f"Nendo: {setup['label']}"):
        return build_object(name)


def add_render() -> hou.OpNode:
    """A render node below the asset that is selected, or below a ball of clay; one step of undo."""
    with hou.undos.group("Nendo: Render"):
        asset = selected_asset() or build_object("clay_ball")
        network = cast("hou.OpNode", asset.parent())
        render = network.createNode(f"nendo::render::{VERSION}", f"{asset.name()}_render")
        render.setInput(0, asset)
        method = method_of(asset)
        preset = asset.parm("coupling_preset" if method == "coupling" else "preset")
        known = LOOKS[method].get(preset.evalAsString()) if preset is not None else None
        if known is not None:
            set_parm(render, "look", known[0])
            set_parm(render, "color", known[1])
        show(render)
        network.layoutChildren()
    return render


def add_wedge() -> hou.OpNode:
    """Wedges over the asset that is selected, or over a ball of clay; one step of undo."""
    root = manager("/tasks")
    with hou.undos.group("Nendo: Wedge"):
        asset = selected_asset() or build_object("clay_ball")
        wedge = root.createNode("topnet", f"{asset.name()}_wedges").createNode(
            f"nendo::wedge::{VERSION}", "wedge")
        set_parm(wedge, "target", f"{asset.path()}/save")
        set_parm(wedge, "channel", f"{asset.path()}/gravityy")  # from the Earth's to the Moon's
        set_parm(wedge, "first", -9.81)
        set_parm(wedge, "last", -1.62)
    return wedge


def manager(path: str) -> hou.OpNode:
    """/obj or /tasks."""
    root = cast("Optional[hou.OpNode]", hou.node(path))
    if root is None:
        raise RuntimeError(f"{path} is not there")
    return root


def method_of(node: hou.OpNode) -> str:
    """"melt" of an asset of ours that simulates, else nothing."""
    parts = node.type().name().split("::")
    return parts[1] if parts[0] == "nendo" and parts[1] in LOOKS else ""


def selected_asset() -> Optional[hou.OpNode]:
    """The last of our assets among the nodes that are selected."""
    found = [node for node in cast("Sequence[hou.OpNode]", hou.selectedNodes()) if method_of(node)]
    return found[-1] if found else None


def build_object(name: str) -> hou.OpNode:
    """A geometry object with the shapes and the asset of a set-up, wired and set."""
    geometry = manager("/obj").createNode("geo", f"nendo_{name}")
    for child in geometry.children():
        child.destroy()
    asset = build_setup(geometry, name, SETUPS[name])
    geometry.layoutChildren()
    return asset


def build_setup(geometry: hou.OpNode, name: str, setup: Dict[str, Any],
                shift: Sequence[float] = (0, 0, 0)) -> hou.OpNode:
    """The asset of a set-up in a geometry object, with inputs, moved by shift, and a comment."""
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
    show(asset)
    return asset


def show(node: hou.OpNode) -> None:
    """Gives it the flags of what is seen and rendered."""
    node.setGenericFlag(hou.nodeFlag.Display, True)
    node.setGenericFlag(hou.nodeFlag.Render, True)


def set_parm(node: hou.OpNode, name: str, value: Any) -> None:
    """Values of vectors come as lists, expressions as {"expr": text}."""
    if isinstance(value, list):
        parts = list(node.parmTuple(name) or ())
    else:
        parm = node.parm(name)
        parts, value = [parm] if parm is not None else [], [value]
    if not parts:
        raise RuntimeError(f"{node.path()}: has no parameter {name}")
    for part, one in zip(parts, value):
        if isinstance(one, dict):
            part.setExpression(one["expr"], hou.exprLanguage.Hscript)
        else:
            part.set(one)
