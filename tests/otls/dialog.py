# SPDX-License-Identifier: Apache-2.0
"""The grammar of dialog scripts."""
import re
from pathlib import Path
from typing import Dict, List, Optional, Tuple

from hda import BadAsset, Dialog, Parm, read

TYPES = set("""float integer toggle ordinal string ramp_flt ramp_rgb vector vector2 vector4 color
color4 angle log intlog button separator label file image geometry directory oppath oplist direction
intvector intvector2 int_minmax float_minmax geometrydata buttonstrip iconstrip data uv uvw
intvector4 string4 rgb rgba""".split())
SIZES = {"vector": (1, 2, 3, 4), "color": (3,), "vector2": (2,), "intvector2": (2,),
         "direction": (3,), "vector4": (4,), "color4": (4,), "intvector": (1, 2, 3)}
NUMBERS = {"float", "integer", "vector", "vector2", "vector4", "angle", "log", "intlog",
           "intvector", "intvector2", "toggle"}
GROUPS = ("group", "groupsimple", "groupcollapsible", "groupradio", "multiparm", "multiscroll",
          "multitab")
MENUS = ("menu", "menureplace", "menutoggle", "menumini", "menureplacemini", "menutogglemini")
# Keywords of a parameter, and how many words follow; -1: any.
WORDS = {"name": 1, "label": 1, "type": 1, "help": 1, "size": 1, "joinnext": 0, "nolabel": 0,
         "invisible": 0, "disablewhen": 1, "hidewhen": 1, "export": 1, "baseparm": 0,
         "language": 1, "invisibletab": 0, "hidewhentab": 1, "disablewhentab": 1, "rangeref": -1,
         "tabbreak": -1, "nosavedata": 0, "nouserinterface": 0}
GROUP_WORDS = {"name": 1, "label": 1, "invisible": 0, "disablewhen": 1, "hidewhen": 1,
               "hidewhentab": 1, "disablewhentab": 1, "invisibletab": 0, "baseparm": 0,
               "default": 1, "multistartoffset": 1, "help": 1, "tabbreak": 0, "nolabel": 0,
               "range": -1, "endtab": 0, "parmtag": -1}
TOP_WORDS = {"name": 1, "script": 1, "label": 1, "inputlabel": 2, "outputlabel": 2, "input": -1,
             "output": -1, "bindhandle": -1, "inputflags": -1, "signature": -1, "rendermask": -1,
             "shadertype": -1, "externalshader": -1, "outputoverrides": -1, "opfilter": -1,
             "nodeowned": 0, "opicon": 1, "parmtag": -1}
Token = Tuple[str, str, int]  # word, string, open or close; its text; its line


def odd_line(text: str) -> int:
    """The first line with a quote that is not closed."""
    lines = enumerate(text.replace('\\"', "").split("\n"), 1)
    return next((number for number, line in lines if line.count('"') % 2), 1)


def tokens(path: Path) -> List[Token]:
    """Words, strings and braces; "#" begins a comment where a line begins."""
    found: List[Token] = []
    text = "\n".join(read(path))
    at, line = 0, 1
    pattern = re.compile(r'[ \t\r]+|\n|"(?:[^"\\]|\\.)*"|[{}]|[^\s{}"]+', re.S)
    at_start = True
    while at < len(text):
        if at_start and text[at] == "#":
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
            continue
        match = pattern.match(text, at)
        if not match:
            raise BadAsset(path, odd_line(text), "a string does not end")
        part = match.group()
        if part == "\n":
            at_start = True
            found.append(("end", "", line))
        elif not part.isspace():
            kind = {"{": "open", "}": "close"}.get(part, "string" if part[0] == '"' else "word")
            body = part
            if kind == "string":
                body = part[1:-1].replace('\\"', '"').replace("\\\\", "\\")
            found.append((kind, body, line))
            at_start = False
        line += part.count("\n")
        at = match.end()
    found.append(("end", "", line))
    return found


def join_brackets(words: List[str]) -> List[str]:
    """[ "1/$FPS" hscript-expr ] is one value."""
    joined: List[str] = []
    inside = False
    for word in words:
        if word == "[":
            inside = True
            joined.append("")
        elif word == "]":
            inside = False
        elif inside:
            joined[-1] += ("=" if not joined[-1] else " ") + word
        else:
            joined.append(word)
    return joined


