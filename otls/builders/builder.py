# SPDX-License-Identifier: Apache-2.0
"""Makes digital assets inside Houdini (hython) from the generated descriptions beside this file."""
from __future__ import annotations  # hou.OpNode is called hou.Node before Houdini 20.5

import os
import struct
from typing import Any, Dict, List, Optional, Sequence, Tuple, cast

import hou

PARENTS = {"Sop": ("/obj", "geo", "subnet"), "Top": ("/tasks", "topnet", "subnet")}


def build_asset(folder: str, file: str, operator: str, label: str, table: str, icon: str,
                inputs: Tuple[int, int], input_labels: Sequence[str], outputs: int,
                parameters: Sequence[Dict[str, Any]], nodes: Sequence[Dict[str, Any]],
                boxes: Sequence[Dict[str, Any]], presets: Dict[str, str], help_text: str) -> str:
    """Writes a library with one asset; the nodes created on the way are deleted at the end."""
    where, network, kind = PARENTS[table]
    root = cast("Optional[hou.OpNode]", hou.node(where))
    if root is None:
        raise RuntimeError(f"{where} does not exist; run this with hython")
    holder = root.createNode(network, file)
    clear(holder)
    subnet = holder.createNode(kind, file)
    clear(subnet)
    build_nodes(subnet, nodes)
    add_boxes(subnet, boxes)
    path = os.path.join(folder, file + ".hda")
    asset = subnet.createDigitalAsset(
        name=operator, hda_file_name=path, description=label, min_num_inputs=inputs[0],
        max_num_inputs=inputs[1], ignore_external_references=True)
    definition = asset.type().definition()
    if definition is None:
        raise RuntimeError(f"{asset.path()} did not become an asset")
    group = hou.ParmTemplateGroup()
    for parameter in parameters:
        group.append(parm_template(parameter))
    definition.setParmTemplateGroup(group)
    definition.setIcon(icon)
    definition.setMaxNumOutputs(outputs)
    definition.addSection("Help", help_text)
    if presets:
        # The stubs know only strings; the reference allows bytes.
        definition.addSection("Presets", cast(Any, pack_presets(presets)))
    asset.allowEditingOfContents()
    set_values(asset, nodes)
    definition.updateFromNode(asset)
    holder.destroy()
    return path


def pack_presets(presets: Dict[str, str]) -> bytes:
    """A file of presets (.idx): an index of names and offsets, then the texts."""
    head, data = b"", b""
    for name, text in presets.items():
        own, body = name.encode(), text.encode()
        head += struct.pack(">I", len(own)) + own + struct.pack(">III", len(data), len(body), 0)
        data += body
    return b"INDX" + bytes(8) + struct.pack(">I", len(presets)) + head + data


def clear(network: hou.OpNode) -> None:
    """Deletes the nodes that Houdini creates in some new networks."""
    for child in network.children():
        child.destroy()


def build_nodes(parent: hou.OpNode, nodes: Sequence[Dict[str, Any]]) -> None:
    """Creates the nodes and wires of a network, and of the networks in it."""
    made = {}
    for data in nodes:
        node = parent.createNode(data["type"], data["name"])
        if "nodes" in data:  # otherwise they are the locked contents of one of Houdini's assets
            clear(node)
        node.setPosition(hou.Vector2(data["at"]))
        made[data["name"]] = node
        build_nodes(node, data.get("nodes", ()))
    for data in nodes:
        for index, source in enumerate(data.get("inputs", ())):
            if source is None:
                continue
            if source.startswith("@"):
                made[data["name"]].setInput(index, parent.indirectInputs()[int(source[1:]) - 1])
            else:
                made[data["name"]].setInput(index, made[source])
        if data.get("shown"):
            made[data["name"]].setGenericFlag(hou.nodeFlag.Display, True)
            made[data["name"]].setGenericFlag(hou.nodeFlag.Render, True)
        if data.get("material"):
            made[data["name"]].setGenericFlag(hou.nodeFlag.Material, True)


