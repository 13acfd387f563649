// SPDX-License-Identifier: Apache-2.0
// The loops over neighbors and walls that pressure consists of: the acceleration that pressures
// cause, and the compression that velocities cause. One is the transpose of the other.
#pragma once

#include "sph/fluid.h"

#include <algorithm>

namespace nendo::sph {

/// Eight neighbors relative to a particle: their offsets, volumes and kernel weights.
template <class Real> struct Eight {
    using B = Batch<Real>;
    B x, y, z; ///< Offset from the particle to the neighbor [m]
    B volume;  ///< [m^3]
    B r;       ///< Distance [m]
    B inside;  ///< h - r, or 0 beyond the support [m]

    Eight(const Matter<Real>& m, const std::uint32_t* slots, const Vec4<Real>& here, Real h) {
        const Batch4<Real> there = Batch4<Real>::gather(m.position.data(), slots);
        x = there.x - B::fill(here[0]);
        y = there.y - B::fill(here[1]);
        z = there.z - B::fill(here[2]);
        volume = there.w;
        r = (x * x + y * y + z * z).root();
        inside = (B::fill(h) - r).at_least(B::fill(0));
    }
    /// |W'| / r. Multiplied by the offset, it gives the gradient of W.
    B slope(const Kernels<Real>& kernels) const {
        const B least = B::fill(kernels.h * Real(1e-6)); // coinciding particles: no direction
        const B shape = spline_terms(r * B::fill(kernels.per_half)).slope();
        return B::fill(kernels.slope) * shape / r.at_least(least);
    }
};

template <class Real> Vec4<Real> sum_of(const Batch4<Real>& b) {
    return {b.x.sum(), b.y.sum(), b.z.sum(), Real(0)};
}

template <class Real> Batch4<Real> zeros() {
    const Batch<Real> zero = Batch<Real>::fill(0);
    return {zero, zero, zero, zero};
}

/// Writes the acceleration of each particle by pressure [m/s^2] to `acceleration`.
template <class Real>
void accelerate(Matter<Real>& m, const Neighborhood<Real>& near, const Walls<Real>& walls,
                const Kernels<Real>& kernels) {
    using B = Batch<Real>;
    parallel_for(near.size(), [&](std::size_t i) {
        const Vec4<Real> here = m.position[i];
        const Real pressure = m.velocity[i][3];
        Batch4<Real> force = zeros<Real>();
        const auto list = near.of(i);
        for (const std::uint32_t* k = list.begin; k != list.end; k += B::size) {
            const Eight<Real> to(m, k, here, kernels.h);
            const Batch4<Real> other = Batch4<Real>::gather(m.velocity.data(), k);
            const B push = (B::fill(pressure) + other.w) * to.slope(kernels) * to.volume;
            force.x = force.x - push * to.x;
            force.y = force.y - push * to.y;
            force.z = force.z - push * to.z;
        }
        Vec4<Real> sum = sum_of(force);
        for (const Wall<Real>& wall : walls.of(i))
            sum.template head<3>() += pressure * wall.slope * wall.normal;
        m.acceleration[i] = here[3] * m.per_mass[i] * sum;
    });
}

/// Rate [1/s] at which the velocities `v` (by slot, including padding_slot()) compress particle i.
template <class Real>
Real compression_rate(const Matter<Real>& m, const Neighborhood<Real>& near,
                      const Walls<Real>& walls, const Kernels<Real>& kernels,
                      const std::vector<Vec4<Real>>& v, std::size_t i, bool walls_move) {
    using B = Batch<Real>;
    const Vec4<Real> own = v[i];
    B sum = B::fill(0);
    const auto list = near.of(i);
    for (const std::uint32_t* k = list.begin; k != list.end; k += B::size) {
        const Eight<Real> to(m, k, m.position[i], kernels.h);
        const Batch4<Real> other = Batch4<Real>::gather(v.data(), k);
        const B closing = (B::fill(own[0]) - other.x) * to.x + (B::fill(own[1]) - other.y) * to.y +
                          (B::fill(own[2]) - other.z) * to.z;
        sum = sum + closing * to.slope(kernels) * to.volume;
    }
    Real rate = sum.sum();
    for (const Wall<Real>& wall : walls.of(i)) {
        const Vec3<Real> relative =
            own.template head<3>() - (walls_move ? wall.velocity : Vec3<Real>(Vec3<Real>::Zero()));
        rate -= wall.slope * wall.normal.dot(relative);
    }
    return rate;
}

/// Drop in the compression of particle i per unit of its pressure and per squared second.
template <class Real>
Real own_pressure_response(const Matter<Real>& m, const Neighborhood<Real>& near,
                           const Walls<Real>& walls, const Kernels<Real>& kernels, std::size_t i) {
    using B = Batch<Real>;
    Batch4<Real> gradient = zeros<Real>();
    B others = B::fill(0);
    const auto list = near.of(i);
    for (const std::uint32_t* k = list.begin; k != list.end; k += B::size) {
        const Eight<Real> to(m, k, m.position[i], kernels.h);
        const B g = to.slope(kernels) * to.volume;
        gradient.x = gradient.x + g * to.x;
        gradient.y = gradient.y + g * to.y;
        gradient.z = gradient.z + g * to.z;
        const B length = g * to.r;
        others = others + length * length * B::gather(m.per_mass.data(), k);
    }
    Vec3<Real> all = sum_of(gradient).template head<3>();
    for (const Wall<Real>& wall : walls.of(i)) all -= wall.slope * wall.normal;
    return m.volume[i] * (m.per_mass[i] * all.squaredNorm() + others.sum());
}

} // namespace nendo::sph
