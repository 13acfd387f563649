// SPDX-License-Identifier: Apache-2.0
// SIMD building blocks for the neighbor search (pack_near, near_lanes), for vectors of four lanes
// (Twin, LaneMatrix) and for eight independent problems (Wide). Every path has the same bits: no
// operation is fused or reordered. math/batch.h says when to use which SIMD type.
#pragma once

#include "core/types.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace nendo {

inline constexpr std::uint32_t lanes = 8;

/// The instruction set that the solvers were compiled for: "AVX2" or "portable".
const char* instruction_set();

/// Of eight points, writes those whose squared distance from p is below `limit` [m^2], packed: slot
/// number `first` + k for point k, and its squared distance [m^2]. Only the first `count` points are
/// considered. Returns the number written; `slot` and `r2` need a capacity of eight.
template <class Real>
std::uint32_t pack_near(const Real* x, const Real* y, const Real* z, const Real* p, Real limit,
                        std::uint32_t first, std::uint32_t count, std::uint32_t* slot, Real* r2) {
    std::uint32_t n = 0;
    for (std::uint32_t k = 0; k < std::min(count, lanes); ++k) {
        const Real dx = x[k] - p[0];
        const Real dy = y[k] - p[1];
        const Real dz = z[k] - p[2];
        slot[n] = first + k;
        r2[n] = dx * dx + dy * dy + dz * dz;
        n += r2[n] < limit ? 1 : 0;
    }
    return n;
}

#if defined(__AVX2__)
/// Eight floats with the operators of the compiler's vector extension.
typedef float Wide __attribute__((vector_size(lanes * sizeof(float))));

inline Wide magnitude(const Wide& a) {
    return a < 0 ? -a : a;
}
inline Wide root(const Wide& a) {
    Wide r{};
    for (std::uint32_t k = 0; k < lanes; ++k) r[k] = std::sqrt(a[k]);
    return r;
}
template <class Mask> bool all_set(const Mask& which) {
    bool all = true;
    for (std::uint32_t k = 0; k < lanes; ++k) all = all && which[k] != 0;
    return all;
}

namespace detail {

/// For each set of lanes, the permutation that moves the lanes of the set to the front.
struct PackOrder {
    alignas(32) std::uint32_t lane[256][lanes];
    constexpr PackOrder() : lane{} {
        for (std::uint32_t set = 0; set < 256; ++set) {
            std::uint32_t n = 0;
            for (std::uint32_t k = 0; k < lanes; ++k)
                if ((set >> k & 1u) != 0) lane[set][n++] = k;
        }
    }
};
inline constexpr PackOrder pack_order;

} // namespace detail

/// The squared lengths of eight offsets, and one bit for each that is below `limit` [m^2].
struct NearLanes {
    __m256 r2;
    unsigned set;
};
inline NearLanes near_lanes(__m256 dx, __m256 dy, __m256 dz, float limit) {
    const __m256 r2 = _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(dx, dx), _mm256_mul_ps(dy, dy)),
                                    _mm256_mul_ps(dz, dz));
    const __m256 near = _mm256_cmp_ps(r2, _mm256_set1_ps(limit), _CMP_LT_OQ);
    return {r2, static_cast<unsigned>(_mm256_movemask_ps(near))};
}

/// The permutation that moves the lanes of a set to the front.
inline __m256i packing(unsigned set) {
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(detail::pack_order.lane[set]));
}
inline void store_packed(std::uint32_t* to, const std::uint32_t* from, __m256i order) {
    const __m256i all = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_permutevar8x32_epi32(all, order));
}
/// Stores the lane numbers, counted from `first`.
inline void store_lanes(std::uint32_t* to, __m256i order, std::uint32_t first) {
    const __m256i base = _mm256_set1_epi32(static_cast<int>(first));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_add_epi32(order, base));
}

template <>
inline std::uint32_t pack_near<float>(const float* x, const float* y, const float* z,
                                      const float* p, float limit, std::uint32_t first,
                                      std::uint32_t count, std::uint32_t* slot, float* r2) {
    auto [sum, set] = near_lanes(_mm256_sub_ps(_mm256_loadu_ps(x), _mm256_set1_ps(p[0])),
                                 _mm256_sub_ps(_mm256_loadu_ps(y), _mm256_set1_ps(p[1])),
                                 _mm256_sub_ps(_mm256_loadu_ps(z), _mm256_set1_ps(p[2])), limit);
    if (count < lanes) set &= (1u << count) - 1;
    const __m256i order = packing(set);
    store_lanes(slot, order, first);
    _mm256_storeu_ps(r2, _mm256_permutevar8x32_ps(sum, order));
    return static_cast<std::uint32_t>(__builtin_popcount(set));
}
#endif

