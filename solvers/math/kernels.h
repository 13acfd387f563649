// SPDX-License-Identifier: Apache-2.0
// Smoothing kernels. Each is a function of a distance r [m] and a kernel radius h [m] and integrates
// to one.
#pragma once

#include <algorithm>
#include <cmath>

namespace nendo {

inline constexpr double pi = 3.14159265358979323846;

/// The cubic spline without its factor 3/(2 pi h^3), where q = r/h; zero for q >= 2 (Saida 2017,
/// eq 3). It is written as two cubes, so that loops over it have no branches.
template <class Real> Real cubic_spline_shape(Real q) {
    const Real outer = std::max(Real(2) - q, Real(0));
    const Real inner = std::max(Real(1) - q, Real(0));
    return (outer * outer * outer - Real(4) * inner * inner * inner) * Real(1.0 / 6);
}

/// The cubic spline (Saida 2017, eq 3), support 2h.
inline double cubic_spline(double r, double h) {
    return 3 / (2 * pi * h * h * h) * cubic_spline_shape(r / h);
}

/// Mueller's kernel for density (Hirato, eq 3), support h.
inline double poly6(double r, double h) {
    if (r >= h) return 0;
    const double a = h * h - r * r;
    return 315 / (64 * pi * std::pow(h, 9)) * a * a * a;
}

/// Derivative with respect to r of Mueller's kernel for pressure (Hirato, eq 5), support h.
inline double spiky_slope(double r, double h) {
    if (r >= h) return 0;
    const double a = h - r;
    return -45 / (pi * std::pow(h, 6)) * a * a;
}

/// Laplacian of Mueller's kernel for viscosity (Hirato, eq 6), support h.
inline double viscosity_laplacian(double r, double h) {
    if (r >= h) return 0;
    return 45 / (pi * std::pow(h, 6)) * (h - r);
}

} // namespace nendo
