// Eight numbers at a time. Every path gives the same bits: no operation is fused or reordered.
#pragma once

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

} // namespace nendo
