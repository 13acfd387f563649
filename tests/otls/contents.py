# SPDX-License-Identifier: Apache-2.0
"""Contents.mime: parts of a multipart message that describe nodes, wires and values."""
import json
import re
from pathlib import Path
from typing import Dict, List, NamedTuple, Set, Tuple

from hda import BadAsset, Child, TABLES, read

ENDINGS = set("""init def parm chn userdata spareparmdef order net inp netbox netboxinit cop2
networkdotinit outputinfos multiparm postitinit postitdef postitnetbox gdelta data alias datablocks
OPdummydefs OPfallbacks bgeo bgeo_sc stashdata evaluators""".split())
FLAGS = set("""lock model template footprint xray bypass display render highlight unload savedata
compress colordefault exposed selectable cook audio export material debug hidden current
unlock displaycomment lowdetail mediumdetail highdetail origin visible poseable""".split())


class Part(NamedTuple):
    """A part: its name, its lines, and the line of the file at which they begin."""
    name: str
    lines: List[str]
    start: int


def split_parts(path: Path) -> List[Part]:
    """The parts of the message."""
    lines = read(path)
    if lines[0] != "MIME-Version: 1.0":
        raise BadAsset(path, 1, "must begin with MIME-Version: 1.0")
    match = re.fullmatch(r'Content-Type: multipart/mixed; boundary="([^"]+)"', lines[1])
    if not match:
        raise BadAsset(path, 2, "must be multipart/mixed with a boundary")
    mark = "--" + match.group(1)
    parts: List[Part] = []
    at = 2
    while at < len(lines) and not lines[at].startswith(mark):
        if lines[at]:
            raise BadAsset(path, at + 1, "there is text before the first part")
        at += 1
    while at < len(lines) and lines[at] == mark:
        part, at = _read_part(path, lines, at, mark)
        parts.append(part)
    if at >= len(lines) or lines[at] != mark + "--":
        raise BadAsset(path, min(at, len(lines) - 1) + 1, "the message does not end")
    if any(lines[at + 1:]):
        raise BadAsset(path, at + 2, "there is text after the end")
    return parts


def _read_part(path: Path, lines: List[str], at: int, mark: str) -> Tuple[Part, int]:
    if at + 3 >= len(lines):
        raise BadAsset(path, at + 1, "a part has no head")
    name = re.fullmatch(r'Content-Disposition: attachment; filename="([^"]+)"', lines[at + 1])
    if not name:
        raise BadAsset(path, at + 2, "a part must have a filename")
    if not re.fullmatch(r"Content-Type: (text/plain|application/[-\w]+)", lines[at + 2]):
        raise BadAsset(path, at + 3, "a part must have a type")
    after = at + 3
    while lines[after] and re.match(r"[-\w]+: ", lines[after]):
        after += 1
    if lines[after]:
        raise BadAsset(path, after + 1, "an empty line must follow the head")
    end = after + 1
    while end < len(lines) and not lines[end].startswith(mark):
        end += 1
    return Part(name.group(1), lines[after + 1:end], after + 2), end


def _fail(path: Path, part: Part, line: int, what: str) -> BadAsset:
    return BadAsset(path, part.start + line, f"{part.name}: {what}")


def read_init(path: Path, part: Part) -> str:
    """The type of a node."""
    match = re.fullmatch(r"type = (\S+)", part.lines[0])
    if not match:
        raise _fail(path, part, 0, "must say type = NAME")
    for i, line in enumerate(part.lines[1:], 1):
        if line and not re.fullmatch(r"\w+ = \S*", line):
            raise _fail(path, part, i, f"{line!r} is not NAME = VALUE")
    return match.group(1)


def read_block(path: Path, part: Part, at: int) -> Tuple[List[Tuple[int, str]], int]:
    """Lines of { ... } after a word, and the line that follows."""
    if part.lines[at + 1] != "{":
        raise _fail(path, part, at + 1, f"{{ must follow {part.lines[at]}")
    inside = []
    at += 2
    while at < len(part.lines) and part.lines[at] != "}":
        inside.append((at, part.lines[at]))
        at += 1
    if at >= len(part.lines):
        raise _fail(path, part, at - 1, "a brace does not close")
    return inside, at + 1


