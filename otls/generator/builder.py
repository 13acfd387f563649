# SPDX-License-Identifier: Apache-2.0
"""Builders: hython scripts that make the same assets by Houdini's own hand."""
import pprint
from typing import Any, Dict, List, Sequence

from . import nodepresets
from .dialog import folder_name, folders, slider
from .fields import Parameter
from .network import Asset, Expr, Node, Value, positions

HEAD = '''"""Builds {operator}. Written by otls/generate.py from otls/networks.py: change that.

    hython otls/build.py OUT       makes OUT/{file}.hda, and the others
"""
from typing import Any, Dict, List

import builder

OPERATOR = {operator!r}
FILE = {file!r}
LABEL = {label!r}
TABLE = {table!r}
ICON = {icon!r}
INPUTS = ({fewest}, {most})
INPUT_LABELS: List[str] = {labels}
OUTPUTS = {outputs}

PARAMETERS: List[Dict[str, Any]] = {parameters}

NODES: List[Dict[str, Any]] = {nodes}

BOXES: List[Dict[str, Any]] = {boxes}

PRESETS: Dict[str, str] = {presets}


def build(folder: str, help_text: str) -> str:
    """Makes the asset, and returns the path of its library."""
    return builder.build_asset(folder, FILE, OPERATOR, LABEL, TABLE, ICON, INPUTS, INPUT_LABELS,
                               OUTPUTS, PARAMETERS, NODES, BOXES, PRESETS, help_text)
'''


def _parameter(p: Parameter) -> Dict[str, Any]:
    data: Dict[str, Any] = {"kind": p.kind, "name": p.name, "label": p.shown_label,
                            "help": p.help}
    if p.kind in ("menu", "text"):
        data["default"] = p.default_text
    elif p.kind != "button":
        data["default"] = list(p.defaults)
    if p.choices:
        data["menu"] = [list(p.choices), list(p.choice_labels)]
    if p.kind in ("number", "whole", "vector") and (p.low is not None or p.high is not None):
        low, high = slider(p).split()
        data["range"] = [float(low.rstrip("!")), float(high.rstrip("!")), "!" in low, "!" in high]
    if p.disable_when:
        data["disable_when"] = p.disable_when
    if p.hide_when:
        data["hide_when"] = p.hide_when
    if p.kind == "button" and p.default_text:
        data["callback"] = p.default_text
    return data


def _folder(label: str, parameters: Sequence[Parameter]) -> Dict[str, Any]:
    return {"kind": "folder", "name": folder_name(label), "label": label,
            "parameters": [_parameter(p) for p in parameters]}


def _value(value: Value) -> Any:
    if isinstance(value, Expr):
        return {"expr": value.text}
    if isinstance(value, tuple):
        return [_value(v) for v in value]
    return value


def _node(node: Node, place: Sequence[float]) -> Dict[str, Any]:
    data: Dict[str, Any] = {"name": node.name, "type": node.type, "at": list(place)}
    if node.inputs:
        data["inputs"] = list(node.inputs)
    if node.parms:
        data["parms"] = {name: _value(value) for name, value in node.parms.items()}
    if node.shown:
        data["shown"] = True
    if node.material:
        data["material"] = True
    if node.nodes:
        data["nodes"] = _list(node.nodes)
    return data


def _list(nodes: Sequence[Node]) -> List[Dict[str, Any]]:
    places = positions(nodes)
    return [_node(node, places[node.name]) for node in nodes]


def _text(data: Any) -> str:
    return pprint.pformat(data, width=100, compact=True, sort_dicts=False)


def write(asset: Asset) -> str:
    """The whole script."""
    parameters: List[Dict[str, Any]] = []
    for label in folders(asset.parameters):
        inside = [p for p in asset.parameters if p.folder == label]
        parameters += [_folder(label, inside)] if label else [_parameter(p) for p in inside]
    boxes = [{"comment": box.comment, "nodes": list(box.nodes)} for box in asset.boxes]
    return HEAD.format(
        operator=asset.operator, file=asset.file, label=asset.label, table=asset.table,
        icon=asset.icon, fewest=sum(1 for port in asset.inputs if port.required),
        most=len(asset.inputs), labels=_text([port.label for port in asset.inputs]),
        outputs=len(asset.outputs), parameters=_text(parameters),
        nodes=_text(_list(asset.nodes)), boxes=_text(boxes),
        presets=_text({name: nodepresets.text(v) for name, v in asset.presets.items()}))
