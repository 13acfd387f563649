#include "neighbours/pairs.h"

#include <algorithm>

namespace nendo {

template <class Real> std::size_t PairBlock<Real>::bytes() const {
    const auto of = [](const auto& column) { return column.capacity() * sizeof(column[0]); };
    return of(query) + of(start) + of(slot) + of(weight);
}

template <class Real> void Pairs<Real>::grow_table() {
    m_table.assign(std::max<std::size_t>(64, 2 * m_table.size()), 0);
    const std::uint64_t mask = m_table.size() - 1;
    for (std::size_t b = 0; b < m_keys.size(); ++b) {
        std::uint64_t place = mix(m_keys[b]) & mask;
        while (m_table[place] != 0) place = (place + 1) & mask;
        m_table[place] = static_cast<std::uint32_t>(b + 1);
    }
}

template <class Real> std::uint32_t Pairs<Real>::block_at(const Cell& cell) {
    const std::uint64_t key = key_of(cell);
    const std::uint64_t mask = m_table.size() - 1;
    std::uint64_t place = mix(key) & mask;
    while (m_table[place] != 0) {
        if (m_keys[m_table[place] - 1] == key) return m_table[place] - 1;
        place = (place + 1) & mask;
    }
    const auto block = static_cast<std::uint32_t>(m_keys.size());
    m_keys.push_back(key);
    m_table[place] = block + 1;
    if (m_blocks.size() <= block) m_blocks.emplace_back();
    m_blocks[block].query.clear();
    m_colours[(cell.x & 1) | (cell.y & 1) << 1 | (cell.z & 1) << 2].push_back(block);
    if (2 * m_keys.size() > m_table.size()) grow_table();
    return block;
}

template <class Real> void Pairs<Real>::group(const std::vector<Vec3<Real>>& queries, double edge) {
    m_keys.clear();
    for (auto& blocks : m_colours) blocks.clear();
    if (m_table.empty())
        grow_table();
    else
        std::fill(m_table.begin(), m_table.end(), 0u);
    Cell last;
    std::uint32_t block = 0;
    for (std::uint32_t q = 0; q < queries.size(); ++q) {
        const Cell cell = cell_of(queries[q], edge);
        if (q == 0 || !(cell == last)) block = block_at(cell);
        last = cell;
        m_blocks[block].query.push_back(q);
    }
    m_count = m_keys.size();
}

template <class Real> std::size_t Pairs<Real>::bytes() const {
    std::size_t sum =
        m_keys.capacity() * sizeof(m_keys[0]) + m_table.capacity() * sizeof(m_table[0]);
    for (const auto& blocks : m_colours) sum += blocks.capacity() * sizeof(blocks[0]);
    for (const PairBlock<Real>& block : m_blocks) sum += sizeof(block) + block.bytes();
    return sum;
}

template struct PairBlock<float>;
template struct PairBlock<double>;
template class Pairs<float>;
template class Pairs<double>;

} // namespace nendo
