# SPDX-License-Identifier: Apache-2.0
"""Builds ready scenes in Houdini. The tools of the shelf call these functions."""
from __future__ import annotations  # hou.OpNode is called hou.Node before Houdini 20.5

from typing import Any, Dict, Optional, Sequence, cast

import hou

from nendo_setups import LOOKS, SETUPS

VERSION = "1.0"


def make_scene(name: str) -> hou.OpNode:
    """Builds a ready setup, as one undo step."""
    setup = SETUPS.get(name)
    if setup is None:
        raise ValueError(f"there is no setup {name!r}; choose one of {', '.join(SETUPS)}")
    with hou.undos.group(f"Nendo: {setup['label']}"):
        return build_object(name)


def add_render() -> hou.OpNode:
    """Adds a render node below the selected asset, or below a ball of clay, as one undo step."""
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
    """Adds wedges over the selected asset, or over a ball of clay, as one undo step."""
    root = manager("/tasks")
    with hou.undos.group("Nendo: Wedge"):
        asset = selected_asset() or build_object("clay_ball")
        wedge = root.createNode("topnet", f"{asset.name()}_wedges").createNode(
            f"nendo::wedge::{VERSION}", "wedge")
        set_parm(wedge, "target", f"{asset.path()}/save")
        set_parm(wedge, "channel", f"{asset.path()}/gravityy")  # from Earth to Moon
        set_parm(wedge, "first", -9.81)
        set_parm(wedge, "last", -1.62)
    return wedge


def manager(path: str) -> hou.OpNode:
    """The network at /obj or /tasks."""
    root = cast("Optional[hou.OpNode]", hou.node(path))
    if root is None:
        raise RuntimeError(f"{path} does not exist")
    return root


def method_of(node: hou.OpNode) -> str:
    """Method of a Nendo asset that simulates, such as "melt"; empty for other nodes."""
    parts = node.type().name().split("::")
    return parts[1] if parts[0] == "nendo" and parts[1] in LOOKS else ""


def selected_asset() -> Optional[hou.OpNode]:
    """The last selected Nendo asset, if any."""
    found = [node for node in cast("Sequence[hou.OpNode]", hou.selectedNodes()) if method_of(node)]
    return found[-1] if found else None


def build_object(name: str) -> hou.OpNode:
    """A geometry object with the shapes and the asset of a setup, wired and set."""
    geometry = manager("/obj").createNode("geo", f"nendo_{name}")
    for child in geometry.children():
        child.destroy()
    asset = build_setup(geometry, name, SETUPS[name])
    geometry.layoutChildren()
    return asset


def build_setup(geometry: hou.OpNode, name: str, setup: Dict[str, Any],
                shift: Sequence[float] = (0, 0, 0)) -> hou.OpNode:
    """The asset of a setup in a geometry object, with a comment and inputs moved by shift."""
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
    """Sets the display and render flags of the node."""
    node.setGenericFlag(hou.nodeFlag.Display, True)
    node.setGenericFlag(hou.nodeFlag.Render, True)


def set_parm(node: hou.OpNode, name: str, value: Any) -> None:
    """Sets a parameter. Vectors are lists, expressions are {"expr": text}."""
    if isinstance(value, list):
        parts = list(node.parmTuple(name) or ())
    else:
        parm = node.parm(name)
        parts, value = [parm] if parm is not None else [], [value]
    if not parts:
        raise RuntimeError(f"{node.path()} has no parameter {name}")
    for part, one in zip(parts, value):
        if isinstance(one, dict):
            part.setExpression(one["expr"], hou.exprLanguage.Hscript)
        else:
            part.set(one)
