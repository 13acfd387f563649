# SPDX-License-Identifier: Apache-2.0
"""Makes the artist's layer from what the solvers declare: see otls/generate.py."""
