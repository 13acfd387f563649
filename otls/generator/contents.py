# SPDX-License-Identifier: Apache-2.0
"""Contents.mime: the nodes of an asset, their wires and their values."""
from typing import Dict, List, Sequence, Tuple

from .dialog import number, quote
from .network import CHILDREN, Asset, Box, Expr, Node, Value, axes, positions

BOUNDARY = "HOUDINIMIMEBOUNDARY0xD3ADD339-0x00000F49-0x56B122C9-0x00000001HOUDINIMIMEBOUNDARY"
GRAY = "color UT_Color RGB 0.8 0.8 0.8 "
STAT = ["stat", "{", "  create -1", "  modify -1", "  author nendo", "  access 0777", "}"]
Part = Tuple[str, str]


def _flags(node: Node, table: str) -> str:
    on = "on" if node.shown else "off"
    flags = ("flags =  lock off model off template off footprint off xray off bypass off "
             f"display {on} render {on} highlight off unload off savedata off compress on "
             "colordefault on exposed on")
    if table != "Vop":
        return flags
    material = "on" if node.material else "off"
    return f"{flags} lowdetail off mediumdetail off highdetail on material {material}"


def _head(table: str) -> List[str]:
    if table == "Sop":
        return ["sopflags sopflags = "]
    if table == "Object":
        return ["objflags objflags =  origin off ",
                "pretransform UT_DMatrix4 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1"]
    return []


def _has_output(node: Node, table: str) -> bool:
    """Houdini makes connectors with the first wire; materials have none."""
    return node.type != "output" and table != "Vop"


def _def(node: Node, table: str, place: Tuple[float, float], nodes: Dict[str, Node]) -> str:
    """The .def part of a node. Connectors are numbered: inputs first, then the output."""
    count = len(node.inputs)
    named, plain = [], []
    for i, source in enumerate(node.inputs):
        if source is None:
            named.append(f'{i} \t"" "" 1 "input{i + 1}"')
            plain.append(f'{i} \t"" 0 1')
        elif source.startswith("@"):
            name = f"({int(source[1:]) - 1})"
            named.append(f'{i} \t{name} "" 1 "input{i + 1}"')
            plain.append(f"{i} \t{name} 0 1")
        else:
            named.append(f'{i} \t{source} {len(nodes[source].inputs)} 1 "input{i + 1}"')
            plain.append(f"{i} \t{source} 0 1")
    out = [f'{count} "output1"'] if _has_output(node, table) else []
    lines = [*_head(table), 'comment ""', f"position {place[0]:g} {place[1]:g}",
             f"connectornextid {count + len(out)}", _flags(node, table),
             "outputsNamed3", "{", *out, "}", "inputsNamed3", "{", *named, "}",
             "inputs", "{", *plain, "}", *STAT, GRAY, 'delscript ""', "exprlanguage hscript",
             "end"]
    return "\n".join(lines) + "\n"


def _single(value: Value) -> str:
    if isinstance(value, bool):
        return '"on"' if value else '"off"'
    if isinstance(value, str):
        return quote(value)
    assert isinstance(value, (int, float))
    return number(value)


def channels(name: str, value: Value) -> List[Tuple[str, Expr]]:
    """The channels of a parameter, with their expressions."""
    if isinstance(value, Expr):
        return [(name, value)]
    if isinstance(value, tuple):
        return [(name + axis, v) for axis, v in zip(axes(value), value) if isinstance(v, Expr)]
    return []


def values_block(parms: Dict[str, Value]) -> str:
    """Values of parameters, as nodes and presets have them."""
    lines = ["{", "version 0.8"]
    for name, value in parms.items():
        found = dict(channels(name, value))
        if isinstance(value, tuple):
            cells = [f"[ {name}{axis}\t{number(v.value)} ] " if isinstance(v, Expr) else number(v)
                     for axis, v in zip(axes(value), value)]
        elif isinstance(value, Expr):
            cells = [f"[ {name}\t{number(found[name].value)} ] "]
        else:
            cells = [_single(value)]
        lines.append(f"{name}\t[ 0\tlocks=0 ]\t(\t" + "\t".join(cells) + "\t)")
    return "\n".join(lines + ["}"]) + "\n"


