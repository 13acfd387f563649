// Lists of near pairs, a row for each query point, kept in two flat columns. Memory is reused from
// one substep to the next.
#pragma once

#include "core/parallel.h"
#include "neighbours/grid.h"

#include <cstdint>
#include <vector>

namespace nendo {

template <class Real> struct Pairs {
    std::vector<std::uint32_t> start; ///< Row q is [start[q], start[q + 1])
    std::vector<std::uint32_t> index; ///< The near point
    std::vector<Real> weight;         ///< Whatever the search computed for the pair

    std::size_t rows() const { return start.empty() ? 0 : start.size() - 1; }
    std::uint32_t row_size(std::size_t q) const { return start[q + 1] - start[q]; }
    std::size_t bytes() const {
        return start.capacity() * sizeof(start[0]) + index.capacity() * sizeof(index[0]) +
               weight.capacity() * sizeof(Real);
    }
};

template <class Real> class PairSearch {
public:
    /// For each query q, the grid's points i within `radius` for which accept(q, i) holds, with
    /// weigh(squared distance) as weight. Rows are in the grid's order: the same for any number of
    /// threads.
    template <class Accept, class Weigh>
    void find(const std::vector<Vec3<Real>>& queries, const Grid<Real>& grid, Real radius,
              const Accept& accept, const Weigh& weigh, Pairs<Real>& out) {
        const std::size_t n = queries.size();
        m_blocks.resize((n + block_size - 1) / block_size);
        out.start.resize(n + 1);
        parallel_blocks(n, [&](std::size_t begin, std::size_t end) {
            Block& block = m_blocks[begin / block_size];
            block.index.clear();
            block.weight.clear();
            typename Grid<Real>::Around around(grid);
            for (std::size_t q = begin; q != end; ++q) {
                const std::size_t before = block.index.size();
                around.visit(queries[q], radius, [&](std::uint32_t i, Real r2) {
                    if (!accept(q, i)) return;
                    block.index.push_back(i);
                    block.weight.push_back(weigh(r2));
                });
                out.start[q + 1] = static_cast<std::uint32_t>(block.index.size() - before);
            }
        });
        out.start[0] = 0;
        for (std::size_t q = 0; q < n; ++q) out.start[q + 1] += out.start[q];
        out.index.resize(out.start[n]);
        out.weight.resize(out.start[n]);
        parallel_blocks(n, [&](std::size_t begin, std::size_t) {
            const Block& block = m_blocks[begin / block_size];
            std::copy(block.index.begin(), block.index.end(), out.index.begin() + out.start[begin]);
            std::copy(block.weight.begin(), block.weight.end(),
                      out.weight.begin() + out.start[begin]);
        });
    }

    std::size_t bytes() const {
        std::size_t sum = 0;
        for (const Block& b : m_blocks)
            sum += b.index.capacity() * sizeof(std::uint32_t) + b.weight.capacity() * sizeof(Real);
        return sum;
    }

private:
    struct Block {
        std::vector<std::uint32_t> index;
        std::vector<Real> weight;
    };
    std::vector<Block> m_blocks;
};

} // namespace nendo
