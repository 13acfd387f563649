// SPDX-License-Identifier: Apache-2.0
// The inner loops of a skin, over packs of vertices that the same bones move. They know no library,
// so that they can be compiled for one more kind of machine than the rest (Eigen fuses operations
// where there is AVX-512); all give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nendo::rheology {

/// At most so many bones move a vertex.
inline constexpr int max_influences = 8;
/// Vertices of a pack.
inline constexpr std::size_t pack_lanes = 16;
/// Numbers of a lane at rest, before its weights: place and normal.
inline constexpr std::size_t rest_rows = 6;
/// In place of a pack's first vertex: its vertices do not follow one another.
inline constexpr std::uint32_t scattered = ~0u;

/// The numbers of the motions of a run of packs: those of the first bone, and what each other one
/// adds to them. Weights add up to one, so that sum_k w_k m_k = m_0 + sum_k w_k (m_k - m_0), and
/// the first weight is not needed. Matrices by rows are 12 numbers, dual quaternions 8: real part
/// x, y, z, w, then dual part.
template <int Numbers> struct Blended {
    float first[Numbers];
    float more[max_influences - 1][Numbers];

    /// From at(k), the numbers of bone k.
    template <class At> void take(int count, const At& at) {
        for (int e = 0; e < Numbers; ++e) first[e] = at(0)[e];
        for (int k = 1; k < count; ++k)
            for (int e = 0; e < Numbers; ++e) more[k - 1][e] = at(k)[e] - first[e];
    }
};

/// Packs of one run, one after the other, and where their vertices go.
struct Packs {
    std::size_t count;
    int influences;             ///< Bones that move each vertex
    const float* rest;          ///< Rows of lanes: place, normal, all weights but the first
    const std::uint32_t* first; ///< First vertex of each pack, or `scattered`
    const std::uint32_t* order; ///< Vertex of each lane
    float* points;
    float* normals;
};

/// Moves packs by blended matrices (rheology paper, eq 1) or by blended dual quaternions, made unit [Kavan et
/// al. 2008].
struct PackMover {
    void (*linear)(const Packs&, const Blended<12>&);
    void (*dual)(const Packs&, const Blended<8>&);
};

/// Eight lanes at a time, for the machine that the solvers are compiled for.
extern const PackMover move_packs;
/// Sixteen at a time. Not for machines without AVX-512.
extern const PackMover move_wide_packs;

} // namespace nendo::rheology