class Wires(NamedTuple):
    """Connectors of a node as given in its definition."""
    outputs: Set[int]
    named: Dict[str, Tuple[str, str, int]]  # by input's name: source, its connector, line
    plain: Dict[int, Tuple[str, int, int]]  # by number: source, its output, line


BLOCKS = ("outputsNamed3", "inputsNamed3", "inputs", "outputsNamed2", "inputsNamed2", "stat")


def read_def(path: Path, part: Part, child: Child) -> Wires:
    """Flags and wires of a node."""
    wires = Wires(set(), {}, {})
    ended = False
    at = 0
    while at < len(part.lines):
        line = part.lines[at]
        if ended:
            if line:
                raise _fail(path, part, at, "there is text after end")
            at += 1
        elif line in BLOCKS:
            inside, after = read_block(path, part, at)
            for number, text in inside:
                _read_wire(path, part, number, text, line, wires)
            at = after
        else:
            if line.startswith("comment ") and line.count('"') - line.count('\\"') == 1:
                while at + 1 < len(part.lines) and not part.lines[at + 1].endswith('"'):
                    at += 1
                at += 1
            elif line.startswith("flags = "):
                child.flags = _read_flags(path, part, at, line)
            elif line == "end":
                ended = True
            elif line and not re.match(r"\w+( |$)", line) and not line.startswith(("{", "}", " ")):
                raise _fail(path, part, at, f"{line!r} is not known here")
            at += 1
    if not ended:
        raise _fail(path, part, len(part.lines) - 1, "has no end")
    return wires


def _read_flags(path: Path, part: Part, at: int, line: str) -> Dict[str, str]:
    words = line.split()[2:]
    if len(words) % 2 or any(w not in ("on", "off") for w in words[1::2]):
        raise _fail(path, part, at, "flags are names with on or off")
    for word in words[::2]:
        if word not in FLAGS:
            raise _fail(path, part, at, f"there is no flag {word!r}")
    return dict(zip(words[::2], words[1::2]))


SOURCE = r'("[^"]*"|[^\s"]+)'


def _read_wire(path: Path, part: Part, number: int, text: str, block: str, wires: Wires) -> None:
    if block.startswith("outputsNamed"):
        match = re.match(r'(\d+) "([^"]*)"', text)
        if not match:
            raise _fail(path, part, number, f"{text!r} is no output")
        wires.outputs.add(int(match.group(1)))
    elif block.startswith("inputsNamed"):
        match = re.fullmatch(rf'(\d+) \t{SOURCE} {SOURCE} [01] "([^"]*)"', text)
        if not match:
            raise _fail(path, part, number, f"{text!r} is no wire")
        wires.named[match.group(4)] = (match.group(2).strip('"'), match.group(3).strip('"'),
                                       number)
    elif block == "inputs":
        match = re.fullmatch(rf"(\d+) \t{SOURCE} (\d+) [01]", text)
        if not match:
            raise _fail(path, part, number, f"{text!r} is no wire")
        index = int(match.group(1))
        if index in wires.plain:
            raise _fail(path, part, number, f"input {index} is there twice")
        wires.plain[index] = (match.group(2).strip('"'), int(match.group(3)), number)


