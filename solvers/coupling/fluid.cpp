// SPDX-License-Identifier: Apache-2.0
// Steps 1 to 3, 5 to 8 and 10 to 13 of (Hirato, section 3.3): SPH, for fluid and bodies alike.
#include "coupling/stages.h"

namespace nendo::coupling {

template <class Real> void find_neighbors(Workspace<Real>& w, const Params& p) {
    w.near.place(w.trial.particles.x, p.support_radius());
}

template <class Real> void fill_columns(Workspace<Real>& w, const Params& p) {
    const Particles<Real>& particles = w.trial.particles;
    sph::Matter<Real>& m = w.matter;
    m.resize(w.near.size());
    parallel_for(w.near.size(), [&](std::size_t slot) {
        const std::uint32_t i = w.near.index()[slot];
        const bool fluid = particles.phase[i] == fluid_phase;
        // rho0 becomes L_dens rho0 at constant mass (Hirato, eq 10), so the volume stretches too.
        const Real stretch = fluid || !p.density_change ? Real(1) : particles.stretch[i];
        const Real growth = stretch * stretch * stretch;
        const Real volume = w.volume[i] * growth;
        m.position[slot] << particles.x[i], volume;
        m.velocity[slot] << particles.v[i], particles.pressure[i];
        m.volume[slot] = volume;
        m.per_mass[slot] = w.held(i) ? Real(0) : Real(1) / particles.mass[i];
        m.rest_density[slot] = particles.rest_density[i] / growth;
        m.viscosity[slot] = particles.viscosity[i] * particles.rest_density[i];
        m.group[slot] = fluid ? sph::free_group : particles.body[i] + 1;
    });
}

template <class Real> void find_density(Workspace<Real>& w) {
    w.near.find(*w.kernels, w.matter.volume, w.matter.group, w.matter.compression);
    w.walls.find(w.colliders, w.near, *w.kernels);
    w.walls.add_density(w.matter.compression);
    Particles<Real>& particles = w.trial.particles;
    parallel_for(w.near.size(), [&](std::size_t slot) {
        particles.density[w.near.index()[slot]] =
            w.matter.compression[slot] * w.matter.rest_density[slot];
    });
}

template <class Real>
void apply_forces(Workspace<Real>& w, const Scene& scene, const Params& p, double dt) {
    sph::Matter<Real>& m = w.matter;
    if (p.pressure == sph::Pressure::state_equation) sph::state_equation(m, *w.kernels, p);
    sph::add_forces(m, w.near, w.walls, *w.kernels, p);
    Particles<Real>& particles = w.trial.particles;
    const Vec3<Real> g = scene.gravity.cast<Real>();
    const Real step = static_cast<Real>(dt);
    parallel_for(w.near.size(), [&](std::size_t slot) {
        const std::uint32_t i = w.near.index()[slot];
        particles.pressure[i] = m.velocity[slot][3];
        if (w.held(i)) {
            particles.v[i] = w.held_velocity[i];
            return;
        }
        const Vec3<Real> force = m.force[slot].template head<3>() + particles.force[i];
        particles.v[i] += step * (force * m.per_mass[slot] + g);
    });
}

template <class Real>
sph::PressureSolve solve_implicit_pressure(Workspace<Real>& w, const Params& p, double dt) {
    if (p.pressure == sph::Pressure::state_equation) return {};
    Particles<Real>& particles = w.trial.particles;
    sph::Matter<Real>& m = w.matter;
    parallel_for(w.near.size(), [&](std::size_t slot) {
        m.velocity[slot].template head<3>() = particles.v[w.near.index()[slot]];
    });
    const sph::PressureSolve solve =
        sph::solve_pressure(m, w.near, w.walls, *w.kernels, p, dt, w.partials);
    parallel_for(w.near.size(), [&](std::size_t slot) {
        const std::uint32_t i = w.near.index()[slot];
        particles.v[i] = m.velocity[slot].template head<3>();
        particles.pressure[i] = m.velocity[slot][3];
        if (w.held(i) || m.shift[slot].isZero(0)) return;
        const Vec3d speed = m.shift[slot].template cast<double>() / dt;
        const Vec3d x = particles.x[i].template cast<double>();
        const Vec3d stopped = w.walls.stop(slot, w.colliders, x, speed,
                                           static_cast<double>(particles.radius[i]), dt, false);
        particles.x[i] += (dt * stopped).template cast<Real>();
    });
    return solve;
}

template <class Real> void move(Workspace<Real>& w, double dt) {
    Particles<Real>& particles = w.trial.particles;
    const Real step = static_cast<Real>(dt);
    parallel_for(particles.x.size(),
                 [&](std::size_t i) { particles.x[i] += step * particles.v[i]; });
}

template void find_neighbors(Workspace<float>&, const Params&);
template void find_neighbors(Workspace<double>&, const Params&);
template void fill_columns(Workspace<float>&, const Params&);
template void fill_columns(Workspace<double>&, const Params&);
template void find_density(Workspace<float>&);
template void find_density(Workspace<double>&);
template void apply_forces(Workspace<float>&, const Scene&, const Params&, double);
template void apply_forces(Workspace<double>&, const Scene&, const Params&, double);
template sph::PressureSolve solve_implicit_pressure(Workspace<float>&, const Params&, double);
template sph::PressureSolve solve_implicit_pressure(Workspace<double>&, const Params&, double);
template void move(Workspace<float>&, double);
template void move(Workspace<double>&, double);

} // namespace nendo::coupling
