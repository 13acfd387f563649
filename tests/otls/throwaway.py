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
    for before, line in ((r"\nstruct (?:Params|Material) \{\n", MEMBER),
                         (r"static void fields\(Self& self, Visit&& visit\) \{\n", FIELD)):
        text, count = re.subn(f"({before})", lambda m, line=line: m[1] + line, text)
        if count != 1:
            sys.exit(f"{name} is not written as it was: adapt tests/otls/throwaway.py")
    return text


for header in HEADERS:
    path = Path(sys.argv[2]) / header
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(with_field((Path(sys.argv[1]) / header).read_text(), header))
