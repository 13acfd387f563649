// SPDX-License-Identifier: Apache-2.0
// Turns blobs into a narrow band of signed distances, block by block.
#pragma once

#include "surface/blocks.h"

#include <vector>

namespace nendo {

/// Width of the narrow band on either side, in voxels.
inline constexpr float band_width = 3;

struct FieldParams {
    int smoothing = 0; ///< Number of passes
    float offset = 0;  ///< Distance by which the surface is moved outward [voxels]
    float spacing = 2; ///< Particle spacing [voxels]
};

/// Computes signed distances in voxels, negative inside and at most band_width. They are accurate
/// to first order away from the surface and to second order next to it.
BlockField make_field(const std::vector<Blob>& blobs, const FieldParams& params);

/// Returns the union of all fields, voxel by voxel.
BlockField join_fields(const std::vector<BlockField>& fields);

} // namespace nendo
