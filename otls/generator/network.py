# SPDX-License-Identifier: Apache-2.0
"""Description of a network: nodes, wires, values, and the fields that an asset shows."""
from dataclasses import dataclass, field, replace
from typing import Dict, Iterator, List, Optional, Sequence, Tuple, Union

from .fields import Declared, Parameter, Problem


@dataclass(frozen=True)
class Expr:
    """An expression in Houdini's own language, and its default value."""
    text: str
    value: float = 0


class Rgb(Tuple[Union[int, float, Expr], ...]):
    """A color. Its channels end in r, g and b instead of x, y and z."""


Number = Union[int, float]
Single = Union[bool, int, float, str, Expr]
Value = Union[Single, Tuple[Union[Number, Expr], ...]]

# The kind of nodes inside a node.
CHILDREN = {"Sop/subnet": "Sop", "Sop/dopnet": "Dop", "Dop/sopsolver::2.0": "Sop",
            "Sop/matnet": "Vop", "Sop/ropnet": "Driver", "Sop/objnet": "Object",
            "Sop/lopnet": "Lop", "Lop/materiallibrary": "Vop", "Top/subnet": "Top"}


@dataclass
class Node:
    """A node. An input is the name of a node, "@1" for the first input of the network, or None."""
    name: str
    type: str
    inputs: Sequence[Optional[str]] = ()
    parms: Dict[str, Value] = field(default_factory=dict)
    nodes: Sequence["Node"] = ()
    shown: bool = False  # has the display and render flags
    material: bool = False  # has the material flag


@dataclass
class Box:
    """A network box around nodes of the asset, and its comment."""
    comment: str
    nodes: Sequence[str]


@dataclass
class Promote:
    """Shows the fields of a Nendo node on the asset, and links the node's parameters to them."""
    node: str  # its path in the asset
    prefix: str = ""
    only: Sequence[str] = ()  # empty: all
    skip_folders: Sequence[str] = ("Data",)
    folder: str = ""  # for fields without a folder
    folder_prefix: str = ""  # prefix of the names of the folders


@dataclass
class Port:
    """An input or output of an asset."""
    label: str
    help: str
    required: bool = False


@dataclass
class Asset:
    """A digital asset."""
    name: str
    label: str
    table: str
    icon: str
    summary: str
    text: str
    method: str  # the node whose page explains the method, or empty
    inputs: Sequence[Port]
    outputs: Sequence[Port]
    own: Sequence[Parameter]
    promote: Sequence[Promote]
    nodes: Sequence[Node]
    boxes: Sequence[Box]
    related: Sequence[str] = ()
    version: str = "1.0"
    parameters: List[Parameter] = field(default_factory=list)  # filled by resolve()
    presets: Dict[str, Dict[str, Value]] = field(default_factory=dict)  # see nodepresets.py

    @property
    def operator(self) -> str:
        """The name of the operator, such as nendo::melt::1.0"""
        return f"nendo::{self.name}::{self.version}"

    @property
    def file(self) -> str:
        """The file name, such as nendo_melt"""
        return f"nendo_{self.name}"


def walk(nodes: Sequence[Node], table: str, path: str = "") -> Iterator[Tuple[str, str, Node]]:
    """Each node with its path and its table, networks before the nodes in them."""
    for node in nodes:
        yield path + node.name, table, node
        if node.nodes:
            kind = f"{table}/{node.type}"
            if kind not in CHILDREN:
                raise Problem(f"{path}{node.name}: {kind} is not known to contain nodes")
            yield from walk(node.nodes, CHILDREN[kind], f"{path}{node.name}/")


def axes(value: Tuple[Union[Number, Expr], ...]) -> str:
    """The last letters of the channels of a vector."""
    return "rgb" if isinstance(value, Rgb) else "xyz"[:len(value)]


def _link(parameter: Parameter, name: str, up: str) -> Value:
    if parameter.kind == "vector":
        return tuple(Expr(f'ch("{up}{name}{axis}")', value)
                     for axis, value in zip("xyz", parameter.defaults))
    if parameter.kind in ("menu", "text"):
        return f'`chs("{up}{name}")`'
    return Expr(f'ch("{up}{name}")', parameter.defaults[0])


