# SPDX-License-Identifier: Apache-2.0
"""Adds the method dust to a copy of registry/methods.h: register.py METHODS_H OUT"""
import re
import sys
from pathlib import Path

text = Path(sys.argv[1]).read_text()
for before, after in ((r'(?=#include "coupling/solver.h")', '#include "dust/solver.h"\n'),
                      (r"(?<=melt::Method)", ", dust::Method")):
    text, count = re.subn(before, after, text)
    if count != 1:
        sys.exit("registry/methods.h has changed its form: adapt tests/method/register.py")
Path(sys.argv[2]).parent.mkdir(parents=True, exist_ok=True)
Path(sys.argv[2]).write_text(text)
