// SPDX-License-Identifier: Apache-2.0
// Forces between SPH particles, and the longest stable substep.
#include "sph/fluid.h"

#include "math/portable_math.h"
#include "sph/expansion.h"
#include "sph/operators.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace nendo::sph {

template <class Real> void Matter<Real>::resize(std::size_t n) {
    for (auto* column : {&position, &velocity}) column->resize(n + 1);
    for (auto* column : {&volume, &per_mass, &viscosity}) column->resize(n + 1);
    rest_density.resize(n);
    group.resize(n);
    // Far enough that no kernel reaches it, near enough that its squared distance stays finite.
    position[n] = Vec4<Real>(Real(1e15), Real(1e15), Real(1e15), 0);
    velocity[n].setZero();
    volume[n] = 0;
    per_mass[n] = 0;
    viscosity[n] = 0;
}

template <class Real>
void state_equation(Matter<Real>& m, const Kernels<Real>& kernels, const Params& params) {
    const Real k = static_cast<Real>(params.stiffness) / (kernels.response * kernels.response);
    const Real least = params.tension ? std::numeric_limits<Real>::lowest() : Real(0);
    parallel_for(m.rest_density.size(), [&](std::size_t i) {
        m.velocity[i][3] = std::max(k * m.rest_density[i] * (m.compression[i] - Real(1)), least);
    });
}

namespace {

/// Akinci's cohesion kernel over r, without its factor. It pulls particles that are more than half
/// the support apart together, and pushes closer ones apart.
template <class Real> Batch<Real> cohesion(const Eight<Real>& near, const Kernels<Real>& kernels) {
    using B = Batch<Real>;
    const Real h = kernels.h;
    const B a = near.inside * near.r;
    const B pull = a * a * a;
    const B twice = pull + pull - B::fill(h * h * h * h * h * h / 64);
    const B least = B::fill(h * Real(1e-6));
    return near.r.where_below(B::fill(h / 2), twice, pull) / near.r.at_least(least);
}

/// Factor of the cohesion kernel that gives pairs of unit volume a surface tension [N/m]. The
/// tension is half the integral of pi/4 r^4 times the pull of a pair (Kirkwood and Buff's formula).
template <class Real> Real cohesion_factor(const Kernels<Real>& kernels, double surface_tension) {
    const double integral = 7.4577e-4; // of (1-q)^3 q^7 above 1/2, and 2 (1-q)^3 q^7 - q^4/64 below
    const auto h = static_cast<double>(kernels.h);
    return static_cast<Real>(surface_tension / (pi / 8 * std::pow(h, 11) * integral));
}

} // namespace

template <class Real>
void add_forces(Matter<Real>& m, const Neighborhood<Real>& near, const Walls<Real>& walls,
                const Kernels<Real>& kernels, const Params& params) {
    using B = Batch<Real>;
    const std::size_t n = near.size();
    const bool pressing = params.pressure == Pressure::state_equation;
    const bool pulling = params.surface_tension > 0;
    const B pull = B::fill(-cohesion_factor(kernels, params.surface_tension));
    const B drag = B::fill(kernels.laplacian / 2);
    m.force.resize(n);
    parallel_for(n, [&](std::size_t i) {
        const Vec4<Real> here = m.position[i];
        const Vec4<Real> velocity = m.velocity[i];
        const B p_i = B::fill(pressing ? velocity[3] : Real(0));
        const B mu_i = B::fill(m.viscosity[i]);
        Batch4<Real> force = zeros<Real>();
        const auto list = near.of(i);
        for (const std::uint32_t* k = list.begin; k != list.end; k += B::size) {
            const Eight<Real> to(m, k, here, kernels.h);
            const Batch4<Real> other = Batch4<Real>::gather(m.velocity.data(), k);
            B push = B::fill(0);
            if (pressing) push = (p_i + other.w) * to.slope(kernels); // (Hirato, eq 5)
            if (pulling) push = push + pull * cohesion(to, kernels);
            push = push * to.volume;
            // (Hirato, eq 6)
            const B friction =
                drag * (mu_i + B::gather(m.viscosity.data(), k)) * to.inside * to.volume;
            force.x = force.x + (friction * (other.x - B::fill(velocity[0])) - push * to.x);
            force.y = force.y + (friction * (other.y - B::fill(velocity[1])) - push * to.y);
            force.z = force.z + (friction * (other.z - B::fill(velocity[2])) - push * to.z);
        }
        Vec4<Real> sum = sum_of(force);
        for (const Wall<Real>& wall : walls.of(i)) {
            if (pressing) sum.template head<3>() += velocity[3] * wall.slope * wall.normal;
            // Behind the wall, fluid moves like its mirror image.
            const Vec3<Real> slip = wall.velocity - velocity.template head<3>();
            sum.template head<3>() +=
                Real(2) * m.viscosity[i] * wall.drag * (slip - wall.normal * wall.normal.dot(slip));
        }
        m.force[i] = here[3] * sum;
    });
}

