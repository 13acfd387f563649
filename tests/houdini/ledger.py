# SPDX-License-Identifier: Apache-2.0
"""Reads the ledger API.md, the stand-in's headers and the nodes' sources, and compares them.

A small reader of C++ declarations, enough for headers in the stand-in's plain style.
"""
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent

#: Names that look like the HDK's but come from the C++ standard library or other libraries.
OTHERS = {
    # Eigen
    "allFinite", "cwiseMax", "cwiseMin", "maxCoeff", "minCoeff", "asDiagonal", "rowwise", "cwiseProduct",
    "squaredNorm",
    # OpenVDB
    "GRID_LEVEL_SET", "GRID_UNKNOWN", "setGridClass", "getGridClass", "copyGrid", "isType",
    "gridConstPtrCast",
}
#: Names of our own that look like the HDK's: nodes, and entry points that the HDK prescribes.
OURS = re.compile(r"^((GAS|SOP|DOP|SIM)_Nendo\w*|NENDO_\w+|initializeSIM|newSopOperator|"
                  r"getDopDescription)$")

DROPPED = {"virtual", "inline", "static", "explicit", "constexpr", "friend", "extern", "override",
           "final", "noexcept", "typename", "class", "struct", "enum"}
BUILTIN = {"int", "long", "short", "char", "bool", "float", "double", "unsigned", "signed", "void",
           "auto"}
TOKEN = re.compile(r'[A-Za-z_]\w*|\d[\w.]*|"[^"]*"|::|->|&&|\.\.\.|<<|[^\s\w]')


def strip_comments(text):
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    return re.sub(r"//[^\n]*", "", text)


def skip_pair(tokens, i, opening, closing):
    """Index after the bracket that closes the one at i."""
    depth = 0
    while i < len(tokens):
        depth += tokens[i] == opening
        depth -= tokens[i] == closing
        i += 1
        if depth == 0:
            return i
    raise ValueError(f"unclosed {opening}")


def split_commas(tokens):
    parts, depth = [[]], 0
    for token in tokens:
        depth += token in ("(", "<", "{", "[")
        depth -= token in (")", ">", "}", "]")
        if token == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def normal_type(tokens):
    return " ".join(token for token in tokens if token not in DROPPED)


def normal_argument(tokens):
    """The type of an argument: no default, no name."""
    if "=" in tokens:
        tokens = tokens[:tokens.index("=")]
    tokens = [token for token in tokens if token not in DROPPED]
    if len(tokens) > 1 and re.match(r"[A-Za-z_]\w*$", tokens[-1]) and tokens[-1] not in BUILTIN:
        before = [token for token in tokens[:-1] if token not in ("const", "volatile")]
        if before and before[-1] != "::":
            tokens = tokens[:-1]
    return " ".join(tokens)


