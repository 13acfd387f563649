// SPDX-License-Identifier: Apache-2.0
// How far a deformation is from a rotation.
#pragma once

#include "math/svd3.h"

#include <cmath>

namespace nendo {

/// sqrt(2/3) of the norm of the logarithmic strain: ln(stretch) for a pull that keeps volume.
inline double equivalent_strain(const Mat3d& F) {
    constexpr double least = 1e-12; // A stretch is above zero but for rounding.
    const Vec3d strain = svd3(F).sigma.cwiseMax(least).array().log();
    return std::sqrt(2.0 / 3) * strain.norm();
}

} // namespace nendo
