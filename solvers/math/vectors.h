// SPDX-License-Identifier: Apache-2.0
// Vectors of the compiler's own, for loops that are compiled for several kinds of machines. All is
// local to who includes it, and no function of a library is called: the linker would take one
// machine's for all. The solvers choose at run time (wide_vectors()), and every path gives the same
// bits, since no operation is fused or reordered.
#pragma once

namespace nendo {

/// Whether this machine has AVX-512, and with it the loops that are compiled for it.
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
