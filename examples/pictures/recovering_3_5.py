# SPDX-License-Identifier: Apache-2.0
"""Draws Fig 3.5 of the melting thesis: a flattened animal recovers its shape, by plain and weighted
schemes.

    python3 examples/pictures/recovering_3_5.py NENDO OUT_DIR PICTURE.png

NENDO is the nendo program. Needs python3-matplotlib.
"""
import sys

from recovering import draw

draw((100, 200, 300, 1000), (
    ("OP Jacobi", "oriented", "jacobi", False),
    ("OP weighted Jacobi", "oriented", "jacobi", True),
    ("OP hybrid", "oriented", "hybrid", False),
    ("OP weighted hybrid", "oriented", "hybrid", True),
), *sys.argv[1:])
