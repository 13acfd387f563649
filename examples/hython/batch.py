# SPDX-License-Identifier: Apache-2.0
"""Shared by the batch scripts: arguments, wedges, progress, licenses, exit codes.

A script runs in hython, or in any Python 3.9. Plain Python starts hython, and starts it again if it
got no license: Houdini acquires its license before it runs a script.
"""
import argparse
import logging
import os
import subprocess
import sys
import time
from typing import (TYPE_CHECKING, Callable, List, NamedTuple, Optional, Sequence, Tuple, Union,
                    cast)

if TYPE_CHECKING:
    import hou

OK, BAD_INPUT, USAGE, FAILURE, NO_LICENSE = 0, 1, 2, 3, 75
EXIT_CODES = ("Exit codes: 0 done, 1 bad input, 2 bad usage, 3 failure while running, "
              "75 no license after all retries.")
LICENSE_ERRORS = ("no licenses could be found to run this application",
                  "failed to acquire license", "unable to acquire a license")

log = logging.getLogger("nendo")


class Problem(Exception):
    """An error that the user can correct: what is wrong, where, and the remedy."""

    def __init__(self, what: str, where: str, remedy: str, code: int = BAD_INPUT) -> None:
        super().__init__(f"{where}: {what}; {remedy}")
        self.code = code


class Frames(NamedTuple):
    first: int
    last: int
    step: int = 1

    def numbers(self) -> List[int]:
        return list(range(self.first, self.last + 1, self.step))


def parse_frames(text: str) -> Frames:
    """"1-240", "1-240x2" or "7"."""
    try:
        span, _, step = text.partition("x")
        first, dash, last = span.partition("-")
        frames = Frames(int(first), int(last if dash else first), int(step or 1))
    except ValueError:
        frames = Frames(1, 0)
    if frames.last < frames.first or frames.step < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a range; write it as 1-240 or 1-240x2")
    return frames


