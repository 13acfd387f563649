# SPDX-License-Identifier: Apache-2.0
"""A stand-in for Houdini's Python module: it records what scripts do, and refuses the rest.

Names and arguments are those of tests/otls/HOUDINI_NODES.md, only those that our scripts call; any
other call is an AttributeError here, and an error of mypy. Node types and parameters that were not
declared with `standin_know` are refused too. A scene file is JSON here: its nodes by path. If
$HOU_RECORD names a file, all that is loaded, set and rendered is written to it.
"""
import json
import os
from contextlib import contextmanager
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Set, Tuple, Union

from hou_parms import (  # noqa: F401
    Error as Error, OperationFailed as OperationFailed, exprLanguage as exprLanguage,
    scriptLanguage as scriptLanguage, folderType as folderType, parmLook as parmLook,
    parmNamingScheme as parmNamingScheme, parmCondType as parmCondType,
    ParmTemplate as ParmTemplate, FloatParmTemplate as FloatParmTemplate,
    IntParmTemplate as IntParmTemplate, ToggleParmTemplate as ToggleParmTemplate,
    StringParmTemplate as StringParmTemplate, ButtonParmTemplate as ButtonParmTemplate,
    FolderParmTemplate as FolderParmTemplate, ParmTemplateGroup as ParmTemplateGroup)

Value = Union[float, int, str]

standin_types: Dict[str, Set[str]] = {}
standin_saved: List[str] = []
standin_undo: List[str] = []
standin_selected: List["Node"] = []
standin_assets: Dict[str, "HDADefinition"] = {}
CHILD_TABLES = {"Object/geo": "Sop", "Sop/matnet": "Vop", "Sop/ropnet": "Driver",
                "Sop/objnet": "Object", "Sop/lopnet": "Lop", "Lop/materiallibrary": "Vop",
                "Sop/subnet": "Sop", "Sop/dopnet": "Dop", "Dop/sopsolver::2.0": "Sop",
                "TopNet/topnet": "Top", "Top/subnet": "Top", "Manager/obj": "Object",
                "Manager/tasks": "TopNet", "Manager/out": "Driver"}
# Vectors of two.
PAIRS = ("floatrange1", "rad", "res", "resolution", "aspectratio", "clippingRange")
# Networks that are not empty when they are made.
FILLED = {"Sop/dopnet": [("output", "output")], "Top/subnet": [("output", "output0")],
          "TopNet/topnet": [("localscheduler", "localscheduler")],
          "Dop/sopsolver::2.0": [("dopimport", "dop_geometry"), ("output", "OUT")]}


def standin_know(kind: str, parms: Set[str]) -> None:
    """Declares "Sop/box" and its parameters; vectors by their own name."""
    standin_types.setdefault(kind, set()).update(parms)


def standin_record(*what: Any) -> None:
    """Records a call in a file, for tests in another process."""
    if "HOU_RECORD" in os.environ:
        with open(os.environ["HOU_RECORD"], "a") as record:
            record.write(json.dumps(what) + "\n")


class ropRenderEventType:
    """Kinds of events."""
    PreFrame = "PreFrame"
    PostFrame = "PostFrame"


class nodeFlag:
    """Flags of nodes."""
    Display = "Display"
    Render = "Render"
    Material = "Material"


class Vector2:
    """A position in a network."""

    def __init__(self, values: Sequence[float]) -> None:
        x, y = values
        self.standin_values = (float(x), float(y))


class Parm:
    """One channel."""

    def __init__(self, path: str) -> None:
        self.standin_path = path
        self.standin_value: Any = None
        self.standin_expression: Optional[str] = None

    def set(self, value: Value) -> None:
        """Replaces the value or expression by a value."""
        if not isinstance(value, (int, float, str)):
            raise Error(f"{self.standin_path}: {value!r} is no value")
        standin_record("set", self.standin_path, value)
        self.standin_value, self.standin_expression = value, None

    def evalAsString(self) -> str:
        """The value if it is set; nothing where it is the default, which is not known here."""
        return "" if self.standin_value is None else str(self.standin_value)

    def lock(self, on: bool) -> None:
        """Sets whether it refuses values."""

    def deleteAllKeyframes(self) -> None:
        """Removes the expression."""
        self.standin_expression = None

    def setExpression(self, expression: str, language: str = exprLanguage.Hscript) -> None:
        """Replaces the value or expression by an expression."""
        if language != exprLanguage.Hscript:
            raise Error("the stand-in knows Hscript")
        self.standin_expression = expression


