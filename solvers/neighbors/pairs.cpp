// SPDX-License-Identifier: Apache-2.0
// Grouping of queries into colored blocks, and the order in which blocks may run.
#include "neighbors/pairs.h"

#include <numeric>

namespace nendo {

namespace {

/// From this number of queries on, blocks are four cells wide. Then fewer blocks share a neighbor,
/// and it is loaded from memory less often. Smaller bodies need more blocks to keep all threads busy.
constexpr std::size_t many = 65536;

/// Bits of the number of a cell in its block.
constexpr std::uint64_t cell_bits = 6;

/// The key of a cell's block, which is 2^shift cells wide, followed by the number of the cell in the
/// block along a Morton curve.
std::uint64_t code_of(const Cell& cell, unsigned shift) {
    const auto octant = [&](unsigned bit) {
        return static_cast<std::uint64_t>((cell.x >> bit & 1) | (cell.y >> bit & 1) << 1 |
                                          (cell.z >> bit & 1) << 2);
    };
    const std::uint64_t block =
        key_of<block_bits>({cell.x >> shift, cell.y >> shift, cell.z >> shift});
    return block << cell_bits | (shift > 1 ? octant(1) << 3 : 0) | octant(0);
}

std::size_t color_of(std::uint64_t key) {
    return (key & 1) | (key >> block_bits & 1) << 1 | (key >> 2 * block_bits & 1) << 2;
}

} // namespace

template <class Real> std::uint32_t Pairs<Real>::block_at(std::uint64_t key) {
    const std::size_t before = m_numbers.size();
    const std::uint32_t block = m_numbers.find_or_add(key);
    if (block < before) return block;
    if (m_blocks.size() <= block) m_blocks.emplace_back();
    m_blocks[block].query.clear();
    m_colors[color_of(key)].push_back(block);
    return block;
}

template <class Real>
void Pairs<Real>::group(const std::vector<Vec3<Real>>& queries, double cell_size) {
    m_numbers.clear();
    for (auto& blocks : m_colors) blocks.clear();
    m_code.resize(queries.size());
    const unsigned shift = queries.size() < many ? 1 : 2;
    parallel_for(queries.size(), [&](std::size_t q) {
        m_code[q] = code_of(cell_of(queries[q], cell_size), shift);
    });
    std::uint32_t block = 0;
    for (std::uint32_t q = 0; q < queries.size(); ++q) {
        const std::uint64_t key = m_code[q] >> cell_bits;
        if (q == 0 || key != (m_code[q - 1] >> cell_bits)) block = block_at(key);
        m_blocks[block].query.push_back(q);
    }
    m_count = m_numbers.size();
    find_order();
    parallel_tasks(m_count, [&](std::size_t place) {
        sort_by_cell(m_blocks[m_order[place]]);
        find_earlier(place);
    });
}

template <class Real> void Pairs<Real>::sort_by_cell(PairBlock<Real>& block) const {
    constexpr std::uint64_t cells = 1 << cell_bits;
    const auto cell = [&](std::uint32_t q) { return m_code[q] & (cells - 1); };
    std::array<std::uint32_t, cells + 1> next{};
    for (const std::uint32_t q : block.query) ++next[cell(q) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    block.start.assign(1, 0);
    block.reserve(static_cast<std::uint32_t>(block.rows())); // scratch until pairs are found
    for (const std::uint32_t q : block.query) block.slot[next[cell(q)]++] = q;
    std::copy_n(block.slot.begin(), block.rows(), block.query.begin());
}

template <class Real> void Pairs<Real>::find_order() {
    m_order.clear();
    for (const auto& blocks : m_colors) m_order.insert(m_order.end(), blocks.begin(), blocks.end());
    m_place_of.resize(m_count);
    for (std::uint32_t place = 0; place < m_count; ++place) m_place_of[m_order[place]] = place;
    m_earlier.resize(m_count);
}

template <class Real> void Pairs<Real>::find_earlier(std::size_t place) {
    Earlier& earlier = m_earlier[place];
    earlier.count = 0;
    for_each_block_around(m_numbers.key(m_order[place]), [&](std::uint64_t key) {
        const std::uint32_t block = m_numbers.find(key);
        if (block == KeyTable::none || m_place_of[block] >= place) return;
        earlier.place[earlier.count++] = m_place_of[block];
    });
}

template <class Real>
void Pairs<Real>::add_crowded_row(PairBlock<Real>& block, const Vec3<Real>& x,
                                  const Grid<Real>& grid, const typename Grid<Real>::Runs& runs,
                                  Real radius) {
    block.reserve(runs.slots() + lanes);
    const Columns<Real> from = grid.columns();
    std::uint32_t end = block.start.back();
    grid.for_each_range(runs, [&](std::uint32_t first, std::uint32_t last) {
        for (std::uint32_t k = first; k < last; k += lanes)
            end += pack_near(from.x + k, from.y + k, from.z + k, x.data(), radius * radius, k,
                             last - k, &block.slot[end], &block.weight[end]);
    });
    block.start.push_back(end);
}

template struct PairBlock<float>;
template struct PairBlock<double>;
template class Pairs<float>;
template class Pairs<double>;

} // namespace nendo
