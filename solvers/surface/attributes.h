// SPDX-License-Identifier: Apache-2.0
// Transfers attributes of the particles to the points and voxels of their surface.
#pragma once

#include "surface/blocks.h"
#include "surface/surface.h"

#include <array>
#include <cstdint>
#include <vector>

namespace nendo {

class ParticleBlend {
public:
    /// The reaches are the search radii around points of a mesh and around voxels [voxels]. Input
    /// and frame must outlive this object.
    ParticleBlend(const SurfaceInput& input, const VoxelFrame& frame, float point_reach,
                  float voxel_reach);

    /// Sets velocities, bodies and all attributes of the particles on the mesh of a surface. Floats
    /// are blended, vectors as linear functions of position. Integers and bodies are those of the
    /// nearest particle; the body is -1 where no particle is near.
    void carry(Surface& surface) const;

    struct Block {
        alignas(32) float velocity[3][block_voxels]; ///< [m/s]
        std::int32_t body[block_voxels];             ///< -1: no particle is near
    };
    /// Computes velocity and body in the voxels of a block whose lowest voxel is at `low` [voxels].
    /// Skips rows of z that are not set in `wants`.
    void fill(const Vec3<float>& low, const std::array<bool, block_edge * block_edge>& wants,
              Block& block) const;

private:
    const SurfaceInput& m_input;
    const VoxelFrame& m_frame;
    float m_point_reach, m_voxel_reach;
    bool m_alike;                      ///< True if all particles belong to one body
    std::vector<Vec3<float>> m_places; ///< Particle positions [voxels]
    Grid<float> m_near_points;
    Grid<float> m_near_blocks; ///< With cells as large as a block and its reach
};

} // namespace nendo
