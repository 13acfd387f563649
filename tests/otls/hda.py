# SPDX-License-Identifier: Apache-2.0
"""A strict parser of expanded digital assets, as Houdini's tools write them.

Every error names the file and the line. What it knows was read in published assets; what it does
not know it refuses, so that a mistake of ours can't pass as a feature of theirs.
"""
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, List, Optional, Set, Tuple


class BadAsset(Exception):
    """What is wrong, with its file and line."""

    def __init__(self, path: Path, line: int, what: str) -> None:
        super().__init__(f"{path}:{line}: {what}")
        self.path, self.line, self.what = path, line, what


@dataclass
class Parm:
    """A parameter of a dialog script."""
    name: str
    line: int
    type: str = ""
    label: str = ""
    help: str = ""
    size: int = 1
    default: List[str] = field(default_factory=list)
    menu: List[Tuple[str, str]] = field(default_factory=list)
    range: Optional[Tuple[float, bool, float, bool]] = None
    disablewhen: str = ""
    hidewhen: str = ""
    folder: str = ""
    tags: Dict[str, str] = field(default_factory=dict)


@dataclass
class Dialog:
    """A dialog script."""
    name: str = ""
    label: str = ""
    inputs: Dict[int, str] = field(default_factory=dict)
    outputs: Dict[int, str] = field(default_factory=dict)
    parms: Dict[str, Parm] = field(default_factory=dict)


@dataclass
class Child:
    """A node in the contents."""
    path: str
    line: int
    type: str = ""
    inputs: Dict[int, Tuple[str, int]] = field(default_factory=dict)  # source, its output
    parms: Dict[str, List[str]] = field(default_factory=dict)  # expressions begin with "="
    flags: Dict[str, str] = field(default_factory=dict)
    box: str = ""


@dataclass
class Asset:
    """One operator of a library."""
    operator: str
    table: str
    fields: Dict[str, str]
    dialog: Dialog
    children: Dict[str, Child]
    boxes: Dict[str, str]
    sections: Dict[str, Path]
    presets: Dict[str, Dict[str, List[str]]]


def read(path: Path) -> List[str]:
    """The lines of a file; a file that is not text is an error."""
    try:
        text = path.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        raise BadAsset(path, 1, "is missing") from None
    if "\0" in text:
        raise BadAsset(path, text[:text.index("\0")].count("\n") + 1, "is not text")
    return text.split("\n")


def unescape(name: str) -> str:
    """The name of a section, from the name of its file."""
    return re.sub(r"_(_|1|8)", lambda m: {"_": "_", "1": "/", "8": ":"}[m.group(1)], name)


def read_sections(folder: Path) -> Dict[str, Tuple[str, int]]:
    """Real names by file, with their lines."""
    path = folder / "Sections.list"
    lines = read(path)
    if lines[0] != '""':
        raise BadAsset(path, 1, 'the first line must be ""')
    if lines[-1] != "":
        raise BadAsset(path, len(lines), "the last line does not end")
    found: Dict[str, Tuple[str, int]] = {}
    for number, line in enumerate(lines[1:-1], 2):
        parts = line.split("\t")
        if len(parts) != 2 or not all(parts):
            raise BadAsset(path, number, "must be a file, a tab and a section's name")
        for i, part in enumerate(parts):
            if (" " in part) != bool(re.fullmatch(r'"[^"]+"', part)):
                raise BadAsset(path, number, "names with a space, and no others, are in quotes")
            parts[i] = part.strip('"')
        if parts[0] in found:
            raise BadAsset(path, number, f"{parts[0]} is listed twice")
        found[parts[0]] = (parts[1], number)
    return found


INDEX_KEYS = ("Operator", "Label", "Path", "Icon", "Table", "License", "Extra", "User", "Inputs",
              "Outputs", "Subnet", "Python", "Empty", "Modified")
TABLES = ("Sop", "Dop", "Object", "Top", "Driver", "Lop", "Vop", "Cop2", "Chop", "Shop", "Cop")


def read_index(path: Path) -> List[Tuple[Dict[str, str], int]]:
    """Fields of each operator, and the line at which they begin."""
    blocks: List[Tuple[Dict[str, str], int]] = []
    current: Dict[str, str] = {}
    start = 1
    for number, line in enumerate(read(path), 1):
        if not line.strip():
            if current:
                blocks.append((current, start))
            current = {}
            continue
        match = re.fullmatch(r"(\w+):(?: +(.*))?", line)
        if not match:
            raise BadAsset(path, number, "must be a key, a colon and a value")
        key, value = match.group(1), (match.group(2) or "").strip()
        if key not in INDEX_KEYS:
            raise BadAsset(path, number, f"there is no key {key!r}")
        if key in current:
            raise BadAsset(path, number, f"{key} is there twice")
        if not current:
            start = number
        _check_index(path, number, key, value)
        current[key] = value
    if current:
        blocks.append((current, start))
    for fields, line in blocks:
        for key in INDEX_KEYS:
            if key not in fields and key != "Outputs":
                raise BadAsset(path, line, f"has no {key}")
    return blocks


def _check_index(path: Path, number: int, key: str, value: str) -> None:
    if key in ("Subnet", "Python", "Empty") and value not in ("true", "false"):
        raise BadAsset(path, number, f"{key} must be true or false")
    if key == "Table" and value not in TABLES:
        raise BadAsset(path, number, f"there is no table {value!r}")
    if key == "Inputs":
        match = re.fullmatch(r"(\d+) to (\d+)", value)
        if not match or int(match.group(1)) > int(match.group(2)):
            raise BadAsset(path, number, "Inputs must be as 0 to 4")
    if key == "Outputs" and not value.isdigit():
        raise BadAsset(path, number, "Outputs must be a number")


