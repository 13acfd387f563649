// SPDX-License-Identifier: Apache-2.0
// Small vectors and matrices that all solvers use. Quantities are in SI units.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstdint>
#include <limits>
#include <vector>

namespace nendo {

template <class Real> using Vec3 = Eigen::Matrix<Real, 3, 1>;
template <class Real> using Mat3 = Eigen::Matrix<Real, 3, 3>;
/// A 3-vector padded to four lanes, so that one load fetches it; the fourth lane is kept at zero. As
/// a column of a state it is a quaternion x, y, z, w.
template <class Real> using Vec4 = Eigen::Matrix<Real, 4, 1>;

using Vec3d = Vec3<double>;
using Mat3d = Mat3<double>;

/// The position and orientation of a rigid body.
using Pose = Eigen::Isometry3d;

/// Means "no limit" for a yield strain, a friction coefficient or a stickiness.
inline constexpr double infinite = std::numeric_limits<double>::infinity();

/// The cross product as a matrix: skew(a) b = a x b.
template <class Real> Mat3<Real> skew(const Vec3<Real>& a) {
    Mat3<Real> m;
    m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
    return m;
}

} // namespace nendo
