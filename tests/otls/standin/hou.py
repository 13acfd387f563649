"""A stand-in for Houdini's Python module: it records what scripts build, and refuses the rest.

Names and arguments are those of SideFX's reference (docs/houdini/hom/hou), as few as our scripts
call; whatever else they call is an AttributeError here, and an error of mypy. Node types and
parameters that nobody has told it of are refused too: see `standin_know`.
"""
from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, Optional, Sequence, Set, Tuple, Union

standin_types: Dict[str, Set[str]] = {}
standin_saved: List[str] = []
standin_undo: List[str] = []
standin_assets: Dict[str, "HDADefinition"] = {}
CHILD_TABLES = {"Object/geo": "Sop", "Sop/matnet": "Vop", "Sop/ropnet": "Driver",
                "Sop/objnet": "Object", "Sop/lopnet": "Lop", "Lop/materiallibrary": "Vop",
                "Sop/subnet": "Sop", "Sop/dopnet": "Dop",
                "Dop/sopsolver::2.0": "Sop", "Manager/obj": "Object", "Manager/tasks": "TopNet",
                "TopNet/topnet": "Top", "Top/subnet": "Top"}
# Vectors of two.
PAIRS = ("floatrange1", "rad", "res", "resolution", "aspectratio", "clippingRange")
# Networks that are not empty when they are made.
FILLED = {"Sop/dopnet": [("output", "output")], "Top/subnet": [("output", "output0")],
          "TopNet/topnet": [("localscheduler", "localscheduler")],
          "Dop/sopsolver::2.0": [("dopimport", "dop_geometry"), ("output", "OUT")]}


class Error(Exception):
    """What Houdini would raise."""


def standin_know(kind: str, parms: Set[str]) -> None:
    """Tells of "Sop/box" and its parameters; vectors by their own name."""
    standin_types.setdefault(kind, set()).update(parms)




class nodeFlag:
    """Flags of nodes."""
    Display = "Display"
    Render = "Render"
    Material = "Material"


class exprLanguage:
    """Languages of expressions."""
    Hscript = "Hscript"


class scriptLanguage:
    """Languages of callbacks."""
    Python = "Python"


class folderType:
    """Looks of folders."""
    Tabs = "Tabs"


class parmLook:
    """Looks of parameters."""
    Regular = "Regular"
    Vector = "Vector"
    ColorSquare = "ColorSquare"


class parmNamingScheme:
    """How the channels of a parameter end."""
    Base1 = "Base1"
    XYZW = "XYZW"
    RGBA = "RGBA"


class parmCondType:
    """Kinds of conditions."""
    DisableWhen = "DisableWhen"
    HideWhen = "HideWhen"


class Vector2:
    """A place in a network."""

    def __init__(self, values: Sequence[float]) -> None:
        x, y = values
        self.standin_values = (float(x), float(y))


class Parm:
    """One channel."""

    def __init__(self, name: str) -> None:
        self.standin_name = name
        self.standin_value: Any = None
        self.standin_expression: Optional[str] = None

    def set(self, value: Union[int, float, str]) -> None:
        """A value in place of what was there."""
        if not isinstance(value, (int, float, str)):
            raise Error(f"{self.standin_name}: {value!r} is no value")
        self.standin_value, self.standin_expression = value, None

    def lock(self, on: bool) -> None:
        """Whether it refuses values."""

    def deleteAllKeyframes(self) -> None:
        """No expression any more."""
        self.standin_expression = None

    def setExpression(self, expression: str, language: str = exprLanguage.Hscript) -> None:
        """An expression in place of what was there."""
        if language != exprLanguage.Hscript:
            raise Error("the stand-in knows Hscript")
        self.standin_expression = expression


class ParmTuple:
    """Channels of a vector."""

    def __init__(self, name: str, parts: Sequence[Parm]) -> None:
        self.standin_name, self.standin_parts = name, list(parts)

    def __iter__(self) -> Iterator[Parm]:
        return iter(self.standin_parts)

    def __len__(self) -> int:
        return len(self.standin_parts)

    def set(self, values: Sequence[float]) -> None:
        """All at once."""
        for part, value in zip(self.standin_parts, values):
            part.set(value)


class IndirectInput:
    """What is wired to a network, seen from inside."""

    def __init__(self, index: int) -> None:
        self.standin_index = index


class NetworkBox:
    """A frame around nodes."""

    def __init__(self) -> None:
        self.standin_comment = ""
        self.standin_items: List["Node"] = []

    def setComment(self, comment: str) -> None:
        """What it says."""
        self.standin_comment = comment

    def addItem(self, item: "Node") -> None:
        """A node in it."""
        self.standin_items.append(item)

    def fitAroundContents(self) -> None:
        """Its size."""


class ParmTemplate:
    """A parameter of an asset."""

    def __init__(self, name: str, label: str, **values: Any) -> None:
        self.standin_name, self.standin_label = name, label
        self.standin_values = values
        self.standin_help = ""
        self.standin_conditions: Dict[str, str] = {}

    def setHelp(self, help: str) -> None:
        """Its help."""
        self.standin_help = help

    def setConditional(self, type: str, conditional: str) -> None:
        """When it is off or hidden."""
        self.standin_conditions[type] = conditional


