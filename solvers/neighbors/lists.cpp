// SPDX-License-Identifier: Apache-2.0
// Building of the neighbor lists, block by block of space.
#include "neighbors/lists.h"

#include "neighbors/grid.h"

#include <algorithm>

namespace nendo {

namespace {

/// The key of a cell's block, followed by the number of the cell in the block.
std::uint64_t code_of(const Cell& cell) {
    const auto low = [](std::int64_t c) { return static_cast<std::uint64_t>(c & 3); };
    return key_of<block_bits>({cell.x >> 2, cell.y >> 2, cell.z >> 2}) << 6 | low(cell.z) << 4 |
           low(cell.y) << 2 | low(cell.x);
}

} // namespace

template <class Real>
void NeighborLists<Real>::sort_into_cells(const std::vector<Vec3<Real>>& points) {
    const std::size_t n = points.size();
    m_code.resize(n);
    m_cell_of.resize(n);
    m_index.resize(n + lanes - 1, 0);
    for (auto* column : {&m_x, &m_y, &m_z}) column->resize(n + lanes - 1, Real(0));
    parallel_for(n, [&](std::size_t i) { m_code[i] = code_of(cell_of(points[i], m_cell_size)); });

    // Number the blocks in the order in which points reach them, then do a counting sort by cell.
    m_numbers.clear();
    m_start.assign(2, 0);
    std::uint32_t block = KeyTable::none;
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint64_t key = m_code[i] / cells;
        if (i == 0 || m_numbers.key(block) != key) {
            block = m_numbers.find_or_add(key);
            m_start.resize(cells * m_numbers.size() + 2, 0);
        }
        m_cell_of[i] = block * cells + static_cast<std::uint32_t>(m_code[i] % cells);
        ++m_start[m_cell_of[i] + 2];
    }
    for (std::size_t c = 2; c < m_start.size(); ++c) m_start[c] += m_start[c - 1];
    for (std::size_t i = 0; i < n; ++i)
        m_index[m_start[m_cell_of[i] + 1]++] = static_cast<std::uint32_t>(i);
    parallel_for(n, [&](std::size_t slot) {
        const Vec3<Real>& p = points[m_index[slot]];
        m_x[slot] = p.x();
        m_y[slot] = p.y();
        m_z[slot] = p.z();
    });
    if (m_blocks.size() < m_numbers.size()) m_blocks.resize(m_numbers.size());
}

template <class Real>
void NeighborLists<Real>::build(const std::vector<Vec3<Real>>& points, Real radius,
                                Distances distances) {
    m_cell_size = 1.00001 * static_cast<double>(radius); // a margin for rounding
    m_limit = radius * radius;
    m_distances = distances;
    sort_into_cells(points);
    parallel_tasks(m_numbers.size(), [&](std::size_t b) {
        Block& block = m_blocks[b];
        find_block_around(block, m_numbers.key(static_cast<std::uint32_t>(b)));
        block.first = m_start[cells * b];
        block.rows = m_start[cells * (b + 1)] - block.first;
        block.start.resize(block.rows + 1u);
        block.start[0] = 0;
        for (std::uint32_t cell = 0; cell < cells; ++cell)
            if (distances == Distances::kept)
                find_rows<true>(block, cell);
            else
                find_rows<false>(block, cell);
    });
}

template <class Real>
void NeighborLists<Real>::find_block_around(Block& block, std::uint64_t key) const {
    std::size_t k = 0;
    for_each_block_around(key,
                          [&](std::uint64_t near) { block.around[k++] = m_numbers.find(near); });
}

