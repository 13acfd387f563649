# SPDX-License-Identifier: Apache-2.0
"""The dialog script: the parameters of an asset, as Houdini reads them."""
from typing import List, Sequence

from .fields import Parameter
from .network import Asset

TYPES = {"number": "float", "whole": "integer", "toggle": "toggle", "menu": "string",
         "text": "string", "vector": "vector", "color": "color", "button": "button"}


def quote(text: str) -> str:
    """A string literal of dialog scripts and contents."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def number(value: float) -> str:
    """A number, without a decimal point if it is an integer."""
    return repr(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(value)


def slider(p: Parameter) -> str:
    """The ends of the slider, with ! after an end that values can't exceed."""
    low = 0 if p.low is None else p.low
    high = low + 10 if p.high is None else p.high
    return f"{number(low)}{'!' if p.low_is_hard else ''} " \
           f"{number(high)}{'!' if p.high_is_hard else ''}"


def _parm(p: Parameter, indent: str) -> List[str]:
    lines = [f"name    {quote(p.name)}", f"label   {quote(p.shown_label)}",
             f"type    {TYPES[p.kind]}"]
    if p.kind in ("vector", "color"):
        lines.append("size    3")
    if p.kind in ("menu", "text"):
        lines.append(f"default {{ {quote(p.default_text)} }}")
    elif p.kind == "button":
        lines.append('default { "0" }')
    else:
        lines.append("default { " + " ".join(f'"{number(v)}"' for v in p.defaults) + " }")
    if p.help:
        lines.append(f"help    {quote(p.help)}")
    if p.choices:
        lines.append("menu {")
        lines += [f"    {quote(token)}    {quote(label)}"
                  for token, label in zip(p.choices, p.choice_labels)]
        lines.append("}")
    if p.kind in ("number", "whole", "vector") and (p.low is not None or p.high is not None):
        lines.append(f"range   {{ {slider(p)} }}")
    if p.disable_when:
        lines.append(f"disablewhen {quote(p.disable_when)}")
    if p.hide_when:
        lines.append(f"hidewhen {quote(p.hide_when)}")
    if p.kind == "button" and p.default_text:
        lines.append(f'parmtag {{ "script_callback" {quote(p.default_text)} }}')
        lines.append('parmtag { "script_callback_language" "python" }')
    return [f"{indent}parm {{", *(f"{indent}    {line}" for line in lines), f"{indent}}}"]


def folders(parameters: Sequence[Parameter]) -> List[str]:
    """Names of the folders, in order of appearance; "" stands for above all folders."""
    found = [""]
    for p in parameters:
        if p.folder not in found:
            found.append(p.folder)
    return found


def folder_name(label: str) -> str:
    """The token of a folder."""
    return "folder_" + label.lower().replace(" ", "_").replace("'", "")


def write(asset: Asset) -> str:
    """The text of the script."""
    lines = [f"# Dialog script for {asset.operator} automatically generated", "", "{",
             f"    name\t{asset.operator}", f"    script\t{asset.operator}",
             f"    label\t{quote(asset.label)}", "", "    help {", '\t""', "    }", ""]
    lines += [f"    inputlabel\t{i}\t{quote(port.label)}"
              for i, port in enumerate(asset.inputs, 1)]
    lines += [f"    outputlabel\t{i}\t{quote(port.label)}"
              for i, port in enumerate(asset.outputs, 1)]
    lines.append("")
    for folder in folders(asset.parameters):
        inside = [p for p in asset.parameters if p.folder == folder]
        indent = "        " if folder else "    "
        if folder:
            lines += ["    group {", f"        name    {quote(folder_name(folder))}",
                      f"        label   {quote(folder)}", ""]
        for p in inside:
            lines += _parm(p, indent)
        if folder:
            lines += ["    }", ""]
    return "\n".join(lines + ["}"]) + "\n"
