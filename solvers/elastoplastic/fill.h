// SPDX-License-Identifier: Apache-2.0
// Fills a shape with elastoplastic matter.
#pragma once

#include "elastoplastic/solver.h"
#include "geometry/sdf.h"

namespace nendo::elastoplastic {

/// Makes a body of `material` with masters inside `shape` and slaves around them. `spacing` [m] must
/// be that of the solver's Params. `index` tells bodies of one scene apart: plastic bodies fuse
/// where they touch, elastic ones stay separate.
Body fill(const Sdf& shape, const Material& material, double spacing, std::int32_t index = 0);

} // namespace nendo::elastoplastic
