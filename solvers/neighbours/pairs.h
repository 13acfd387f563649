// Near pairs of query points and grid points, grouped so that queries can give to their neighbours
// as well as take from them, on any number of threads, with the same bits.
//
// Queries stand in cubic blocks of two radii a side. Blocks have eight colours, like a chessboard in
// space: two blocks of a colour share no neighbour, so they may write to their neighbours at once.
#pragma once

#include "core/parallel.h"
#include "neighbours/grid.h"

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace nendo {

/// The queries of one block and their rows of pairs. Row r is of query[r], and its pairs are
/// [start[r], start[r + 1]): an even number, for loops over two at a time. A pair that fills up has
/// infinite distance.
template <class Real> struct PairBlock {
    std::vector<std::uint32_t> query;
    std::vector<std::uint32_t> start;
    std::vector<std::uint32_t> slot; ///< Of the grid
    std::vector<Real> weight;        ///< Whatever the search computed for the pair

    std::size_t rows() const { return query.size(); }
    std::size_t bytes() const;
};

template <class Real> class Pairs {
public:
    /// Finds, for each query q, the grid's slots k within `radius` for which accept(q, k) holds,
    /// with the squared distance [m^2] as weight. Then calls done(block) for each block while it is
    /// warm, by colour as below. Memory is reused from one call to the next.
    template <class Accept, class Done>
    void find(const std::vector<Vec3<Real>>& queries, const Grid<Real>& grid, Real radius,
              const Accept& accept, const Done& done) {
        group(queries, block_edge * static_cast<double>(radius));
        by_colour([&](PairBlock<Real>& block) {
            typename Grid<Real>::Around around(grid);
            block.start.assign(1, 0);
            block.slot.clear();
            block.weight.clear();
            block.slot.reserve(usual_row * block.query.size());
            block.weight.reserve(usual_row * block.query.size());
            for (const std::uint32_t q : block.query) {
                around.collect(queries[q], radius,
                               [&](std::uint32_t* slot, Real* r2, std::uint32_t count) {
                                   std::uint32_t kept = 0;
                                   for (std::uint32_t k = 0; k < count; ++k) {
                                       slot[kept] = slot[k];
                                       r2[kept] = r2[k];
                                       kept += accept(q, slot[k]) ? 1 : 0;
                                   }
                                   block.slot.insert(block.slot.end(), slot, slot + kept);
                                   block.weight.insert(block.weight.end(), r2, r2 + kept);
                               });
                if (block.slot.size() % 2 != 0) {
                    block.slot.push_back(block.slot.back());
                    block.weight.push_back(std::numeric_limits<Real>::infinity());
                }
                block.start.push_back(static_cast<std::uint32_t>(block.slot.size()));
            }
            done(block);
        });
    }

    /// body(block) for all blocks, in any order: for bodies that only take from neighbours.
    template <class Body> void in_any_order(const Body& body) const {
        parallel_tasks(m_count, [&](std::size_t b) { body(m_blocks[b]); });
    }
    /// body(block) for all blocks, colour after colour: for bodies that give to neighbours too.
    template <class Body> void by_colour(const Body& body) {
        for (const std::vector<std::uint32_t>& blocks : m_colours)
            parallel_tasks(blocks.size(), [&](std::size_t k) { body(m_blocks[blocks[k]]); });
    }

    std::size_t bytes() const;

private:
    /// In radii: two, and more than rounding can take away.
    static constexpr double block_edge = 2.00001;
    /// Pairs of a query in matter at rest, and some: rows seldom grow by doubling.
    static constexpr std::size_t usual_row = 36;

    void group(const std::vector<Vec3<Real>>& queries, double edge);
    std::uint32_t block_at(const Cell& cell);

    std::vector<PairBlock<Real>> m_blocks; ///< The first m_count are in use
    std::size_t m_count = 0;
    std::array<std::vector<std::uint32_t>, 8> m_colours;
    KeyTable m_numbers; ///< Of the blocks
};

} // namespace nendo
