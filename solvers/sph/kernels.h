// SPDX-License-Identifier: Apache-2.0
// SPH kernels with their factors, calibrated on the cubic lattice on which matter starts: on it,
// density equals rest density, and pressure and viscosity have full strength, however few the
// neighbors are.
//
// Density and pressure share the cubic spline. Differs: Hirato, eq 3-5 use Mueller's poly6 for
// density and the slope of his spiky kernel for pressure. That pressure is not the gradient of an
// energy, and a tank of fluid without viscosity boils (ten times its energy in 20 s). Viscosity
// uses Mueller's kernel (Hirato, eq 6).
#pragma once

#include "math/batch.h"
#include "math/kernels.h"

#include <algorithm>
#include <cmath>

namespace nendo::sph {

/// The cubic spline of support h without its factor: o^3 - 4 i^3, where q = 2 r / h, o = 2 - q and
/// i = 1 - q, both at least 0.
template <class Number> struct SplineTerms {
    Number outer, inner;
    Number value() const { return outer * outer * outer - four() * (inner * inner * inner); }
    /// -1/3 of the derivative with respect to q.
    Number slope() const { return outer * outer - four() * (inner * inner); }

private:
    static Number four() {
        if constexpr (std::is_arithmetic_v<Number>)
            return Number(4);
        else
            return Number::fill(4);
    }
};
inline SplineTerms<double> spline_terms(double q) {
    return {std::max(2 - q, 0.0), std::max(1 - q, 0.0)};
}
template <class Real> SplineTerms<Batch<Real>> spline_terms(const Batch<Real>& q) {
    using B = Batch<Real>;
    return {(B::fill(2) - q).at_least(B::fill(0)), (B::fill(1) - q).at_least(B::fill(0))};
}

/// Factor that makes the integral of SplineTerms::value() one, for support h [m].
inline double spline_factor(double h) {
    return 2 / (pi * h * h * h);
}

/// Sums of the kernels of support h over a cubic lattice. The first three are 1 if it is fine.
struct LatticeSums {
    double density = 0;   ///< sum V W
    double slope = 0;     ///< sum V r |W'| / 3
    double laplacian = 0; ///< sum V r^2 lap W_vis / 6
    double missing = 0;   ///< sum V W over all layers below one layer
    double pull = 0;      ///< sum V |W'| over these, along the normal [1/m]
};

/// Sums over a lattice of `spacing` [m], for support `h` [m].
inline LatticeSums lattice_sums(double spacing, double h) {
    LatticeSums sums;
    const double volume = spacing * spacing * spacing;
    const double factor = volume * spline_factor(h);
    const int reach = static_cast<int>(std::ceil(h / spacing));
    for (int i = -reach; i <= reach; ++i)
        for (int j = -reach; j <= reach; ++j)
            for (int k = -reach; k <= reach; ++k) {
                const double r = spacing * std::sqrt(static_cast<double>(i * i + j * j + k * k));
                const SplineTerms<double> terms = spline_terms(2 * r / h);
                const double slope = factor * 6 / h * terms.slope();
                sums.density += factor * terms.value();
                sums.slope += r * slope / 3;
                sums.laplacian += volume * r * r * viscosity_laplacian(r, h) / 6;
                if (j >= 0) continue;
                sums.missing += factor * terms.value();
                sums.pull -= slope * j * spacing / r;
            }
    return sums;
}

/// Kernel factors for a support [m] and for matter on a lattice of `spacing` [m].
template <class Real> struct Kernels {
    Kernels(double spacing, double support);

    Real h;         ///< Support [m]
    Real per_half;  ///< 2 / h: q = r per_half
    Real density;   ///< W = density times SplineTerms::value()
    Real slope;     ///< |W'| = slope times SplineTerms::slope()
    Real laplacian; ///< lap W_vis = laplacian (h - r)
    Real response;  ///< Response of density to a small compression of the lattice [1]

    /// Contribution of a wall, as a function of its distance [m].
    struct WallShare {
        Real density; ///< Added to density over rest density [1]
        Real slope;   ///< -d density / d distance [1/m]
        Real filled;  ///< Share of the kernel that lies behind the wall [1]
        Real cut;     ///< -d filled / d distance [1/m]
        Real drag;    ///< Integral of lap W_vis behind the wall [1/m^2]
    };
    WallShare wall(Real distance) const;

private:
    /// The density of a wall is a power of the share of the kernel that it fills. The power is such
    /// that a lattice that begins half a spacing away has rest density, and is in balance under any
    /// pressure.
    Real m_nearest;      ///< Distance below which the density is linear [m]
    Real m_filled_there; ///< Share filled at half a spacing [1]
    Real m_missing;      ///< Density that the lattice lacks there [1]
    int m_power;         ///< Density = missing t^power (1 - m_blend + m_blend t), t = filled/there
    Real m_blend;
    WallShare near_wall(Real distance) const;
};

/// Effective volume of a particle of `volume` [m^3] that started on a lattice of its own `spacing`.
/// With it, matter at rest has rest density under kernels calibrated for the `reference` spacing.
inline double calibrated_volume(double volume, double spacing, double reference, double h) {
    return volume * lattice_sums(reference, h).density / lattice_sums(spacing, h).density;
}

extern template struct Kernels<float>;
extern template struct Kernels<double>;

} // namespace nendo::sph
