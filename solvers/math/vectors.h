// SPDX-License-Identifier: Apache-2.0
// The compiler's vector types, for loops that are compiled once per instruction set and chosen at
// run time with wide_vectors(). Everything here is local to the including file, and such loops must
// not call inline library functions: the linker would keep one machine's version for all. Every path
// has the same bits, because no operation is fused or reordered. math/batch.h says when to use which
// SIMD type.
#pragma once

namespace nendo {

/// True if this machine has AVX-512 and can run the loops compiled for it.
inline bool wide_vectors() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx512f") != 0;
#else
    return false;
#endif
}

namespace {

template <class Real, int size> struct Vector {
    typedef Real Type __attribute__((vector_size(sizeof(Real) * size)));
    typedef Real Unaligned
        __attribute__((vector_size(sizeof(Real) * size), aligned(sizeof(Real)), may_alias));
};

template <class Real, int size>
inline typename Vector<Real, size>::Type load_vector(const Real* from) {
    return *reinterpret_cast<const typename Vector<Real, size>::Unaligned*>(from);
}
template <class Real, int size>
inline void store_vector(const typename Vector<Real, size>::Type& a, Real* to) {
    *reinterpret_cast<typename Vector<Real, size>::Unaligned*>(to) = a;
}

} // namespace
} // namespace nendo