class Reader:
    """Collects {name: [signature]} of the public declarations of a header."""

    def __init__(self, text):
        self.found = {}
        text = strip_comments(text)
        for name, args in re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(\([^)]*\))?", text, re.M):
            self.add(name, "#define")
        lines = re.sub(r"\\\n", " ", text).split("\n")
        text = "\n".join(line for line in lines if not line.lstrip().startswith("#"))
        self.tokens = TOKEN.findall(text)
        self.scope(0, len(self.tokens), "", True)

    def add(self, name, signature):
        short = name.split("::")[-1]
        if short.startswith("standin") or name.startswith("standin"):
            return
        self.found.setdefault(name, []).append(" ".join(signature.split()))

    def scope(self, i, end, owner, public):
        while i < end:
            token = self.tokens[i]
            if token in (";", "}"):
                i += 1
            elif token in ("public", "private", "protected") and self.tokens[i + 1] == ":":
                public = token != "private"
                i += 2
            elif token == "template":
                i = skip_pair(self.tokens, i + 1, "<", ">")
            elif token == "namespace":
                i = self.namespace(i)
            elif token == "extern" and self.tokens[i + 1].startswith('"'):
                i += 2
                if self.tokens[i] == "{":
                    i += 1
            elif token in ("class", "struct"):
                i = self.class_(i, owner, public)
            elif token == "enum":
                i = self.enum(i, owner, public)
            elif token in ("friend", "static_assert") or (token == "using" and
                                                         self.tokens[i + 2] != "="):
                i = self.skip_statement(i)
            elif token in ("using", "typedef"):
                i = self.alias(i, owner, public)
            else:
                i = self.declaration(i, owner, public)

    def skip_statement(self, i):
        while self.tokens[i] not in (";", "{"):
            i = skip_pair(self.tokens, i, "(", ")") if self.tokens[i] == "(" else i + 1
        return skip_pair(self.tokens, i, "{", "}") if self.tokens[i] == "{" else i + 1

    def namespace(self, i):
        start = i + 1
        while self.tokens[i] != "{":
            i += 1
        close = skip_pair(self.tokens, i, "{", "}")
        if not any(token.startswith("standin") for token in self.tokens[start:i]):
            self.scope(i + 1, close - 1, "", True)
        return close

    def class_(self, i, owner, public):
        start = i
        while self.tokens[i] not in ("{", ";", "="):
            i += 1
        head = [token for token in self.tokens[start + 1:i] if token != "final"]
        if self.tokens[i] != "{":  # only declared, or a variable of such a type
            if len(head) > 1:
                return self.declaration(start + 1, owner, public)
            if public and not owner:
                self.add(head[0], f"class {head[0]}")
            return i + 1
        colon = head.index(":") if ":" in head else len(head)
        name = head[0]
        bases = [token for token in head[colon + 1:]
                 if token not in ("public", "protected", "private", "virtual")]
        if "standin" in bases:  # a helper of the stand-in's own
            bases = []
        close = skip_pair(self.tokens, i, "{", "}")
        full = f"{owner}::{name}" if owner else name
        if public:
            signature = f"class {name}" + (f" : {' '.join(bases)}" if bases else "")
            self.add(full, signature)
            if not name.startswith("standin"):
                self.scope(i + 1, close - 1, full, self.tokens[start] == "struct")
        return close

    def enum(self, i, owner, public):
        start = i
        while self.tokens[i] not in ("{", ";"):
            i += 1
        head = [token for token in self.tokens[start + 1:i] if token not in ("class", "struct")]
        head = head[:head.index(":")] if ":" in head else head
        name = head[0] if head else ""
        if self.tokens[i] == ";":
            return i + 1
        close = skip_pair(self.tokens, i, "{", "}")
        prefix = f"{owner}::" if owner else ""
        if public and not name.startswith("standin") and not name.startswith("Standin"):
            if name:
                self.add(prefix + name, f"enum {name}")
            for entry in split_commas(self.tokens[i + 1:close - 1]):
                self.add(prefix + entry[0], f"{name} {entry[0]}")
        return close

    def alias(self, i, owner, public):
        end = i
        while self.tokens[end] != ";":
            end += 1
        words = self.tokens[i + 1:end]
        name, kind = (words[0], words[2:]) if self.tokens[i] == "using" else (words[-1], words[:-1])
        if public:
            full = f"{owner}::{name}" if owner else name
            self.add(full, f"using {name} = {normal_type(kind)}")
        return end + 1

    def declaration(self, i, owner, public):
        start, angle = i, 0
        while True:
            token = self.tokens[i]
            if token == "operator":
                i += 1
                while self.tokens[i] != "(":
                    i += 1
                if self.tokens[i + 1] == ")" and self.tokens[i - 1] == "operator":
                    i += 2
                return self.function(start, i, owner, public)
            angle += token == "<"
            angle -= token == ">"
            if angle == 0 and token == "(":
                return self.function(start, i, owner, public)
            if angle == 0 and token in (";", "=", "{", "["):
                return self.variable(start, i, owner, public)
            i += 1

    def variable(self, start, i, owner, public):
        name = self.tokens[i - 1]
        kind = [token for token in self.tokens[start:i - 1] if token != "const"]
        if public:
            full = f"{owner}::{name}" if owner else name
            self.add(full, f"{normal_type(kind)} {name}")
        while self.tokens[i] != ";":
            i = skip_pair(self.tokens, i, "{", "}") if self.tokens[i] == "{" else i + 1
        return i + 1

    def function(self, start, paren, owner, public):
        close = skip_pair(self.tokens, paren, "(", ")")
        name_at = paren - 1
        while name_at > start and "operator" in self.tokens[start:paren] and \
                self.tokens[name_at] != "operator":
            name_at -= 1
        words = self.tokens[name_at:paren]
        converts = len(words) > 1 and re.match(r"\w", words[1])  # operator const char *
        name = (" " if converts else "").join(words)
        if name_at > start and self.tokens[name_at - 1] == "~":
            name_at, name = name_at - 1, "~" + name
        kind = normal_type(self.tokens[start:name_at])
        args = ", ".join(normal_argument(part)
                         for part in split_commas(self.tokens[paren + 1:close - 1]))
        args = "" if args == "void" else args
        i, const = close, False
        while self.tokens[i] not in (";", "{", ":"):
            const = const or self.tokens[i] == "const"
            i = skip_pair(self.tokens, i, "(", ")") if self.tokens[i] == "(" else i + 1
        if self.tokens[i] == ":":  # a constructor's list of members
            i += 1
            while self.tokens[i] != "{" or self.tokens[i - 1] not in (")", "}"):
                if self.tokens[i] == "(":
                    i = skip_pair(self.tokens, i, "(", ")")
                elif self.tokens[i] == "{":
                    i = skip_pair(self.tokens, i, "{", "}")
                else:
                    i += 1
        # Every class can be constructed and copied, data by its factory; macros are not members.
        plain = owner.split("::")[-1] == name and (
            args in ("", f"const {name} &") or "SIM_DataFactory" in args or "standin" in args)
        plain = plain or self.tokens[i - 2:i] == ["=", "delete"]
        if public and not name.startswith("~") and not plain and not name.isupper():
            full = f"{owner}::{name}" if owner else name
            self.add(full, f"{kind} {name}({args}){' const' if const else ''}")
        return skip_pair(self.tokens, i, "{", "}") if self.tokens[i] == "{" else i + 1


