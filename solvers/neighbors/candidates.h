// SPDX-License-Identifier: Apache-2.0
// Candidate neighbors of a batch of nearby queries, packed so that each query is one linear SIMD
// loop.
#pragma once

#include "core/types.h"
#include "math/lanes.h"

#include <array>
#include <cstdint>
#include <limits>

namespace nendo {

/// Positions in columns. SIMD loads may read up to `lanes` - 1 entries past the last.
template <class Real> struct Columns {
    const Real *x, *y, *z;
    const std::uint32_t* number; ///< Number to report for each point; null: its index
};

/// Call add() for all ranges of points, then finish() once, then row() for each query.
template <class Real> class Candidates {
public:
    /// Capacity. Matter at rest has 230 candidates for a cell that is two spacings wide.
    static constexpr std::uint32_t capacity = 1024;

    /// Stands for "no candidate".
    static constexpr std::uint32_t none = ~0u;

    /// For queries in the box from `low` to `high` and a squared search radius `limit` [m^2].
    Candidates(const Vec3<Real>& low, const Vec3<Real>& high, Real limit)
        : m_low(low), m_high(high), m_limit(limit) {}

    std::uint32_t count() const { return m_count; }
    /// Adds the points of [begin, end) that are near the box. It rounds as row() does, and rounding
    /// is monotonic, so no neighbor of a query is missed. Ranges may have `capacity` points in total.
    void add(const Columns<Real>& from, std::uint32_t begin, std::uint32_t end);
    /// Pads the last SIMD load. Call it after the last add().
    void finish() {
        for (std::uint32_t k = m_count; k < m_count + lanes; ++k) {
            m_x[k] = std::numeric_limits<Real>::infinity();
            m_y[k] = m_z[k] = 0;
        }
    }
    /// Writes the numbers of all candidates near p except candidate `self`, and with `with_r2` their
    /// squared distances [m^2]. Returns how many. The outputs need a capacity of count() + lanes.
    template <bool with_r2>
    std::uint32_t row(const Vec3<Real>& p, std::uint32_t self, std::uint32_t* number,
                      Real* r2) const;

private:
    Vec3<Real> m_low, m_high;
    Real m_limit;
    std::uint32_t m_count = 0;
    alignas(32) std::array<Real, capacity + lanes> m_x, m_y, m_z;
    alignas(32) std::array<std::uint32_t, capacity + lanes> m_number;
};

template <class Real>
void Candidates<Real>::add(const Columns<Real>& from, std::uint32_t begin, std::uint32_t end) {
    const auto beyond = [&](Real c, int axis) {
        return std::max(std::max(m_low[axis] - c, c - m_high[axis]), Real(0));
    };
    for (std::uint32_t k = begin; k < end; ++k) {
        const Real dx = beyond(from.x[k], 0);
        const Real dy = beyond(from.y[k], 1);
        const Real dz = beyond(from.z[k], 2);
        m_x[m_count] = from.x[k];
        m_y[m_count] = from.y[k];
        m_z[m_count] = from.z[k];
        m_number[m_count] = from.number != nullptr ? from.number[k] : k;
        m_count += dx * dx + dy * dy + dz * dz < m_limit ? 1 : 0;
    }
}

template <class Real>
template <bool with_r2>
std::uint32_t Candidates<Real>::row(const Vec3<Real>& p, std::uint32_t self, std::uint32_t* number,
                                    Real* r2) const {
    std::uint32_t n = 0;
    for (std::uint32_t k = 0; k < m_count; ++k) {
        const Real dx = m_x[k] - p.x();
        const Real dy = m_y[k] - p.y();
        const Real dz = m_z[k] - p.z();
        const Real sum = dx * dx + dy * dy + dz * dz;
        number[n] = m_number[k];
        if (with_r2) r2[n] = sum;
        n += sum < m_limit && k != self ? 1 : 0;
    }
    return n;
}

#if defined(__AVX2__)
template <>
inline void Candidates<float>::add(const Columns<float>& from, std::uint32_t begin,
                                   std::uint32_t end) {
    const auto beyond = [&](__m256 c, int axis) {
        const __m256 below = _mm256_sub_ps(_mm256_set1_ps(m_low[axis]), c);
        const __m256 above = _mm256_sub_ps(c, _mm256_set1_ps(m_high[axis]));
        return _mm256_max_ps(_mm256_max_ps(below, above), _mm256_setzero_ps());
    };
    std::uint32_t n = m_count;
    for (std::uint32_t k = begin; k < end; k += lanes) {
        const __m256 x = _mm256_loadu_ps(from.x + k);
        const __m256 y = _mm256_loadu_ps(from.y + k);
        const __m256 z = _mm256_loadu_ps(from.z + k);
        unsigned near = near_lanes(beyond(x, 0), beyond(y, 1), beyond(z, 2), m_limit).set;
        if (end - k < lanes) near &= (1u << (end - k)) - 1;
        const __m256i order = packing(near);
        _mm256_storeu_ps(&m_x[n], _mm256_permutevar8x32_ps(x, order));
        _mm256_storeu_ps(&m_y[n], _mm256_permutevar8x32_ps(y, order));
        _mm256_storeu_ps(&m_z[n], _mm256_permutevar8x32_ps(z, order));
        if (from.number != nullptr)
            store_packed(&m_number[n], from.number + k, order);
        else
            store_lanes(&m_number[n], order, k);
        n += static_cast<std::uint32_t>(__builtin_popcount(near));
    }
    m_count = n;
}

template <>
template <bool with_r2>
std::uint32_t Candidates<float>::row(const Vec3<float>& p, std::uint32_t self,
                                     std::uint32_t* number, float* r2) const {
    const __m256 px = _mm256_set1_ps(p.x());
    const __m256 py = _mm256_set1_ps(p.y());
    const __m256 pz = _mm256_set1_ps(p.z());
    const std::uint32_t own = self / lanes * lanes;
    const unsigned others = ~(1u << self % lanes);
    std::uint32_t n = 0;
    for (std::uint32_t k = 0; k < m_count; k += lanes) {
        const auto [sum, set] = near_lanes(_mm256_sub_ps(_mm256_load_ps(&m_x[k]), px),
                                           _mm256_sub_ps(_mm256_load_ps(&m_y[k]), py),
                                           _mm256_sub_ps(_mm256_load_ps(&m_z[k]), pz), m_limit);
        const unsigned near = set & (k == own ? others : ~0u);
        const __m256i order = packing(near);
        store_packed(number + n, &m_number[k], order);
        if (with_r2) _mm256_storeu_ps(r2 + n, _mm256_permutevar8x32_ps(sum, order));
        n += static_cast<std::uint32_t>(__builtin_popcount(near));
    }
    return n;
}
#endif

} // namespace nendo
