# SPDX-License-Identifier: Apache-2.0
"""Reads every #include "..." of the sources; finds cycles of folders and breaches of the layers."""
import os
import re
from collections import namedtuple

# The layers of the library, lowest first: a folder includes only folders of earlier rows. The
# folders of one row do not include each other. A new folder of solvers/ needs a place here.
ORDER = (
    ("core",),
    ("math",),
    ("neighbors",),
    ("processes",),
    ("geometry",),
    ("scene",),
    ("sph",),
    ("heat",),
    ("method",),
    ("elastoplastic", "coupling", "melt", "rheology"),
    ("registry",),
    ("skinning",),
    ("surface",),
    ("io",),
    ("io/geo",),
    ("io/mesh",),
    ("io/scene",),
    ("io/usd",),
)

# The folders whose files are read, each with all folders inside it.
ROOTS = ("solvers", "dop", "sop", "examples/nendo", "otls")

# Where the compiler looks for an included file, after the folder of the file that includes it.
INCLUDE_PATHS = ("solvers", "examples/nendo", "")

QUOTED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)

# A header of the Houdini Development Kit lies in a folder that begins its own name: UT/UT_Array.h.
HDK = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]((?:([A-Z]+)/\2_|hboost/)[^>"]*)[>"]',
                 re.MULTILINE)

# One include across folders: at `line` of `file`, which lies in `folder`, of `header` in `target`.
Include = namedtuple("Include", "folder target file line header")


def sources(top):
    """Paths of all C++ files below the roots, relative to the folder `top`, sorted."""
    return sorted(
        os.path.relpath(os.path.join(folder, name), top).replace(os.sep, "/")
        for root in ROOTS
        for folder, _, names in os.walk(os.path.join(top, root))
        for name in names
        if name.endswith((".h", ".cpp")))


def text_of(top, file):
    """Contents of one file."""
    with open(os.path.join(top, file), encoding="utf-8") as stream:
        return stream.read()


def resolve(top, file, header):
    """Path of the included file relative to `top`, or None. A header may be made from header.in."""
    for folder in (os.path.dirname(file), *INCLUDE_PATHS):
        path = os.path.normpath(os.path.join(folder, header)).replace(os.sep, "/")
        if any(os.path.isfile(os.path.join(top, path + end)) for end in ("", ".in")):
            return path
    return None


def read_includes(top):
    """All includes between different folders, and one message for each header that is not found."""
    includes, missing = [], []
    for file in sources(top):
        text = text_of(top, file)
        for match in QUOTED.finditer(text):
            line = text.count("\n", 0, match.start(1)) + 1
            path = resolve(top, file, match[1])
            if path is None:
                missing.append(f'{file}:{line}: no file "{match[1]}"')
                continue
            folder, target = os.path.dirname(file), os.path.dirname(path)
            if folder != target:
                includes.append(Include(folder, target, file, line, match[1]))
    return includes, missing


def told(include):
    """One include as a line of a message, in the form that editors can jump to."""
    return (f'{include.file}:{include.line}: {include.folder} includes "{include.header}"'
            f" of {include.target}")


def cycles(includes):
    """Groups of folders that include each other, directly or through others, each sorted."""
    graph = {}
    for include in includes:
        graph.setdefault(include.folder, set()).add(include.target)

    def reachable(start):
        found, waiting = set(), [start]
        while waiting:
            for target in graph.get(waiting.pop(), ()):
                if target not in found:
                    found.add(target)
                    waiting.append(target)
        return found

    reach = {folder: reachable(folder) for folder in graph}
    groups = {tuple(sorted(other for other in reach[folder] if folder in reach.get(other, ())))
              for folder in graph if folder in reach[folder]}
    return sorted(groups)


def cycle_messages(includes):
    """For each cycle, a message that lists the includes which make it."""
    return ["cycle between " + ", ".join(group) + ":" + "".join(
        "\n  " + told(include) for include in includes
        if include.folder in group and include.target in group) for group in cycles(includes)]


def order_messages(top, includes):
    """Each include that goes against ORDER, and each folder of solvers/ that ORDER lacks."""
    row = {"solvers/" + name: number for number, names in enumerate(ORDER) for name in names}
    messages = [f"{folder}: no place in the layers; add it to ORDER in tests/layers/layers.py"
                for folder in sorted({os.path.dirname(file) for file in sources(top)})
                if folder.split("/")[0] == "solvers" and folder not in row]
    for include in includes:
        if include.folder not in row:
            continue
        if include.target not in row:
            if not include.target.startswith("solvers/"):
                messages.append(told(include) + ", which is outside the library")
        elif row[include.target] >= row[include.folder]:
            messages.append(told(include) + ", which is not a lower layer")
    return messages


def hdk_messages(top):
    """Each include of a Houdini header in the library."""
    return [f"{file}:{text.count(chr(10), 0, match.start(1)) + 1}: includes {match[1]} of Houdini"
            for file in sources(top) if file.startswith("solvers/")
            for text in [text_of(top, file)]
            for match in HDK.finditer(text)]
