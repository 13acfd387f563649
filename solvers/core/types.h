// SPDX-License-Identifier: Apache-2.0
// The vocabulary of every solver: small vectors and matrices, in SI units.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstdint>
#include <limits>
#include <vector>

namespace nendo {

template <class Real> using Vec3 = Eigen::Matrix<Real, 3, 1>;
template <class Real> using Mat3 = Eigen::Matrix<Real, 3, 3>;
/// A 3-vector in four lanes (the fourth is padding, kept at zero), so that one load fetches it. As
/// a column of a state: a quaternion x, y, z, w.
template <class Real> using Vec4 = Eigen::Matrix<Real, 4, 1>;

using Vec3d = Vec3<double>;
using Mat3d = Mat3<double>;

/// A pose of a rigid body.
using Pose = Eigen::Isometry3d;

/// A yield point, friction or stickiness of this value has no limit.
inline constexpr double infinite = std::numeric_limits<double>::infinity();

/// The matrix of the cross product: skew(a) b = a x b.
template <class Real> Mat3<Real> skew(const Vec3<Real>& a) {
    Mat3<Real> m;
    m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
    return m;
}

} // namespace nendo