template <class Real>
typename NeighborLists<Real>::Runs NeighborLists<Real>::runs_around(const Block& block,
                                                                    std::uint32_t cell) const {
    Runs runs;
    const std::uint32_t x = cell & 3, y = cell >> 2 & 3, z = cell >> 4;
    // A row of three cells starts in the previous block if x is 0 and ends in the next one if x is 3.
    const auto add_row = [&](const std::uint32_t* blocks, std::uint32_t row, bool own) {
        const auto add = [&](std::uint32_t block_x, std::uint32_t begin, std::uint32_t end) {
            if (blocks[block_x] == KeyTable::none) return;
            const std::uint32_t* const start = &m_start[blocks[block_x] * cells + row];
            runs.add(start[begin], start[end]);
        };
        if (x == 0) add(0, 3, 4);
        if (own) {
            add(1, x > 0 ? x - 1 : 0, x);
            runs.own = runs.count;
            add(1, x, std::min(x + 2, 4u));
        } else {
            add(1, x > 0 ? x - 1 : 0, std::min(x + 2, 4u));
        }
        if (x == 3) add(2, 0, 1);
    };
    for (std::uint32_t dz = 0; dz < 3; ++dz)
        for (std::uint32_t dy = 0; dy < 3; ++dy) {
            // Counted from one block lower, so that they are not negative.
            const std::uint32_t row_y = y + dy + 3, row_z = z + dz + 3;
            add_row(&block.around[(row_z >> 2) * 9 + (row_y >> 2) * 3],
                    (row_z & 3) * 16 + (row_y & 3) * 4, dz == 1 && dy == 1);
        }
    return runs;
}

template <class Real>
template <bool with_r2>
void NeighborLists<Real>::find_rows(Block& block, std::uint32_t cell) const {
    const std::uint32_t first = m_start[block.around[13] * cells + cell];
    const std::uint32_t last = m_start[block.around[13] * cells + cell + 1];
    if (first == last) return;
    const Runs runs = runs_around(block, cell);
    std::uint32_t most = 0;
    for (std::uint32_t k = 0; k < runs.count; ++k) most += runs.run[k].end - runs.run[k].begin;
    if (most > Candidates<Real>::capacity) return find_crowded_rows<with_r2>(block, cell, runs);

    Vec3<Real> low = point(first), high = low;
    for (std::uint32_t s = first + 1; s < last; ++s) {
        low = low.cwiseMin(point(s));
        high = high.cwiseMax(point(s));
    }
    Candidates<Real> near(low, high, m_limit);
    std::uint32_t self = 0;
    for (std::uint32_t k = 0; k < runs.count; ++k) {
        if (k == runs.own) self = near.count();
        near.add({m_x.data(), m_y.data(), m_z.data(), m_index.data()}, runs.run[k].begin,
                 runs.run[k].end);
    }
    near.finish();
    for (std::uint32_t s = first; s < last; ++s, ++self) {
        const std::uint32_t row = s - block.first;
        const std::uint32_t begin = block.start[row];
        block.reserve(begin + near.count() + lanes, with_r2);
        block.start[row + 1] =
            begin + near.template row<with_r2>(point(s), self, &block.near[begin],
                                               with_r2 ? &block.r2[begin] : nullptr);
    }
}

template <class Real>
template <bool with_r2>
void NeighborLists<Real>::find_crowded_rows(Block& block, std::uint32_t cell,
                                            const Runs& runs) const {
    const std::uint32_t first = m_start[block.around[13] * cells + cell];
    const std::uint32_t last = m_start[block.around[13] * cells + cell + 1];
    for (std::uint32_t q = first; q < last; ++q) {
        const Vec3<Real> p = point(q);
        std::uint32_t end = block.start[q - block.first];
        for (std::uint32_t k = 0; k < runs.count; ++k)
            for (std::uint32_t s = runs.run[k].begin; s < runs.run[k].end; ++s) {
                const Real dx = m_x[s] - p.x();
                const Real dy = m_y[s] - p.y();
                const Real dz = m_z[s] - p.z();
                const Real r2 = dx * dx + dy * dy + dz * dz;
                if (!(r2 < m_limit) || s == q) continue;
                block.reserve(end + 1, with_r2);
                block.near[end] = m_index[s];
                if (with_r2) block.r2[end] = r2;
                ++end;
            }
        block.start[q - block.first + 1] = end;
    }
}

template <class Real>
typename NeighborLists<Real>::Row NeighborLists<Real>::of(std::uint32_t point) const {
    const std::uint32_t cell = m_cell_of[point];
    const Block& block = m_blocks[cell / cells];
    std::uint32_t slot = m_start[cell];
    while (m_index[slot] != point) ++slot;
    return row(block, slot - block.first);
}

template class NeighborLists<float>;
template class NeighborLists<double>;

} // namespace nendo
