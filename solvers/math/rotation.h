// SPDX-License-Identifier: Apache-2.0
// Conversions between quaternions and rotation vectors (axis times angle), with the same bits on
// every machine.
#pragma once

#include "core/types.h"
#include "math/portable_math.h"

namespace nendo {

using Quat = Eigen::Quaterniond;

/// The quaternion of a rotation vector: about its axis, by its length [rad].
inline Quat rotation_exp(const Vec3d& rotation) {
    const double angle = rotation.norm();
    const SinCos half = portable_sin_cos(0.5 * angle);
    const double scale = angle > 1e-12 ? half.sin / angle : 0.5;
    return {half.cos, scale * rotation.x(), scale * rotation.y(), scale * rotation.z()};
}

/// The shortest rotation vector [rad] of a unit quaternion: the inverse of rotation_exp().
inline Vec3d rotation_log(const Quat& q) {
    const double sign = q.w() < 0 ? -1 : 1;
    const Vec3d axis = sign * q.vec();
    const double sine = axis.norm();
    if (sine < 1e-12) return 2 * axis;
    return 2 * portable_angle(sine, sign * q.w()) / sine * axis;
}

/// The shortest rotation that takes unit vector a to unit vector b. If they are opposite, it is one
/// of the many half turns.
inline Quat rotation_between(const Vec3d& a, const Vec3d& b) {
    const double w = 1 + a.dot(b);
    if (w < 1e-12) {
        const Vec3d other = std::abs(a.x()) < 0.5 ? Vec3d::UnitX() : Vec3d::UnitY();
        const Vec3d axis = a.cross(other).normalized();
        return {0, axis.x(), axis.y(), axis.z()};
    }
    const Vec3d axis = a.cross(b);
    return Quat(w, axis.x(), axis.y(), axis.z()).normalized();
}

/// The inverse of a symmetric positive definite matrix by LDL^T. Its rows may differ greatly in
/// scale.
inline Mat3d inverse_symmetric(const Mat3d& a) {
    const double d0 = 1 / a(0, 0);
    const double l10 = a(1, 0) * d0, l20 = a(2, 0) * d0;
    const double d1 = 1 / (a(1, 1) - l10 * a(1, 0));
    const double s21 = a(2, 1) - l20 * a(1, 0);
    const double l21 = s21 * d1;
    const double d2 = 1 / (a(2, 2) - l20 * a(2, 0) - l21 * s21);
    // K = L^-1, then the inverse is K^T D^-1 K.
    const double k10 = -l10, k21 = -l21, k20 = l10 * l21 - l20;
    Mat3d inverse;
    inverse(2, 2) = d2;
    inverse(2, 1) = inverse(1, 2) = d2 * k21;
    inverse(2, 0) = inverse(0, 2) = d2 * k20;
    inverse(1, 1) = d1 + d2 * k21 * k21;
    inverse(1, 0) = inverse(0, 1) = d1 * k10 + d2 * k21 * k20;
    inverse(0, 0) = d0 + d1 * k10 * k10 + d2 * k20 * k20;
    return inverse;
}

} // namespace nendo
