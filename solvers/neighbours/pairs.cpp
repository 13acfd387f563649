#include "neighbours/pairs.h"

namespace nendo {

template <class Real> std::size_t PairBlock<Real>::bytes() const {
    const auto of = [](const auto& column) { return column.capacity() * sizeof(column[0]); };
    return of(query) + of(start) + of(slot) + of(weight);
}

template <class Real> std::uint32_t Pairs<Real>::block_at(const Cell& cell) {
    const std::size_t before = m_numbers.size();
    const std::uint32_t block = m_numbers.find_or_add(key_of(cell));
    if (block < before) return block;
    if (m_blocks.size() <= block) m_blocks.emplace_back();
    m_blocks[block].query.clear();
    m_colours[(cell.x & 1) | (cell.y & 1) << 1 | (cell.z & 1) << 2].push_back(block);
    return block;
}

template <class Real> void Pairs<Real>::group(const std::vector<Vec3<Real>>& queries, double edge) {
    m_numbers.clear();
    for (auto& blocks : m_colours) blocks.clear();
    Cell last;
    std::uint32_t block = 0;
    for (std::uint32_t q = 0; q < queries.size(); ++q) {
        const Cell cell = cell_of(queries[q], edge);
        if (q == 0 || !(cell == last)) block = block_at(cell);
        last = cell;
        m_blocks[block].query.push_back(q);
    }
    m_count = m_numbers.size();
}

template <class Real> std::size_t Pairs<Real>::bytes() const {
    std::size_t sum = m_numbers.bytes();
    for (const auto& blocks : m_colours) sum += blocks.capacity() * sizeof(blocks[0]);
    for (const PairBlock<Real>& block : m_blocks) sum += sizeof(block) + block.bytes();
    return sum;
}

template struct PairBlock<float>;
template struct PairBlock<double>;
template class Pairs<float>;
template class Pairs<double>;

} // namespace nendo
