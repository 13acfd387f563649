# SPDX-License-Identifier: Apache-2.0
"""Help pages of the assets in Houdini's markup, made from the fields that they show."""
from typing import List

from .dialog import folders, number
from .fields import Declared, Parameter
from .network import Asset
from .version import version


def _default(p: Parameter) -> str:
    if p.kind == "toggle":
        return "on" if p.defaults[0] else "off"
    if p.kind in ("menu", "text"):
        return f"`{p.default_text}`"
    return " ".join(number(v) for v in p.defaults)


def _range(p: Parameter) -> str:
    if p.kind not in ("number", "whole"):
        return ""
    ends = []
    if p.min is not None:
        ends.append(f"{'above' if p.above_min else 'of at least'} {number(p.min)}")
    if p.max is not None:
        ends.append(f"of at most {number(p.max)}" if not ends else f"at most {number(p.max)}")
    return f" Takes values {' and '.join(ends)}." if ends else ""


def _parameter(p: Parameter) -> List[str]:
    said = "" if p.kind == "button" else f"{_range(p)} Default: {_default(p)}."
    lines = [f"{p.shown_label}:", f"    #id: {p.name}", "", f"    {p.help}{said}", ""]
    for token, label in zip(p.choices, p.choice_labels):
        lines += [f"    {label}:", f"        `{token}`", ""]
    return lines


def write(asset: Asset, declared: Declared) -> str:
    """The text of the page."""
    lines = [f"= {asset.label} =", "", "#type: node", f"#context: {asset.table.lower()}",
             f"#internal: {asset.operator}", f"#icon: {asset.icon}", "",
             f'"""{asset.summary}"""', "", asset.text, ""]
    if asset.method:
        about = declared.nodes[asset.method].about
        for title, key in (("How it works", "how"), ("Paper", "paper"), ("Limits", "limits"),
                           ("Performance", "advice")):
            if about[key]:
                lines += [f"== {title} ==", "", about[key], ""]
        for title, key in (("Point attributes read", "reads"),
                           ("Point attributes written", "writes")):
            lines += [f"== {title} ==", ""]
            for a in about[key]:
                unit = "" if a["unit"] in ("", "1") else f" [{a['unit']}]"
                lines += [f"`{a['name']}`{unit}:", f"    {a['help']}", ""]
    for title, ports in (("@inputs", asset.inputs), ("@outputs", asset.outputs)):
        if ports:
            lines += [title, ""]
        for port in ports:
            empty = " Optional." if title == "@inputs" and not port.required else ""
            lines += [f"{port.label}:", f"    {port.help}{empty}", ""]
    lines += ["@parameters", ""]
    for folder in folders(asset.parameters):
        inside = [p for p in asset.parameters if p.folder == folder]
        if folder and inside:
            lines += [f"== {folder} ==", ""]
        for p in inside:
            lines += _parameter(p)
    lines += ["== Version ==", "", f"This asset is part of Nendo {version()}.", ""]
    if asset.related:
        lines += ["@related", "", *(f"- [Node:{name}]" for name in asset.related)]
    return "\n".join(lines).rstrip() + "\n"
