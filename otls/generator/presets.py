# SPDX-License-Identifier: Apache-2.0
"""Presets: checked against the materials' fields, and written as tables of the solvers."""
import json
import re
from pathlib import Path
from typing import Any, Dict, List

from .fields import Declared, Parameter, Problem
from .network import Asset

METHODS = ("elastoplastic", "coupling", "melt", "rheology")


def load(folder: Path, declared: Declared) -> Dict[str, List[Dict[str, Any]]]:
    """Presets of each method, checked."""
    return {method: load_file(folder / f"{method}.json", method, declared) for method in METHODS}


def load_file(path: Path, method: str, declared: Declared) -> List[Dict[str, Any]]:
    """One method's presets; raises Problem for the first that can't be."""
    data = json.loads(path.read_text())
    if data.get("method") != method:
        raise Problem(f"{path.name}: method is {data.get('method')!r}; it must be {method!r}")
    seen = set()
    for preset in data["presets"]:
        where = f"{path.name}: preset {preset.get('name')!r}"
        for key in ("name", "label", "source"):
            if not preset.get(key):
                raise Problem(f"{where}: has no {key}")
        if not re.fullmatch(r"[a-z][a-z0-9_]*", preset["name"]):
            raise Problem(f"{where}: names are small letters, digits and _")
        if preset["name"] in seen:
            raise Problem(f"{where}: is there twice")
        seen.add(preset["name"])
        check_values(preset["values"], declared.materials[method], where)
    presets: List[Dict[str, Any]] = data["presets"]
    return presets


def check_values(values: Dict[str, Any], fields: List[Dict[str, Any]], where: str) -> None:
    """Each value belongs to a field and is in its range."""
    known = {f["name"]: f for f in fields}
    for name, value in values.items():
        if name not in known:
            raise Problem(f"{where}: there is no field {name!r}; there are {', '.join(known)}")
        field = known[name]
        if field["choices"]:
            if value not in field["choices"]:
                raise Problem(f"{where}: {name} is {value!r}; give one of {field['choices']}")
            continue
        if value is None:
            if not field["may_be_none"]:
                raise Problem(f"{where}: {name} must have a value")
            continue
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise Problem(f"{where}: {name} is {value!r}; give a number")
        low, high = field["min"], field["max"]
        too_low = low is not None and (value <= low if field["above_min"] else value < low)
        if too_low or (high is not None and value > high):
            raise Problem(f"{where}: {name} is {value}, out of {low} to {high} [{field['unit']}]")


def _cpp_string(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _cpp_number(value: Any) -> str:
    if value is None:
        return "infinite"
    text = repr(value)
    return text[:-2] if text.endswith(".0") else text


def cpp_table(method: str, presets: List[Dict[str, Any]]) -> str:
    """The text of solvers/METHOD/presets.cpp."""
    lines = ["// SPDX-License-Identifier: Apache-2.0",
             f"// Written by otls/generate.py from otls/presets/{method}.json: change that.",
             "// clang-format off",
             f'#include "{method}/material.h"', "", '#include "core/preset.h"', "",
             f"namespace nendo::{method} {{", "",
             "const std::vector<Preset>& presets() {",
             "    static const std::vector<Preset> list = {"]
    for preset in presets:
        lines.append(f"        {{{_cpp_string(preset['name'])},")
        lines.append(f"         {_cpp_string(preset['source'])},")
        lines.append("         make_material<Material>({")
        for name, value in preset["values"].items():
            entry = f"0, {_cpp_string(value)}" if isinstance(value, str) else _cpp_number(value)
            lines.append(f"             {{{_cpp_string(name)}, {entry}}},")
        lines.append("         })},")
    lines += ["    };", "    return list;", "}", "",
              "const Material& preset(std::string_view name) {",
              "    return find_preset(presets(), name);", "}", "",
              f"}} // namespace nendo::{method}"]
    return "\n".join(lines) + "\n"


def load_setups(path: Path, assets: List[Asset]) -> List[Dict[str, Any]]:
    """Set-ups, whose values must be parameters of their asset."""
    by_name = {asset.name: asset for asset in assets}
    setups: List[Dict[str, Any]] = json.loads(path.read_text())["setups"]
    for setup in setups:
        where = f"{path.name}: set-up {setup.get('name')!r}"
        for key in ("name", "label", "method", "source", "help", "scene", "inputs", "parameters"):
            if key not in setup:
                raise Problem(f"{where}: has no {key}")
        if setup["method"] not in METHODS:
            raise Problem(f"{where}: there is no method {setup['method']!r}")
        asset = by_name[setup["method"]]
        known = {p.name: p for p in asset.parameters}
        for name, value in setup["parameters"].items():
            if name not in known:
                raise Problem(f"{where}: {asset.operator} has no parameter {name!r}")
            _check_value(known[name], value, where)
        if len(setup["inputs"]) > len(asset.inputs):
            raise Problem(f"{where}: {asset.operator} has {len(asset.inputs)} inputs")
    return setups


def _check_value(p: Parameter, value: Any, where: str) -> None:
    if p.choices and value not in p.choices:
        raise Problem(f"{where}: {p.name} is {value!r}; give one of {', '.join(p.choices)}")
    if p.kind in ("number", "whole"):
        low, high = p.min, p.max
        too_low = low is not None and (value <= low if p.above_min else value < low)
        if too_low or (high is not None and value > high):
            raise Problem(f"{where}: {p.name} is {value}, out of {low} to {high}")
