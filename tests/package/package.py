# SPDX-License-Identifier: Apache-2.0
"""What the tests of the installed library share: the prefix it is installed to."""
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ["NENDO_BUILD"])
GRAVITY = 9.81  # [m/s^2]
REST = (0.08, 0.13)  # where the center of soft clay rests that was a ball of radius 0.25 [m]


def run(*command, **options):
    """Runs a command and returns what it prints; an error shows all of it."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          **options)
    if done.returncode != 0:
        raise AssertionError(f"{command}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def install(prefix):
    run("cmake", "--install", BUILD, "--prefix", prefix)


def project_version():
    """The version in CMakeLists.txt, which decides all others."""
    return re.search(r"project\(nendo VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]


def assert_falls(case, times, heights, lowest):
    """Heights [m] follow free fall as long as nothing `lowest` [m] below them touches the ground."""
    touches = ((heights[0] - lowest) * 2 / GRAVITY) ** 0.5
    falling = [(t, y) for t, y in zip(times, heights) if t < touches]
    case.assertGreater(len(falling), 5)
    for t, y in falling:
        # A substep of 1 ms lags or leads by half of it.
        case.assertAlmostEqual(heights[0] - y, GRAVITY * t * t / 2, delta=GRAVITY * t * 1e-3)


def assert_rests(case, times, heights, rest):
    """The last quarter of a second is still, within the range `rest` [m]."""
    last = [y for t, y in zip(times, heights) if t > times[-1] - 0.25]
    case.assertLess(max(last) - min(last), 2e-3)
    case.assertGreater(last[-1], rest[0])
    case.assertLess(last[-1], rest[1])