def normal_signature(name, signature):
    """A ledger's signature in the form that Reader uses for the stand-in's."""
    if signature.startswith("#include"):
        return signature
    if signature.startswith("#define"):
        return "#define"
    kind = signature.split()[0]
    if kind == "class" and "{" not in signature and "(" not in signature:
        found = Reader(signature + (" {};" if ":" in signature else ";")).found
    elif kind == "enum":
        return signature
    else:
        found = Reader(signature + ";").found
    signatures = [text for texts in found.values() for text in texts]
    if len(signatures) != 1:
        raise ValueError(f"{name}: cannot read the signature {signature}")
    return signatures[0]


class Ledger:
    def __init__(self, text):
        self.rows = []  # (name, signature, source, versions)
        self.plugins = {}  # "owner/repository": (license, versions)
        for line in text.split("\n"):
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if not line.startswith("| `") or len(cells) != 4:
                continue
            if cells[1].startswith("`"):
                self.rows.append((cells[0].strip("`"), cells[1].strip("`"), cells[2], cells[3]))
            else:
                self.plugins[cells[0].strip("`")] = (cells[1], cells[2])
        self.names = {row[0] for row in self.rows}
        self.words = {name.split("::")[-1] for name in self.names if "/" not in name}


def read_tree(folder, *endings):
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
            for ending in endings for path in sorted(Path(folder).rglob("*" + ending))}


def read_sources(root=ROOT):
    sources = {}
    for folder in ("dop", "sop"):
        for path, text in read_tree(root / folder, ".h", ".cpp").items():
            sources[f"{folder}/{path}"] = strip_comments(text)
    return sources


LIBRARIES = "SYS UT CH PRM OP SOP DOP GA GEO GU GB SIM GAS OBJ CMD EXPR FS HOM TS".split()
LIKE_HDK = re.compile(r"\b(?:[A-Z][A-Z0-9]+_\w+|(?:" + "|".join(LIBRARIES) + r")[a-z]\w*)\b")
LIKE_METHOD = re.compile(r"\b[a-z][a-z0-9]*[A-Z]\w*\b")
INCLUDE = re.compile(r"#\s*include\s*<([A-Z][A-Z0-9]+/\w+\.h)>")


def unknown_in_sources(ledger, sources):
    """Names of the HDK, or of the stand-in alone, that a source uses and the ledger lacks."""
    found = []
    for path, text in sources.items():
        for header in INCLUDE.findall(text):
            if header not in ledger.names:
                found.append(f"{path}: <{header}>")
        text = re.sub(r"#\s*include[^\n]*", "", text)
        text = re.sub(r'"(\\.|[^"\\\n])*"', '""', text)
        for name in sorted(set(LIKE_HDK.findall(text)) | set(LIKE_METHOD.findall(text))):
            if name not in ledger.words and name not in OTHERS and not OURS.match(name):
                found.append(f"{path}: {name}")
        if re.search(r"\bstandin", text):
            found.append(f"{path}: a name of the stand-in")
    return found


def read_stand_in(headers):
    declared = {}
    for path, text in headers.items():
        declared.setdefault(path, []).append(f"#include <{path}>")
        for name, signatures in Reader(text).found.items():
            declared.setdefault(name, []).extend(signatures)
    # Forward declarations do not count where the class itself is declared.
    for name, signatures in declared.items():
        full = [s for s in signatures if s != f"class {name.split('::')[-1]}"]
        if full and all(s.startswith("class ") for s in full):
            declared[name] = full
        declared[name] = list(dict.fromkeys(declared[name]))
    return declared