class Reader:
    """Goes through the tokens of one dialog script."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.tokens = tokens(path)
        self.at = 0
        self.dialog = Dialog()
        self.groups: Dict[str, int] = {}

    def fail(self, what: str, line: Optional[int] = None) -> BadAsset:
        """An error at the current line."""
        at = min(self.at, len(self.tokens) - 1)
        return BadAsset(self.path, self.tokens[at][2] if line is None else line, what)

    def peek(self) -> Token:
        """The next token that is not an end of line."""
        while self.at < len(self.tokens) and self.tokens[self.at][0] == "end":
            self.at += 1
        if self.at >= len(self.tokens):
            raise BadAsset(self.path, self.tokens[-1][2], "ends too early: a brace is open")
        return self.tokens[self.at]

    def take(self, kind: str, what: str) -> Token:
        """The next token, which must be of this kind."""
        token = self.peek()
        if token[0] != kind:
            raise self.fail(f"expected {what}, not {token[1]!r}")
        self.at += 1
        return token

    def rest(self) -> List[str]:
        """Words up to the end of the line."""
        words = []
        while self.tokens[self.at][0] in ("word", "string"):
            words.append(self.tokens[self.at][1])
            self.at += 1
        return words

    def braced(self) -> List[str]:
        """Words of { ... }, which may span lines."""
        self.take("open", "{")
        words = []
        while self.peek()[0] != "close":
            token = self.peek()
            if token[0] == "open":
                words.append("[" + " ".join(self.braced()) + "]")
                continue
            words.append(token[1])
            self.at += 1
        self.at += 1
        return words

    def words(self, keyword: str, counts: Dict[str, int]) -> List[str]:
        """The words after a keyword, as many as it needs."""
        line = self.tokens[self.at - 1][2]
        words = self.rest()
        if self.tokens[self.at][0] == "open":
            if counts[keyword] != -1:
                raise self.fail(f"{keyword} takes no braces")
            return words + self.braced()
        if counts[keyword] != -1 and len(words) != counts[keyword]:
            raise self.fail(f"{keyword} takes {counts[keyword]} values, and has {len(words)}", line)
        return words

    def parse(self) -> Dialog:
        """The whole script."""
        self.take("open", "{")
        while self.peek()[0] != "close":
            keyword, line = self.take("word", "a keyword")[1:]
            if keyword == "parm":
                self.parm("")
            elif keyword in GROUPS:
                self.group("")
            elif keyword in ("help", "helptext"):
                self.braced()
            elif keyword in TOP_WORDS:
                self.top(keyword, line)
            else:
                raise self.fail(f"there is no keyword {keyword!r} here", line)
        self.at += 1
        while self.at < len(self.tokens):
            if self.tokens[self.at][0] != "end":
                raise self.fail("there is more after the last brace")
            self.at += 1
        if not self.dialog.name:
            raise BadAsset(self.path, 1, "has no name")
        self.check_rules()
        return self.dialog

    def top(self, keyword: str, line: int) -> None:
        """Name, labels and the like."""
        words = self.words(keyword, TOP_WORDS)
        if keyword == "name":
            self.dialog.name = words[0]
        elif keyword == "label":
            self.dialog.label = words[0]
        elif keyword in ("inputlabel", "outputlabel"):
            ports = self.dialog.inputs if keyword == "inputlabel" else self.dialog.outputs
            if not words[0].isdigit() or int(words[0]) < 1 or int(words[0]) in ports:
                raise self.fail(f"{keyword} must count from 1, each once", line)
            ports[int(words[0])] = words[1]

    def group(self, folder: str) -> None:
        """Parameters in a folder."""
        start = self.take("open", "{")[2]
        name = label = ""
        while self.peek()[0] != "close":
            keyword, line = self.take("word", "a keyword")[1:]
            if keyword == "parm":
                self.parm(label or folder)
            elif keyword in GROUPS:
                self.group(label or folder)
            elif keyword == "grouptag":
                self.braced()
            elif keyword in GROUP_WORDS:
                words = self.words(keyword, GROUP_WORDS)
                if keyword == "name":
                    name = words[0]
                if keyword == "label":
                    label = words[0]
            else:
                raise self.fail(f"there is no keyword {keyword!r} in a group", line)
        self.at += 1
        if not name:
            raise BadAsset(self.path, start, "a group has no name")

    def parm(self, folder: str) -> None:
        """One parameter."""
        start = self.take("open", "{")[2]
        parm = Parm("", start, folder=folder)
        seen = set()
        base = False
        while self.peek()[0] != "close":
            keyword, line = self.take("word", "a keyword")[1:]
            if keyword in seen and keyword != "parmtag":
                raise self.fail(f"{keyword} is there twice", line)
            seen.add(keyword)
            self.parm_word(parm, keyword, line)
            base = base or keyword == "baseparm"
        self.at += 1
        self.check_parm(parm, base, seen)
        self.dialog.parms[parm.name] = parm

    def parm_word(self, parm: Parm, keyword: str, line: int) -> None:
        """One line of a parameter."""
        if keyword == "default":
            parm.default = join_brackets(self.braced())
        elif keyword in MENUS:
            if self.peek()[1] == "usetokenvalue":
                self.at += 1
            words = self.braced()
            # A script in [ ] or in quotes makes the menu.
            if not any(w.startswith("[") for w in words):
                if len(words) % 2:
                    raise self.fail("a menu is made of tokens and labels", line)
                parm.menu = list(zip(words[::2], words[1::2]))
        elif keyword == "menu_script":
            self.braced()
        elif keyword == "range":
            words = self.braced()
            parm.range = self.parse_range(words, line)
        elif keyword == "parmtag":
            words = self.braced()
            if len(words) != 2:
                raise self.fail("a parmtag has a name and a value", line)
            parm.tags[words[0]] = words[1]
        elif keyword in WORDS:
            words = self.words(keyword, WORDS)
            if keyword in ("name", "label", "type", "help", "disablewhen", "hidewhen"):
                setattr(parm, keyword, words[0])
            elif keyword == "size":
                if not words[0].isdigit() or not 1 <= int(words[0]) <= 4096:
                    raise self.fail("size must be a number", line)
                parm.size = int(words[0])
        else:
            raise self.fail(f"there is no keyword {keyword!r} in a parameter", line)

    def parse_range(self, words: List[str], line: int) -> Tuple[float, bool, float, bool]:
        """The two ends of a range; ! makes one of them strict."""
        ends = []
        for word in words:
            match = re.fullmatch(r"([-+0-9.eE]+)(!?)", word)
            if not match:
                raise self.fail(f"{word!r} is no end of a range", line)
            ends.append((float(match.group(1)), bool(match.group(2))))
        if len(ends) != 2:
            raise self.fail("a range has two ends", line)
        return (*ends[0], *ends[1])

    def check_parm(self, parm: Parm, base: bool, seen: set) -> None:
        """Checks that need more than one line."""
        if not parm.name:
            raise BadAsset(self.path, parm.line, "a parameter has no name")
        if not re.fullmatch(r"[A-Za-z_][\w#:]*", parm.name):
            raise BadAsset(self.path, parm.line, f"{parm.name!r} can't be a parameter's name")
        if parm.name in self.dialog.parms:
            raise BadAsset(self.path, parm.line, f"parameter {parm.name!r} is there twice")
        if base:
            return
        if parm.type not in TYPES:
            raise BadAsset(self.path, parm.line, f"there is no type {parm.type!r}")
        if "label" not in seen:
            raise BadAsset(self.path, parm.line, f"parameter {parm.name!r} has no label")
        if parm.type in SIZES and parm.size not in SIZES[parm.type]:
            raise BadAsset(self.path, parm.line, f"a {parm.type} has no size {parm.size}")
        if parm.type in NUMBERS and len(parm.default) not in (0, parm.size):
            raise BadAsset(self.path, parm.line, f"{parm.name!r} has {len(parm.default)} defaults "
                           f"for {parm.size} values")
        if parm.range is not None and parm.range[0] > parm.range[2]:
            raise BadAsset(self.path, parm.line, f"the range of {parm.name!r} is upside down")

    def check_rules(self) -> None:
        """Conditions are groups in braces."""
        for parm in self.dialog.parms.values():
            for rules in (parm.disablewhen, parm.hidewhen):
                if not re.fullmatch(r"(\s*\{(\s*[^{}\s]+\s+(==|!=|<|>|<=|>=|=~|!~)"
                                    r"\s+[^{}]*?)+\s*\}\s*)*", rules):
                    raise BadAsset(self.path, parm.line, f"{rules!r} is no condition")


def parse_dialog(path: Path) -> Dialog:
    """Reads a dialog script."""
    return Reader(path).parse()
