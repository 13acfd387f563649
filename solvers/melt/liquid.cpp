// SPDX-License-Identifier: Apache-2.0
// The liquid (melting thesis, §2.2) and the solid matter in it. Separate pieces of solid push on
// each other, and on the liquid, by the same pressure that the liquid has.
#include "melt/stages.h"
#include "neighbors/grid.h"
#include "sph/expansion.h"

#include <algorithm>

namespace nendo::melt {

namespace {

/// Finds the rows that interact with liquid: the liquid, solids within its support, and solids
/// within twice the support, which press on those. If there are several pieces, which also press on
/// each other, these are all rows.
template <class Real> void find_wet(Workspace<Real>& w, double support) {
    Particles<Real>& particles = w.trial.particles;
    const std::size_t n = particles.id.size();
    w.wet.clear();
    w.wet_x.clear();
    w.marked.assign(n, 1);
    if (!w.several_pieces) {
        std::vector<Vec3<Real>> fluid;
        for (std::size_t i = 0; i < n; ++i)
            if (particles.phase[i] == liquid) fluid.push_back(particles.x[i]);
        const double reach = 2 * support;
        Grid<Real> grid;
        grid.build(fluid, reach);
        parallel_for(n, [&](std::size_t i) {
            if (particles.phase[i] == liquid) return;
            w.marked[i] = 0;
            grid.visit(particles.x[i], static_cast<Real>(reach),
                       [&](std::uint32_t, Real) { w.marked[i] = 1; });
        });
    }
    for (std::uint32_t i = 0; i < n; ++i) {
        w.piece[i] = w.piece_of(i); // the same for all rows of a piece
        if (w.marked[i] == 0) {
            particles.pressure[i] = 0;
            continue;
        }
        w.wet.push_back(i);
        w.wet_x.push_back(particles.x[i]);
    }
}

/// Heat that liquid must absorb after melting to reach its full volume, in latent heats.
constexpr double swelling = 0.25;

/// Volume of a particle in the liquid [m^3]. Matter that expands when it melts does so gradually as
/// it warms: with its full volume at once, freshly melted matter would fly apart.
template <class Real> Real fluid_volume(const Particles<Real>& c, std::size_t i) {
    if (c.phase[i] == solid) return c.volume[i];
    const Real volume = c.mass[i] / c.liquid_density[i];
    if (volume <= c.volume[i] || !(c.latent_heat[i] > Real(0))) return volume;
    const double melts = static_cast<double>(c.heat_capacity[i] * c.melting_point[i]) +
                         static_cast<double>(c.latent_heat[i]);
    const double share =
        (c.enthalpy[i] - melts) / (swelling * static_cast<double>(c.latent_heat[i]));
    return c.volume[i] + (volume - c.volume[i]) * static_cast<Real>(std::clamp(share, 0.0, 1.0));
}

template <class Real> void fill_fluid(Workspace<Real>& w) {
    const Particles<Real>& particles = w.trial.particles;
    w.fluid.resize(w.wet.size());
    parallel_for(w.wet.size(), [&](std::size_t slot) {
        const std::uint32_t i = w.wet[slot];
        const bool is_solid = particles.phase[i] == solid;
        const Real volume = fluid_volume(particles, i);
        const Vec3<Real>&x = particles.x[i], &v = particles.v[i];
        w.fluid.position[slot] = Vec4<Real>(x[0], x[1], x[2], volume);
        w.fluid.velocity[slot] = Vec4<Real>(v[0], v[1], v[2], particles.pressure[i]);
        w.fluid.volume[slot] = volume;
        w.fluid.per_mass[slot] = particles.pin[i] == 0 ? Real(1) / particles.mass[i] : Real(0);
        w.fluid.viscosity[slot] = static_cast<Real>(liquid_viscosity(particles, i));
        w.fluid.rest_density[slot] = particles.mass[i] / volume;
        w.fluid.group[slot] =
            is_solid ? static_cast<std::int32_t>(w.piece[i]) + 1 : sph::free_group;
    });
}

template <class Real> void fall_freely(Workspace<Real>& w, const Scene& scene, double dt) {
    Particles<Real>& particles = w.trial.particles;
    const Vec3<Real> fall = (scene.gravity * dt).template cast<Real>();
    parallel_for(particles.id.size(), [&](std::size_t i) {
        if (particles.pin[i] == 0) particles.v[i] += fall;
    });
}

} // namespace

template <class Real>
sph::PressureSolve flow_liquid(Workspace<Real>& w, const Scene& scene, const Params& p, double dt) {
    Particles<Real>& particles = w.trial.particles;
    w.unforced = particles.v;
    fall_freely(w, scene, dt);
    if (!w.liquids && !w.several_pieces) return {};
    const sph::Params fluid = p.fluid_params();
    const sph::Kernels<Real> kernels(fluid.spacing, fluid.support_radius());
    find_wet(w, fluid.support_radius());
    w.near.place(w.wet_x, fluid.support_radius());
    fill_fluid(w);
    w.near.find(kernels, w.fluid.volume, w.fluid.group, w.fluid.compression);
    w.walls.find(w.colliders, w.near, kernels);
    w.walls.add_density(w.fluid.compression);
    if (fluid.pressure == sph::Pressure::state_equation) state_equation(w.fluid, kernels, fluid);
    add_forces(w.fluid, w.near, w.walls, kernels, fluid);
    parallel_for(w.wet.size(), [&](std::size_t slot) {
        w.fluid.velocity[slot].template head<3>() +=
            static_cast<Real>(dt) * w.fluid.per_mass[slot] * w.fluid.force[slot].template head<3>();
    });
    resist_expansion(w.fluid, w.near, kernels, fluid, dt);
    sph::PressureSolve solve;
    const bool implicit = fluid.pressure == sph::Pressure::implicit;
    if (implicit) solve = solve_pressure(w.fluid, w.near, w.walls, kernels, fluid, dt, w.partials);
    parallel_for(w.wet.size(), [&](std::size_t slot) {
        const std::uint32_t i = w.wet[slot];
        particles.v[i] = w.fluid.velocity[slot].template head<3>();
        particles.pressure[i] = w.fluid.velocity[slot][3];
        if (particles.phase[i] != liquid) return;
        const auto clearance = static_cast<double>(particles.radius[i]);
        const auto stopped = [&](const Vec3d& v) {
            return w.walls.stop(slot, w.colliders, particles.x[i].template cast<double>(), v,
                                clearance, dt, false);
        };
        if (implicit)
            particles.x[i] += (dt * stopped(w.fluid.shift[slot].template cast<double>() / dt))
                                  .template cast<Real>();
        particles.v[i] = stopped(particles.v[i].template cast<double>()).template cast<Real>();
    });
    w.work += static_cast<std::int64_t>(w.wet.size()) * 33 * (5 + 3 * solve.iterations);
    return solve;
}

template sph::PressureSolve flow_liquid(Workspace<float>&, const Scene&, const Params&, double);
template sph::PressureSolve flow_liquid(Workspace<double>&, const Scene&, const Params&, double);

} // namespace nendo::melt
