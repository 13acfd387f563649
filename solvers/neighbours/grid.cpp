#include "neighbours/grid.h"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <numeric>

namespace nendo {

namespace {

/// 21 bits an axis. Cells 2^21 apart share a key; the distance test of every query tells them
/// apart.
std::uint64_t key_of(const Cell& cell) {
    const std::uint64_t mask = (1u << 21) - 1;
    return (static_cast<std::uint64_t>(cell.x) & mask) |
           (static_cast<std::uint64_t>(cell.y) & mask) << 21 |
           (static_cast<std::uint64_t>(cell.z) & mask) << 42;
}

/// A well-mixed hash of a key (the finaliser of SplitMix64).
std::uint64_t mix(std::uint64_t k) {
    k = (k ^ (k >> 30)) * 0xbf58476d1ce4e5b9ull;
    k = (k ^ (k >> 27)) * 0x94d049bb133111ebull;
    return k ^ (k >> 31);
}

/// Spreads the low 21 bits of x so that two zeros follow each.
std::uint64_t spread(std::int64_t x) {
    std::uint64_t b = static_cast<std::uint64_t>(x + (1 << 20)) & ((1u << 21) - 1);
    b = (b | b << 32) & 0x1f00000000ffffull;
    b = (b | b << 16) & 0x1f0000ff0000ffull;
    b = (b | b << 8) & 0x100f00f00f00f00full;
    b = (b | b << 4) & 0x10c30c30c30c30c3ull;
    b = (b | b << 2) & 0x1249249249249249ull;
    return b;
}

} // namespace

template <class Real>
void spatial_order(const std::vector<Vec3<Real>>& points, const std::vector<std::int64_t>& ids,
                   double cell_size, std::vector<std::uint32_t>& order) {
    const std::size_t n = points.size();
    std::vector<std::uint64_t> code(n);
    parallel_for(n, [&](std::size_t i) {
        const Cell c = cell_of(points[i], cell_size);
        code[i] = spread(c.x) | spread(c.y) << 1 | spread(c.z) << 2;
    });
    order.resize(n);
    std::iota(order.begin(), order.end(), 0u);
    tbb::parallel_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return code[a] != code[b] ? code[a] < code[b] : ids[a] < ids[b];
    });
}

template <class Real>
void Grid<Real>::build(const std::vector<Vec3<Real>>& points, double cell_size) {
    const std::size_t n = points.size();
    m_cell_size = cell_size;
    std::size_t buckets = 64;
    while (buckets < n / 2) buckets *= 2;
    m_mask = buckets - 1;
    m_start.assign(buckets + 1, 0);
    m_key_of.resize(n);
    m_key.resize(n);
    m_index.resize(n);
    m_point.resize(n);

    parallel_for(n, [&](std::size_t i) { m_key_of[i] = key_of(cell_of(points[i], cell_size)); });

    // Counting sort by bucket; points of a bucket stay in the order of the input.
    for (std::size_t i = 0; i < n; ++i) ++m_start[(mix(m_key_of[i]) & m_mask) + 1];
    std::partial_sum(m_start.begin(), m_start.end(), m_start.begin());
    m_cursor.assign(m_start.begin(), m_start.end() - 1);
    for (std::size_t i = 0; i < n; ++i)
        m_index[m_cursor[mix(m_key_of[i]) & m_mask]++] = static_cast<std::uint32_t>(i);

    // Cells that share a bucket are set apart, so that each cell is one run.
    parallel_for(buckets, [&](std::size_t b) {
        const std::uint32_t begin = m_start[b];
        const std::uint32_t end = m_start[b + 1];
        for (std::uint32_t i = begin + 1; i < end; ++i) {
            const std::uint32_t index = m_index[i];
            std::uint32_t hole = i;
            while (hole > begin && m_key_of[m_index[hole - 1]] > m_key_of[index]) {
                m_index[hole] = m_index[hole - 1];
                --hole;
            }
            m_index[hole] = index;
        }
    });
    parallel_for(n, [&](std::size_t slot) {
        m_key[slot] = m_key_of[m_index[slot]];
        m_point[slot] = points[m_index[slot]];
    });
}

template <class Real>
std::pair<std::uint32_t, std::uint32_t> Grid<Real>::range(const Cell& cell) const {
    const std::uint64_t key = key_of(cell);
    const std::uint64_t bucket = mix(key) & m_mask;
    const std::uint32_t end_of_bucket = m_start[bucket + 1];
    std::uint32_t begin = m_start[bucket];
    while (begin != end_of_bucket && m_key[begin] != key) ++begin;
    std::uint32_t end = begin;
    while (end != end_of_bucket && m_key[end] == key) ++end;
    return {begin, end};
}

template <class Real> void Grid<Real>::Around::find(const Cell& cell) {
    m_cell = cell;
    m_found = true;
    m_runs = 0;
    for (int dz = -1; dz <= 1; ++dz)
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                const auto [begin, end] = m_grid.range(Cell{cell.x + dx, cell.y + dy, cell.z + dz});
                if (begin == end) continue;
                m_begin[m_runs] = begin;
                m_end[m_runs] = end;
                ++m_runs;
            }
}

template <class Real> std::size_t Grid<Real>::bytes() const {
    return m_start.capacity() * sizeof(m_start[0]) + m_key.capacity() * sizeof(m_key[0]) +
           m_index.capacity() * sizeof(m_index[0]) + m_point.capacity() * sizeof(m_point[0]) +
           m_key_of.capacity() * sizeof(m_key_of[0]) + m_cursor.capacity() * sizeof(m_cursor[0]);
}

template class Grid<float>;
template class Grid<double>;
template void spatial_order(const std::vector<Vec3<float>>&, const std::vector<std::int64_t>&,
                            double, std::vector<std::uint32_t>&);
template void spatial_order(const std::vector<Vec3<double>>&, const std::vector<std::int64_t>&,
                            double, std::vector<std::uint32_t>&);

} // namespace nendo
