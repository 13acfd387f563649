// SPDX-License-Identifier: Apache-2.0
// Finds the nearest point for each of many positions.
#pragma once

#include "core/types.h"

#include <cstdint>
#include <vector>

namespace nendo {

/// Returns the index of the point nearest to each position, the first if several are equally near.
/// Throws if there are no points or if a point or position is not finite.
std::vector<std::uint32_t> nearest_points(const std::vector<Vec3d>& points,
                                          const std::vector<Vec3d>& places);

} // namespace nendo
