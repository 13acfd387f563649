# SPDX-License-Identifier: Apache-2.0
"""Looks of matter, read from the table of the solvers (solvers/io/scene/look.cpp)."""
import json
import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Dict, List, Optional, Tuple

from .fields import Problem
from .presets import METHODS

ROOT = Path(__file__).resolve().parent.parent.parent
TABLE = ROOT / "solvers/io/scene/look.cpp"
NUMBER = r"-?\d+(?:\.\d+)?"
VECTOR = rf"Vec3d\(({NUMBER}), ({NUMBER}), ({NUMBER})\)"


@dataclass(frozen=True)
class Look:
    """One row of the table; solvers/io/scene/look.h says what each number means."""
    name: str
    roughness: float
    metallic: float
    ior: float
    transmission: float
    subsurface: float
    depth: float
    scatter: Tuple[float, ...]
    glow: float


@dataclass(frozen=True)
class Looks:
    """The table, and the look of each preset."""
    looks: List[Look]
    by_preset: Dict[str, str]
    by_method: Dict[str, str]

    def of(self, preset: str, method: str) -> str:
        """The name of the look of a preset that is not liquid."""
        names = [look.name for look in self.looks]
        return self.by_preset.get(preset) or (preset if preset in names
                                              else self.by_method[method])

    def presets_of(self, look: str, presets: Path) -> List[str]:
        """Names of the presets with a look, except the preset of the same name."""
        found: List[str] = []
        for method in METHODS:
            for preset in json.loads((presets / f"{method}.json").read_text())["presets"]:
                name = preset["name"]
                if self.of(name, method) == look and name not in (look, *found):
                    found.append(name)
        return found


def _one(pattern: str, text: str, what: str, path: Path) -> "re.Match[str]":
    found = list(re.finditer(pattern, text, re.S))
    if len(found) != 1:
        raise Problem(f"{path.name}: {what} is not written as expected; adapt generator/looks.py")
    return found[0]


def _vectors(text: str, path: Path) -> Dict[str, Tuple[float, ...]]:
    """static const Vec3d even(1, 1, 1), warm(1, 0.5, 0.3);"""
    line = _one(r"static const Vec3d ([^;]+);", text, "the list of vectors", path).group(1)
    one = rf"(\w+)\(({NUMBER}), ({NUMBER}), ({NUMBER})\)"
    if not re.fullmatch(rf"{one}(?:, {one})*", line):
        raise Problem(f"{path.name}: {line!r} is not a list of vectors")
    return {name: tuple(map(float, parts)) for name, *parts in re.findall(one, line)}


def _row(line: str, vectors: Dict[str, Tuple[float, ...]], path: Path) -> Look:
    """{"clay", 0.85, 0, 1.5, 0, 0, 0.01, warm, 0},"""
    match = re.fullmatch(rf'\{{"(\w+)", ((?:{NUMBER}, ){{6}})({VECTOR}|\w+), ({NUMBER})\}},', line)
    if not match or (match.group(4) is None and match.group(3) not in vectors):
        raise Problem(f"{path.name}: {line!r} is not a row of looks")
    numbers = [float(n) for n in match.group(2).split(",")[:6]]
    scatter = vectors.get(match.group(3)) or tuple(float(match.group(i)) for i in (4, 5, 6))
    roughness, metallic, ior, transmission, subsurface, depth = numbers
    return Look(match.group(1), roughness, metallic, ior, transmission, subsurface, depth, scatter,
                float(match.group(7)))


def load(path: Optional[Path] = None) -> Looks:
    """Reads the table; raises Problem if it is not written as expected."""
    path = path or TABLE
    text = path.read_text()
    order = ", ".join(f.name for f in fields(Look)[1:])
    _one(rf"// {re.escape(order)}\n", text, f"the line of columns ({order})", path)
    vectors = _vectors(text, path)
    body = _one(r"static const std::vector<Look> list\{\n(.*?)\n    \};", text, "the table", path)
    looks = [_row(line.strip(), vectors, path) for line in body.group(1).split("\n")]
    names = [look.name for look in looks]
    if len(set(names)) != len(names):
        raise Problem(f"{path.name}: a look appears twice")
    pairs = _one(r"std::array<Pair, (\d+)> by_preset\{\{(.*?)\}\};", text, "by_preset", path)
    by_preset = dict(re.findall(r'\{"(\w+)", "(\w+)"\}', pairs.group(2)))
    if len(by_preset) != int(pairs.group(1)):
        raise Problem(f"{path.name}: by_preset does not have {pairs.group(1)} rows of two names")
    rest = _one(r'if \(method == "coupling"\) return find_look\(liquid \? "\w+" : "(\w+)"\);\n'
                r'    if \(method == "melt"\) return find_look\("(\w+)"\);\n'
                r'    return find_look\(method == "rheology" \? "(\w+)" : "(\w+)"\);\n', text,
                "the look of a method", path)
    by_method = dict(zip(("coupling", "melt", "rheology", "elastoplastic"), rest.groups()))
    for name in (*by_preset.values(), *by_method.values()):
        if name not in names:
            raise Problem(f"{path.name}: there is no look {name!r}")
    return Looks(looks, by_preset, by_method)
