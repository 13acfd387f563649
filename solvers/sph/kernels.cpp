// SPDX-License-Identifier: Apache-2.0
// Calibration of the SPH kernels, and the contribution of walls to density and drag.
#include "sph/kernels.h"

namespace nendo::sph {

namespace {

/// Integral of the spline over the half-space beyond z half-supports: 1/2 at z = 0, 0 at z = 2.
template <class Real> Real behind(Real z) {
    if (z < Real(0)) return Real(1) - behind(-z);
    const Real o = std::max(Real(2) - z, Real(0)), i = std::max(Real(1) - z, Real(0));
    const Real o5 = o * o * o * o * o, i5 = i * i * i * i * i;
    return o5 * (Real(1.0 / 20) - o / 60) - i5 * (Real(1.0 / 10) - i / 15);
}
/// Minus the derivative of behind(): the integral over the plane at z.
template <class Real> Real plane(Real z) {
    const Real a = std::abs(z);
    const Real o = std::max(Real(2) - a, Real(0)), i = std::max(Real(1) - a, Real(0));
    const Real o4 = o * o * o * o, i4 = i * i * i * i;
    return o4 * (Real(1.0 / 4) - o / 10) - i4 * (Real(1.0 / 2) - i * Real(2.0 / 5));
}
/// Integral of lap W_vis over the half-space beyond q supports, times h^2.
template <class Real> Real laplacian_behind(Real q) {
    const Real z = std::min(std::max(q, Real(0)), Real(1));
    return Real(90) * (Real(1.0 / 12) - z / 6 + z * z * z / 6 - z * z * z * z / 12);
}

} // namespace

template <class Real>
Kernels<Real>::Kernels(double spacing, double support) : h(static_cast<Real>(support)) {
    const LatticeSums sums = lattice_sums(spacing, support);
    per_half = static_cast<Real>(2 / support);
    // Pressure uses the slope of the density, so that it is the gradient of an energy.
    density = static_cast<Real>(spline_factor(support) / sums.density);
    slope = static_cast<Real>(spline_factor(support) / sums.density * 6 / support);
    laplacian = static_cast<Real>(45 / (pi * std::pow(support, 6)) / sums.laplacian);
    response = static_cast<Real>(sums.slope / sums.density);
    const double there = spacing / support; // half a spacing, in half-supports
    const double filled = behind(there);
    const double missing = sums.missing / sums.density;
    const double pull = sums.pull / sums.density;
    // At half a spacing, the slope of the wall must be twice the pull of the lattice, because the
    // force of a pair is the sum of two pressures.
    const double power = 2 * pull * filled / (missing * plane(there) * 2 / support);
    m_nearest = static_cast<Real>(spacing / 2);
    m_filled_there = static_cast<Real>(filled);
    m_missing = static_cast<Real>(missing);
    m_power = static_cast<int>(power);
    m_blend = static_cast<Real>(power - m_power);
}

template <class Real>
typename Kernels<Real>::WallShare Kernels<Real>::near_wall(Real distance) const {
    WallShare share;
    const Real z = distance * per_half;
    share.filled = behind(z);
    share.cut = plane(z) * per_half;
    const Real t = share.filled / m_filled_there;
    Real power = 1;
    for (int k = 1; k < m_power; ++k) power *= t;
    const Real straight = Real(1) - m_blend;
    share.density = m_missing * power * t * (straight + m_blend * t);
    share.slope =
        m_missing * power *
        (static_cast<Real>(m_power) * straight + static_cast<Real>(m_power + 1) * m_blend * t) *
        share.cut / m_filled_there;
    share.drag = laplacian_behind(distance / h) / (h * h);
    return share;
}

template <class Real> typename Kernels<Real>::WallShare Kernels<Real>::wall(Real distance) const {
    WallShare share = near_wall(std::max(distance, m_nearest));
    if (distance >= m_nearest) return share;
    // Contact holds fluid at half a spacing. What is closer for another reason meets the slope that
    // is there, so that substeps need not be shorter.
    share.density += (m_nearest - distance) * share.slope;
    share.filled = behind(distance * per_half);
    share.cut = plane(distance * per_half) * per_half;
    return share;
}

template struct Kernels<float>;
template struct Kernels<double>;

} // namespace nendo::sph
