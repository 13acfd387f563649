// SPDX-License-Identifier: Apache-2.0
// The kernels of smoothed particles with their factors, calibrated on the lattice that matter starts
// on: there density is rest density, and pressure and viscosity act at full strength, however few
// the neighbors are.
//
// Density and pressure share the cubic spline. Differs: Hirato, eq 3-5 take Mueller's poly6 for density
// and the slope of his spiky kernel for pressure, and then pressure is no gradient of an energy: a
// tank of fluid without viscosity boils (ten times its energy in 20 s). Viscosity has Mueller's
// kernel (Hirato, eq 6).
#pragma once

#include "math/batch.h"
#include "math/kernels.h"

#include <algorithm>
#include <cmath>

namespace nendo::sph {

/// The cubic spline of support h without its factor: o^3 - 4 i^3 of o = 2 - q and i = 1 - q, where
/// they are positive and q = 2 r / h.
template <class Number> struct SplineArms {
    Number outer, inner;
    Number value() const { return outer * outer * outer - four() * (inner * inner * inner); }
    /// -1/3 of its derivative in q.
    Number slope() const { return outer * outer - four() * (inner * inner); }

private:
    static Number four() {
        if constexpr (std::is_arithmetic_v<Number>)
            return Number(4);
        else
            return Number::fill(4);
    }
};
inline SplineArms<double> spline_arms(double q) {
    return {std::max(2 - q, 0.0), std::max(1 - q, 0.0)};
}
template <class Real> SplineArms<Batch<Real>> spline_arms(const Batch<Real>& q) {
    using B = Batch<Real>;
    return {(B::fill(2) - q).at_least(B::fill(0)), (B::fill(1) - q).at_least(B::fill(0))};
}

/// Factor of SplineArms::value() that makes its integral one, for support h [m].
inline double spline_factor(double h) {
    return 2 / (pi * h * h * h);
}

/// What the kernels of support h sum up to over a cubic lattice; all are 1 for a fine one.
struct LatticeSums {
    double density = 0;   ///< sum V W
    double slope = 0;     ///< sum V r |W'| / 3
    double laplacian = 0; ///< sum V r^2 lap W_vis / 6
    double missing = 0;   ///< sum V W over all layers below one
    double pull = 0;      ///< sum V |W'| over them, along the normal [1/m]
};

/// `spacing` [m] of the lattice, support `h` [m].
inline LatticeSums lattice_sums(double spacing, double h) {
    LatticeSums sums;
    const double volume = spacing * spacing * spacing;
    const double factor = volume * spline_factor(h);
    const int reach = static_cast<int>(std::ceil(h / spacing));
    for (int i = -reach; i <= reach; ++i)
        for (int j = -reach; j <= reach; ++j)
            for (int k = -reach; k <= reach; ++k) {
                const double r = spacing * std::sqrt(static_cast<double>(i * i + j * j + k * k));
                const SplineArms<double> arms = spline_arms(2 * r / h);
                const double slope = factor * 6 / h * arms.slope();
                sums.density += factor * arms.value();
                sums.slope += r * slope / 3;
                sums.laplacian += volume * r * r * viscosity_laplacian(r, h) / 6;
                if (j >= 0) continue;
                sums.missing += factor * arms.value();
                sums.pull -= slope * j * spacing / r;
            }
    return sums;
}

/// The factors of the kernels for support h, matter on a lattice of `spacing`.
template <class Real> struct Kernels {
    Kernels(double spacing, double support);

    Real h;         ///< Support [m]
    Real per_half;  ///< 2 / h: q = r per_half
    Real density;   ///< W = density times SplineArms::value()
    Real slope;     ///< |W'| = slope times SplineArms::slope()
    Real laplacian; ///< lap W_vis = laplacian (h - r)
    Real response;  ///< Of the density to a small compression of the lattice [1]

    /// What a wall at distance d [m] adds to the density over rest density, and the slope of that.
    struct WallShare {
        Real density; ///< [1]
        Real slope;   ///< -d density / d distance [1/m]
        Real filled;  ///< Part of the kernel that lies behind the wall [1]
        Real cut;     ///< -d filled / d distance [1/m]
        Real drag;    ///< Part of lap W_vis's integral that does [1/m^2]
    };
    WallShare wall(Real distance) const;

private:
    /// A wall is a power of what it fills of the kernel, such that a lattice that begins half a
    /// spacing from it has rest density and is in balance there under any pressure.
    Real m_nearest;      ///< Distance below which it goes on straight [m]
    Real m_filled_there; ///< At half a spacing
    Real m_missing;      ///< Density that the lattice lacks there
    int m_power;         ///< Density = missing t^power (1 - m_blend + m_blend t), t = filled/there
    Real m_blend;
    WallShare near_wall(Real distance) const;
};

/// The volume with which a particle of `volume` [m^3] on a lattice of its own `spacing` counts, so
/// that its matter at rest has rest density beside matter on the lattice of `reference` spacing.
inline double calibrated_volume(double volume, double spacing, double reference, double h) {
    return volume * lattice_sums(reference, h).density / lattice_sums(spacing, h).density;
}

extern template struct Kernels<float>;
extern template struct Kernels<double>;

} // namespace nendo::sph
