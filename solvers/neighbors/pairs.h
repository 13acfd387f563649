// SPDX-License-Identifier: Apache-2.0
// Near pairs of query points and grid points, grouped so that queries can give to their neighbors
// as well as take from them, on any number of threads, with the same bits.
//
// Queries stand in blocks of two or, where there are many, four cells a side. Blocks have eight
// colors, like a chessboard in space: two blocks of a color share no neighbor, so they may write to
// their neighbors at once. Of two blocks that share some, the one of the earlier color comes first.
#pragma once

#include "core/parallel.h"
#include "neighbors/grid.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace nendo {

/// The queries of one block and their rows of pairs. Row r is of query[r], and its pairs are
/// [start[r], start[r + 1]): an even number, for loops over two at a time. A pair that fills up has
/// infinite distance.
template <class Real> struct PairBlock {
    std::vector<std::uint32_t> query;
    std::vector<std::uint32_t> start;
    std::vector<std::uint32_t> slot; ///< Of the grid; longer than `start` says, for its memory
    std::vector<Real> weight;        ///< Whatever the search computed for the pair

    std::size_t rows() const { return query.size(); }
    std::size_t pairs() const { return start.back(); }
    std::size_t bytes() const;
    /// Room for so many more pairs behind those of `start`.
    void make_room(std::uint32_t more) {
        const std::size_t least = start.back() + more;
        if (slot.size() >= least) return;
        slot.resize(std::max(least + least / 8, usual_row * rows() + more));
        weight.resize(slot.size());
    }

private:
    /// Pairs of a query in matter at rest, and some.
    static constexpr std::size_t usual_row = 33;
};

/// All pairs are wanted.
struct Everyone {};

template <class Real> class Pairs {
public:
    /// Finds, for each query q, the grid's slots k within `radius`, a little less than the size of
    /// the grid's cells, for which accept(q, k) holds, with the squared distance [m^2] as weight.
    /// Then calls done(block) for each block while it is warm, in any order. Memory is reused from
    /// one call to the next.
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

    /// body(block) for all blocks, in any order: for bodies that only take from neighbors.
    template <class Body> void in_any_order(const Body& body) const {
        parallel_tasks(m_count, [&](std::size_t b) { body(m_blocks[b]); });
    }
    /// body(block) for all blocks, by color where they share neighbors: for bodies that give to
    /// neighbors too.
    template <class Body> void by_color(const Body& body) {
        m_tasks.run(
            m_count, [&](std::size_t k) -> const Earlier& { return m_earlier[k]; },
            [&](std::size_t k) { body(m_blocks[m_order[k]]); });
    }

    std::size_t bytes() const;

private:
    /// Places in m_order, for (std::uint32_t place : earlier).
    struct Earlier {
        std::array<std::uint32_t, 26> place;
        std::size_t count = 0;

        const std::uint32_t* begin() const { return place.data(); }
        const std::uint32_t* end() const { return place.data() + count; }
    };

    void group(const std::vector<Vec3<Real>>& queries, double cell_size);
    std::uint32_t block_at(std::uint64_t key);
    /// Puts the queries of a block cell by cell; those of a cell stay in order. It has no rows yet.
    void sort_by_cell(PairBlock<Real>& block) const;
    void find_order();
    void find_earlier(std::size_t place);

    /// The rows of queries that stand in one cell, from `first` on. Returns the one after them.
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
        const bool crowded = runs.slots() > near.room;
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
            if constexpr (!std::is_same_v<Accept, Everyone>)
                keep_accepted(block, [&](std::uint32_t slot) { return accept(q, slot); });
            fill_up(block);
        }
        return last;
    }

    static void add_row(PairBlock<Real>& block, const Vec3<Real>& x, const Candidates<Real>& near) {
        block.make_room(near.count() + lanes);
        const std::uint32_t begin = block.start.back();
        block.start.push_back(begin + near.template row<true>(x, near.nobody, &block.slot[begin],
                                                              &block.weight[begin]));
    }
    static void add_crowded_row(PairBlock<Real>& block, const Vec3<Real>& x, const Grid<Real>& grid,
                                const typename Grid<Real>::Runs& runs, Real radius);
    /// Takes those out of the last row that are not accepted.
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
    /// Makes the last row even.
    static void fill_up(PairBlock<Real>& block) {
        std::uint32_t& end = block.start.back();
        if (end % 2 == 0) return;
        block.make_room(1);
        block.slot[end] = block.slot[end - 1];
        block.weight[end++] = std::numeric_limits<Real>::infinity();
    }

    std::vector<PairBlock<Real>> m_blocks; ///< The first m_count are in use
    std::size_t m_count = 0;
    std::array<std::vector<std::uint32_t>, 8> m_colors;
    std::vector<std::uint32_t> m_order;    ///< Blocks, color after color
    std::vector<std::uint32_t> m_place_of; ///< Of each block, in m_order
    std::vector<Earlier> m_earlier;        ///< Of each place: blocks around it that come first
    OrderedTasks m_tasks;
    KeyTable m_numbers;                ///< Of the blocks
    std::vector<std::uint64_t> m_code; ///< Of each query: key of its block, and cell in it
};

} // namespace nendo