class ParmTuple:
    """Channels of a vector."""

    def __init__(self, name: str, parts: Sequence[Parm]) -> None:
        self.standin_name, self.standin_parts = name, list(parts)

    def __iter__(self) -> Iterator[Parm]:
        return iter(self.standin_parts)


class NetworkMovableItem:
    """Anything that can be wired or put into a box."""


class SubnetIndirectInput(NetworkMovableItem):
    """An input of a network, seen from inside."""

    def __init__(self, index: int) -> None:
        self.standin_index = index


class NetworkBox(NetworkMovableItem):
    """A frame around nodes."""

    def __init__(self) -> None:
        self.standin_comment = ""
        self.standin_items: List[NetworkMovableItem] = []

    def setComment(self, comment: str) -> None:
        """Sets its text."""
        self.standin_comment = comment

    def addItem(self, item: NetworkMovableItem) -> None:
        """Adds a node to it."""
        self.standin_items.append(item)

    def fitAroundContents(self) -> None:
        """Fits it around its nodes."""


class HDADefinition:
    """The definition in an asset's library."""

    def __init__(self, operator: str, values: Dict[str, Any]) -> None:
        self.standin_operator, self.standin_values = operator, values
        self.standin_group = ParmTemplateGroup()
        self.standin_sections: Dict[str, Union[str, bytes]] = {}
        self.standin_icon = ""
        self.standin_outputs = 1
        self.standin_contents: Optional["Node"] = None

    def setParmTemplateGroup(self, parm_template_group: ParmTemplateGroup) -> None:
        """Sets its parameters."""
        self.standin_group = parm_template_group
        table = self.standin_values["table"]
        names = {t.standin_name for _, t in parm_template_group.standin_all()}
        standin_know(f"{table}/{self.standin_operator}", names)

    def setIcon(self, icon: str) -> None:
        """Sets its icon."""
        self.standin_icon = icon

    def setMaxNumOutputs(self, max_num_outputs: int) -> None:
        """Sets its number of outputs."""
        self.standin_outputs = max_num_outputs

    def addSection(self, name: str, contents: Union[str, bytes]) -> None:
        """Adds a section to the library."""
        self.standin_sections[name] = contents

    def updateFromNode(self, node: "Node") -> None:
        """Replaces its nodes by those of this node."""
        if node.standin_locked:
            raise Error("the asset is locked")
        self.standin_contents = node


class NodeType:
    """The kind of a node."""

    def __init__(self, name: str, definition: Optional[HDADefinition]) -> None:
        self.standin_name, self.standin_definition = name, definition

    def name(self) -> str:
        """Its name, such as "geometry"."""
        return self.standin_name


class OpNodeType(NodeType):
    """The type of a node with parameters."""

    def definition(self) -> Optional[HDADefinition]:
        """The definition, if it is an asset."""
        return self.standin_definition