def read_channels(path: Path, part: Part) -> Dict[str, str]:
    """Expressions by channel; keyframed channels are "keys"."""
    found: Dict[str, str] = {}
    name, start, depth = "", 0, 0
    for i, line in enumerate(part.lines):
        match = re.fullmatch(r"\s*channel (\S+) \{", line)
        if match:
            if match.group(1) in found:
                raise _fail(path, part, i, f"channel {match.group(1)} is there twice")
            name, start = match.group(1), i
            found[name] = ""
        # Quotes inside expressions are \", and braces inside them do not count.
        bare = re.sub(r'"(?:[^"\\]|\\.)*"', "", line)
        expression = re.search(r"expr = (.*) \}$", line)
        if name and expression:
            text = expression.group(1)
            if text.startswith('"') and text.endswith('"') and not text.endswith('\\"'):
                text = text[1:-1]
            found[name] = text.replace('\\"', '"').replace("\\\\", "\\")
            bare = re.sub(r"expr = .*( \})$", r"\1", line)
        depth += bare.count("{") - bare.count("}")
        if depth < 0:
            raise _fail(path, part, i, "a brace closes nothing")
    if depth != 0:
        raise _fail(path, part, start, f"channel {name}: a brace does not close")
    return found


VALUE = re.compile(r'\s*(\[ (\S+)\t[^\]]*\]|"(?:[^"\\]|\\.)*"|[^\s()"\[][^\t]*|\[(?! )[^\t]*|\))',
                   re.S)


def read_parms(path: Path, part: Part, channels: Dict[str, str]) -> Dict[str, List[str]]:
    """Values by parameter; an expression is "=" and its text."""
    text = "\n".join(part.lines)
    lines = part.lines
    if lines[0] != "{" or lines[1] != "version 0.8":
        raise _fail(path, part, 0, "must begin with { and version 0.8")
    found: Dict[str, List[str]] = {}
    at = len(lines[0]) + len(lines[1]) + 2
    head = re.compile(r"(\S+)\t\[ \d+\tlocks=\d+(?:\t[\w=-]+)* \]\t\(\t")
    used = set()
    while not text.startswith("}", at):
        line = text[:at].count("\n")
        match = head.match(text, at)
        if not match:
            raise _fail(path, part, line, "is no value: NAME [ 0 locks=0 ] ( VALUE )")
        name = match.group(1)
        if name in found:
            raise _fail(path, part, line, f"{name} is there twice")
        found[name] = []
        at = match.end()
        while True:
            value = VALUE.match(text, at)
            if not value:
                raise _fail(path, part, text[:at].count("\n"), f"the value of {name} does not end")
            at = value.end()
            word = value.group(1)
            if word == ")":
                break
            if value.group(2):
                if value.group(2) not in channels:
                    raise _fail(path, part, line, f"there is no channel {value.group(2)}")
                used.add(value.group(2))
                found[name].append("=" + channels[value.group(2)])
            elif word.startswith('"'):
                found[name].append(re.sub(r"\\(.)", r"\1", word[1:-1]))
            else:
                found[name].append(word.rstrip())
        if not text.startswith("\n", at):
            raise _fail(path, part, text[:at].count("\n"), f"there is more after {name}")
        at += 1
    if text[at + 1:].strip():
        raise _fail(path, part, text[:at].count("\n"), "there is text after the last brace")
    return found


def read_order(path: Path, part: Part) -> List[str]:
    """Names of the nodes of a network."""
    if not part.lines[0].isdigit():
        raise _fail(path, part, 0, "must begin with a number")
    names = [line for line in part.lines[1:] if line]
    if len(names) != int(part.lines[0]):
        raise _fail(path, part, 0, f"says {part.lines[0]} nodes, and lists {len(names)}")
    return names


def read_box(path: Path, part: Part) -> str:
    """The text of a network box."""
    for line in part.lines:
        match = re.fullmatch(r'\tcomment := "((?:[^"\\]|\\.)*)";', line)
        if match:
            return match.group(1).replace('\\"', '"')
    return ""