class FloatParmTemplate(ParmTemplate):
    """Numbers."""

    def __init__(self, name: str, label: str, num_components: int,
                 default_value: Sequence[float] = (), min: float = 0.0, max: float = 10.0,
                 min_is_strict: bool = False, max_is_strict: bool = False,
                 look: str = parmLook.Regular,
                 naming_scheme: str = parmNamingScheme.Base1) -> None:
        super().__init__(name, label, size=num_components, default=list(default_value),
                         range=(min, min_is_strict, max, max_is_strict), look=look,
                         naming=naming_scheme)


class IntParmTemplate(ParmTemplate):
    """Whole numbers."""

    def __init__(self, name: str, label: str, num_components: int,
                 default_value: Sequence[int] = (), min: int = 0, max: int = 10,
                 min_is_strict: bool = False, max_is_strict: bool = False) -> None:
        super().__init__(name, label, size=num_components, default=list(default_value),
                         range=(min, min_is_strict, max, max_is_strict))


class ToggleParmTemplate(ParmTemplate):
    """Switches."""

    def __init__(self, name: str, label: str, default_value: bool = False) -> None:
        super().__init__(name, label, default=[int(default_value)])


class StringParmTemplate(ParmTemplate):
    """Texts and menus."""

    def __init__(self, name: str, label: str, num_components: int,
                 default_value: Sequence[str] = (), menu_items: Sequence[str] = (),
                 menu_labels: Sequence[str] = ()) -> None:
        if len(menu_items) != len(menu_labels):
            raise Error(f"{name}: as many labels as items")
        super().__init__(name, label, size=num_components, default=list(default_value),
                         menu=list(zip(menu_items, menu_labels)))


class ButtonParmTemplate(ParmTemplate):
    """Buttons."""

    def __init__(self, name: str, label: str, script_callback: Optional[str] = None,
                 script_callback_language: str = scriptLanguage.Python) -> None:
        super().__init__(name, label, callback=script_callback or "")


class FolderParmTemplate(ParmTemplate):
    """Parameters behind a tab."""

    def __init__(self, name: str, label: str, parm_templates: Sequence[ParmTemplate] = (),
                 folder_type: str = folderType.Tabs) -> None:
        super().__init__(name, label)
        self.standin_inside = list(parm_templates)


class ParmTemplateGroup:
    """All parameters of an asset."""

    def __init__(self) -> None:
        self.standin_templates: List[ParmTemplate] = []

    def append(self, template: ParmTemplate) -> None:
        """One more."""
        self.standin_templates.append(template)

    def standin_all(self) -> Iterator[Tuple[str, ParmTemplate]]:
        """Each with its folder."""
        for template in self.standin_templates:
            if isinstance(template, FolderParmTemplate):
                for inside in template.standin_inside:
                    yield template.standin_label, inside
            else:
                yield "", template


class HDADefinition:
    """What an asset's library holds."""

    def __init__(self, operator: str, values: Dict[str, Any]) -> None:
        self.standin_operator, self.standin_values = operator, values
        self.standin_group = ParmTemplateGroup()
        self.standin_sections: Dict[str, str] = {}
        self.standin_icon = ""
        self.standin_outputs = 1
        self.standin_contents: Optional["Node"] = None

    def setParmTemplateGroup(self, group: ParmTemplateGroup) -> None:
        """Its parameters."""
        self.standin_group = group
        table = self.standin_values["table"]
        names = {t.standin_name for _, t in group.standin_all()}
        standin_know(f"{table}/{self.standin_operator}", names)

    def setIcon(self, icon: str) -> None:
        """Its icon."""
        self.standin_icon = icon

    def setMaxNumOutputs(self, num: int) -> None:
        """How many outputs it has."""
        self.standin_outputs = num

    def addSection(self, name: str, contents: str) -> None:
        """A text of the library."""
        self.standin_sections[name] = contents

    def updateFromNode(self, node: "Node") -> None:
        """Its nodes are those of this node now."""
        if node.standin_locked:
            raise Error("the asset is locked")
        self.standin_contents = node


class NodeType:
    """The kind of a node."""

    def __init__(self, definition: Optional[HDADefinition]) -> None:
        self.standin_definition = definition

    def definition(self) -> HDADefinition:
        """Of an asset."""
        if self.standin_definition is None:
            raise Error("is no asset")
        return self.standin_definition


