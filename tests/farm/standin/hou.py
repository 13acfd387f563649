"""A stand-in for Houdini's Python module: as few names as the batch scripts call, by SideFX's
reference (docs/houdini/hom/hou). It records what is asked of it in the file $HOU_RECORD, and knows
the nodes and parameters of the scene file, which is JSON here; whatever else is an error.
"""
import json
import os
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

Value = Union[float, int, str]
_nodes: Dict[str, "RopNode"] = {}


class Error(Exception):
    """What Houdini raises."""


class OperationFailed(Error):
    """Something could not be done."""


class ropRenderEventType:
    """Kinds of events."""
    PreFrame = "PreFrame"
    PostFrame = "PostFrame"


def _record(*what: Any) -> None:
    with open(os.environ["HOU_RECORD"], "a") as record:
        record.write(json.dumps(what) + "\n")


class Parm:
    """One channel."""

    def __init__(self, path: str) -> None:
        self._path = path

    def set(self, value: Value) -> None:
        """Records it."""
        _record("set", self._path, value)


class NodeType:
    """Its name alone."""

    def __init__(self, name: str) -> None:
        self._name = name

    def name(self) -> str:
        """As "geometry"."""
        return self._name


class RopNode:
    """A node that renders."""

    def __init__(self, path: str, values: Dict[str, Any]) -> None:
        self._path, self._values = path, values
        self._callbacks: List[Callable[["RopNode", object, float], None]] = []

    def path(self) -> str:
        """Its own."""
        return self._path

    def type(self) -> NodeType:
        """Its kind."""
        return NodeType(self._values["type"])

    def errors(self) -> Tuple[str, ...]:
        """Of the last cook."""
        return tuple(self._values.get("errors", ()))

    def addRenderEventCallback(self, callback: Callable[["RopNode", object, float], None],
                               run_before_script: bool = False) -> None:
        """Who is told of frames."""
        self._callbacks.append(callback)

    def render(self, frame_range: Sequence[float] = (), verbose: bool = False) -> None:
        """Records it, and fails where the scene says so."""
        _record("render", self._path, list(frame_range))
        first, last, step = (int(number) for number in frame_range)
        for frame in range(first, last + 1, step):
            for callback in self._callbacks:
                callback(self, ropRenderEventType.PreFrame, frame / 24)
            if frame == self._values.get("fails_at"):
                raise OperationFailed(self._values["message"])
            for callback in self._callbacks:
                callback(self, ropRenderEventType.PostFrame, frame / 24)


class hipFile:
    """The scene."""

    @staticmethod
    def load(file_name: str, suppress_save_prompt: bool = False,
             ignore_load_warnings: bool = False) -> None:
        """Reads the nodes."""
        _record("load", file_name)
        try:
            with open(file_name) as scene:
                content = json.load(scene)
        except ValueError as error:
            raise OperationFailed("not a scene") from error
        for path, values in content.items():
            _nodes[path] = RopNode(path, values)


def node(path: str) -> Optional[RopNode]:
    """By its path."""
    return _nodes.get(path)


def parm(path: str) -> Optional[Parm]:
    """By its path."""
    owner, _, name = path.rpartition("/")
    found = _nodes.get(owner)
    return Parm(path) if found and name in found._values.get("parms", ()) else None


def setContextOption(option: str, value: Value) -> None:
    """Records it."""
    _record("option", option, value)


def getenv(name: str) -> Optional[str]:
    """Of Houdini's variables."""
    return os.environ.get(name)


def applicationVersionString() -> str:
    """As "20.5.332"."""
    return "20.5.332"
