// SPDX-License-Identifier: Apache-2.0
// What the particles under a surface say about its points and voxels.
#pragma once

#include "surface/blocks.h"
#include "surface/surface.h"

#include <array>
#include <cstdint>
#include <vector>

namespace nendo {

class ParticleBlend {
public:
    /// Looks so far around the points of a mesh, and around voxels [voxels]. Input and frame must
    /// outlive it.
    ParticleBlend(const SurfaceInput& input, const VoxelFrame& frame, float point_reach,
                  float voxel_reach);

    /// Gives the mesh of a surface velocities, bodies and all attributes that the particles have.
    /// Numbers are blended, vectors as linear functions of place; integers are those of the nearest
    /// particle, and so are bodies, -1 where no particle is near.
    void carry(Surface& surface) const;

    struct Block {
        alignas(32) float velocity[3][block_voxels]; ///< [m/s]
        std::int32_t body[block_voxels];             ///< -1: no particle is near
    };
    /// Velocity and body in the voxels of a block whose lowest voxel is at `low` [voxels], but for
    /// rows of z that nobody `wants`.
    void fill(const Vec3<float>& low, const std::array<bool, block_edge * block_edge>& wants,
              Block& block) const;

private:
    const SurfaceInput& m_input;
    const VoxelFrame& m_frame;
    float m_point_reach, m_voxel_reach;
    bool m_alike;                      ///< All are of one body
    std::vector<Vec3<float>> m_places; ///< Of the particles [voxels]
    Grid<float> m_near_points;
    Grid<float> m_near_blocks; ///< With cells as large as a block and its reach
};

} // namespace nendo