class Node:
    """A node or a network."""

    def __init__(self, parent: Optional["Node"], table: str, type_name: str, name: str) -> None:
        self.standin_parent, self.standin_table = parent, table
        self.standin_type, self.standin_name = type_name, name
        self.standin_children: Dict[str, Node] = {}
        self.standin_inputs: Dict[int, Union[Node, IndirectInput]] = {}
        self.standin_parms: Dict[str, Union[Parm, ParmTuple]] = {}
        self.standin_flags: Dict[str, bool] = {}
        self.standin_boxes: List[NetworkBox] = []
        self.standin_definition: Optional[HDADefinition] = None
        self.standin_locked = False
        for kind, child in FILLED.get(f"{table}/{type_name}", []):
            self.createNode(kind, child)

    def path(self) -> str:
        """Of the node."""
        above = "" if self.standin_parent is None else self.standin_parent.path()
        return f"{above}/{self.standin_name}"

    def parent(self) -> "Node":
        """The network."""
        if self.standin_parent is None:
            raise Error("is the root")
        return self.standin_parent

    def createNode(self, node_type_name: str, node_name: str) -> "Node":
        """A node in this network."""
        kind = f"{self.standin_table}/{self.standin_type}"
        if kind not in CHILD_TABLES:
            raise Error(f"{self.path()}: {kind} holds no nodes")
        table = CHILD_TABLES[kind]
        if f"{table}/{node_type_name}" not in standin_types:
            raise Error(f"{self.path()}: there is no type {table}/{node_type_name}")
        if node_name in self.standin_children:
            raise Error(f"{self.path()}: {node_name} is there")
        node = Node(self, table, node_type_name, node_name)
        node.standin_definition = standin_assets.get(f"{table}/{node_type_name}")
        self.standin_children[node_name] = node
        return node

    def children(self) -> Tuple["Node", ...]:
        """Nodes of the network."""
        return tuple(self.standin_children.values())

    def node(self, path: str) -> Optional["Node"]:
        """A node of the network."""
        return self.standin_children.get(path)

    def destroy(self) -> None:
        """Away with it."""
        del self.parent().standin_children[self.standin_name]

    def setPosition(self, place: Vector2) -> None:
        """Where it is drawn."""
        if not isinstance(place, Vector2):
            raise Error("a place is a Vector2")

    def setInput(self, input_index: int, item: Union["Node", IndirectInput]) -> None:
        """Wires a node or an input of the network."""
        if isinstance(item, Node) and item.standin_parent is not self.standin_parent:
            raise Error(f"{self.path()}: {item.path()} is in another network")
        self.standin_inputs[input_index] = item

    def indirectInputs(self) -> Tuple[IndirectInput, ...]:
        """Four of a subnet."""
        return tuple(IndirectInput(i) for i in range(4))

    def setGenericFlag(self, flag: str, value: bool) -> None:
        """Display, render."""
        self.standin_flags[flag] = value

    def createNetworkBox(self) -> NetworkBox:
        """A frame in this network."""
        box = NetworkBox()
        self.standin_boxes.append(box)
        return box

    def layoutChildren(self) -> None:
        """Places of all nodes."""

    def _known(self) -> Set[str]:
        return standin_types[f"{self.standin_table}/{self.standin_type}"]

    def parm(self, parm_path: str) -> Optional[Parm]:
        """A channel, or nothing."""
        if parm_path not in self._known():
            return None
        found = self.standin_parms.setdefault(parm_path, Parm(parm_path))
        return found if isinstance(found, Parm) else None

    def parmTuple(self, parm_path: str) -> Optional[ParmTuple]:
        """A vector, or nothing."""
        if parm_path not in self._known():
            return None
        if parm_path not in self.standin_parms:
            size = 2 if parm_path in PAIRS else 3
            self.standin_parms[parm_path] = ParmTuple(
                parm_path, [Parm(parm_path + axis) for axis in "xyz"[:size]])
        found = self.standin_parms[parm_path]
        return found if isinstance(found, ParmTuple) else None

    def type(self) -> NodeType:
        """Its type."""
        return NodeType(self.standin_definition)

    def createDigitalAsset(self, name: str, hda_file_name: str, description: str,
                           min_num_inputs: int, max_num_inputs: int,
                           ignore_external_references: bool = False) -> "Node":
        """Turns a subnet into an asset."""
        if self.standin_type != "subnet":
            raise Error(f"{self.path()}: only subnets become assets here")
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


_roots = {"/obj": Node(None, "Manager", "obj", "obj"),
          "/tasks": Node(None, "Manager", "tasks", "tasks")}


def node(path: str) -> Optional[Node]:
    """One of the managers."""
    return _roots.get(path)


class undos:
    """Undo."""

    @staticmethod
    @contextmanager
    def group(label: str) -> Iterator[None]:
        """All that happens inside is one step."""
        standin_undo.append(label)
        yield


class hipFile:
    """The scene."""

    @staticmethod
    def clear(suppress_save_prompt: bool = False) -> None:
        """An empty one."""
        for manager in _roots.values():
            manager.standin_children.clear()

    @staticmethod
    def save(file_name: str) -> None:
        """To a file."""
        standin_saved.append(file_name)


class playbar:
    """Time."""

    @staticmethod
    def setFrameRange(start: float, end: float) -> None:
        """First and last frame."""


def setFps(fps: float) -> None:
    """Frames a second."""
