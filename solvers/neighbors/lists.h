// SPDX-License-Identifier: Apache-2.0
// Neighbor lists of the points of one set, for methods that sum over neighbors (SPH). For the
// neighbors of one set among the points of another, see Grid and Pairs.
#pragma once

#include "core/memory.h"
#include "core/parallel.h"
#include "neighbors/candidates.h"
#include "neighbors/key_table.h"

#include <array>
#include <cstdint>
#include <vector>

namespace nendo {

/// Selects whether lists keep the squared distances.
enum class Distances { left_out, kept };

/// Lists are symmetric: j is a neighbor of i if and only if i is one of j. No point is its own
/// neighbor. Lists depend only on the points and their order, so keep the points in spatial_order():
/// then neighbors are close in memory, and sums do not depend on the order of the input.
template <class Real> class NeighborLists {
public:
    /// The neighbors of one point; iterate with for (std::uint32_t j : row).
    struct Row {
        const std::uint32_t* first = nullptr;
        const Real* r2 = nullptr; ///< Squared distances [m^2], if they are kept
        std::uint32_t count = 0;

        const std::uint32_t* begin() const { return first; }
        const std::uint32_t* end() const { return first + count; }
    };

    /// Finds all pairs nearer than `radius` [m]. Memory is reused from one call to the next.
    void build(const std::vector<Vec3<Real>>& points, Real radius,
               Distances distances = Distances::left_out);

    std::size_t size() const { return m_cell_of.size(); }
    /// The neighbors of one point. To visit all points, for_each() is faster.
    Row of(std::uint32_t point) const;
    /// Calls body(point, row) for all points. Points of a block follow each other; blocks come in any
    /// order.
    template <class Body> void for_each(const Body& body) const {
        parallel_tasks(m_numbers.size(), [&](std::size_t b) {
            const Block& block = m_blocks[b];
            for (std::uint32_t k = 0; k < block.rows; ++k)
                body(m_index[block.first + k], row(block, k));
        });
    }
    std::size_t bytes() const {
        return memory_of(m_blocks, m_numbers, m_code, m_cell_of, m_start, m_index, m_x, m_y, m_z);
    }

private:
    /// Cells per block, four along each axis. A cell is slightly wider than the radius.
    static constexpr std::uint32_t cells = 64;
    /// Number of neighbors in matter at rest, with some reserve.
    static constexpr std::uint32_t usual_row = 36;
    /// The rows of a block's points, in slot order.
    struct Block {
        std::array<std::uint32_t, 27> around{}; ///< Numbers of the blocks around it, or `none`
        std::uint32_t first = 0;                ///< First slot
        std::uint32_t rows = 0;
        std::vector<std::uint32_t> start; ///< Row k is [start[k], start[k + 1]) of `near` and `r2`
        std::vector<std::uint32_t> near;  ///< Never shrinks; start.back() entries are in use
        std::vector<Real> r2;

        std::size_t bytes() const { return memory_of(start, near, r2); }
        void reserve(std::uint32_t size, bool with_r2) {
            if (near.size() < size) near.resize(size + size / 2 + usual_row * rows);
            if (with_r2 && r2.size() < near.size()) r2.resize(near.size());
        }
    };
    struct Run {
        std::uint32_t begin, end;
    };
    Row row(const Block& block, std::uint32_t k) const {
        return {block.near.data() + block.start[k],
                m_distances == Distances::kept ? block.r2.data() + block.start[k] : nullptr,
                block.start[k + 1] - block.start[k]};
    }
    /// The slots around a cell as runs. Run `own` begins with the cell's own slots.
    struct Runs {
        std::array<Run, 20> run;
        std::uint32_t count = 0;
        std::uint32_t own = 0;
        void add(std::uint32_t begin, std::uint32_t end) {
            run[count] = {begin, end};
            count += begin < end ? 1 : 0;
        }
    };

    void sort_into_cells(const std::vector<Vec3<Real>>& points);
    Runs runs_around(const Block& block, std::uint32_t cell) const;
    void find_block_around(Block& block, std::uint64_t key) const;
    template <bool with_r2> void find_rows(Block& block, std::uint32_t cell) const;
    template <bool with_r2>
    void find_crowded_rows(Block& block, std::uint32_t cell, const Runs& near) const;
    Vec3<Real> point(std::uint32_t slot) const { return {m_x[slot], m_y[slot], m_z[slot]}; }

    double m_cell_size = 1;
    Real m_limit = 0; ///< Squared radius [m^2]
    Distances m_distances = Distances::left_out;
    std::vector<Block> m_blocks;       ///< Unused ones at the end keep their memory
    KeyTable m_numbers;                ///< Numbers of the blocks, by key
    std::vector<std::uint64_t> m_code; ///< For each point, key of its block and cell in the block
    std::vector<std::uint32_t> m_cell_of; ///< Cell of each point
    std::vector<std::uint32_t> m_start;   ///< First slot of each cell
    std::vector<std::uint32_t> m_index;   ///< Point in each slot
    std::vector<Real> m_x, m_y, m_z;      ///< Its position, padded for the last SIMD load
};

} // namespace nendo
