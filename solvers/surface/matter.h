// SPDX-License-Identifier: Apache-2.0
// What the solvers' columns tell a surface about the matter around each particle.
#pragma once

#include "surface/surface.h"

#include <cstdint>
#include <vector>

namespace nendo {

/// Columns of particles under their names in geometry; each may be empty.
struct MatterColumns {
    std::vector<Mat3<float>> F_E, F_P; ///< Of elastoplastic matter
    std::vector<Vec4<float>> orient;   ///< Of melting matter, x, y, z, w
    std::vector<Vec3<float>> radii;    ///< [m]
    std::vector<float> melted;
    std::vector<std::int32_t> phase;
    std::vector<float> pscale; ///< Half of each one's spacing [m]
};

/// Sets deformations, melted, sizes and, unless it is given, the spacing; elastoplastic matter gets
/// the attribute plastic_strain.
void describe_matter(const MatterColumns& columns, SurfaceInput& input);

} // namespace nendo
