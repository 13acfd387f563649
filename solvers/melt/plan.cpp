// SPDX-License-Identifier: Apache-2.0
// Plans the length of each substep, and places colliders and pins in it.
#include "core/error.h"
#include "math/portable_math.h"
#include "melt/stages.h"

#include <algorithm>
#include <cmath>

namespace nendo::melt {

namespace {

/// Share of the time step below which a substep is too short to continue.
constexpr double shortest_share = 1e-6;

} // namespace

template <class Real> void place_scene(Workspace<Real>& w, const Scene& scene, double dt) {
    const double now = w.trial.details.time;
    w.colliders.clear();
    w.pins.clear();
    for (const Collider& collider : scene.colliders)
        w.colliders.push_back(move_collider(collider, now, dt));
    for (const Pin& pin : scene.pins) w.pins.push_back(move_shape(pin.shape, pin.motion, now, dt));
}

template <class Real> double liquid_viscosity(const Particles<Real>& particles, std::size_t i) {
    const auto warmer = static_cast<double>(particles.temperature[i] - particles.melting_point[i]);
    const auto thinning = static_cast<double>(particles.thinning[i]);
    const double fall = std::isinf(thinning) ? 0 : std::max(0.0, warmer) / thinning;
    return static_cast<double>(particles.viscosity[i]) * portable_exp(-std::min(fall, 50.0));
}

template <class Real>
double plan_substep(Workspace<Real>& w, const Scene& scene, const Params& p, double remaining,
                    double interval) {
    const Particles<Real>& particles = w.trial.particles;
    const auto most = [&](const auto& term) {
        return parallel_reduce(
            particles.id.size(), 0.0, term, [](double a, double b) { return std::max(a, b); },
            w.partials);
    };
    double speed = most([&](std::size_t i) { return static_cast<double>(particles.v[i].norm()); });
    for (const MovedShape& shape : w.colliders) speed = std::max(speed, surface_speed(shape));
    // Gravity adds speed within the step.
    speed += scene.gravity.norm() * p.time_step;
    double dt = std::min(p.time_step, p.courant * p.spacing / std::max(speed, 1e-12));
    if (w.liquids) {
        const sph::Params fluid = p.fluid_params();
        sph::Limits limits;
        limits.viscosity = most([&](std::size_t i) {
            return liquid_viscosity(particles, i) /
                   static_cast<double>(particles.liquid_density[i]);
        });
        limits.lightest = 1 / most([&](std::size_t i) {
                              return 1 / static_cast<double>(particles.liquid_density[i]);
                          });
        if (fluid.pressure == sph::Pressure::state_equation)
            limits.sound = std::sqrt(fluid.stiffness);
        dt = std::min(dt, sph::longest_step(fluid, limits, speed));
    }
    if (!(dt > shortest_share * std::min(p.time_step, remaining)))
        throw Error("matter moves too fast to simulate: " + std::to_string(speed) + " m/s",
                    "time " + std::to_string(w.trial.details.time) + " s",
                    "use a smaller solver.time_step, or a larger solver.damping");
    // Divide the time evenly, so that no substep is very short.
    const auto equal = [](double time, double step) {
        return time / std::ceil(time / step - 1e-9);
    };
    // The shorter steps that liquid needs must not make the solid harder: otherwise, at the first
    // drop, matter would suddenly release the compression from when it was all solid.
    w.calm_step = equal(interval, p.time_step);
    return equal(remaining, std::min(dt, w.calm_step));
}

template void place_scene(Workspace<float>&, const Scene&, double);
template void place_scene(Workspace<double>&, const Scene&, double);
template double liquid_viscosity(const Particles<float>&, std::size_t);
template double liquid_viscosity(const Particles<double>&, std::size_t);
template double plan_substep(Workspace<float>&, const Scene&, const Params&, double, double);
template double plan_substep(Workspace<double>&, const Scene&, const Params&, double, double);

} // namespace nendo::melt