def _chn(node: Node) -> str:
    lines = ["{"]
    for name, value in node.parms.items():
        for channel, expr in channels(name, value):
            text = expr.text.replace('"', '\\"')
            if " " in text:
                text = f'"{text}"'
            known = f"value = {number(expr.value)} {number(expr.value)} " if expr.value else ""
            lines += [f"    channel {channel} {{", "      lefttype = extend",
                      "      righttype = extend"]
            if expr.value:
                lines.append(f"      default = {number(expr.value)}")
            lines += ["      flags = 0",
                      f"      segment {{ length = 0 {known}expr = {text} }}", "    }"]
    return "\n".join(lines + ["  }"]) + "\n"


def _box(box: Box, places: Dict[str, Tuple[float, float]]) -> str:
    xs = [places[name][0] for name in box.nodes]
    ys = [places[name][1] for name in box.nodes]
    values = {"autofit": "0", "color": '"UT_Color RGB 0.52 0.52 0.52 "',
              "comment": quote(box.comment), "height": f"{max(ys) - min(ys) + 2:g}",
              "minimized": "0", "width": f"{max(xs) - min(xs) + 3:g}",
              "x_position": f"{min(xs) - 0.5:g}", "y_position": f"{min(ys) - 0.7:g}"}
    return "\n".join(["2", "2", "{", *(f"\t{k} := {v};" for k, v in values.items()), "}",
                      "{", *STAT[2:]]) + "\n"


def _nodes(nodes: Sequence[Node], table: str, path: str, boxes: Sequence[Box]) -> List[Part]:
    parts: List[Part] = []
    places = positions(nodes)
    by_name = {node.name: node for node in nodes}
    boxed = {name: i for i, box in enumerate(boxes, 1) for name in box.nodes}
    for i, box in enumerate(boxes, 1):
        parts.append((f"{path}/__netbox{i}.netboxinit", _box(box, places)))
    for node in nodes:
        own = f"{path}/{node.name}"
        parts.append((f"{own}.init", f"type = {node.type}\nmatchesdef = 0\n"))
        parts.append((f"{own}.def", _def(node, table, places[node.name], by_name)))
        if any(channels(name, value) for name, value in node.parms.items()):
            parts.append((f"{own}.chn", _chn(node)))
        parts.append((f"{own}.parm", values_block(node.parms)))
        if node.name in boxed:
            parts.append((f"{own}.netbox", f"__netbox{boxed[node.name]}\n"))
        parts.append((f"{own}.userdata", "{\n}\n"))
        if node.nodes:
            parts += _nodes(node.nodes, CHILDREN[f"{table}/{node.type}"], own, ())
    parts.append((f"{path}.order", "\n".join([str(len(nodes)), *(n.name for n in nodes)]) + "\n"))
    parts.append((f"{path}.net", "1\n"))
    return parts


def write(asset: Asset) -> str:
    """The text of the file."""
    root = Node("hdaroot", asset.operator)
    head = _def(root, asset.table, (0, 0), {}).replace('{\n0 "output1"\n}', "{\n}", 1)
    head = head.replace("connectornextid 1", "connectornextid 0", 1)
    parts: List[Part] = [("node_type", asset.table + "\n"),
                         ("hdaroot.init", f"type = {asset.operator}\nmatchesdef = 0\n"),
                         ("hdaroot.def", head), ("hdaroot.userdata", "{\n}\n")]
    if asset.inputs and asset.table == "Sop":
        lines = [str(len(asset.inputs))]
        lines += [f'{i} {3 * i} 1.5 2 0 __NO_OWNER_NETWORK_BOX__ "FROMOUTPUT"'
                  for i in range(len(asset.inputs))]
        parts.append(("hdaroot.inp", "\n".join(lines) + "\n"))
    parts += _nodes(asset.nodes, asset.table, "hdaroot", asset.boxes)
    text = ["MIME-Version: 1.0",
            f'Content-Type: multipart/mixed; boundary="{BOUNDARY}"', ""]
    for name, body in parts:
        text += [f"--{BOUNDARY}", f'Content-Disposition: attachment; filename="{name}"',
                 "Content-Type: text/plain", "", body]
    return "\n".join(text + [f"--{BOUNDARY}--"]) + "\n"