template <class Real>
void resist_expansion(Matter<Real>& m, const Neighborhood<Real>& near, const Kernels<Real>& kernels,
                      const Params& params, double dt) {
    const std::size_t n = near.size();
    const double crossings = dt * std::sqrt(params.stiffness) / params.spacing;
    const auto share = static_cast<Real>(1 - portable_exp(-std::min(crossings / 8, 50.0)));
    const Real step = static_cast<Real>(dt);
    const Walls<Real> no_walls; // fluid may leave walls, and bodies, whose volume is 0 here
    m.acceleration.resize(n + 1);
    m.pressure_response.resize(n);
    parallel_for(n, [&](std::size_t i) {
        if (m.group[i] != free_group) m.position[i][3] = 0;
    });
    // 0 for spray (half the rest density), 1 for connected fluid (the density of a flat surface).
    const auto together = [&](std::size_t i) {
        return std::clamp((m.compression[i] - Real(0.5)) / Real(0.3), Real(0), Real(1));
    };
    parallel_for(n, [&](std::size_t i) {
        m.pressure_response[i] = 0;
        if (m.group[i] != free_group || !(together(i) > Real(0))) return;
        const Real rate = compression_rate(m, near, no_walls, kernels, m.velocity, i, false);
        const Real own = own_pressure_response(m, near, no_walls, kernels, i);
        if (rate < Real(0) && own > Real(0))
            m.pressure_response[i] = share * together(i) * rate / (step * own);
    });
    // Apply these negative pressures for once: they pull.
    parallel_for(n, [&](std::size_t i) { std::swap(m.velocity[i][3], m.pressure_response[i]); });
    accelerate(m, near, no_walls, kernels);
    parallel_for(n, [&](std::size_t i) {
        m.velocity[i][3] = m.pressure_response[i];
        m.position[i][3] = m.volume[i];
        m.velocity[i].template head<3>() += step * m.acceleration[i].template head<3>();
    });
}

double longest_step(const Params& params, const Limits& limits, double speed) {
    const double h = params.support_radius();
    double dt = infinite;
    const auto at_most = [&](double limit) { dt = std::min(dt, limit); };
    if (limits.sound > 0) at_most(params.courant * h / (limits.sound + speed));
    if (speed > 0) at_most(params.courant * params.spacing / speed);
    // Viscous diffusion on the lattice: its stiffest mode decays in h^2 / (8 nu).
    if (limits.viscosity > 0) at_most(0.1 * h * h / limits.viscosity);
    // The shortest capillary wave must be resolved in time.
    if (params.surface_tension > 0 && limits.lightest < infinite)
        at_most(params.courant *
                std::sqrt(limits.lightest * h * h * h / (2 * pi * params.surface_tension)));
    return dt;
}

template void resist_expansion(Matter<float>&, const Neighborhood<float>&, const Kernels<float>&,
                               const Params&, double);
template void resist_expansion(Matter<double>&, const Neighborhood<double>&, const Kernels<double>&,
                               const Params&, double);
template struct Matter<float>;
template struct Matter<double>;
template void state_equation(Matter<float>&, const Kernels<float>&, const Params&);
template void state_equation(Matter<double>&, const Kernels<double>&, const Params&);
template void add_forces(Matter<float>&, const Neighborhood<float>&, const Walls<float>&,
                         const Kernels<float>&, const Params&);
template void add_forces(Matter<double>&, const Neighborhood<double>&, const Walls<double>&,
                         const Kernels<double>&, const Params&);

} // namespace nendo::sph
