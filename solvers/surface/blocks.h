// SPDX-License-Identifier: Apache-2.0
// A sparse field: blocks of 8 x 8 x 8 voxels near the surface, laid out like OpenVDB's leaves, and
// the list of blocks that are entirely inside.
#pragma once

#include "neighbors/grid.h"
#include "neighbors/key_table.h"
#include "surface/blobs.h"

#include <array>
#include <cstdint>
#include <vector>

namespace nendo {

inline constexpr int block_edge = 8;
inline constexpr int block_voxels = block_edge * block_edge * block_edge;
/// Distance from the center of a block to its outermost voxels.
inline constexpr float half_block = 0.5f * (block_edge - 1);

class BlockField {
public:
    static constexpr std::uint32_t none = KeyTable::none;

    std::size_t size() const { return m_places.size(); }
    /// Position of a block, in blocks from the frame's origin.
    const Cell& place(std::size_t block) const { return m_places[block]; }
    std::uint32_t find(const Cell& place) const { return m_numbers.find(key_of(place)); }
    /// Adds a block unless it already exists.
    void add(const Cell& place);

    /// Blocks that are entirely inside.
    const std::vector<Cell>& inside() const { return m_inside; }
    bool is_inside(const Cell& place) const { return m_inside_numbers.find(key_of(place)) != none; }
    /// Adds an inside block, unless it already exists or is a block with values.
    void add_inside(const Cell& place);

    /// Allocates the values and finds the neighbors of each block. Call it after adding all blocks.
    void finish();
    const float* values(std::size_t block) const { return &m_values[block * block_voxels]; }
    float* values(std::size_t block) { return &m_values[block * block_voxels]; }
    /// Calls change(block, padded values, new values) for all blocks that are not `still`, in
    /// parallel. Padded values are 10 x 10 x 10, z fastest; beyond the field they are `far` inside
    /// and -`far` outside. Corners and edges of the padding are set too.
    template <class Change> void update(float far, const Change& change);
    /// Marks blocks as unchanging if no value in or around them is below `far` [voxels] in
    /// magnitude. update() skips them from now on.
    void still(float far);

    static constexpr int padded_edge = block_edge + 2;
    using Padded = std::array<float, padded_edge * padded_edge * padded_edge>;

private:
    void pad(std::size_t block, float far, Padded& padded) const;

    KeyTable m_numbers, m_inside_numbers;
    std::vector<Cell> m_places, m_inside;
    std::vector<std::array<std::uint32_t, 27>> m_around; ///< Block, `none`, or `within`
    std::vector<std::uint32_t> m_moving;                 ///< Blocks that update() changes
    std::vector<float> m_values, m_next;
    static constexpr std::uint32_t within = none - 1;
};

template <class Change> void BlockField::update(float far, const Change& change) {
    m_next.resize(m_values.size());
    parallel_tasks(m_moving.size(), [&](std::size_t k) {
        const std::size_t block = m_moving[k];
        Padded padded;
        pad(block, far, padded);
        change(block, padded, &m_next[block * block_voxels]);
    });
    m_values.swap(m_next);
}

} // namespace nendo
