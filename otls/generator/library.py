# SPDX-License-Identifier: Apache-2.0
"""The expanded library of an asset: a folder of text files that Houdini installs directly."""
from typing import Dict

from . import contents, dialog, helppage, nodepresets
from .fields import Declared
from .network import Asset

OPTIONS = ("CheckExternal := 1;\nContentsCompressionType := 1;\nForbidOutsideParms := 1;\n"
           "GzipContents := 1;\nLockContents := 1;\nMakeDefault := 1;\nParmsFromVfl := 0;\n"
           "PrefixDroppedParmLabel := 0;\nPrefixDroppedParmName := 0;\nSaveCachedCode := 0;\n"
           "SaveIcon := 1;\nSaveSpareParms := 0;\nUnlockOnCreate := 0;\nUseDSParms := 1;\n")
TOOL = """<?xml version="1.0" encoding="UTF-8"?>
<shelfDocument>
  <tool name="$HDA_DEFAULT_TOOL" label="$HDA_LABEL" icon="$HDA_ICON">
    <toolMenuContext name="network">
      <contextOpType>$HDA_TABLE_AND_NAME</contextOpType>
    </toolMenuContext>
    <toolSubmenu>Nendo</toolSubmenu>
    <script scriptType="python"><![CDATA[import {module}

{module}.genericTool(kwargs, '$HDA_NAME')]]></script>
  </tool>
</shelfDocument>
"""


def escape(name: str) -> str:
    """The file name of a section."""
    return name.replace("_", "__").replace("/", "_1").replace(":", "_8")


def section_name(asset: Asset) -> str:
    """The name of the asset's section, such as nendo::Sop/melt::1.0"""
    return f"nendo::{asset.table}/{asset.name}::{asset.version}"


def _list(names: Dict[str, str]) -> str:
    def quoted(name: str) -> str:
        return f'"{name}"' if " " in name else name
    return '""\n' + "".join(f"{quoted(file)}\t{quoted(name)}\n" for file, name in names.items())


def _index(asset: Asset) -> str:
    name = section_name(asset)
    fewest = sum(1 for port in asset.inputs if port.required)
    rows = {"Operator": asset.operator, "Label": asset.label,
            "Path": f"oplib:/{name}?{name}", "Icon": asset.icon, "Table": asset.table,
            "License": "", "Extra": "", "User": "",
            "Inputs": f"{fewest} to {len(asset.inputs)}", "Outputs": str(len(asset.outputs)),
            "Subnet": "true", "Python": "false", "Empty": "false",
            "Modified": "Thu Jan  1 00:00:00 1970"}
    return "".join(f"{key + ':':<14}{value}\n" for key, value in rows.items()) + "\n"


def _create_script(asset: Asset) -> str:
    return ("# Automatically generated script\n\\set noalias = 1\n#\n"
            f"#  Creation script for {asset.operator} operator\n#\n\n"
            'if ( "$arg1" == "" ) then\n'
            "    echo This script is intended as a creation script\n    exit\nendif\n\n"
            f"# Node $arg1 ({section_name(asset)})\nopexprlanguage -s hscript $arg1\n")


def write(asset: Asset, declared: Declared) -> Dict[str, str]:
    """The texts of the library, by their path in its folder."""
    name = section_name(asset)
    folder = escape(name)
    module = {"Sop": "soptoolutils", "Top": "toptoolutils", "Object": "objecttoolutils"}
    sections = {"DialogScript": dialog.write(asset), "CreateScript": _create_script(asset),
                "TypePropertiesOptions": OPTIONS, "Help": helppage.write(asset, declared),
                "Tools.shelf": TOOL.format(module=module[asset.table]),
                "ExtraFileOptions": "{\n}\n"}
    files = {"houdini.hdalibrary": "", "INDEX__SECTION": _index(asset),
             "Sections.list": _list({"INDEX__SECTION": "INDEX_SECTION",
                                     "houdini.hdalibrary": "houdini.hdalibrary", folder: name})}
    listed = {**{s: s for s in sections}, "Contents.gz": "Contents.gz"}
    if asset.presets:
        listed["Presets"] = "Presets"
        files[f"{folder}/Presets/Sections.list"] = _list({escape(p): p for p in asset.presets})
    for preset, values in asset.presets.items():
        files[f"{folder}/Presets/{escape(preset)}"] = nodepresets.text(values)
    files[f"{folder}/Sections.list"] = _list(listed)
    for section, text in sections.items():
        files[f"{folder}/{section}"] = text
    files[f"{folder}/Contents.dir/Sections.list"] = _list({"Contents.mime": "Contents.mime"})
    files[f"{folder}/Contents.dir/Contents.mime"] = contents.write(asset)
    return files
