# SPDX-License-Identifier: Apache-2.0
"""Makes the assets from the fields that the solvers declare; see otls/generate.py."""
