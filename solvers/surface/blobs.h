// SPDX-License-Identifier: Apache-2.0
// Turns each particle into an ellipsoidal blob. The sum of all blobs is the surface's field: about
// 1 inside, 0 outside, 1/2 on the surface.
#pragma once

#include "core/types.h"
#include "surface/surface.h"

#include <cstdint>
#include <vector>

namespace nendo {

/// A blob: amount (1 - q^2)^3 where q^2 = (x - c)^T M (x - c) < 1. Lengths are in voxels from the
/// frame's origin. One cache line.
struct alignas(64) Blob {
    float c[3];
    float M[6]; ///< xx, xy, xz, yy, yz, zz
    float amount;
    float extent[3]; ///< Half the edges of its bounding box
    float rim;       ///< Largest distance of the surface from the center; 0: none is near
    float thin;      ///< 1 in sheets, threads and drops, 0 in thick matter
    float wanted;    ///< Least value of the field at its center, where it is thin
};

/// The voxel grid: integer coordinates of the local origin, and the voxel size.
struct VoxelFrame {
    Eigen::Vector3i origin{0, 0, 0}; ///< Multiples of 8 [voxels]
    double size = 1;                 ///< [m]

    Vec3<float> local(const Vec3d& x) const {
        return (x / size - origin.cast<double>()).cast<float>();
    }
};

/// Returns a frame in which the local coordinates of all points are small.
VoxelFrame frame_around(const std::vector<Vec3d>& points, double voxel_size);

/// Returns the blobs of some of the input's particles, which blend only with one another.
std::vector<Blob> shape_blobs(const SurfaceInput& input, const std::vector<std::uint32_t>& members,
                              const SurfaceParams& params, const VoxelFrame& frame);

} // namespace nendo
