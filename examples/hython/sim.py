# SPDX-License-Identifier: Apache-2.0
"""Simulates a .hip file with the node that writes its cache, from the first frame to the last.

    python3 sim.py shot.hip --rop /obj/clay/out --frames 1-240 --set /obj/clay/solver/young=1e5
"""
import sys

from batch import make_parser, render_scene, run

# ROP Geometry in SOPs and in /out, File Cache, and the node that writes whole simulations.
WRITERS = ("rop_geometry", "geometry", "filecache", "dop", "rop_dop")

if __name__ == "__main__":
    sys.exit(run(make_parser(__doc__ or "", "node that writes the cache of the simulation"),
                 lambda arguments: render_scene(arguments, WRITERS)))
