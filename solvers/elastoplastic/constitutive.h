// SPDX-License-Identifier: Apache-2.0
// The constitutive model: fixed corotated elasticity with hardening, its exact second derivative,
// and the split of a deformation into elastic and plastic parts at the yield points.
#pragma once

#include "math/portable_math.h"
#include "math/svd3.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace nendo::elastoplastic {

template <class Real> struct Lame {
    Real mu;     ///< [Pa]
    Real lambda; ///< [Pa]
};

template <class Real> Lame<Real> lame(Real young, Real poisson) {
    const Real mu = young / (Real(2) * (Real(1) + poisson));
    const Real lambda = young * poisson / ((Real(1) + poisson) * (Real(1) - Real(2) * poisson));
    return {mu, lambda};
}

/// Hardening multiplies both moduli by exp(xi (1 - J_P)). Differs from the paper: the exponent is
/// bounded to [0, 5], so that matter that has flowed apart never softens and crumbles.
template <class Real> Lame<Real> hardened(Lame<Real> moduli, Real xi, Real J_P) {
    if (!(xi > Real(0))) return moduli;
    const double exponent = std::clamp(double(xi) * (1 - double(J_P)), 0.0, 5.0);
    const Real factor = static_cast<Real>(portable_exp(exponent));
    return {moduli.mu * factor, moduli.lambda * factor};
}

/// The change of volume in Psi as a function of the singular values of F: J - 1, or for matter with
/// a negative lambda their sum minus 3. Differs from the paper: with a negative lambda, J - 1 would
/// give an energy that falls without bound as matter is stretched. Both agree for small strain.
template <class Real> struct Swelling {
    Real value;
    Vec3<Real> slope;  ///< Derivative by each singular value; products of two replace J/sigma
    Vec3<Real> bend;   ///< Second derivative by the two other singular values
    Vec3<Real> across; ///< (slope_i + slope_j) / (sigma_i + sigma_j) for the two other axes
};

/// sigma_i + sigma_j of the two other axes, bounded away from zero.
template <class Real> Real sum_of_others(const Vec3<Real>& sigma, int axis) {
    return std::max(sigma[(axis + 1) % 3] + sigma[(axis + 2) % 3], Real(1e-3));
}

template <class Real> Swelling<Real> swelling(const Lame<Real>& m, const Vec3<Real>& sigma) {
    if (!(m.lambda < Real(0)))
        return {sigma.prod() - Real(1),
                {sigma[1] * sigma[2], sigma[2] * sigma[0], sigma[0] * sigma[1]},
                sigma,
                sigma};
    Swelling<Real> s{sigma.sum() - Real(3), Vec3<Real>::Ones(), Vec3<Real>::Zero(), sigma};
    for (int axis = 0; axis < 3; ++axis) s.across[axis] = Real(2) / sum_of_others(sigma, axis);
    return s;
}

/// Psi = mu |F - R|^2 + lambda/2 swelling^2 [J/m^3], from the singular values of F.
template <class Real> Real energy_density(const Lame<Real>& m, const Vec3<Real>& sigma) {
    const Real swells = swelling(m, sigma).value;
    return m.mu * (sigma.array() - Real(1)).square().sum() + Real(0.5) * m.lambda * swells * swells;
}

/// dPsi/dsigma [Pa].
template <class Real> Vec3<Real> energy_slope(const Lame<Real>& m, const Vec3<Real>& sigma) {
    const Swelling<Real> s = swelling(m, sigma);
    return Real(2) * m.mu * (sigma.array() - Real(1)).matrix() + m.lambda * s.value * s.slope;
}

/// The second derivative of Psi in the frame of the singular vectors: a 3x3 block for the diagonal
/// of dF' = U^T dF V, and for each pair of axes one modulus for the symmetric part (`shear`) and one
/// for the antisymmetric part (`twist`), indexed by the third axis.
template <class Real> struct Stiffness {
    Mat3<Real> stretch;
    Vec3<Real> shear;
    Vec3<Real> twist;
};

template <class Real>
Stiffness<Real> energy_curvature(const Lame<Real>& m, const Vec3<Real>& sigma) {
    const Swelling<Real> s = swelling(m, sigma);
    Stiffness<Real> k;
    k.stretch = m.lambda * s.slope * s.slope.transpose();
    k.stretch.diagonal().array() += Real(2) * m.mu;
    const Real pressure = m.lambda * s.value;
    for (int axis = 0; axis < 3; ++axis) {
        const int i = (axis + 1) % 3;
        const int j = (axis + 2) % 3;
        const Real bulk = pressure * s.bend[axis];
        k.stretch(i, j) += bulk;
        k.stretch(j, i) += bulk;
        k.shear[axis] = Real(2) * m.mu - bulk;
        k.twist[axis] = Real(2) * m.mu * (Real(1) - Real(2) / sum_of_others(sigma, axis)) +
                        pressure * s.across[axis];
    }
    return k;
}

