// SPDX-License-Identifier: Apache-2.0
// From blobs to a narrow band of signed distances, block by block.
#pragma once

#include "surface/blocks.h"

#include <vector>

namespace nendo {

/// How wide the narrow band is on either side, in voxels.
inline constexpr float band_width = 3;

struct FieldParams {
    int smoothing = 0; ///< Rounds
    float offset = 0;  ///< The surface is moved outwards by this [voxels]
    float spacing = 2; ///< Of the particles [voxels]
};

/// Signed distances in voxels, negative inside, no further than band_width; right to first order
/// away from the surface, to second order beside it.
BlockField make_field(const std::vector<Blob>& blobs, const FieldParams& params);

/// The union of them all, voxel by voxel.
BlockField join_fields(const std::vector<BlockField>& fields);

} // namespace nendo