def parse_library(folder: Path, connectors: bool = True) -> List[Asset]:
    """All operators of an expanded library; see contents.py for connectors."""
    from dialog import parse_dialog
    from contents import parse_contents
    if not (folder / "houdini.hdalibrary").exists():
        raise BadAsset(folder, 1, "has no houdini.hdalibrary")
    sections = read_sections(folder)
    listing = folder / "Sections.list"
    for file, (name, line) in sections.items():
        if not (folder / file).exists():
            raise BadAsset(listing, line, f"{file} is missing")
        if unescape(file) != name:
            raise BadAsset(listing, line, f"{file} is not how {name!r} is written")
    for required in ("INDEX__SECTION", "houdini.hdalibrary"):
        if required not in sections:
            raise BadAsset(listing, 1, f"{required} is not listed")
    listed = {name: (file, line) for file, (name, line) in sections.items()}
    assets = []
    index = folder / "INDEX__SECTION"
    for fields, line in read_index(index):
        match = re.fullmatch(r"oplib:/(.+)\?(.+)", fields["Path"])
        if not match or match.group(1) != match.group(2):
            raise BadAsset(index, line, "Path must be oplib:/NAME?NAME")
        name = match.group(1)
        if name not in listed:
            raise BadAsset(index, line, f"section {name!r} is not in Sections.list")
        if section_name(fields["Operator"], fields["Table"]) != name:
            raise BadAsset(index, line, f"operator {fields['Operator']!r} does not fit its path")
        assets.append(_parse_asset(folder / listed[name][0], fields, parse_dialog,
                                   parse_contents, connectors))
    return assets


def section_name(operator: str, table: str) -> str:
    """nendo::melt::1.0 of table Sop is nendo::Sop/melt::1.0."""
    parts = operator.split("::")
    if len(parts) == 1:
        return f"{table}/{operator}"
    versioned = len(parts) > 1 and re.fullmatch(r"\d+(\.\d+)*", parts[-1])
    cut = len(parts) - (2 if versioned else 1)
    return "::".join(parts[:cut] + [f"{table}/" + "::".join(parts[cut:])] if cut else
                     [f"{table}/" + "::".join(parts)])


ALWAYS = ("DialogScript", "CreateScript", "TypePropertiesOptions", "ExtraFileOptions",
          "Tools.shelf")


def _parse_asset(folder, fields, parse_dialog, parse_contents, connectors) -> Asset:
    sections = read_sections(folder)
    listing = folder / "Sections.list"
    paths: Dict[str, Path] = {}
    for file, (name, line) in sections.items():
        path = folder / file
        if file == "Contents.gz":
            path = folder / "Contents.dir"
        if not path.exists():
            raise BadAsset(listing, line, f"{file} is missing")
        paths[name] = path
    names: Set[str] = {name for name, _ in sections.values()}
    for required in ALWAYS:
        if required not in names:
            raise BadAsset(listing, 1, f"{required} is not listed")
    check_options(paths["TypePropertiesOptions"])
    check_json(paths["ExtraFileOptions"])
    dialog = parse_dialog(paths["DialogScript"])
    children: Dict[str, Child] = {}
    boxes: Dict[str, str] = {}
    inner = folder / "Contents.dir"
    if inner.exists():
        if read_sections(inner).get("Contents.mime", ("", 0))[0] != "Contents.mime":
            raise BadAsset(inner / "Sections.list", 1, "Contents.mime is not listed")
        children, boxes = parse_contents(inner / "Contents.mime", fields["Table"], connectors)
    elif fields["Subnet"] == "true" and fields["Empty"] == "false":
        raise BadAsset(listing, 1, "a subnet has contents")
    presets = read_presets(folder / "Presets") if "Presets" in paths else {}
    return Asset(fields["Operator"], fields["Table"], fields, dialog, children, boxes, paths,
                 presets)


def read_presets(folder: Path) -> Dict[str, Dict[str, List[str]]]:
    """Values by parameter, by the preset's name."""
    from contents import Part, read_parms
    found = {}
    for file, (name, line) in read_sections(folder).items():
        if unescape(file) != name:
            raise BadAsset(folder / "Sections.list", line, f"{file} is not how {name!r} is written")
        lines = read(folder / file)
        for number, wanted in enumerate(("#PSI_PRESET", "version 2.0a", "opvalues"), 1):
            if lines[number - 1:number] != [wanted]:
                raise BadAsset(folder / file, number, f"must be {wanted}")
        found[name] = read_parms(folder / file, Part(name, lines[3:], 4), {})
    return found


def check_options(path: Path) -> None:
    """Lines of NAME := NUMBER;"""
    for number, line in enumerate(read(path), 1):
        if line and not re.fullmatch(r"\w+ := \d+;", line):
            raise BadAsset(path, number, "must be NAME := NUMBER;")


def check_json(path: Path) -> None:
    """An object."""
    text = "\n".join(read(path))
    try:
        if not isinstance(json.loads(text, strict=False), dict):
            raise BadAsset(path, 1, "must be an object")
    except json.JSONDecodeError as error:
        raise BadAsset(path, error.lineno, error.msg) from None