def declared_otherwise(ledger, headers, sources):
    """Rows that differ from the stand-in, and declarations of the stand-in that a source may use
    without a row. Sources compile against the stand-in, so no member can escape this check."""
    declared = read_stand_in(headers)
    words = set()
    for text in sources.values():
        words |= set(re.findall(r"\w+", text))
    found, rows = [], {}
    for name, signature, _, _ in ledger.rows:
        normal = normal_signature(name, signature)
        rows.setdefault(name, set()).add(normal)
        short = name.split("::")[-1]
        if normal in (f"{short}()", f"{short}(const {short} &)"):
            continue  # every class can be constructed and copied
        if normal not in declared.get(name, []):
            found.append(f"{name}: the ledger says '{normal}', the stand-in "
                         f"{declared.get(name, 'nothing')}")
    for name, signatures in declared.items():
        for signature in signatures:
            owner, _, short = name.rpartition("::")
            # A word such as "size" belongs to a class that the sources do not use.
            unlikely = owner not in rows and not LIKE_METHOD.fullmatch(short)
            # Code that uses an operator does not write its name.
            escapes = short.startswith("operator") and owner in rows
            if not escapes and name not in rows and (short not in words or (owner and unlikely)):
                continue
            if signature not in rows.get(name, set()):
                found.append(f"{name}: the stand-in declares '{signature}', without a row")
    return found


def unused_rows(ledger, sources):
    """Rows whose name appears neither in a source nor in another row's signature."""
    words = set()
    for text in sources.values():
        words |= set(re.findall(r"\w+", text)) | set(INCLUDE.findall(text))
    found = []
    for name, signature, _, _ in ledger.rows:
        short = name if "/" in name else name.split("::")[-1]
        if short in words or short.startswith("operator"):
            continue
        others = " ".join(row[1] for row in ledger.rows if row[0].split("::")[-1] != short)
        if "/" not in name and re.search(rf"\b{re.escape(short)}\b", others):
            continue
        found.append(name)
    return found


#: Licenses that allow reading and citing.
OPEN_LICENSES = {"Apache-2.0", "BSD-3-Clause", "GPL-2.0", "GPL-3.0", "MIT", "MPL-2.0"}
OPENVDB = "AcademySoftwareFoundation/openvdb"
#: A page of SideFX's reference or manual, a file of OpenVDB's plugin, or of another plugin.
PAGE = re.compile(r"^(hdk:[\w.-]+|houdini:[\w./-]+)\.html$")
FILE = re.compile(r"^(openvdb|[\w-]+/[\w.-]+)(?:@[0-9a-f]{7,40})?:([\w./-]+\.(?:cc|cpp|C|C\.in|h))$")
#: Names of Houdini's own headers, wherever they appear.
PROPRIETARY = re.compile(r"_8h_source|toolkit/include|(?:^|[:/])(?:" + "|".join(LIBRARIES) +
                         r")/(?:" + "|".join(LIBRARIES) + r")_\w+\.h$")


def stated_versions(ledger, place):
    """The versions that a source states, none for a page; raises if it cannot be cited."""
    found = FILE.match(place)
    if PROPRIETARY.search(place) or not (found or PAGE.match(place)):
        raise ValueError(f"{place} is no page of SideFX's, nor a file of a plugin")
    if not found:
        return set()
    plugin = OPENVDB if found.group(1) == "openvdb" else found.group(1)
    license, versions = ledger.plugins.get(plugin, ("none", ""))
    if license not in OPEN_LICENSES:
        raise ValueError(f"{plugin} has no open license here")
    return set() if versions == "not stated" else set(versions.split(", "))


def without_source(ledger):
    """Rows that cite a source which is unknown, not open or not to be read, and rows whose versions
    are not those of their sources."""
    found = []
    for name, _, source, versions in ledger.rows:
        try:
            stated = set()
            for place in source.split(","):
                stated |= stated_versions(ledger, place.strip())
        except ValueError as error:
            found.append(f"{name}: {error}")
            continue
        right = ", ".join(sorted(stated, key=lambda v: [int(n) for n in v.split(".")]))
        if versions != (right or "not stated"):
            found.append(f"{name}: its sources state '{right or 'not stated'}', not '{versions}'")
    return found


def unused_plugins(ledger):
    """Plugins that no row cites."""
    cited = " ".join(row[2] for row in ledger.rows).replace("openvdb:", OPENVDB + ":")
    return [plugin for plugin in ledger.plugins
            if not re.search(re.escape(plugin) + "[:@]", cited)]