class Node(NetworkMovableItem):
    """A node or a network."""

    def __init__(self, parent: Optional["Node"], table: str, type_name: str, name: str) -> None:
        self.standin_parent, self.standin_table = parent, table
        self.standin_type, self.standin_name = type_name, name
        self.standin_children: Dict[str, OpNode] = {}
        self.standin_inputs: Dict[int, NetworkMovableItem] = {}
        self.standin_parms: Dict[str, Union[Parm, ParmTuple]] = {}
        self.standin_flags: Dict[str, bool] = {}
        self.standin_boxes: List[NetworkBox] = []
        self.standin_definition: Optional[HDADefinition] = None
        self.standin_locked = False
        self.standin_scene: Dict[str, Any] = {}  # what the scene file says of it
        for kind, child in FILLED.get(f"{table}/{type_name}", []):
            self.createNode(kind, child)

    def path(self) -> str:
        """The path of the node."""
        above = "" if self.standin_parent is None else self.standin_parent.path()
        return f"{above}/{self.standin_name}"

    def name(self) -> str:
        """The last part of the path."""
        return self.standin_name

    def parent(self) -> Optional["Node"]:
        """The network that contains it."""
        return self.standin_parent

    def createNode(self, node_type_name: str, node_name: Optional[str] = None) -> "OpNode":
        """Creates a node in this network."""
        kind = f"{self.standin_table}/{self.standin_type}"
        if kind not in CHILD_TABLES:
            raise Error(f"{self.path()}: {kind} holds no nodes")
        table = CHILD_TABLES[kind]
        if f"{table}/{node_type_name}" not in standin_types:
            raise OperationFailed(f"{self.path()}: there is no type {table}/{node_type_name}")
        if node_name is None or node_name in self.standin_children:
            raise Error(f"{self.path()}: {node_name} is there, or no name")
        made = (RopNode if table == "Driver" else OpNode)(self, table, node_type_name, node_name)
        made.standin_definition = standin_assets.get(f"{table}/{node_type_name}")
        self.standin_children[node_name] = made
        return made

    def children(self) -> Tuple["Node", ...]:
        """Nodes of the network."""
        return tuple(self.standin_children.values())

    def node(self, node_path: str) -> Optional["Node"]:
        """A node of the network."""
        return self.standin_children.get(node_path)

    def destroy(self) -> None:
        """Deletes it."""
        if self.standin_parent is None:
            raise Error("is the root")
        del self.standin_parent.standin_children[self.standin_name]

    def setPosition(self, position: Vector2) -> None:
        """Sets where it is drawn."""
        if not isinstance(position, Vector2):
            raise Error("a place is a Vector2")

    def setInput(self, input_index: int, item_to_become_input: NetworkMovableItem) -> None:
        """Wires a node or an input of the network."""
        item = item_to_become_input
        if isinstance(item, Node) and item.standin_parent is not self.standin_parent:
            raise Error(f"{self.path()}: {item.path()} is in another network")
        if not isinstance(item, (Node, SubnetIndirectInput)):
            raise Error(f"{self.path()}: {item!r} can't be wired")
        self.standin_inputs[input_index] = item

    def indirectInputs(self) -> Tuple[SubnetIndirectInput, ...]:
        """The four inputs of a subnet."""
        return tuple(SubnetIndirectInput(i) for i in range(4))

    def setGenericFlag(self, flag: str, value: bool) -> None:
        """Sets the display or render flag."""
        self.standin_flags[flag] = value

    def createNetworkBox(self) -> NetworkBox:
        """Creates a frame in this network."""
        box = NetworkBox()
        self.standin_boxes.append(box)
        return box

    def layoutChildren(self) -> None:
        """Arranges all nodes."""

    def type(self) -> NodeType:
        """Its type."""
        return NodeType(self.standin_type, self.standin_definition)

    def errors(self) -> Tuple[str, ...]:
        """Errors of the last cook."""
        return tuple(self.standin_scene.get("errors", ()))


class OpNode(Node):
    """A node with parameters: everything that scripts create."""

    def children(self) -> Tuple["OpNode", ...]:
        """Nodes of the network."""
        return tuple(self.standin_children.values())

    def node(self, node_path: str) -> Optional["OpNode"]:
        """A node of the network."""
        return self.standin_children.get(node_path)

    def type(self) -> OpNodeType:
        """Its type."""
        return OpNodeType(self.standin_type, self.standin_definition)

    def _known(self) -> Set[str]:
        return standin_types[f"{self.standin_table}/{self.standin_type}"]

    def parm(self, parm_path: str) -> Optional[Parm]:
        """A channel, or nothing."""
        if parm_path not in self._known():
            return None
        made = Parm(f"{self.path()}/{parm_path}")
        found = self.standin_parms.setdefault(parm_path, made)
        return found if isinstance(found, Parm) else None

    def parmTuple(self, parm_path: str) -> Optional[ParmTuple]:
        """A vector, or nothing."""
        if parm_path not in self._known():
            return None
        if parm_path not in self.standin_parms:
            size = 2 if parm_path in PAIRS else 3
            self.standin_parms[parm_path] = ParmTuple(
                parm_path, [Parm(f"{self.path()}/{parm_path}{axis}") for axis in "xyz"[:size]])
        found = self.standin_parms[parm_path]
        return found if isinstance(found, ParmTuple) else None

    def createDigitalAsset(self, name: Optional[str] = None, hda_file_name: Optional[str] = None,
                           description: Optional[str] = None, min_num_inputs: int = 0,
                           max_num_inputs: int = 0,
                           ignore_external_references: bool = False) -> "OpNode":
        """Turns a subnet into an asset."""
        if self.standin_type != "subnet" or name is None:
            raise Error(f"{self.path()}: only subnets become assets here, with a name")
        self.standin_definition = HDADefinition(name, {
            "file": hda_file_name, "label": description, "table": self.standin_table,
            "inputs": (min_num_inputs, max_num_inputs)})
        self.standin_type = name
        self.standin_locked = True
        standin_assets[f"{self.standin_table}/{name}"] = self.standin_definition
        standin_know(f"{self.standin_table}/{name}", set())
        return self

    def allowEditingOfContents(self) -> None:
        """Unlocks an asset."""
        self.standin_locked = False


