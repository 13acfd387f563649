// SPDX-License-Identifier: Apache-2.0
// Converts the solvers' columns into the material data that a surface uses.
#pragma once

#include "surface/surface.h"

#include <cstdint>
#include <vector>

namespace nendo {

/// Columns of particles under their geometry names. Each may be empty.
struct MatterColumns {
    std::vector<Mat3<float>> F_E, F_P; ///< Elastoplastic matter: elastic and plastic parts
    std::vector<Vec4<float>> orient;   ///< Melting matter: x, y, z, w
    std::vector<Vec3<float>> radii;    ///< [m]
    std::vector<float> melted;
    std::vector<std::int32_t> phase;
    std::vector<float> pscale; ///< Half the spacing of each particle [m]
};

/// Sets deformations, melted, sizes and, if not given, the spacing. Elastoplastic matter also gets
/// the attribute plastic_strain.
void describe_matter(const MatterColumns& columns, SurfaceInput& input);

} // namespace nendo
