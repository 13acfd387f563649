// SPDX-License-Identifier: Apache-2.0
// Fills a shape with the particles that a solver moves: masters on a lattice inside the shape, and
// the slaves around them.
#pragma once

#include "geometry/sdf.h"

#include <vector>

namespace nendo {

struct Samples {
    std::vector<Vec3d> masters; ///< [m], sorted by x, then y, then z
    std::vector<Vec3d> slaves;  ///< [m], in the same order
};

/// Places masters inside the shape, at the centers of the cells of edge `spacing` [m] that fill its
/// bounds: from the lowest y up, and to both sides of the middle in x and z, so that a symmetric
/// shape is filled symmetrically. Slaves come from place_slaves(). A box of n x m x k spacings has
/// exactly n m k masters.
Samples sample(const Sdf& shape, double spacing);

/// How much a shape may ask for. The defaults are what indices of particles can count.
struct SampleLimits {
    double cells = 2147483648.0;   ///< In the box of the shape, each of which takes time
    double masters = 2147483648.0; ///< In the shape, each of which takes memory
};

/// Places only the masters of sample(). Throws for a shape beyond the limits.
std::vector<Vec3d> place_masters(const Sdf& shape, double spacing, const SampleLimits& limits = {});

/// Places slaves at the corners of the masters' cells and beyond: on the lattice offset by half a
/// spacing, wherever a master is within 2h, h = spacing (Saida 2017, §3.1; Saida report, §3.1). The
/// lattice is anchored at the lowest coordinates of all masters, which may be anywhere and in any
/// order. Cost and memory depend on the number of masters, not on the space they span.
std::vector<Vec3d> place_slaves(const std::vector<Vec3d>& masters, double spacing);

} // namespace nendo
