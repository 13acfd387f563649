"""Builds nendo::wedge::1.0. Written by otls/generate.py from otls/networks.py: change that.

    hython otls/build.py OUT       makes OUT/nendo_wedge.hda, and the others
"""
from typing import Any, Dict, List

import builder

OPERATOR = 'nendo::wedge::1.0'
FILE = 'nendo_wedge'
LABEL = 'Nendo Wedge'
TABLE = 'Top'
ICON = 'nendo_wedge'
INPUTS = (0, 0)
INPUT_LABELS: List[str] = []
OUTPUTS = 1

PARAMETERS: List[Dict[str, Any]] = [{'kind': 'folder',
  'name': 'folder_wedge',
  'label': 'Wedge',
  'parameters': [{'kind': 'text',
                  'name': 'target',
                  'label': 'Save node',
                  'help': 'The node save in an asset of Nendo.',
                  'default': '/obj/nendo/nendo/save'},
                 {'kind': 'text',
                  'name': 'channel',
                  'label': 'Parameter',
                  'help': 'Path of the parameter that changes.',
                  'default': '/obj/nendo/nendo/young'},
                 {'kind': 'whole',
                  'name': 'count',
                  'label': 'Count',
                  'help': 'How many values.',
                  'default': [5],
                  'range': [1.0, 50.0, True, False]},
                 {'kind': 'number',
                  'name': 'first',
                  'label': 'First',
                  'help': 'Value of the first wedge.',
                  'default': [0],
                  'range': [0.0, 1.0, False, False]},
                 {'kind': 'number',
                  'name': 'last',
                  'label': 'Last',
                  'help': 'Value of the last wedge.',
                  'default': [1],
                  'range': [0.0, 1.0, False, False]}]}]

NODES: List[Dict[str, Any]] = [{'name': 'values',
  'type': 'wedge',
  'at': [0.0, -0.0],
  'parms': {'wedgecount': {'expr': 'ch("../count")'},
            'wedgeattributes': 1,
            'name1': 'value',
            'type1': '0',
            'wedgetype1': '0',
            'floatrange1': [{'expr': 'ch("../first")'}, {'expr': 'ch("../last")'}],
            'exportchannel1': True,
            'channel1': '`chs("../channel")`'}},
 {'name': 'simulate',
  'type': 'ropfetch',
  'at': [0.0, -1.5],
  'inputs': ['values'],
  'parms': {'roppath': '`chs("../target")`', 'batchall': True}},
 {'name': 'all', 'type': 'waitforall', 'at': [0.0, -3.0], 'inputs': ['simulate']},
 {'name': 'output', 'type': 'output', 'at': [0.0, -4.5], 'inputs': ['all'], 'shown': True}]

BOXES: List[Dict[str, Any]] = [{'comment': 'Values, a simulation each, and a wait for all.',
  'nodes': ['values', 'simulate', 'all', 'output']}]

PRESETS: Dict[str, str] = {}


def build(folder: str, help_text: str) -> str:
    """Makes the asset, and returns the path of its library."""
    return builder.build_asset(folder, FILE, OPERATOR, LABEL, TABLE, ICON, INPUTS, INPUT_LABELS,
                               OUTPUTS, PARAMETERS, NODES, BOXES, PRESETS, help_text)
