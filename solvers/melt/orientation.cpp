// SPDX-License-Identifier: Apache-2.0
// Two ways to average orientations: normalized quaternions, and the exponential map.
#include "melt/orientation.h"

#include "math/nearest_rotation.h"

#include <cmath>

namespace nendo::melt {

namespace {

/// Calls use(q) with the orientation that each solved cluster found for particle j, with the sign
/// that is closer to q_j (melting thesis, eq 2.37).
template <class Real, class Use>
void for_each_orientation(const Workspace<Real>& w, std::uint32_t j, const Use& use) {
    const Segment& s = w.clusters[j];
    for (std::uint32_t k = s.begin; k < s.begin + s.solved(); ++k) {
        const std::uint32_t i = w.clusters.member()[k];
        const Vec4<Real> q =
            w.clusters[i].rotated
                ? quaternion_product(w.fitted_q[i], w.clusters.turn()[w.clusters.mirror()[k]])
                : w.fitted_q[i];
        use(q.dot(w.q[j]) < Real(0) ? Vec4<Real>(-q) : q);
    }
}

/// Mean of quaternions (melting thesis, eq 2.36). Differs: the result is normalized.
template <class Real> Vec4<Real> qlerp(const Workspace<Real>& w, std::uint32_t j) {
    Vec4<Real> sum = Vec4<Real>::Zero();
    for_each_orientation(w, j, [&](const Vec4<Real>& q) { sum += q; });
    const Real length = sum.norm();
    return length > Real(1e-6) ? Vec4<Real>(sum / length) : w.q[j];
}

/// Logarithm of a unit quaternion with w >= 0: half the angle times the axis. Uses a series near
/// the identity.
template <class Real> Vec3<Real> log_of(const Vec4<Real>& q) {
    const Vec3<Real> v = q.template head<3>();
    const Real sine = v.norm();
    if (sine < Real(1e-4)) return v;
    return v * (std::atan2(sine, q[3]) / sine);
}
/// Inverse of log_of().
template <class Real> Vec4<Real> exp_of(const Vec3<Real>& half) {
    const Real angle = half.norm();
    const Real scale = angle < Real(1e-4) ? Real(1) : std::sin(angle) / angle;
    const Vec3<Real> v = half * scale;
    return Vec4<Real>(v[0], v[1], v[2], std::cos(angle)).normalized();
}

/// Mean in the exponential map (melting thesis, eq 2.38). Differs: logarithms are relative to the
/// particle's own orientation.
template <class Real> Vec4<Real> expmap(const Workspace<Real>& w, std::uint32_t j) {
    const Vec4<Real> back = quaternion_inverse(w.q[j]);
    Vec3<Real> sum = Vec3<Real>::Zero();
    Real count = 0;
    for_each_orientation(w, j, [&](const Vec4<Real>& q) {
        sum += log_of(quaternion_product(back, q));
        count += Real(1);
    });
    if (!(count > Real(0))) return w.q[j];
    return quaternion_product(w.q[j], exp_of(Vec3<Real>(sum / count)));
}

} // namespace

template <class Real> Vec4<Real> interpolated(const Workspace<Real>& w, std::uint32_t j) {
    return w.solve.interpolation == Interpolation::qlerp ? qlerp(w, j) : expmap(w, j);
}

template Vec4<float> interpolated(const Workspace<float>&, std::uint32_t);
template Vec4<double> interpolated(const Workspace<double>&, std::uint32_t);

} // namespace nendo::melt