def parse_contents(path: Path, table: str,
                   connectors: bool = True) -> Tuple[Dict[str, Child], Dict[str, str]]:
    """Nodes by path, and boxes by name; some published assets name removed connectors."""
    parts: Dict[str, Part] = {}
    for part in split_parts(path):
        if part.name in parts:
            raise BadAsset(path, part.start, f"{part.name} is there twice")
        ending = part.name.rsplit(".", 1)[-1] if "." in part.name else ""
        if part.name != "node_type" and ending not in ENDINGS:
            raise BadAsset(path, part.start, f"{part.name}: there is no such part")
        parts[part.name] = part
    for required in ("node_type", "hdaroot.init", "hdaroot.def"):
        if required not in parts:
            raise BadAsset(path, 1, f"has no part {required}")
    kind = parts["node_type"]
    if kind.lines[0] not in TABLES or kind.lines[0] != table:
        raise _fail(path, kind, 0, f"is {kind.lines[0]!r}, and the library is of {table!r}")
    read_init(path, parts["hdaroot.init"])
    children: Dict[str, Child] = {}
    wires: Dict[str, Tuple[Part, Wires]] = {}
    for name, part in parts.items():
        if name.endswith(".init") and name != "hdaroot.init":
            own = name[:-len(".init")]
            child = Child(own, part.start, read_init(path, part))
            children[own] = child
            if own + ".def" not in parts:
                raise BadAsset(path, part.start, f"{own} has no .def")
            wires[own] = (parts[own + ".def"], read_def(path, parts[own + ".def"], child))
            channels = read_channels(path, parts[own + ".chn"]) if own + ".chn" in parts else {}
            if own + ".parm" in parts:
                child.parms = read_parms(path, parts[own + ".parm"], channels)
            if own + ".netbox" in parts:
                child.box = parts[own + ".netbox"].lines[0]
        elif name.endswith(".userdata"):
            _check_userdata(path, part)
    read_def(path, parts["hdaroot.def"], Child("hdaroot", 1))
    _connect(path, children, wires, connectors)
    _check_orders(path, parts, children)
    boxes = {name.rsplit("/", 1)[-1][:-len(".netboxinit")]: read_box(path, part)
             for name, part in parts.items() if name.endswith(".netboxinit")}
    for child in children.values():
        if child.box and child.box not in boxes and child.path.count("/") == 1:
            raise BadAsset(path, child.line, f"{child.path}: there is no box {child.box}")
    return children, boxes


def _check_userdata(path: Path, part: Part) -> None:
    try:
        json.loads("\n".join(part.lines), strict=False)
    except json.JSONDecodeError as error:
        raise _fail(path, part, error.lineno - 1, error.msg) from None


def _connect(path: Path, children: Dict[str, Child],
             wires: Dict[str, Tuple[Part, Wires]], connectors: bool) -> None:
    """Every wire leads to a node, an input of the network or nothing, and is given twice."""
    for own, child in children.items():
        part, wire = wires[own]
        network = own.rsplit("/", 1)[0]
        for index, (source, output, line) in wire.plain.items():
            if source == "":
                continue
            if not re.fullmatch(r"\((\d+|__dot\d+)\)", source) \
                    and f"{network}/{source}" not in children:
                raise _fail(path, part, line, f"there is no node {source!r} to wire from")
            child.inputs[index] = (source, output)
        for name, (source, connector, line) in wire.named.items():
            other = wires.get(f"{network}/{source}")
            if connectors and other and connector.isdigit() \
                    and int(connector) not in other[1].outputs:
                raise _fail(path, part, line, f"{source!r} has no connector {connector}")
            match = re.fullmatch(r"input(\d+)", name)
            if connectors and match and source and int(match.group(1)) - 1 in wire.plain:
                plain = wire.plain[int(match.group(1)) - 1][0]
                if plain != source:
                    raise _fail(path, part, line, f"{name} is {source!r} here, and {plain!r} in "
                                "inputs")


def _check_orders(path: Path, parts: Dict[str, Part], children: Dict[str, Child]) -> None:
    """A network lists all of its nodes."""
    for name, part in parts.items():
        if not name.endswith(".order"):
            continue
        network = name[:-len(".order")]
        listed = read_order(path, part)
        inside = {own.rsplit("/", 1)[1] for own in children if own.rsplit("/", 1)[0] == network}
        for node in listed:
            if node not in inside and not re.match(r"__\w+", node):
                raise _fail(path, part, 0, f"there is no node {node!r}")
        for node in inside - set(listed):
            raise _fail(path, part, 0, f"does not list {node!r}")
