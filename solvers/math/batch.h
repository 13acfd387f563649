// SPDX-License-Identifier: Apache-2.0
// Batch: eight numbers, one from each of eight neighbors or records. Float uses AVX2 where it is
// compiled in; the portable path has the same bits, because no operation is fused or reordered and
// sums over the eight have one fixed order.
//
// Which SIMD type to use:
//   Batch, Batch4 (batch.h)    Loops that process eight neighbors or records at a time, with gathers
//                              and sums over the eight. The first choice for new code.
//   Twin, LaneMatrix (lanes.h) 3-vectors and 3x3 matrices padded to four lanes, where each neighbor
//                              reads or writes whole vectors; Twin takes two neighbors at a time.
//   Wide (lanes.h)             Eight independent problems that need the compiler's operators and
//                              masks, such as eight singular value decompositions; AVX2 only.
//   Vector (vectors.h)         Loops compiled once per instruction set and chosen at run time, such
//                              as skinning with AVX-512.
#pragma once

#include "core/types.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace nendo {

template <class Real> struct Batch {
    static constexpr std::uint32_t size = 8;
    Real v[size];

    static Batch fill(Real a) {
        return of([&](std::uint32_t) { return a; });
    }
    static Batch load(const Real* a) {
        return of([&](std::uint32_t k) { return a[k]; });
    }
    /// Loads a[index[k]] for each k.
    static Batch gather(const Real* a, const std::uint32_t* index) {
        return of([&](std::uint32_t k) { return a[index[k]]; });
    }
    void store(Real* a) const {
        for (std::uint32_t k = 0; k < size; ++k) a[k] = v[k];
    }
    Batch operator+(const Batch& o) const {
        return of([&](std::uint32_t k) { return v[k] + o.v[k]; });
    }
    Batch operator-(const Batch& o) const {
        return of([&](std::uint32_t k) { return v[k] - o.v[k]; });
    }
    Batch operator*(const Batch& o) const {
        return of([&](std::uint32_t k) { return v[k] * o.v[k]; });
    }
    Batch operator/(const Batch& o) const {
        return of([&](std::uint32_t k) { return v[k] / o.v[k]; });
    }
    Batch root() const {
        return of([&](std::uint32_t k) { return std::sqrt(v[k]); });
    }
    Batch at_least(const Batch& o) const {
        return of([&](std::uint32_t k) { return std::max(v[k], o.v[k]); });
    }
    Batch at_most(const Batch& o) const {
        return of([&](std::uint32_t k) { return std::min(v[k], o.v[k]); });
    }
    Batch magnitude() const {
        return of([&](std::uint32_t k) { return std::abs(v[k]); });
    }
    /// True if at least one number is below its counterpart in `limit`.
    bool any_below(const Batch& limit) const {
        bool any = false;
        for (std::uint32_t k = 0; k < size; ++k) any = any || v[k] < limit.v[k];
        return any;
    }
    /// Selects a where this is below `limit`, otherwise b.
    Batch where_below(const Batch& limit, const Batch& a, const Batch& b) const {
        return of([&](std::uint32_t k) { return v[k] < limit.v[k] ? a.v[k] : b.v[k]; });
    }
    Real sum() const { return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7])); }
    /// The sums of eight batches.
    static Batch sums(const Batch* eight) {
        return of([&](std::uint32_t k) { return eight[k].sum(); });
    }

private:
    template <class At> static Batch of(const At& at) {
        Batch b;
        for (std::uint32_t k = 0; k < size; ++k) b.v[k] = at(k);
        return b;
    }
};

/// Eight records of four numbers each.
template <class Real> struct Batch4 {
    Batch<Real> x, y, z, w;

    static Batch4 gather(const Vec4<Real>* a, const std::uint32_t* index) {
        Batch4 b;
        for (std::uint32_t k = 0; k < Batch<Real>::size; ++k) {
            const Vec4<Real>& record = a[index[k]];
            b.x.v[k] = record[0];
            b.y.v[k] = record[1];
            b.z.v[k] = record[2];
            b.w.v[k] = record[3];
        }
        return b;
    }
    /// Writes the records one after another.
    void store(Vec4<Real>* a) const {
        for (std::uint32_t k = 0; k < Batch<Real>::size; ++k)
            a[k] = Vec4<Real>(x.v[k], y.v[k], z.v[k], w.v[k]);
    }
};

