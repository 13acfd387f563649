// SPDX-License-Identifier: Apache-2.0
// Particles on a lattice, moving, for rows that make surfaces of them.
#pragma once

#include "geometry/sample.h"
#include "surface/surface.h"

namespace nendo::bench {

/// A box of so many particles a side, 0.1 m apart.
inline SurfaceInput lattice(const Vec3d& cells) {
    SurfaceInput input;
    input.spacing = 0.1;
    input.positions = place_masters(*make_box({0, 0, 0}, input.spacing * cells), input.spacing);
    input.velocities.assign(input.positions.size(), Vec3d(1, 0, 0));
    return input;
}

} // namespace nendo::bench
