# SPDX-License-Identifier: Apache-2.0
"""The version of Nendo, from the one place that states it."""
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def version() -> str:
    """The version in the root CMakeLists.txt, for example "0.1.0"."""
    found = re.search(r"project\(nendo VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())
    assert found, "CMakeLists.txt states no version"
    return found[1]


def package() -> str:
    """packages/nendo.json with this version."""
    text = (ROOT / "otls/packages/nendo.json").read_text()
    return re.sub(r'("NENDO_VERSION": )"[^"]*"', rf'\1"{version()}"', text)
