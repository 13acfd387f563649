// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: a transform of row vectors, p' = p M.
#pragma once

#include "UT/UT_Vector3.h"

#include <array>

template <class T> class UT_Matrix4T {
public:
    UT_Matrix4T() = default; ///< As in Houdini, not initialized.
    explicit UT_Matrix4T(fpreal64 diagonal) {
        for (unsigned i = 0; i < 16; ++i) m_v[i] = i % 5 == 0 ? static_cast<T>(diagonal) : T(0);
    }
    void identity() { *this = UT_Matrix4T(1.0); }
    T& standin_at(unsigned row, unsigned col) { return m_v.at(4 * row + col); }
    T operator()(unsigned row, unsigned col) const { return m_v.at(4 * row + col); }

private:
    std::array<T, 16> m_v;
};

template <class T> UT_Matrix4T<T> operator*(const UT_Matrix4T<T>& a, const UT_Matrix4T<T>& b) {
    UT_Matrix4T<T> c(0.0);
    for (unsigned i = 0; i < 4; ++i)
        for (unsigned j = 0; j < 4; ++j)
            for (unsigned k = 0; k < 4; ++k) c.standin_at(i, j) += a(i, k) * b(k, j);
    return c;
}

using UT_Matrix4F = UT_Matrix4T<fpreal32>;
using UT_Matrix4D = UT_Matrix4T<fpreal64>;
using UT_DMatrix4 = UT_Matrix4D;
