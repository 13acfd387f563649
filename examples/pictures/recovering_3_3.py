# SPDX-License-Identifier: Apache-2.0
"""Draws Fig 3.3 of the melting thesis: a flattened animal recovers its shape, by positions (SM) and
with orientations (OP).

    python3 examples/pictures/recovering_3_3.py NENDO OUT_DIR PICTURE.png

NENDO is the nendo program. Needs python3-matplotlib.
"""
import sys

from recovering import draw

draw((100, 400, 700, 1000), (
    ("SM Jacobi", "positions", "jacobi", False),
    ("SM Gauss-Seidel", "positions", "gauss_seidel", False),
    ("OP Jacobi", "oriented", "jacobi", False),
    ("OP Gauss-Seidel", "oriented", "gauss_seidel", False),
), *sys.argv[1:])
