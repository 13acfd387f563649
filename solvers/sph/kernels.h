// Mueller's kernels [S002 eq 3-6] with their factors, calibrated on the lattice that matter starts
// on: there density is rest density, and pressure and viscosity act at full strength, however few
// the neighbours are.
#pragma once

#include "math/kernels.h"

#include <algorithm>
#include <cmath>

namespace nendo::sph {

/// What the kernels of support h sum up to over a cubic lattice; all are 1 for a fine one.
struct LatticeSums {
    double density = 0;   ///< sum V W_rho
    double response = 0;  ///< Relative change of that sum for a relative change of density
    double slope = 0;     ///< sum V r |W_press'| / 3
    double laplacian = 0; ///< sum V r^2 lap W_vis / 6
};

/// `spacing` [m] of the lattice, support `h` [m].
inline LatticeSums lattice_sums(double spacing, double h) {
    LatticeSums sums;
    const double volume = spacing * spacing * spacing;
    const int reach = static_cast<int>(std::ceil(h / spacing));
    for (int i = -reach; i <= reach; ++i)
        for (int j = -reach; j <= reach; ++j)
            for (int k = -reach; k <= reach; ++k) {
                const double r2 = spacing * spacing * static_cast<double>(i * i + j * j + k * k);
                if (r2 >= h * h) continue;
                const double r = std::sqrt(r2);
                const double a = h * h - r2;
                sums.density += volume * poly6(r, h);
                sums.response += volume * 315 / (64 * pi * std::pow(h, 9)) * 2 * r2 * a * a;
                sums.slope -= volume * r * spiky_slope(r, h) / 3;
                sums.laplacian += volume * r2 * viscosity_laplacian(r, h) / 6;
            }
    sums.response /= sums.density;
    return sums;
}

/// The factors of the kernels for support h, matter on a lattice of `spacing`.
template <class Real> struct Kernels {
    Kernels(double spacing, double support) : h(static_cast<Real>(support)) {
        const LatticeSums sums = lattice_sums(spacing, support);
        const double h6 = std::pow(support, 6);
        density = static_cast<Real>(315 / (64 * pi * std::pow(support, 9)) / sums.density);
        slope = static_cast<Real>(45 / (pi * h6) / sums.slope);
        laplacian = static_cast<Real>(45 / (pi * h6) / sums.laplacian);
        response = static_cast<Real>(sums.response);
    }

    Real h;         ///< Support [m]
    Real density;   ///< W_rho = density (h^2 - r^2)^3
    Real slope;     ///< |W_press'| = slope (h - r)^2
    Real laplacian; ///< lap W_vis = laplacian (h - r)
    Real response;  ///< Of the density to a small compression of the lattice [1]
};

/// The volume with which a particle of `volume` [m^3] on a lattice of its own `spacing` counts, so
/// that its matter at rest has rest density beside matter on the lattice of `reference` spacing.
inline double calibrated_volume(double volume, double spacing, double reference, double h) {
    return volume * lattice_sums(reference, h).density / lattice_sums(spacing, h).density;
}

// A wall fills the half-space beyond a plane at distance `q` h; negative inside it. These are the
// integrals of the kernels over that half-space.

/// Of W_rho: a half at the wall, zero from q = 1 on.
template <class Real> Real wall_density(Real q) {
    const Real z = std::min(std::max(q, Real(-1)), Real(1));
    const Real z2 = z * z;
    const Real odd =
        z *
        (Real(1) + z2 * (Real(-4.0 / 3) + z2 * (Real(6.0 / 5) + z2 * (Real(-4.0 / 7) + z2 / 9))));
    return Real(0.5) - Real(315.0 / 256) * odd;
}
/// Of the slope of W_press along the normal, times h.
template <class Real> Real wall_slope(Real q) {
    const Real z = std::min(std::abs(q), Real(1));
    const Real a = Real(1) - z;
    return Real(30) * a * a * a * a * (z / 4 + a / 20);
}
/// Of lap W_vis, times h^2.
template <class Real> Real wall_laplacian(Real q) {
    const Real z = std::min(std::max(q, Real(0)), Real(1));
    return Real(90) * (Real(1.0 / 12) - z / 6 + z * z * z / 6 - z * z * z * z / 12);
}

} // namespace nendo::sph
