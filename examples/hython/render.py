# SPDX-License-Identifier: Apache-2.0
"""Renders frames: Karma with its render node or, from a USD file, with husk; Mantra with its ROP.

    python3 render.py shot.hip --rop /out/mantra1 --frames 11-20
    python3 render.py shot.usd --frames 11-20 --output 'pictures/shot.$F4.exr'
"""
import argparse
import os
import sys

from batch import FAILURE, NO_LICENSE, OK, Problem, make_parser, render_scene, run, \
    run_with_license

RENDERERS = ("ifd", "usdrender", "usdrender_rop", "karma")
USD = (".usd", ".usda", ".usdc", ".usdz")


def is_usd(arguments: argparse.Namespace) -> bool:
    return str(arguments.scene).endswith(USD)


def render_usd(arguments: argparse.Namespace) -> int:
    """Runs husk, which reports progress in the format of Alfred."""
    if not os.path.exists(arguments.scene):
        raise Problem("does not exist", arguments.scene,
                      "give a USD file that this machine can read")
    if arguments.set or arguments.attribute:
        raise Problem("a USD file has no node parameters", "--set, --attribute",
                      "wedge the .hip file that writes it")
    frames = arguments.frames
    command = [arguments.husk, "--frame", str(frames.first),
               "--frame-count", str(len(frames.numbers())), "--frame-inc", str(frames.step),
               "--renderer", arguments.renderer, "--verbose", "3a"]
    if arguments.output:
        command += ["--output", arguments.output]
    code = run_with_license([*command, arguments.scene], arguments.license_retries,
                            arguments.license_wait)
    return code if code in (OK, NO_LICENSE) else FAILURE


def work(arguments: argparse.Namespace) -> int:
    return render_usd(arguments) if is_usd(arguments) else render_scene(arguments, RENDERERS)


if __name__ == "__main__":
    parser = make_parser(__doc__ or "", "node of Karma (usdrender) or Mantra (ifd)")
    parser.add_argument("--husk", default="husk", help="command that starts husk (default: husk)")
    parser.add_argument("--renderer", default="Karma", help="for husk: a Hydra delegate")
    parser.add_argument("--output", metavar="FILE", help="for husk: path of the pictures, with $F4")
    sys.exit(run(parser, work, lambda arguments: not is_usd(arguments)))