def parse_assignment(text: str) -> Tuple[str, str]:
    """"/obj/clay/young=1e5" as its two sides."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"{text} is not NAME=VALUE")
    return name, value


def value_of(text: str) -> Union[float, int, str]:
    """The text as a number if it is one."""
    try:
        number = float(text)
    except ValueError:
        return text
    return int(text) if text.lstrip("+-").isdigit() else number


def make_parser(purpose: str, rop_help: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=purpose, epilog=EXIT_CODES)
    parser.add_argument("scene", help="a .hip file")
    parser.add_argument("--rop", metavar="PATH", help=rop_help)
    parser.add_argument("--frames", type=parse_frames, required=True, help="A-B or A-BxSTEP")
    parser.add_argument("--set", type=parse_assignment, action="append", default=[],
                        metavar="NODE/PARM=VALUE", help="parameter of a wedge; may be repeated")
    parser.add_argument("--attribute", type=parse_assignment, action="append", default=[],
                        metavar="NAME=VALUE",
                        help="attribute of a wedge: a context option that parameters read as @NAME")
    parser.add_argument("--nendo-version", metavar="VERSION",
                        help="refuse to run with another version of the plugin; 0.1 or 0.1.0")
    parser.add_argument("--progress", choices=("alf", "openjd", "deadline"), default="alf",
                        help="format of progress messages (default: alf)")
    parser.add_argument("--log", metavar="FILE", help="file that messages are also written to")
    parser.add_argument("--hython", default="hython",
                        help="command that starts hython (default: hython)")
    parser.add_argument("--license-retries", type=int, default=10, metavar="N")
    parser.add_argument("--license-wait", type=float, default=30, metavar="SECONDS",
                        help="wait before the first retry; doubled before each later one")
    return parser


class Progress:
    """Reports progress in the format that the farm parses."""

    def __init__(self, form: str, total: int) -> None:
        self.form, self.total, self.done = form, max(1, total), 0

    def step(self) -> None:
        self.done += 1
        percent = 100 * self.done / self.total
        line = {"alf": f"ALF_PROGRESS {percent:.0f}%", "openjd": f"openjd_progress: {percent:.1f}",
                "deadline": f"Progress: {percent:.0f}%"}[self.form]
        print(line, flush=True)


def is_license_error(text: str) -> bool:
    return any(error in text.lower() for error in LICENSE_ERRORS)


def run_with_license(command: Sequence[str], retries: int, wait: float) -> int:
    """Runs a Houdini program and passes its output on; repeats while it gets no license."""
    for attempt in range(retries + 1):
        try:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                       text=True, errors="replace")
        except OSError as error:
            raise Problem(str(error), command[0],
                          "source houdini_setup, or give its path") from error
        refused = False
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            refused = refused or is_license_error(line)
        code = process.wait()
        if code == OK or not (refused or code == NO_LICENSE):
            return code
        if attempt < retries:
            log.warning("no license; attempt %d of %d in %g s", attempt + 2, retries + 1, wait)
            time.sleep(wait)
            wait *= 2
    log.error("no license after %d attempts; check hserver and the license server", retries + 1)
    return NO_LICENSE


def in_houdini() -> bool:
    """hython imports hou before it runs a script."""
    return "hou" in sys.modules


# ---- inside Houdini ------------------------------------------------------------------------------


def check_plugin(wanted: Optional[str]) -> None:
    """Checks the version of the plugin; its package sets NENDO_VERSION."""
    import hou
    found = hou.getenv("NENDO_VERSION") or ""
    if not found:
        raise Problem("the plugin is not loaded", "Nendo",
                      "install its package in the folder of HOUDINI_PACKAGE_DIR")
    if wanted and found.split(".")[:len(wanted.split("."))] != wanted.split("."):
        raise Problem(f"the plugin has version {found}, not {wanted}", "Nendo",
                      "load the other package, or omit --nendo-version")
    log.info("Houdini %s, Nendo %s", hou.applicationVersionString(), found)


def load_scene(path: str) -> None:
    import hou
    if not os.path.exists(path):
        raise Problem("does not exist", path, "give a .hip file that this machine can read")
    try:
        hou.hipFile.load(path, suppress_save_prompt=True, ignore_load_warnings=True)
    except hou.OperationFailed as error:
        raise Problem(str(error), path, "open it in Houdini to see what is missing") from error


def apply_wedge(arguments: argparse.Namespace) -> None:
    """Sets the parameters and context options of this wedge; raises if a parameter is unknown."""
    import hou
    for name, text in arguments.attribute:
        hou.setContextOption(name, value_of(text))
    for name, text in arguments.set:
        parm = hou.parm(name)
        if parm is None:
            raise Problem("there is no such parameter", name, "write it as /obj/clay/solver/young")
        parm.set(value_of(text))


def find_rop(path: Optional[str], types: Sequence[str]) -> "hou.RopNode":
    import hou
    if not path:
        raise Problem("no node is given", "--rop", "give the path of the node that writes files")
    node = hou.node(path)
    if node is None:
        raise Problem("there is no such node", path, "check its path in Houdini")
    name = node.type().name().split("::")[0]
    if name not in types:
        raise Problem(f"is a {name}", path, "give one of: " + ", ".join(types))
    return cast("hou.RopNode", node)


def render(node: "hou.RopNode", frames: Frames, progress: Progress) -> None:
    """Renders all frames in one call, as a simulation needs it; reports progress after each."""
    import hou

    def tell(_node: "hou.RopNode", kind: object, _time: float) -> None:
        if kind == hou.ropRenderEventType.PostFrame:
            progress.step()

    node.addRenderEventCallback(tell)
    try:
        node.render(frame_range=(frames.first, frames.last, frames.step), verbose=True)
    except hou.OperationFailed as error:
        code = NO_LICENSE if is_license_error(str(error)) else FAILURE
        raise Problem(str(error).replace("\n", " "), node.path(),
                      "see the messages above", code) from error
    errors = node.errors()
    if errors:
        raise Problem(" ".join(errors), node.path(), "see the node in Houdini", FAILURE)


def render_scene(arguments: argparse.Namespace, types: Sequence[str]) -> int:
    """Loads the scene, applies the wedge and renders."""
    load_scene(arguments.scene)
    check_plugin(arguments.nendo_version)
    apply_wedge(arguments)
    node = find_rop(arguments.rop, types)
    frames: Frames = arguments.frames
    render(node, frames, Progress(arguments.progress, len(frames.numbers())))
    return OK


# ---- a script -----------------------------------------------------------------------


def run(parser: argparse.ArgumentParser, work: Callable[[argparse.Namespace], int],
        needs_houdini: Callable[[argparse.Namespace], bool] = lambda _: True) -> int:
    """Parses, starts hython if needed, does the work, and turns errors into exit codes."""
    arguments = parser.parse_args()
    handlers: List[logging.Handler] = [logging.StreamHandler()]
    if arguments.log:
        handlers.append(logging.FileHandler(arguments.log))
    logging.basicConfig(level=logging.INFO, handlers=handlers,
                        format="%(asctime)s nendo: %(levelname)s: %(message)s")
    try:
        if needs_houdini(arguments) and not in_houdini():
            return run_with_license([arguments.hython, *sys.argv], arguments.license_retries,
                                    arguments.license_wait)
        return work(arguments)
    except Problem as problem:
        log.error("%s", problem)
        return problem.code
    except Exception as error:  # any exception of Houdini is a failure of the task
        log.exception("%s", error)
        return NO_LICENSE if is_license_error(str(error)) else FAILURE