def resolve(asset: Asset, declared: Declared) -> None:
    """Fills in the parameters of the asset, and links its nodes to them."""
    by_path = {path: node for path, _, node in walk(asset.nodes, asset.table)}
    names = {p.name: p for p in asset.own}
    if len(names) != len(asset.own):
        raise Problem(f"{asset.operator}: two parameters have the same name")
    asset.parameters = list(asset.own)
    for promote in asset.promote:
        where = f"{asset.operator}: {promote.node}"
        node = by_path.get(promote.node)
        if node is None or node.type not in declared.nodes:
            raise Problem(f"{where}: is not a Nendo node")
        for name in promote.only:
            if declared.nodes[node.type].parameter(name) is None:
                raise Problem(f"{where}: there is no parameter {name!r}")
        up = "../" * (promote.node.count("/") + 1)
        fixed = dict(node.parms)
        for parameter in declared.nodes[node.type].parameters:
            if not _is_promoted(parameter, promote, fixed):
                continue
            folder = promote.folder_prefix + (parameter.folder or promote.folder)
            shown = parameter.renamed(promote.prefix, folder)
            if shown.name in names:
                same = names[shown.name]
                if (same.kind, same.unit) != (shown.kind, shown.unit):
                    raise Problem(f"{where}: {shown.name!r} has another kind or unit elsewhere; "
                                  "give a prefix")
            else:
                names[shown.name] = shown
                asset.parameters.append(shown)
            node.parms[parameter.name] = _link(names[shown.name], shown.name, up)
    asset.parameters = [_with_known_rules(p, names) for p in asset.parameters]
    _check_wires(asset.nodes, len(asset.inputs), asset.operator)


def _groups(rules: str) -> List[List[str]]:
    """The rules "{ a == 1 } { b == c }" as lists of words."""
    return [group.split() for group in rules.replace("{", "").split("}") if group.strip()]


def _is_promoted(parameter: Parameter, promote: Promote, fixed: Dict[str, Value]) -> bool:
    """False if the network sets the parameter, or if its rules always hide it."""
    if parameter.name in fixed or parameter.folder in promote.skip_folders:
        return False
    if promote.only and parameter.name not in promote.only:
        return False
    return not any(fixed.get(name) == value for name, _, value in _groups(parameter.hide_when))


def _with_known_rules(parameter: Parameter, names: Dict[str, Parameter]) -> Parameter:
    """The parameter without rules about parameters that the asset does not show."""
    def known(rules: str) -> str:
        return " ".join("{ " + " ".join(g) + " }" for g in _groups(rules) if g[0] in names)
    return replace(parameter, disable_when=known(parameter.disable_when),
                   hide_when=known(parameter.hide_when))


def _check_wires(nodes: Sequence[Node], inputs: int, where: str) -> None:
    names = {node.name for node in nodes}
    if len(names) != len(nodes):
        raise Problem(f"{where}: two nodes have the same name")
    for node in nodes:
        for source in node.inputs:
            if source is None or source in names:
                continue
            if not (source.startswith("@") and 1 <= int(source[1:]) <= inputs):
                raise Problem(f"{where}/{node.name}: there is no {source!r} to wire from")
        _check_wires(node.nodes, 0, f"{where}/{node.name}")


def positions(nodes: Sequence[Node]) -> Dict[str, Tuple[float, float]]:
    """Positions of the nodes on screen: each node is below its inputs."""
    depth: Dict[str, int] = {}
    by_name = {node.name: node for node in nodes}

    def level(name: str) -> int:
        if name not in depth:
            feeds = [s for s in by_name[name].inputs if s in by_name]
            depth[name] = max((level(s) + 1 for s in feeds if s is not None), default=0)
        return depth[name]

    rows: Dict[int, int] = {}
    places = {}
    for node in nodes:
        row = level(node.name)
        places[node.name] = (3.0 * rows.get(row, 0), -1.5 * row)
        rows[row] = rows.get(row, 0) + 1
    return places