def add_boxes(parent: hou.OpNode, boxes: Sequence[Dict[str, Any]]) -> None:
    """Creates network boxes with their comments."""
    for data in boxes:
        box = parent.createNetworkBox()
        box.setComment(data["comment"])
        for name in data["nodes"]:
            node = parent.node(name)
            if node is not None:
                box.addItem(node)
        box.fitAroundContents()


def set_values(parent: hou.OpNode, nodes: Sequence[Dict[str, Any]]) -> None:
    """Sets values and expressions, once the parameters of the asset exist."""
    for data in nodes:
        node = parent.node(data["name"])
        if node is None:
            raise RuntimeError(f"{data['name']} is not in {parent.path()}")
        for name, value in data.get("parms", {}).items():
            set_value(node, name, value)
        set_values(node, data.get("nodes", ()))


def set_value(node: hou.OpNode, name: str, value: Any) -> None:
    """Sets a number, a string, an expression, or a list of these for the parts of a vector."""
    if isinstance(value, list):
        parts = node.parmTuple(name)
        if parts is None:
            raise RuntimeError(f"{node.path()} has no parameter {name}")
        for part, one in zip(parts, value):
            set_parm(part, one)
        return
    parm = node.parm(name)
    if parm is None:
        raise RuntimeError(f"{node.path()} has no parameter {name}")
    set_parm(parm, value)


def set_parm(parm: hou.Parm, value: Any) -> None:
    """Sets one channel. Some are created locked, or with an expression."""
    parm.lock(False)
    parm.deleteAllKeyframes()
    if isinstance(value, dict):
        parm.setExpression(value["expr"], hou.exprLanguage.Hscript)
    else:
        parm.set(value)


def parm_template(data: Dict[str, Any]) -> hou.ParmTemplate:
    """A parameter or a folder of the asset."""
    name, label = data["name"], data["label"]
    if data["kind"] == "folder":
        inside = tuple(parm_template(p) for p in data["parameters"])
        return hou.FolderParmTemplate(name, label, parm_templates=inside,
                                      folder_type=hou.folderType.Tabs)
    made = simple_template(data, name, label)
    made.setHelp(data["help"])
    if "disable_when" in data:
        made.setConditional(hou.parmCondType.DisableWhen, data["disable_when"])
    if "hide_when" in data:
        made.setConditional(hou.parmCondType.HideWhen, data["hide_when"])
    return made


def simple_template(data: Dict[str, Any], name: str, label: str) -> hou.ParmTemplate:
    """A parameter without its help and conditions."""
    kind = data["kind"]
    if kind == "toggle":
        return hou.ToggleParmTemplate(name, label, default_value=bool(data["default"][0]))
    if kind in ("menu", "text"):
        tokens, labels = data.get("menu", ([], []))
        return hou.StringParmTemplate(name, label, 1, default_value=(data["default"],),
                                      menu_items=tuple(tokens), menu_labels=tuple(labels))
    if kind == "button":
        return hou.ButtonParmTemplate(name, label, script_callback=data.get("callback"),
                                      script_callback_language=hou.scriptLanguage.Python)
    ends: Optional[List[Any]] = data.get("range")
    low, high, low_strict, high_strict = ends or [0.0, 10.0, False, False]
    if kind == "whole":
        return hou.IntParmTemplate(
            name, label, 1, default_value=tuple(int(v) for v in data["default"]), min=int(low),
            max=int(high), min_is_strict=low_strict, max_is_strict=high_strict)
    look, naming = {
        "vector": (hou.parmLook.Vector, hou.parmNamingScheme.XYZW),
        "color": (hou.parmLook.ColorSquare, hou.parmNamingScheme.RGBA),
    }.get(kind, (hou.parmLook.Regular, hou.parmNamingScheme.Base1))
    return hou.FloatParmTemplate(
        name, label, len(data["default"]), default_value=tuple(data["default"]), min=low, max=high,
        min_is_strict=low_strict, max_is_strict=high_strict, look=look, naming_scheme=naming)
