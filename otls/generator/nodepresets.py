# SPDX-License-Identifier: Apache-2.0
"""Presets of the assets, as Houdini keeps them: a section of the library with one text per preset.

There is one preset for each material of the method, and one for each setup. The format is that of
published assets (sideeffects/SideFXLabs, otls/rizomuv_processor.hda): only the values that a preset
changes.
"""
from typing import Any, Dict, List

from .contents import values_block
from .fields import Problem
from .network import Asset, Value

Presets = Dict[str, List[Dict[str, Any]]]


def _value(value: Any, kind: str) -> Value:
    if kind == "toggle":
        return bool(value)
    return tuple(value) if isinstance(value, list) else value


def _menu(asset: Asset, material: Dict[str, Any]) -> str:
    """The parameter that names a material."""
    if asset.name != "coupling":
        return "preset"
    fluid = material["values"]["phase"] == "fluid"
    return "coupling_preset" if fluid else "body_coupling_preset"


def of_asset(asset: Asset, materials: Presets, setups: List[Dict[str, Any]]
             ) -> Dict[str, Dict[str, Value]]:
    """Values by the name of the preset. A preset turns all earlier overrides off."""
    known = {p.name: p for p in asset.parameters}

    def kept(prefix: str) -> Dict[str, Value]:
        return {name: False for name in known if name.startswith(f"{prefix}override_")}
    found: Dict[str, Dict[str, Value]] = {}
    for material in materials.get(asset.name, []):
        menu = _menu(asset, material)
        if menu not in known or material["name"] not in known[menu].choices:
            raise Problem(f"{asset.operator}: {menu} has no choice {material['name']!r}")
        prefix = "body_" if menu.startswith("body_") else ""
        found[material["label"]] = {**kept(prefix), menu: material["name"]}
    for setup in setups:
        if setup["method"] == asset.name:
            found[f"Set-up {setup['label']}"] = {
                **kept(""), **kept("body_"),
                **{name: _value(value, known[name].kind)
                   for name, value in setup["parameters"].items()}}
    return found


def text(values: Dict[str, Value]) -> str:
    """One preset."""
    return f"#PSI_PRESET\nversion 2.0a\nopvalues\n{values_block(values)}"
