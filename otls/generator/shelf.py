# SPDX-License-Identifier: Apache-2.0
"""The shelf: a tool for each set-up and asset, and data for the Python module that they call."""
import pprint
from typing import Any, Dict, List, Tuple
from xml.sax.saxutils import escape

from .looks import Looks

TOOL = """  <tool name="nendo_{name}" label="{label}" icon="nendo_{asset}">
    <helpText><![CDATA[{help}]]></helpText>
    <toolSubmenu>Nendo</toolSubmenu>
    <script scriptType="python"><![CDATA[import nendo_tools

nendo_tools.{call}]]></script>
  </tool>
"""
# Name, label, help and call of tools that begin with what is selected.
OTHERS: Tuple[Tuple[str, str, str, str], ...] = (
    ("render", "Render", "Material, camera and light for the asset that is selected, or for a ball "
     "of clay; its buttons render.", "add_render()"),
    ("wedge", "Wedge", "Simulates the asset that is selected, or a ball of clay, again and again, "
     "from the gravity of the Earth to that of the Moon; choose a parameter of yours.",
     "add_wedge()"))


def write(setups: List[Dict[str, Any]]) -> str:
    """toolbar/nendo.shelf"""
    rows = [(s["name"], s["label"], s["method"], s["help"], f"make_scene({s['name']!r})")
            for s in setups]
    rows += [(name, label, name, text, call) for name, label, text, call in OTHERS]
    members = "".join(f'    <memberTool name="nendo_{row[0]}"/>\n' for row in rows)
    tools = "".join(TOOL.format(name=name, label=escape(label), asset=asset, help=text, call=call)
                    for name, label, asset, text, call in rows)
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<shelfDocument>\n'
            "  <!-- Written by otls/generate.py from otls/presets/setups.json: change that. -->\n"
            '  <toolshelf name="nendo" label="Nendo">\n'
            f"{members}  </toolshelf>\n{tools}</shelfDocument>\n")


def _data(name: str, kind: str, value: Any) -> str:
    return f"{name}: {kind} = {pprint.pformat(value, width=100, compact=True, sort_dicts=False)}\n"


def write_data(setups: List[Dict[str, Any]], presets: Dict[str, List[Dict[str, Any]]],
               known: Looks) -> str:
    """scripts/python/nendo_setups.py"""
    data = {s["name"]: {k: s[k] for k in ("label", "method", "help", "inputs", "parameters")}
            for s in setups}
    looks = {method: {p["name"]: [known.of(p["name"], method), p["color"]] for p in list_of}
             for method, list_of in presets.items()}
    return ('"""Set-ups. Written by otls/generate.py from otls/presets/*.json: change that."""\n'
            "from typing import Any, Dict, List\n\n"
            + _data("SETUPS", "Dict[str, Dict[str, Any]]", data)
            + "\n# Look and color of each method's presets.\n"
            + _data("LOOKS", "Dict[str, Dict[str, List[Any]]]", looks))
