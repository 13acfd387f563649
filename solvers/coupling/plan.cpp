// SPDX-License-Identifier: Apache-2.0
// Plans the length of each substep.
#include "coupling/stages.h"

#include <algorithm>
#include <cmath>

namespace nendo::coupling {

namespace {

/// The longest stable substep [s] of explicit springs, limited by their damping and by their
/// oscillation. The frequency of the stiffest mode of a node grows with its number of springs.
template <class Real> double spring_step(const Workspace<Real>& w) {
    const Springs<Real>& springs = w.trial.springs;
    std::uint32_t most = 0;
    for (std::size_t node = 0; node + 1 < w.link_start.size(); ++node)
        most = std::max(most, w.link_start[node + 1] - w.link_start[node]);
    double stiffest = 0, thickest = 0;
    for (std::size_t k = 0; k < springs.id.size(); ++k) {
        stiffest = std::max(stiffest, static_cast<double>(springs.stiffness[k]));
        thickest = std::max(thickest, static_cast<double>(springs.damping[k]));
    }
    const double modes = 0.8 * most;
    double dt = infinite;
    const double safe = 0.5; // fraction of the stable step
    if (thickest > 0) dt = std::min(dt, safe * 2 / (thickest * modes));
    if (stiffest > 0) dt = std::min(dt, safe * 2 / std::sqrt(stiffest * modes));
    return dt;
}

} // namespace

template <class Real>
double plan_substep(Workspace<Real>& w, const Scene& scene, const Params& p, double remaining) {
    const Particles<Real>& particles = w.trial.particles;
    double speed = parallel_reduce(
        particles.id.size(), 0.0,
        [&](std::size_t i) { return static_cast<double>(particles.v[i].norm()); },
        [](double a, double b) { return std::max(a, b); }, w.partials);
    for (const MovedShape& shape : w.colliders) speed = std::max(speed, surface_speed(shape));
    // About a tenth of the speed of a fall through one spacing: matter at rest may start to move.
    speed += std::sqrt(scene.gravity.norm() * p.spacing) / 10;
    sph::Limits limits;
    limits.viscosity = w.most_viscous;
    limits.lightest = w.lightest;
    // Light matter in a heavy fluid is accelerated by the pressure of the fluid.
    if (p.pressure == sph::Pressure::state_equation)
        limits.sound = std::sqrt(p.stiffness * w.heaviest / w.lightest);
    double dt = std::min({p.time_step, remaining, sph::longest_step(p, limits, speed)});
    if (!w.faces.empty()) dt = std::min(dt, 0.5 * membrane_gap * p.spacing / speed);
    if (!w.row_of.empty()) dt = std::min(dt, w.smallest / speed);
    if (p.springs == SpringSolve::explicit_) dt = std::min(dt, spring_step(w));
    // Divide the remaining time evenly, so that no substep is very short.
    return remaining / std::ceil(remaining / dt - 1e-9);
}

template double plan_substep(Workspace<float>&, const Scene&, const Params&, double);
template double plan_substep(Workspace<double>&, const Scene&, const Params&, double);

} // namespace nendo::coupling
