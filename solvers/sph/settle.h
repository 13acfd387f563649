// SPDX-License-Identifier: Apache-2.0
// Settles fluid that is placed too close to walls, to bodies or to other fluid. Such fluid is
// compressed from the start, and would explode: a wall one tenth of a spacing away stores more
// energy than a fall of ten meters. Here it moves apart before time begins, and no velocity is made.
#pragma once

#include "scene/scene.h"
#include "sph/neighborhood.h"
#include "sph/params.h"

#include <cstdint>
#include <string>
#include <vector>

namespace nendo::sph {

/// Fluid and what is around it, by particle.
template <class Real> struct Placement {
    std::vector<Vec3<Real>> x;       ///< Positions, of which those that may move are changed [m]
    std::vector<Real> volume;        ///< Calibrated volume at rest [m^3]
    std::vector<Real> clearance;     ///< Distance from walls at rest [m]
    std::vector<std::int32_t> group; ///< free_group, or the group of a body
    std::vector<std::uint8_t> moves; ///< 1 for fluid that may move
};

/// What settling did.
struct Settling {
    std::int64_t moved = 0; ///< Particles that moved by more than a hundredth of a spacing
    double furthest = 0;    ///< Longest displacement [m]
    double compression = 1; ///< Highest density over rest density that is left
};

/// Moves fluid apart until nothing that may move is compressed by more than one percent, or until it
/// no longer gets better. Does nothing if no particle is compressed by more than two percent, or
/// closer to a wall than nine tenths of its clearance.
template <class Real>
Settling settle(Placement<Real>& placement, const std::vector<MovedShape>& colliders,
                const Params& params);

/// A warning that tells how far fluid moved, and what to change. Empty if it did not move.
std::string settling_warning(const Settling& settling, double spacing);

} // namespace nendo::sph
