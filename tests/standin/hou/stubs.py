# SPDX-License-Identifier: Apache-2.0
"""Published stubs of `hou` (types-houdini of PyPI, MIT), made from Houdini itself by others.

Scripts are checked against them by mypy. Where they cannot be installed, mypy uses the stand-in
beside this file, which checks less.
"""
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Optional, Sequence

HERE = Path(__file__).resolve().parent
PACKAGE = "types-houdini==21.0.512.3"
# Stubs are not ours to fix, and they import modules that are missing here.
SETTINGS = """[mypy]
strict = True
[mypy-hou.*]
ignore_errors = {}
[mypy-houcppportion.*,pxr.*,PySide6.*]
ignore_missing_imports = True
"""


def find_stubs() -> Optional[Path]:
    """A folder with the package hou, installed in the build folder if it is missing."""
    root = Path(os.environ.get("NENDO_BUILD", HERE.parents[2] / "build/ci")) / "hou_stubs"
    if not root.exists():
        # Tests may run at the same time: the first one moves its folder there.
        with tempfile.TemporaryDirectory(dir=root.parent) as folder:
            made = Path(folder) / "made"
            done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps",
                                   "--target", str(made), PACKAGE], capture_output=True,
                                  check=False)
            if done.returncode != 0:
                return None
            (made / "hou-stubs").rename(made / "hou")
            with contextlib.suppress(OSError):
                made.rename(root)
    return root


def check_types(case: unittest.TestCase, folder: Path, files: Sequence[Path],
                paths: Sequence[str] = ()) -> None:
    """Fails with mypy's output; `folder` is for its settings, `paths` has our own modules."""
    mypy = shutil.which("mypy")
    if mypy is None:
        raise unittest.SkipTest("no mypy")
    stubs = find_stubs()
    settings = folder / "mypy.ini"
    settings.write_text(SETTINGS.format(stubs is not None))
    # Python 3.11 is Houdini's own; the stubs use its syntax.
    done = subprocess.run(
        [mypy, "--config-file", str(settings), "--python-version", "3.11" if stubs else "3.9",
         "--cache-dir", str((stubs or folder) / "mypy_cache"), "--no-error-summary",
         *map(str, files)],
        env={**os.environ, "MYPYPATH": os.pathsep.join([str(stubs or HERE), *paths])},
        capture_output=True, text=True, check=False)
    case.assertEqual(done.returncode, 0, done.stdout + done.stderr)
