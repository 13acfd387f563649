// Eight numbers at a time. Every path gives the same bits: no operation is fused or reordered.
#pragma once

#include "core/types.h"

#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace nendo {

inline constexpr std::uint32_t lanes = 8;

/// Squared distances [m^2] of eight points from p, and a bit for each that is below `limit`.
template <class Real>
unsigned near_lanes(const Real* x, const Real* y, const Real* z, const Real* p, Real limit,
                    Real* r2) {
    unsigned hits = 0;
    for (std::uint32_t k = 0; k < lanes; ++k) {
        const Real dx = x[k] - p[0];
        const Real dy = y[k] - p[1];
        const Real dz = z[k] - p[2];
        r2[k] = dx * dx + dy * dy + dz * dz;
        hits |= (r2[k] < limit ? 1u : 0u) << k;
    }
    return hits;
}

#if defined(__AVX2__)
template <>
inline unsigned near_lanes<float>(const float* x, const float* y, const float* z, const float* p,
                                  float limit, float* r2) {
    const __m256 dx = _mm256_sub_ps(_mm256_loadu_ps(x), _mm256_set1_ps(p[0]));
    const __m256 dy = _mm256_sub_ps(_mm256_loadu_ps(y), _mm256_set1_ps(p[1]));
    const __m256 dz = _mm256_sub_ps(_mm256_loadu_ps(z), _mm256_set1_ps(p[2]));
    const __m256 sum = _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(dx, dx), _mm256_mul_ps(dy, dy)),
                                     _mm256_mul_ps(dz, dz));
    _mm256_storeu_ps(r2, sum);
    const __m256 near = _mm256_cmp_ps(sum, _mm256_set1_ps(limit), _CMP_LT_OQ);
    return static_cast<unsigned>(_mm256_movemask_ps(near));
}
#endif

/// Two vectors of four lanes, side by side.
template <class Real> struct Twin {
    Vec4<Real> a, b;

    static Twin zero() { return {Vec4<Real>::Zero(), Vec4<Real>::Zero()}; }
    static Twin both(const Vec4<Real>& v) { return {v, v}; }
    static Twin of(const Vec4<Real>& a, const Vec4<Real>& b) { return {a, b}; }
    /// All lanes of the first vector are s, of the second t.
    static Twin fill(Real s, Real t) { return {Vec4<Real>::Constant(s), Vec4<Real>::Constant(t)}; }
    /// Lane k of each vector, in all its lanes.
    template <int k> Twin lane() const { return fill(a[k], b[k]); }
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
    static Twin both(const Vec4<float>& a) { return of(a, a); }
    static Twin of(const Vec4<float>& a, const Vec4<float>& b) {
        return {_mm256_loadu2_m128(b.data(), a.data())};
    }
    static Twin fill(float s, float t) { return {_mm256_set_m128(_mm_set1_ps(t), _mm_set1_ps(s))}; }
    template <int k> Twin lane() const { return {_mm256_permute_ps(v, k * 0x55)}; }
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

} // namespace nendo
