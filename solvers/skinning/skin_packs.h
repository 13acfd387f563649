// SPDX-License-Identifier: Apache-2.0
// The inner loops of skinning, over packs of vertices that are moved by the same bones. They use no
// library, so that they can also be compiled for wider vectors than the rest (Eigen fuses
// operations where AVX-512 is enabled). All versions compute the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nendo::rheology {

/// Maximum number of bones that move a vertex.
inline constexpr int max_influences = 8;
/// Number of vertices in a pack.
inline constexpr std::size_t pack_lanes = 16;
/// Floats per lane at rest before its weights: position and normal.
inline constexpr std::size_t rest_rows = 6;
/// Marks a pack whose vertices are not consecutive, in place of its first vertex.
inline constexpr std::uint32_t scattered = ~0u;

/// The bone motions of a run of packs: that of the first bone, and the differences of the others
/// from it. The weights add up to one, so that sum_k w_k m_k = m_0 + sum_k w_k (m_k - m_0), and the
/// first weight is not needed. A row-major matrix has 12 numbers, a dual quaternion 8: real part x,
/// y, z, w, then dual part.
template <int Numbers> struct Blended {
    float first[Numbers];
    float more[max_influences - 1][Numbers];

    /// Fills in the motions, where at(k) returns the numbers of bone k.
    template <class At> void fill(int count, const At& at) {
        for (int e = 0; e < Numbers; ++e) first[e] = at(0)[e];
        for (int k = 1; k < count; ++k)
            for (int e = 0; e < Numbers; ++e) more[k - 1][e] = at(k)[e] - first[e];
    }
};

/// Consecutive packs of one run, and where to write their vertices.
struct Packs {
    std::size_t count;
    int influences;             ///< Bones that move each vertex
    const float* rest;          ///< Rows of lanes: position, normal, all weights but the first
    const std::uint32_t* first; ///< First vertex of each pack, or `scattered`
    const std::uint32_t* order; ///< Vertex of each lane
    float* points;
    float* normals;
};

/// Moves packs by blended matrices (rheology paper, eq 1) or by normalized blended dual quaternions
/// [Kavan et al. 2008].
struct PackMover {
    void (*linear)(const Packs&, const Blended<12>&);
    void (*dual)(const Packs&, const Blended<8>&);
};

/// Eight lanes at a time, for the instruction set that the solvers are compiled for.
extern const PackMover move_packs;
/// Sixteen lanes at a time. Requires AVX-512.
extern const PackMover move_wide_packs;

} // namespace nendo::rheology
