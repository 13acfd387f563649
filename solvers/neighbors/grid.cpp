// SPDX-License-Identifier: Apache-2.0
// Building of the hashed grid, and the look-up of its cells.
#include "neighbors/grid.h"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <numeric>

namespace nendo {

namespace {

/// Spreads the low 21 bits of x so that each is followed by two zeros, for a Morton code.
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
    while (buckets < n) buckets *= 2;
    m_mask = buckets - 1;
    m_start.assign(buckets + 1, 0);
    m_bucket_of.resize(n);
    m_index.resize(n);
    for (auto* column : {&m_x, &m_y, &m_z}) column->resize(n + lanes - 1, Real(0));

    parallel_for(n, [&](std::size_t i) {
        const Cell cell = cell_of(points[i], cell_size);
        m_bucket_of[i] = static_cast<std::uint32_t>(bucket_of(row_of(cell.y, cell.z), cell.x));
    });

    // Counting sort by bucket. Points of a bucket stay in input order.
    for (std::size_t i = 0; i < n; ++i) ++m_start[m_bucket_of[i] + 1];
    std::partial_sum(m_start.begin(), m_start.end(), m_start.begin());
    m_cursor.assign(m_start.begin(), m_start.end() - 1);
    for (std::size_t i = 0; i < n; ++i)
        m_index[m_cursor[m_bucket_of[i]]++] = static_cast<std::uint32_t>(i);
    parallel_for(n, [&](std::size_t slot) {
        const Vec3<Real>& p = points[m_index[slot]];
        m_x[slot] = p.x();
        m_y[slot] = p.y();
        m_z[slot] = p.z();
    });
}

template <class Real>
void Grid<Real>::Runs::add(std::uint32_t first, std::uint32_t last, std::int64_t row_y,
                           std::int64_t row_z, std::uint64_t where) {
    if (first == last) return;
    if ((seen & where) != 0)
        for (int k = 0; k < count; ++k) overlap = overlap || (begin[k] < last && first < end[k]);
    seen |= where;
    begin[count] = first;
    end[count] = last;
    y[count] = row_y;
    z[count++] = row_z;
}

template <class Real>
typename Grid<Real>::Runs Grid<Real>::runs(const Cell& low, const Cell& high) const {
    // One bit per four buckets, modulo 64: runs without a common bit share no bucket.
    const auto bit = [](std::uint64_t bucket) { return std::uint64_t(1) << (bucket >> 2 & 63); };
    Runs found;
    for (std::int64_t z = low.z; z <= high.z; ++z)
        for (std::int64_t y = low.y; y <= high.y; ++y) {
            const std::uint64_t row = row_of(y, z);
            const std::uint64_t first = bucket_of(row, low.x);
            const std::uint64_t last = bucket_of(row, high.x);
            const std::uint64_t where = bit(first) | bit(last);
            if (first <= last) {
                found.add(m_start[first], m_start[last + 1], y, z, where);
            } else { // the row wraps around to the first bucket
                found.add(m_start[first], m_start[m_mask + 1], y, z, where);
                found.add(0, m_start[last + 1], y, z, where);
            }
        }
    return found;
}

template class Grid<float>;
template class Grid<double>;
template void spatial_order(const std::vector<Vec3<float>>&, const std::vector<std::int64_t>&,
                            double, std::vector<std::uint32_t>&);
template void spatial_order(const std::vector<Vec3<double>>&, const std::vector<std::int64_t>&,
                            double, std::vector<std::uint32_t>&);

} // namespace nendo
