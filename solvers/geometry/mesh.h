// SPDX-License-Identifier: Apache-2.0
// A triangle mesh, as read from a file or made from particles.
#pragma once

#include "core/types.h"

#include <array>
#include <cstdint>
#include <vector>

namespace nendo {

struct TriMesh {
    std::vector<Vec3d> points;                           ///< [m]
    std::vector<std::array<std::uint32_t, 3>> triangles; ///< Counterclockwise seen from outside
    std::vector<Vec3d> velocities;                       ///< Per point [m/s]; may be empty
};

} // namespace nendo
