// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: three numbers.
#pragma once

#include "SYS/SYS_Types.h"

#include <array>
#include <cstddef>

template <class T> class UT_Vector3T {
public:
    UT_Vector3T() = default; ///< As in Houdini, not initialized.
    UT_Vector3T(T x, T y, T z) : m_v{x, y, z} {}
    template <class S>
    explicit UT_Vector3T(const UT_Vector3T<S>& v)
        : m_v{static_cast<T>(v.x()), static_cast<T>(v.y()), static_cast<T>(v.z())} {}

    T x() const { return m_v[0]; }
    T y() const { return m_v[1]; }
    T z() const { return m_v[2]; }
    T& standin_at(unsigned i) { return m_v.at(i); }
    T standin_at(unsigned i) const { return m_v.at(i); }

private:
    std::array<T, 3> m_v;
};

using UT_Vector3F = UT_Vector3T<fpreal32>;
using UT_Vector3D = UT_Vector3T<fpreal64>;
using UT_Vector3 = UT_Vector3F;
