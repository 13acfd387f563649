# SPDX-License-Identifier: Apache-2.0
"""Copies headers of a solver to a folder, each with one more field: throwaway.py SOLVERS OUT"""
import re
import sys
from pathlib import Path

HEADERS = ("melt/params.h", "melt/material.h")
MEMBER = "    double sparkle = 0.25;\n"
FIELD = '''        visit(self.sparkle, field("sparkle").label("Sparkle").unit("lm").range(0, 2)
                                .folder("Glitter").help("How much it sparkles."));
'''


def with_field(text: str, name: str) -> str:
    """Adds one more member to the struct, and one more entry to its list of fields."""
    struct = re.search(r"\nstruct (?:Params|Material)(?: : [^{]*)? \{\n", text)
    fields = struct and re.compile(
        r"static void fields\(Self& self, Visit&& visit\) \{\n").search(text, struct.end())
    if not struct or not fields:
        sys.exit(f"{name} has changed its form: adapt tests/otls/throwaway.py")
    return (text[:struct.end()] + MEMBER + text[struct.end():fields.end()] + FIELD
            + text[fields.end():])


for header in HEADERS:
    path = Path(sys.argv[2]) / header
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(with_field((Path(sys.argv[1]) / header).read_text(), header))
