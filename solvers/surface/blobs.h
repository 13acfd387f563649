// SPDX-License-Identifier: Apache-2.0
// Each particle as an ellipsoidal blob of matter. The sum of all is the surface's field: about 1
// inside, 0 outside, 1/2 on the surface.
#pragma once

#include "core/types.h"
#include "surface/surface.h"

#include <cstdint>
#include <vector>

namespace nendo {

/// amount (1 - q^2)^3 where q^2 = (x - c)^T M (x - c) < 1. Lengths are in voxels from the frame's
/// origin; one cache line.
struct alignas(64) Blob {
    float c[3];
    float M[6]; ///< xx, xy, xz, yy, yz, zz
    float amount;
    float extent[3]; ///< Half edges of the box around it
    float rim;       ///< A surface may be as near to the center as this; 0: none is
    float thin;      ///< 1 in sheets, threads and drops, 0 in thick matter
    float wanted;    ///< What the field should be at its center at least, where it is thin
};

/// Where voxels are: the integer coordinates of the local origin, and their edge.
struct VoxelFrame {
    Eigen::Vector3i origin{0, 0, 0}; ///< Multiples of 8 [voxels]
    double size = 1;                 ///< [m]

    Vec3<float> local(const Vec3d& x) const {
        return (x / size - origin.cast<double>()).cast<float>();
    }
};

/// A frame in which local coordinates of all points are small.
VoxelFrame frame_around(const std::vector<Vec3d>& points, double voxel_size);

/// The blobs of some of the input's particles, which blend with one another and with no others.
std::vector<Blob> shape_blobs(const SurfaceInput& input, const std::vector<std::uint32_t>& members,
                              const SurfaceParams& params, const VoxelFrame& frame);

} // namespace nendo
