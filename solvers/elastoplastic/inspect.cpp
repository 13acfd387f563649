// SPDX-License-Identifier: Apache-2.0
// Stress, yield, strain and energy of particles, computed from their state.
#include "elastoplastic/inspect.h"

#include "core/error.h"
#include "core/parallel.h"
#include "core/rows.h"
#include "elastoplastic/constitutive.h"
#include "math/strain.h"
#include "neighbors/grid.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace nendo::elastoplastic {
namespace {

Lame<double> moduli_of(const Inspected& p) {
    return hardened(lame(p.young, p.poisson), p.hardening, p.J_P);
}

Inspected particle_at(const InspectedColumns& columns, std::size_t i) {
    Inspected p;
    p.F_E = columns.F_E[i].cast<double>();
    p.F_P = columns.F_P[i].cast<double>();
    p.J_P = double(columns.J_P[i]);
    read_row<Strength>(columns, i, p);
    return p;
}

} // namespace

Vec3d principal_stresses(const Inspected& p) {
    const Vec3d sigma = svd3(p.F_E).sigma;
    const Vec3d kirchhoff = energy_slope(moduli_of(p), sigma).cwiseProduct(sigma);
    const double J = sigma.prod() * p.J_P;
    return J > 0 ? Vec3d(kirchhoff / J) : Vec3d::Zero();
}

double von_mises_stress(const Inspected& p) {
    const Vec3d s = principal_stresses(p);
    const Vec3d apart(s[0] - s[1], s[1] - s[2], s[2] - s[0]);
    return std::sqrt(apart.squaredNorm() / 2);
}

double pressure(const Inspected& p) {
    return -principal_stresses(p).sum() / 3;
}

double yield_ratio(const Inspected& p) {
    const auto ratio = [](double strain, double limit) {
        if (!std::isfinite(limit) || strain <= 0) return 0.0;
        return limit > 0 ? std::min(strain / limit, 1.0) : 1.0;
    };
    const Vec3d sigma = svd3(p.F_E).sigma;
    return std::max(ratio(sigma.maxCoeff() - 1, p.yield_stretch),
                    ratio(1 - sigma.minCoeff(), p.yield_compress));
}

double plastic_strain(const Inspected& p) {
    return equivalent_strain(p.F_P);
}

double energy_density(const Inspected& p) {
    return energy_density(moduli_of(p), svd3(p.F_E).sigma);
}

std::vector<double> inspect(const InspectedColumns& particles, Quantity quantity) {
    const auto measure = [&](std::size_t i) {
        const Inspected p = particle_at(particles, i);
        switch (quantity) {
        case Quantity::stress: return von_mises_stress(p);
        case Quantity::pressure: return pressure(p);
        case Quantity::yield: return yield_ratio(p);
        case Quantity::plastic_strain: return plastic_strain(p);
        case Quantity::energy: return energy_density(p);
        case Quantity::slaves: break;
        }
        throw Error("inspect() does not count slaves", "inspect", "call count_slaves()");
    };
    std::vector<double> values(particles.F_E.size());
    if (quantity == Quantity::slaves && !values.empty()) measure(0);
    parallel_for(values.size(), [&](std::size_t i) { values[i] = measure(i); });
    return values;
}

std::vector<double> count_slaves(const std::vector<Vec3d>& masters,
                                 const std::vector<Vec3d>& slaves, double spacing) {
    if (!(spacing > 0) || !std::isfinite(spacing))
        throw Error("the spacing is " + std::to_string(spacing) + " m", "slaves",
                    "use a length above 0");
    Grid<double> grid;
    grid.build(slaves, spacing);
    std::vector<double> counts(masters.size());
    parallel_for(masters.size(), [&](std::size_t i) {
        double count = 0;
        grid.visit(masters[i], spacing, [&](std::uint32_t, double) { ++count; });
        counts[i] = count;
    });
    return counts;
}

} // namespace nendo::elastoplastic
