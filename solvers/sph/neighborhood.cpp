// SPDX-License-Identifier: Apache-2.0
// Builds the neighbor lists of SPH particles and sums their density.
#include "sph/neighborhood.h"

#include <numeric>

namespace nendo::sph {

template <class Real>
void Neighborhood<Real>::place(const std::vector<Vec3<Real>>& points, double support) {
    m_points = points;
    const std::size_t known = m_index.size();
    m_index.resize(points.size());
    if (known < points.size())
        std::iota(m_index.begin() + static_cast<std::ptrdiff_t>(known), m_index.end(),
                  static_cast<std::uint32_t>(known));
    m_lists.build(m_points, static_cast<Real>(support), Distances::kept);
}

namespace {

/// Volume times kernel (without its factor) of eight neighbors at squared distances r2 [m^2].
template <class Real>
Batch<Real> weighted_volumes(const Kernels<Real>& kernels, const std::vector<Real>& volume,
                             const std::uint32_t* slot, const Real* r2) {
    const Batch<Real> q = Batch<Real>::load(r2).root() * Batch<Real>::fill(kernels.per_half);
    return Batch<Real>::gather(volume.data(), slot) * spline_terms(q).value();
}

} // namespace

template <class Real>
void Neighborhood<Real>::find(const Kernels<Real>& kernels, const std::vector<Real>& volume,
                              const std::vector<std::int32_t>& group,
                              std::vector<Real>& compression) {
    using Eight = Batch<Real>;
    constexpr std::uint32_t width = Eight::size;
    const std::size_t n = size();
    compression.resize(n);
    m_start.assign(n + 1, 0);
    // The first pass finds the length of each list, the second fills them one after another.
    m_lists.for_each([&](std::uint32_t i, const typename NeighborLists<Real>::Row& row) {
        Eight sum = Eight::fill(0);
        const std::uint32_t whole = row.count / width * width;
        for (std::uint32_t k = 0; k < whole; k += width)
            sum = sum + weighted_volumes(kernels, volume, row.first + k, row.r2 + k);
        if (whole < row.count) {
            std::array<std::uint32_t, width> slot;
            std::array<Real, width> r2;
            slot.fill(padding_slot());
            r2.fill(0);
            std::copy(row.first + whole, row.first + row.count, slot.begin());
            std::copy(row.r2 + whole, row.r2 + row.count, r2.begin());
            sum = sum + weighted_volumes(kernels, volume, slot.data(), r2.data());
        }
        // 4 is the kernel at r = 0, without its factor.
        compression[i] = kernels.density * (sum.sum() + volume[i] * Real(4));
        std::uint32_t count = row.count;
        if (group[i] != free_group)
            for (const std::uint32_t j : row) count -= group[j] == group[i] ? 1 : 0;
        m_start[i + 1] = (count + width - 1) / width * width;
    });
    std::partial_sum(m_start.begin(), m_start.end(), m_start.begin());
    if (m_near.size() < m_start[n]) m_near.resize(m_start[n] + m_start[n] / 8);
    m_lists.for_each([&](std::uint32_t i, const typename NeighborLists<Real>::Row& row) {
        std::uint32_t* to = m_near.data() + m_start[i];
        std::uint32_t* const end = m_near.data() + m_start[i + 1];
        if (group[i] == free_group)
            to = std::copy(row.begin(), row.end(), to);
        else
            to = std::copy_if(row.begin(), row.end(), to,
                              [&](std::uint32_t j) { return group[j] != group[i]; });
        std::fill(to, end, padding_slot());
    });
}

template class Neighborhood<float>;
template class Neighborhood<double>;

} // namespace nendo::sph
