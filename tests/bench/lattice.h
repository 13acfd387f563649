// SPDX-License-Identifier: Apache-2.0
// Moving particles on a lattice, for the benchmarks of surfaces.
#pragma once

#include "geometry/sample.h"
#include "surface/surface.h"

namespace nendo::bench {

/// A box of `cells` particles along the axes, 0.1 m apart.
inline SurfaceInput lattice(const Vec3d& cells) {
    SurfaceInput input;
    input.spacing = 0.1;
    input.positions = place_masters(*make_box({0, 0, 0}, input.spacing * cells), input.spacing);
    input.velocities.assign(input.positions.size(), Vec3d(1, 0, 0));
    return input;
}

} // namespace nendo::bench
