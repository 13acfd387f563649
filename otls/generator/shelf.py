"""The shelf: a tool for each set-up, and their data for the Python module that builds them."""
import pprint
from typing import Any, Dict, List
from xml.sax.saxutils import escape

TOOL = """  <tool name="nendo_{name}" label="{label}" icon="nendo_{asset}">
    <helpText><![CDATA[{help}]]></helpText>
    <toolSubmenu>Nendo</toolSubmenu>
    <script scriptType="python"><![CDATA[import nendo_tools

nendo_tools.make_scene({name!r})]]></script>
  </tool>
"""


def write(setups: List[Dict[str, Any]]) -> str:
    """toolbar/nendo.shelf"""
    members = "".join(f'    <memberTool name="nendo_{s["name"]}"/>\n' for s in setups)
    tools = "".join(TOOL.format(name=s["name"], label=escape(s["label"]), asset=s["method"],
                                help=s["help"]) for s in setups)
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<shelfDocument>\n'
            "  <!-- Written by otls/generate.py from otls/presets/setups.json: change that. -->\n"
            '  <toolshelf name="nendo" label="Nendo">\n'
            f"{members}  </toolshelf>\n{tools}</shelfDocument>\n")


def write_data(setups: List[Dict[str, Any]]) -> str:
    """scripts/python/nendo_setups.py"""
    data = {s["name"]: {k: s[k] for k in ("label", "method", "help", "inputs", "parameters")}
            for s in setups}
    return ('"""The set-ups. Written by otls/generate.py from otls/presets/setups.json: change '
            'that."""\nfrom typing import Any, Dict\n\nSETUPS: Dict[str, Dict[str, Any]] = '
            + pprint.pformat(data, width=100, compact=True, sort_dicts=False) + "\n")
