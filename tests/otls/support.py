# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of this folder."""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Dict, List, Set, Tuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OTLS = ROOT / "otls"
ASSETS = ("nendo_elastoplastic", "nendo_coupling", "nendo_melt", "nendo_rheology", "nendo_render",
          "nendo_wedge")
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(OTLS))
NENDO = os.environ.get("NENDO", str(ROOT / "build/ci/nendo"))
NENDO_HELP = os.environ.get("NENDO_HELP", str(ROOT / "build/ci/nendo_help"))
NENDO_THROWAWAY = os.environ.get("NENDO_THROWAWAY", str(ROOT / "build/ci/nendo_throwaway"))


def ledger() -> Dict[str, Tuple[Set[str], int]]:
    """Houdini's node types: their parameters, and their number of inputs."""
    rows: Dict[str, Tuple[Set[str], int]] = {}
    for line in (HERE / "HOUDINI_NODES.md").read_text().split("\n"):
        match = re.fullmatch(r"\| `(\w+/[^`]+)` \| (.*?) \| (\d+) \| (.+) \|", line)
        if match:
            assert re.match(r"(labs|orqo|ramen|light):\S", match.group(4)), line
            rows[match.group(1)] = (set(re.findall(r"`(\w+)`", match.group(2))),
                                    int(match.group(3)))
    return rows


def hou_names() -> Dict[str, Set[str]]:
    """Names of hou and their members; each row has a source."""
    rows = {}
    for line in (HERE / "HOUDINI_NODES.md").read_text().split("\n"):
        match = re.fullmatch(r"\| `hou\.(\w+)` \| (.*?) ?\| (.+) \|", line)
        if match:
            for source in match.group(3).split("; "):
                assert re.search(r"(^|` )((orqo|ramen|ayon|fxmcp|qlib|page|page18):\S+|stubs)$",
                                 source), line
            rows[match.group(1)] = set(re.findall(r"`(\w+)`", match.group(2)))
    return rows


def generate(out: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    """Runs the generator into a folder."""
    return subprocess.run([sys.executable, "-B", str(OTLS / "generate.py"), "--out", str(out),
                           *options], capture_output=True, text=True, check=False)


class Case(unittest.TestCase):
    """A test case with a folder of its own."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def files_of(self, folder: Path) -> List[str]:
        """Paths of all files below a folder."""
        return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())
