// SPDX-License-Identifier: Apache-2.0
// A scalar measure of strain: how far a deformation is from a rotation.
#pragma once

#include "math/svd3.h"

#include <cmath>

namespace nendo {

/// sqrt(2/3) times the norm of the logarithmic strain [1]. For a uniaxial stretch that keeps volume
/// it is ln(stretch).
inline double equivalent_strain(const Mat3d& F) {
    constexpr double least = 1e-12; // Stretches are positive, except for rounding.
    const Vec3d strain = svd3(F).sigma.cwiseMax(least).array().log();
    return std::sqrt(2.0 / 3) * strain.norm();
}

} // namespace nendo