#if defined(__AVX2__)
template <> struct Batch<float> {
    static constexpr std::uint32_t size = 8;
    __m256 v;

    static Batch fill(float a) { return {_mm256_set1_ps(a)}; }
    static Batch load(const float* a) { return {_mm256_loadu_ps(a)}; }
    static Batch gather(const float* a, const std::uint32_t* index) {
        return {_mm256_setr_ps(a[index[0]], a[index[1]], a[index[2]], a[index[3]], a[index[4]],
                               a[index[5]], a[index[6]], a[index[7]])};
    }
    void store(float* a) const { _mm256_storeu_ps(a, v); }
    Batch operator+(const Batch& o) const { return {_mm256_add_ps(v, o.v)}; }
    Batch operator-(const Batch& o) const { return {_mm256_sub_ps(v, o.v)}; }
    Batch operator*(const Batch& o) const { return {_mm256_mul_ps(v, o.v)}; }
    Batch operator/(const Batch& o) const { return {_mm256_div_ps(v, o.v)}; }
    Batch root() const { return {_mm256_sqrt_ps(v)}; }
    Batch at_least(const Batch& o) const { return {_mm256_max_ps(o.v, v)}; }
    Batch at_most(const Batch& o) const { return {_mm256_min_ps(o.v, v)}; }
    Batch magnitude() const { return {_mm256_andnot_ps(_mm256_set1_ps(-0.0f), v)}; }
    bool any_below(const Batch& limit) const {
        return _mm256_movemask_ps(_mm256_cmp_ps(v, limit.v, _CMP_LT_OQ)) != 0;
    }
    Batch where_below(const Batch& limit, const Batch& a, const Batch& b) const {
        return {_mm256_blendv_ps(b.v, a.v, _mm256_cmp_ps(v, limit.v, _CMP_LT_OQ))};
    }
    float sum() const {
        const __m128 four = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
        const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
        return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
    }
    static Batch sums(const Batch* eight) {
        // Adds halves, then quarters, then adjacent lanes, as sum() does.
        const auto halves = [&](int a, int b) {
            return _mm256_add_ps(_mm256_permute2f128_ps(eight[a].v, eight[b].v, 0x20),
                                 _mm256_permute2f128_ps(eight[a].v, eight[b].v, 0x31));
        };
        const auto quarters = [](__m256 a, __m256 b) {
            return _mm256_add_ps(_mm256_shuffle_ps(a, b, 0x44), _mm256_shuffle_ps(a, b, 0xee));
        };
        const __m256 low = quarters(halves(0, 4), halves(1, 5));
        const __m256 high = quarters(halves(2, 6), halves(3, 7));
        return {
            _mm256_add_ps(_mm256_shuffle_ps(low, high, 0x88), _mm256_shuffle_ps(low, high, 0xdd))};
    }
};

template <> struct Batch4<float> {
    Batch<float> x, y, z, w;

    static Batch4 gather(const Vec4<float>* a, const std::uint32_t* index) {
        const auto pair = [&](std::uint32_t low, std::uint32_t high) {
            return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(a[index[low]].data())),
                                        _mm_load_ps(a[index[high]].data()), 1);
        };
        const __m256 a04 = pair(0, 4), a15 = pair(1, 5), a26 = pair(2, 6), a37 = pair(3, 7);
        const __m256 xy01 = _mm256_unpacklo_ps(a04, a15), zw01 = _mm256_unpackhi_ps(a04, a15);
        const __m256 xy23 = _mm256_unpacklo_ps(a26, a37), zw23 = _mm256_unpackhi_ps(a26, a37);
        return {{_mm256_shuffle_ps(xy01, xy23, 0x44)},
                {_mm256_shuffle_ps(xy01, xy23, 0xee)},
                {_mm256_shuffle_ps(zw01, zw23, 0x44)},
                {_mm256_shuffle_ps(zw01, zw23, 0xee)}};
    }
    void store(Vec4<float>* a) const {
        const __m256 xy01 = _mm256_unpacklo_ps(x.v, y.v), xy23 = _mm256_unpackhi_ps(x.v, y.v);
        const __m256 zw01 = _mm256_unpacklo_ps(z.v, w.v), zw23 = _mm256_unpackhi_ps(z.v, w.v);
        const auto put = [&](std::uint32_t low, __m256 both) {
            _mm_store_ps(a[low].data(), _mm256_castps256_ps128(both));
            _mm_store_ps(a[low + 4].data(), _mm256_extractf128_ps(both, 1));
        };
        put(0, _mm256_shuffle_ps(xy01, zw01, 0x44));
        put(1, _mm256_shuffle_ps(xy01, zw01, 0xee));
        put(2, _mm256_shuffle_ps(xy23, zw23, 0x44));
        put(3, _mm256_shuffle_ps(xy23, zw23, 0xee));
    }
};
#endif

} // namespace nendo
