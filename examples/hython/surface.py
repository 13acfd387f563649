# SPDX-License-Identifier: Apache-2.0
"""Writes the surfaces of frames of a cached simulation; frames are independent.

    python3 surface.py shot.hip --rop /obj/clay/surface_out --frames 11-20
"""
import sys

from batch import make_parser, render_scene, run

WRITERS = ("rop_geometry", "geometry", "filecache")

if __name__ == "__main__":
    sys.exit(run(make_parser(__doc__ or "", "node that writes the output of Nendo Surface"),
                 lambda arguments: render_scene(arguments, WRITERS)))
