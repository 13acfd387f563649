# SPDX-License-Identifier: Apache-2.0
"""Declarations of the nodes and materials, read from nodes.json, which nendo_help writes."""
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple


class Problem(Exception):
    """An error in a hand-written file; the message says what is wrong and where."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a node or an asset; None stands for a missing end of a range."""
    name: str
    kind: str  # number, whole, toggle, menu, text, vector, color, button
    label: str
    help: str
    unit: str = "1"
    folder: str = ""
    disable_when: str = ""
    hide_when: str = ""
    defaults: Tuple[float, ...] = ()
    default_text: str = ""
    choices: Tuple[str, ...] = ()
    choice_labels: Tuple[str, ...] = ()
    min: Optional[float] = None
    max: Optional[float] = None
    above_min: bool = False
    low: Optional[float] = None
    high: Optional[float] = None
    low_is_hard: bool = False
    high_is_hard: bool = False

    @property
    def shown_label(self) -> str:
        """The label with its unit."""
        return self.label if self.unit == "1" else f"{self.label} [{self.unit}]"

    def renamed(self, prefix: str, folder: str) -> "Parameter":
        """The parameter with a prefix, as an asset shows it; its rules use the new names too."""
        def rules(text: str) -> str:
            words = text.split()
            return " ".join(prefix + w if i and words[i - 1] == "{" else w
                            for i, w in enumerate(words))
        return replace(self, name=prefix + self.name, folder=folder,
                       disable_when=rules(self.disable_when), hide_when=rules(self.hide_when))


@dataclass(frozen=True)
class NodeType:
    """One of Nendo's nodes."""
    context: str
    name: str
    label: str
    inputs: int
    parameters: Tuple[Parameter, ...]
    about: Dict[str, Any]

    def parameter(self, name: str) -> Optional[Parameter]:
        """The parameter of this name, if any."""
        return next((p for p in self.parameters if p.name == name), None)


@dataclass(frozen=True)
class Declared:
    """The content of nodes.json."""
    nodes: Dict[str, NodeType]
    materials: Dict[str, List[Dict[str, Any]]]


def load(path: Path) -> Declared:
    """Reads nodes.json."""
    data = json.loads(path.read_text())
    nodes = {}
    for entry in data["nodes"]:
        parameters = []
        for raw in entry["parameters"]:
            values = {k: tuple(v) if isinstance(v, list) else v for k, v in raw.items()}
            parameters.append(Parameter(**values))
        # A microsolver works on the objects wired before it, and has no inputs of its own.
        nodes[entry["name"]] = NodeType(entry["context"], entry["name"], entry["label"],
                                        len(entry["inputs"]), tuple(parameters), entry)
    return Declared(nodes, data["materials"])