/// Two vectors of four lanes, processed together.
template <class Real> struct Twin {
    Vec4<Real> a, b;

    static Twin zero() { return {Vec4<Real>::Zero(), Vec4<Real>::Zero()}; }
    static Twin both(const Vec4<Real>& v) { return {v, v}; }
    static Twin of(const Vec4<Real>& a, const Vec4<Real>& b) { return {a, b}; }
    /// Loads two vectors that are adjacent in memory.
    static Twin load(const Vec4<Real>* two) { return {two[0], two[1]}; }
    /// Sets all lanes of the first vector to s and all lanes of the second to t.
    static Twin fill(Real s, Real t) { return {Vec4<Real>::Constant(s), Vec4<Real>::Constant(t)}; }
    /// Broadcasts lane k of each vector to all its lanes.
    template <int k> Twin lane() const { return fill(a[k], b[k]); }
    /// Broadcasts lane k of the first vector and lane l of the second, each to all its lanes.
    template <int k, int l> Twin lanes_of() const { return fill(a[k], b[l]); }
    Twin operator+(const Twin& o) const { return {a + o.a, b + o.b}; }
    Twin operator-(const Twin& o) const { return {a - o.a, b - o.b}; }
    Twin operator*(const Twin& o) const { return {a.cwiseProduct(o.a), b.cwiseProduct(o.b)}; }
    Vec4<Real> first() const { return a; }
    Vec4<Real> second() const { return b; }
};

#if defined(__AVX2__)
template <> struct Twin<float> {
    __m256 v;

    static Twin zero() { return {_mm256_setzero_ps()}; }
    static Twin both(const Vec4<float>& a) {
        return {_mm256_broadcast_ps(reinterpret_cast<const __m128*>(a.data()))};
    }
    static Twin load(const Vec4<float>* two) { return {_mm256_loadu_ps(two->data())}; }
    static Twin of(const Vec4<float>& a, const Vec4<float>& b) {
        return {_mm256_loadu2_m128(b.data(), a.data())};
    }
    static Twin fill(float s, float t) { return {_mm256_set_m128(_mm_set1_ps(t), _mm_set1_ps(s))}; }
    template <int k> Twin lane() const { return {_mm256_permute_ps(v, k * 0x55)}; }
    template <int k, int l> Twin lanes_of() const {
        return {_mm256_permutevar_ps(v, _mm256_setr_epi32(k, k, k, k, l, l, l, l))};
    }
    Twin operator+(const Twin& o) const { return {_mm256_add_ps(v, o.v)}; }
    Twin operator-(const Twin& o) const { return {_mm256_sub_ps(v, o.v)}; }
    Twin operator*(const Twin& o) const { return {_mm256_mul_ps(v, o.v)}; }
    Vec4<float> first() const { return vec4(_mm256_castps256_ps128(v)); }
    Vec4<float> second() const { return vec4(_mm256_extractf128_ps(v, 1)); }

private:
    static Vec4<float> vec4(__m128 half) {
        Vec4<float> out;
        _mm_store_ps(out.data(), half);
        return out;
    }
};
#endif

/// A 3x3 matrix as columns of four lanes, for products without scalar loops. The fourth lane is
/// unused.
template <class Real> struct LaneMatrix {
    Vec4<Real> col[3];

    Real operator()(int row, int column) const { return col[column][row]; }
    Real& operator()(int row, int column) { return col[column][row]; }
    LaneMatrix transpose() const {
        LaneMatrix t;
        for (int k = 0; k < 3; ++k) t.col[k] << col[0][k], col[1][k], col[2][k], Real(0);
        return t;
    }
    /// The product of this matrix and the one whose entries are entry(row, column).
    template <class Entry> LaneMatrix times(const Entry& entry) const {
        LaneMatrix out;
        for (int k = 0; k < 3; ++k)
            out.col[k] = col[0] * entry(0, k) + col[1] * entry(1, k) + col[2] * entry(2, k);
        return out;
    }
};

} // namespace nendo