RenderCallback = Callable[["RopNode", Any, float], None]


class RopNode(OpNode):
    """A node that renders."""

    def __init__(self, parent: Optional[Node], table: str, type_name: str, name: str) -> None:
        super().__init__(parent, table, type_name, name)
        self.standin_callbacks: List[RenderCallback] = []

    def addRenderEventCallback(self, callback: RenderCallback,
                               run_before_script: bool = False) -> None:
        """Registers a callback for frames."""
        self.standin_callbacks.append(callback)

    def render(self, frame_range: Sequence[float] = (), verbose: bool = False) -> None:
        """Records the call, and fails if the scene says so."""
        standin_record("render", self.path(), list(frame_range))
        first, last, step = (int(number) for number in frame_range)
        for frame in range(first, last + 1, step):
            for callback in self.standin_callbacks:
                callback(self, ropRenderEventType.PreFrame, frame / 24)
            if frame == self.standin_scene.get("fails_at"):
                raise OperationFailed(self.standin_scene["message"])
            for callback in self.standin_callbacks:
                callback(self, ropRenderEventType.PostFrame, frame / 24)


_roots = {f"/{name}": OpNode(None, "Manager", name, name) for name in ("obj", "tasks", "out")}


def node(path: str) -> Optional[Node]:
    """One of the managers, or a node below it."""
    root, _, name = path[1:].partition("/")
    found: Optional[Node] = _roots.get(f"/{root}")
    for step in name.split("/") if name else ():
        found = found.node(step) if found else None
    return found


def selectedNodes() -> Tuple[Node, ...]:
    """The nodes that the person has selected."""
    return tuple(standin_selected)


def parm(path: str) -> Optional[Parm]:
    """The node at a path."""
    owner, _, name = path.rpartition("/")
    found = node(owner)
    return found.parm(name) if isinstance(found, OpNode) else None


class undos:
    """Undo."""

    @staticmethod
    @contextmanager
    def group(label: str) -> Iterator[None]:
        """Makes everything inside one step of undo."""
        standin_undo.append(label)
        yield


class hipFile:
    """The scene."""

    @staticmethod
    def clear(suppress_save_prompt: bool = False) -> None:
        """Starts an empty scene."""
        for manager in _roots.values():
            manager.standin_children.clear()

    @staticmethod
    def save(file_name: Optional[str] = None) -> None:
        """Saves to a file."""
        standin_saved.append(str(file_name))

    @staticmethod
    def load(file_name: str, suppress_save_prompt: bool = False,
             ignore_load_warnings: bool = False) -> None:
        """Creates the nodes that the file names, with the types and parameters that it names."""
        standin_record("load", file_name)
        try:
            with open(file_name) as scene:
                content = json.load(scene)
        except ValueError as error:
            raise OperationFailed("not a scene") from error
        for path, values in content.items():
            _, root, name = path.split("/")
            table = CHILD_TABLES[f"Manager/{root}"]
            standin_know(f"{table}/{values['type']}", set(values.get("parms", ())))
            _roots[f"/{root}"].createNode(values["type"], name).standin_scene = values


class playbar:
    """Time."""

    @staticmethod
    def setFrameRange(start: float, end: float) -> None:
        """First and last frame."""


def setFps(fps: float) -> None:
    """Frames per second."""


def setContextOption(option: str, value: Value) -> None:
    """The value of `@name` in parameters."""
    standin_record("option", option, value)


def getenv(name: str) -> Optional[str]:
    """The value of a variable of Houdini."""
    return os.environ.get(name)


def applicationVersionString() -> str:
    """The version, such as "20.5.332"."""
    return "20.5.332"
