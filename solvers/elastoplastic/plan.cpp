// SPDX-License-Identifier: Apache-2.0
// Planning of the substeps: how long the next one may be, and how implicit.
#include "elastoplastic/stages.h"

#include <algorithm>
#include <cmath>

namespace nendo::elastoplastic {

namespace {

/// Speed of sound in a master [m/s].
template <class Real> double sound_in(const Masters<Real>& masters, std::size_t m) {
    const Lame<double> moduli = hardened(lame(double(masters.young[m]), double(masters.poisson[m])),
                                         double(masters.hardening[m]), double(masters.J_P[m]));
    const double density = double(masters.mass[m]) / double(masters.volume[m]);
    return std::sqrt((moduli.lambda + 2 * moduli.mu) / density);
}

/// The limits that every substep needs of one master: its speed and stiffness.
template <class Real> StepLimits limits_of(const Masters<Real>& masters, std::size_t m) {
    StepLimits limits;
    limits.speed = double(masters.v[m].norm());
    limits.sound = sound_in(masters, m);
    limits.yields = yield_of(masters, m).any();
    return limits;
}

/// The limits that only stiff matter needs. Strain times the speed of sound is the speed that the
/// elastic energy can produce; matter slower than `calm` [m/s] in both is at rest.
template <class Real>
StepLimits stiff_limits_of(const Masters<Real>& masters, std::size_t m, double calm) {
    StepLimits limits;
    const double sound = sound_in(masters, m);
    const double speed = double(masters.v[m].norm());
    const Mat3d C = masters.C[m].template cast<double>();
    const double spin_squared = 0.125 * (C - C.transpose()).squaredNorm();
    limits.motion = double(masters.mass[m]) * speed * speed;
    const double stretching = sound * spin_squared;
    limits.turning = double(masters.mass[m]) * stretching * stretching;
    if (yield_of(masters, m).any()) return limits;
    const Mat3d F = masters.F_E[m].template cast<double>();
    const double strain = 0.5 * (F.transpose() * F - Mat3d::Identity()).norm();
    if (std::max(speed, strain * sound) > calm) limits.lively_sound = sound;
    return limits;
}

/// True if matter is inside a collider, or if bodies that do not join touch.
template <class Real> bool in_contact(Workspace<Real>& w, const Params& p) {
    const auto any = [&](std::size_t n, const auto& test) {
        return parallel_reduce(
                   n, 0.0, [&](std::size_t k) { return test(k) ? 1.0 : 0.0; },
                   [](double a, double b) { return std::max(a, b); }, w.partials) > 0;
    };
    const auto& x = w.trial.slaves.x;
    const auto in_collider = [&](std::size_t s) {
        return std::any_of(w.colliders.begin(), w.colliders.end(), [&](const MovedShape& shape) {
            return shape.distance(x[s].template cast<double>()) < 0;
        });
    };
    if (any(x.size(), in_collider)) return true;
    const Masters<Real>& masters = w.trial.masters;
    if (one_body(masters)) return false;
    w.master_grid.build(masters.x, 2 * p.spacing);
    return any(masters.x.size(), [&](std::size_t m) {
        bool touches = false;
        w.master_grid.visit(masters.x[m], static_cast<Real>(p.spacing),
                            [&](std::uint32_t other, Real) {
                                touches = touches || masters.join[other] != masters.join[m];
                            });
        return touches;
    });
}

} // namespace

template <class Real>
StepLimits find_step_limits(Workspace<Real>& w, const Scene& scene, const Params& p) {
    const Masters<Real>& masters = w.trial.masters;
    const auto of_all = [&](const auto& of_one) {
        return parallel_reduce(masters.x.size(), StepLimits{}, of_one, merge_limits,
                               w.limit_partials);
    };
    StepLimits limits = of_all([&](std::size_t m) { return limits_of(masters, m); });
    // The remaining limits matter only for implicit substeps in which a wave crosses more than one
    // spacing.
    if (p.implicitness > 0 && limits.sound * p.time_step > p.spacing) {
        // The speed gained by falling about one spacing. Slower matter needs no care.
        const double calm = std::sqrt(std::max(scene.gravity.norm(), 1.0) * p.spacing);
        limits = merge_limits(
            limits, of_all([&](std::size_t m) { return stiff_limits_of(masters, m, calm); }));
    }
    for (const MovedShape& shape : w.colliders)
        limits.speed = std::max(limits.speed, surface_speed(shape));
    if (w.goals)
        for (std::size_t m = 0; m < masters.x.size(); ++m)
            if (masters.pin[m] < 0)
                limits.speed = std::max(limits.speed, double(goal_velocity(w, m).norm()));
    return limits;
}

template <class Real>
Plan plan_substep(Workspace<Real>& w, const Params& p, const StepLimits& limits, double remaining) {
    Plan plan{std::min(p.time_step, remaining), p.implicitness, limits.sound, limits.yields};
    if (limits.speed > 0) plan.dt = std::min(plan.dt, p.courant * p.spacing / limits.speed);
    // Share of a spacing that a wave may cross in an explicit substep.
    const double explicit_reach = 0.6;
    if (plan.beta < 0.5 && limits.sound > 0)
        plan.dt = std::min(plan.dt, explicit_reach * p.spacing / limits.sound /
                                        std::sqrt(1 - 2 * plan.beta));
    // If a wave crosses several spacings in a substep, implicit damping swallows the rebound.
    const double lively_dt = explicit_reach * p.spacing / limits.lively_sound;
    if (p.lively_contact && lively_dt < 0.5 * plan.dt && plan.beta > 0.5 && in_contact(w, p)) {
        plan.dt = lively_dt;
        plan.beta = limits.lively_sound < limits.sound ? 0.5 : 0;
    }
    // Rotating along straight lines stretches matter by (spin dt)^2 / 2 across its axis. In stiff
    // matter that could be more energy than the rotation has: allow a twentieth of it.
    const double wave_dt = 2 * p.spacing / limits.sound;
    if (limits.turning > 0 && plan.dt > wave_dt)
        plan.dt = std::clamp(std::sqrt(std::sqrt(0.05 * limits.motion / limits.turning)), wave_dt,
                             plan.dt);
    // Divide the remaining time into equal substeps, so that no tiny one is left at the end.
    plan.dt = remaining / std::ceil(remaining / plan.dt - 1e-9);
    return plan;
}

template StepLimits find_step_limits(Workspace<float>&, const Scene&, const Params&);
template StepLimits find_step_limits(Workspace<double>&, const Scene&, const Params&);
template Plan plan_substep(Workspace<float>&, const Params&, const StepLimits&, double);
template Plan plan_substep(Workspace<double>&, const Params&, const StepLimits&, double);

} // namespace nendo::elastoplastic
