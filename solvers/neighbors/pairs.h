// SPDX-License-Identifier: Apache-2.0
// Pairs of query points and nearby grid points, grouped so that queries can gather from their
// neighbors and scatter to them on any number of threads, with the same bits.
//
// Queries are grouped into blocks that are two cells wide, or four if there are many queries. Blocks
// have eight colors, like a three-dimensional chessboard. Two blocks of one color share no neighbor,
// so they may scatter at the same time. If two blocks share neighbors, the one whose color comes
// first runs first.
#pragma once

#include "core/memory.h"
#include "core/parallel.h"
#include "neighbors/grid.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace nendo {

/// The queries of one block and their rows of pairs. Row r belongs to query[r], and its pairs are
/// [start[r], start[r + 1]). Their number is even, for loops over two at a time; a pair that was
/// added as padding has infinite distance.
template <class Real> struct PairBlock {
    std::vector<std::uint32_t> query;
    std::vector<std::uint32_t> start;
    std::vector<std::uint32_t> slot; ///< Slot of the grid; start.back() entries are in use
    std::vector<Real> weight;        ///< The squared distance [m^2], until the caller replaces it

    std::size_t rows() const { return query.size(); }
    std::size_t pairs() const { return start.back(); }
    std::size_t bytes() const { return memory_of(query, start, slot, weight); }
    /// Reserves capacity for `more` pairs after the last row.
    void reserve(std::uint32_t more) {
        const std::size_t least = start.back() + more;
        if (slot.size() >= least) return;
        slot.resize(std::max(least + least / 8, usual_row * rows() + more));
        weight.resize(slot.size());
    }

private:
    /// Number of pairs per query in matter at rest, with some reserve.
    static constexpr std::size_t usual_row = 33;
};

/// Accepts all pairs.
struct AcceptAll {};

template <class Real> class Pairs {
public:
    /// Finds, for each query q, the slots k of the grid within `radius` for which accept(q, k) holds,
    /// with the squared distance [m^2] as weight. The radius must be a little less than the size of
    /// the grid's cells. Then calls done(block) for each block while it is in the cache, in any
    /// order. Memory is reused from one call to the next.
    template <class Accept, class Done>
    void find(const std::vector<Vec3<Real>>& queries, const Grid<Real>& grid, Real radius,
              const Accept& accept, const Done& done) {
        group(queries, grid.cell_size());
        parallel_tasks(m_count, [&](std::size_t b) {
            PairBlock<Real>& block = m_blocks[b];
            for (std::size_t first = 0; first < block.rows();)
                first = find_rows(block, first, queries, grid, radius, accept);
            done(block);
        });
    }

    /// Calls body(block) for all blocks in any order. For bodies that only gather from neighbors.
    template <class Body> void in_any_order(const Body& body) const {
        parallel_tasks(m_count, [&](std::size_t b) { body(m_blocks[b]); });
    }
    /// Calls body(block) for all blocks, in the order of colors where they share neighbors. For
    /// bodies that scatter to neighbors.
    template <class Body> void by_color(const Body& body) {
        m_tasks.run(
            m_count, [&](std::size_t k) -> const Earlier& { return m_earlier[k]; },
            [&](std::size_t k) { body(m_blocks[m_order[k]]); });
    }

    std::size_t bytes() const {
        return memory_of(m_numbers, m_code, m_order, m_place_of, m_earlier, m_tasks, m_colors,
                         m_blocks);
    }

private:
    /// A list of places in m_order; iterate with for (std::uint32_t place : earlier).
    struct Earlier {
        std::array<std::uint32_t, 26> place;
        std::size_t count = 0;

        const std::uint32_t* begin() const { return place.data(); }
        const std::uint32_t* end() const { return place.data() + count; }
    };

    void group(const std::vector<Vec3<Real>>& queries, double cell_size);
    std::uint32_t block_at(std::uint64_t key);
    /// Sorts the queries of a block by cell; those of one cell keep their order. Call it before the
    /// block has rows.
    void sort_by_cell(PairBlock<Real>& block) const;
    void find_order();
    void find_earlier(std::size_t place);

    /// Finds the rows of the queries from `first` on that are in one cell. Returns the next query.
    template <class Accept>
    std::size_t find_rows(PairBlock<Real>& block, std::size_t first,
                          const std::vector<Vec3<Real>>& queries, const Grid<Real>& grid,
                          Real radius, const Accept& accept) const {
        const Cell cell = cell_of(queries[block.query[first]], grid.cell_size());
        Vec3<Real> low = queries[block.query[first]], high = low;
        std::size_t last = first + 1;
        for (; last < block.rows(); ++last) {
            const Vec3<Real>& x = queries[block.query[last]];
            if (!(cell_of(x, grid.cell_size()) == cell)) break;
            low = low.cwiseMin(x);
            high = high.cwiseMax(x);
        }
        const typename Grid<Real>::Runs runs = grid.runs_around(cell);
        Candidates<Real> near(low, high, radius * radius);
        const bool crowded = runs.slots() > near.capacity;
        if (!crowded) {
            grid.for_each_range(runs, [&](std::uint32_t begin, std::uint32_t end) {
                near.add(grid.columns(), begin, end);
            });
            near.finish();
        }
        for (std::size_t row = first; row < last; ++row) {
            const std::uint32_t q = block.query[row];
            if (crowded)
                add_crowded_row(block, queries[q], grid, runs, radius);
            else
                add_row(block, queries[q], near);
            if constexpr (!std::is_same_v<Accept, AcceptAll>)
                keep_accepted(block, [&](std::uint32_t slot) { return accept(q, slot); });
            pad_row(block);
        }
        return last;
    }

    static void add_row(PairBlock<Real>& block, const Vec3<Real>& x, const Candidates<Real>& near) {
        block.reserve(near.count() + lanes);
        const std::uint32_t begin = block.start.back();
        block.start.push_back(begin + near.template row<true>(x, near.none, &block.slot[begin],
                                                              &block.weight[begin]));
    }
    static void add_crowded_row(PairBlock<Real>& block, const Vec3<Real>& x, const Grid<Real>& grid,
                                const typename Grid<Real>::Runs& runs, Real radius);
    /// Removes pairs that are not accepted from the last row.
    template <class Accept>
    static void keep_accepted(PairBlock<Real>& block, const Accept& accept) {
        std::uint32_t kept = block.start[block.start.size() - 2];
        for (std::uint32_t k = kept; k < block.start.back(); ++k) {
            block.slot[kept] = block.slot[k];
            block.weight[kept] = block.weight[k];
            kept += accept(block.slot[k]) ? 1 : 0;
        }
        block.start.back() = kept;
    }
    /// Pads the last row to an even number of pairs.
    static void pad_row(PairBlock<Real>& block) {
        std::uint32_t& end = block.start.back();
        if (end % 2 == 0) return;
        block.reserve(1);
        block.slot[end] = block.slot[end - 1];
        block.weight[end++] = std::numeric_limits<Real>::infinity();
    }

    std::vector<PairBlock<Real>> m_blocks; ///< The first m_count are in use
    std::size_t m_count = 0;
    std::array<std::vector<std::uint32_t>, 8> m_colors;
    std::vector<std::uint32_t> m_order;    ///< Blocks, color by color
    std::vector<std::uint32_t> m_place_of; ///< Place of each block in m_order
    std::vector<Earlier> m_earlier; ///< For each place, adjacent blocks that must run earlier
    OrderedTasks m_tasks;
    KeyTable m_numbers;                ///< Numbers of the blocks, by key
    std::vector<std::uint64_t> m_code; ///< For each query, key of its block and cell in the block
};

} // namespace nendo
