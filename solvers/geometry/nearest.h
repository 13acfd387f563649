// SPDX-License-Identifier: Apache-2.0
// For each of many places, the nearest of many points.
#pragma once

#include "core/types.h"

#include <cstdint>
#include <vector>

namespace nendo {

/// Index of the point nearest to each place; of equally near ones the first. Throws when there is
/// no point, or when one or a place is not finite.
std::vector<std::uint32_t> nearest_points(const std::vector<Vec3d>& points,
                                          const std::vector<Vec3d>& places);

} // namespace nendo