/// The nearest positive semi-definite stiffness, so that conjugate gradients converge for any
/// deformation.
template <class Real> Stiffness<Real> positive_part(Stiffness<Real> k) {
    k.shear = k.shear.cwiseMax(Real(0));
    k.twist = k.twist.cwiseMax(Real(0));
    const Mat3<Real>& a = k.stretch;
    const Real minor = a(0, 0) * a(1, 1) - a(0, 1) * a(1, 0);
    const bool positive = a(0, 0) > Real(0) && minor > Real(0) && a.determinant() > Real(0);
    if (positive) return k;
    const Svd3<Real> svd = svd3(a); // a is symmetric, so U and V differ only in signs
    Mat3<Real> sum = Mat3<Real>::Zero();
    for (int i = 0; i < 3; ++i) {
        const Real eigenvalue = svd.sigma[i] * svd.U.col(i).dot(svd.V.col(i));
        if (eigenvalue > Real(0)) sum += eigenvalue * svd.U.col(i) * svd.U.col(i).transpose();
    }
    k.stretch = sum;
    return k;
}

/// dP' = (d2Psi/dF2) : dF' in the frame of the singular vectors.
template <class Real, class Matrix> Matrix apply(const Stiffness<Real>& k, const Matrix& dF) {
    Matrix dP;
    const Vec3<Real> diagonal = k.stretch * Vec3<Real>(dF(0, 0), dF(1, 1), dF(2, 2));
    for (int axis = 0; axis < 3; ++axis) {
        const int i = (axis + 1) % 3;
        const int j = (axis + 2) % 3;
        const Real even = Real(0.5) * k.shear[axis] * (dF(i, j) + dF(j, i));
        const Real odd = Real(0.5) * k.twist[axis] * (dF(i, j) - dF(j, i));
        dP(i, j) = even + odd;
        dP(j, i) = even - odd;
        dP(axis, axis) = diagonal[axis];
    }
    return dP;
}

/// The yield points of a particle: strains beyond which deformation is permanent [1].
template <class Real> struct Yield {
    Real stretch;  ///< theta_s
    Real compress; ///< theta_c
    bool any() const { return std::isfinite(stretch) || std::isfinite(compress); }
};

/// The axes along which matter flows, one bit each: those at their yield point whose strain rate
/// [1/s] continues beyond it while the stress resists. An axis whose stress drives the strain, as
/// pressure does when matter is squeezed across it, does not count: its rate depends on how the
/// stress relaxes.
template <class Real>
std::uint8_t flowing_axes(const Yield<Real>& yield, const Lame<Real>& moduli,
                          const Vec3<Real>& sigma, const Vec3<Real>& strain_rate) {
    const Vec3<Real> stress = energy_slope(moduli, sigma);
    const Real nearly = Real(0.98);
    unsigned axes = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const bool squeezed = Real(1) - sigma[axis] >= nearly * yield.compress;
        const bool stretched = sigma[axis] - Real(1) >= nearly * yield.stretch;
        const bool goes_on =
            (squeezed && strain_rate[axis] < Real(0)) || (stretched && strain_rate[axis] > Real(0));
        if (goes_on && stress[axis] * strain_rate[axis] >= Real(0)) axes |= 1u << axis;
    }
    return static_cast<std::uint8_t>(axes);
}

/// Removes flowing axes from a stiffness. Stress cannot rise along them; a solve that assumed so
/// would resist more the longer its step is.
template <class Real> void soften(std::uint8_t axes, Stiffness<Real>& k) {
    for (int axis = 0; axis < 3; ++axis)
        if ((axes >> axis & 1u) != 0) {
            k.stretch.row(axis).setZero();
            k.stretch.col(axis).setZero();
        }
}

/// Splits a trial deformation with the given singular value decomposition into elastic and plastic
/// parts at the yield points (Saida 2017, eq 18-21).
template <class Real>
void split_at_yield(const Yield<Real>& yield, const Svd3<Real>& svd, Mat3<Real>& F_E,
                    Mat3<Real>& F_P, Real& J_P) {
    if (!yield.any()) return;
    // Differs: an inverted trial counts as squeezed flat. The paper's formula would pass the
    // inversion to F_P permanently, and its determinant would become zero or negative.
    const Vec3<Real> trial = svd.sigma.cwiseMax(Real(0.02));
    const Real low =
        std::isfinite(yield.compress) ? std::max(Real(1) - yield.compress, Real(0.02)) : Real(0.02);
    const Real high = Real(1) + yield.stretch;
    const Vec3<Real> kept = trial.cwiseMax(low).cwiseMin(high);
    const Vec3<Real> flow = trial.cwiseQuotient(kept);
    // Differs: volume gained by plastic flow is returned when matter is squeezed. Otherwise det F_P
    // would only ever grow, and a torn body would crumble.
    J_P *= flow.prod();
    const Real J_E = kept.prod();
    Real k = Real(1);
    if (J_E < Real(1) && J_P > Real(1))
        k = static_cast<Real>(portable_cbrt(std::min(1 / double(J_E), double(J_P))));
    J_P /= k * k * k;
    F_E = svd.U * (k * kept).asDiagonal() * svd.V.transpose();
    F_P = svd.V * (flow / k).asDiagonal() * svd.V.transpose() * F_P;
}

} // namespace nendo::elastoplastic
