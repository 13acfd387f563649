// SPDX-License-Identifier: Apache-2.0
// The steps of one call of advance() for fluids and elastic bodies: begin, substep, measure.
#include "coupling/solver.h"

#include "core/range.h"
#include "coupling/stages.h"
#include "method/advance.h"

#include <algorithm>
#include <cmath>

namespace nendo::coupling {

namespace {

/// Pins hold bodies; fluid flows through them.
template <class Real> auto is_body(const Particles<Real>& particles) {
    return [&](std::size_t i) { return particles.phase[i] == body_phase; };
}

void check(const Inputs& inputs) {
    for (const Muscle& muscle : inputs.muscles)
        for (std::size_t k = 0; k < muscle.keys.size(); ++k) {
            const std::string where = "muscle '" + muscle.name + "'";
            if (!(muscle.keys[k].length > 0))
                throw Error("length " + format_number(muscle.keys[k].length) + " is out of range",
                            where, "use a number above 0");
            if (k > 0 && !(muscle.keys[k].time > muscle.keys[k - 1].time))
                throw Error("the times of its keys do not rise", where, "sort its keys");
        }
    for (const Tap& tap : inputs.taps)
        if (!(tap.speed > 0) || !(tap.radius > 0) || !(tap.direction.norm() > 0))
            throw Error("speed, radius and direction must not be zero", "tap '" + tap.name + "'",
                        "give it a flow");
}

/// Throws for a state that no step can start from.
template <class Real> void check(const State<Real>& s, std::size_t pins, std::size_t muscles) {
    check_tables(s);
    for (std::size_t i = 0; i < s.particles.id.size(); ++i)
        check_pin(s.particles.pin[i], pins, true, s.particles.id[i]);
    for (std::size_t k = 0; k < s.springs.id.size(); ++k)
        if (s.springs.muscle[k] > static_cast<std::int64_t>(muscles))
            throw Error("muscle is " + std::to_string(s.springs.muscle[k]) + ", and there are " +
                            std::to_string(muscles),
                        "spring id " + std::to_string(s.springs.id[k]),
                        "use 0 for a spring without a muscle");
}

template <class Real>
void measure(Report& r, const Workspace<Real>& w, const Scene& scene, const Params& p) {
    const State<Real>& s = w.trial;
    const Particles<Real>& particles = s.particles;
    r.particles = static_cast<std::int64_t>(particles.id.size());
    r.springs = static_cast<std::int64_t>(s.springs.id.size());
    r.springs_broken = s.details.springs_broken;
    r.poured = s.details.poured;
    r.drained = s.details.drained;
    r.collision_residual = w.collision_residual;
    const bool soft = p.pressure == sph::Pressure::state_equation;
    for (std::size_t i = 0; i < particles.id.size(); ++i) {
        const Vec3d x = particles.x[i].template cast<double>();
        const Vec3d v = particles.v[i].template cast<double>();
        const auto mass = static_cast<double>(particles.mass[i]);
        const auto density = static_cast<double>(particles.rest_density[i]);
        const auto pressure = static_cast<double>(particles.pressure[i]);
        r.kinetic_energy += 0.5 * mass * v.squaredNorm();
        r.gravity_energy -= mass * scene.gravity.dot(x);
        r.momentum += mass * v;
        r.max_speed = std::max(r.max_speed, v.norm());
        const bool fluid = particles.phase[i] == fluid_phase;
        if (!fluid) r.bodies_center += x / static_cast<double>(w.row_of.size());
        const double growth =
            fluid || !p.density_change ? 1 : std::pow(static_cast<double>(particles.stretch[i]), 3);
        const double squeeze =
            static_cast<double>(w.kernels->response) * pressure * growth / density;
        if (soft) r.pressure_energy += 0.5 * mass * squeeze * squeeze / p.stiffness;
        if (fluid)
            r.max_compression =
                std::max(r.max_compression, static_cast<double>(particles.density[i]) / density);
    }
    for (std::size_t k = 0; k < s.springs.id.size(); ++k) {
        const std::uint32_t a = w.row_of[w.ends[k][0]], b = w.row_of[w.ends[k][1]];
        const auto length = static_cast<double>((particles.x[a] - particles.x[b]).norm());
        const auto rest = static_cast<double>(s.springs.rest[k]);
        const auto m_a = static_cast<double>(particles.mass[a]);
        const auto m_b = static_cast<double>(particles.mass[b]);
        r.max_stretch = std::max(r.max_stretch, length / rest);
        r.spring_energy += static_cast<double>(s.springs.stiffness[k]) * m_a * m_b / (m_a + m_b) *
                           (length - rest) * (length - rest);
    }
}

} // namespace

/// Numbers are the steps of (Hirato, section 3.3).
template <class Real>
SubstepResult substep(Workspace<Real>& w, const Scene& scene, const Params& p, double dt,
                      StageClock& clock) {
    SubstepResult result;
    measure_stretch(w);   // 4 (eq 8, 9)
    find_neighbors(w, p); // 1, 2
    clock.done("neighbors");
    fill_columns(w, p); // 5 (eq 10)
    find_density(w);    // 3 (eq 3)
    clock.done("density");
    find_membrane_contacts(w, p);
    clock.done("membranes");
    apply_forces(w, scene, p, dt); // 6, 7, 8, 10 to 12 (eq 4-6)
    clock.done("forces");
    result.cg_iterations = apply_springs(w, p, dt); // 9 (eq 7)
    clock.done("springs");
    result.pressure = solve_implicit_pressure(w, p, dt); // 6, 7 if pressure is implicit
    clock.done("pressure");
    stop_at_walls(w, dt);
    clock.done("walls");
    move(w, dt); // 13
    find_body_contacts(w, p);
    collide_bodies(w, p, dt); // 14
    clock.done("collisions");
    hold_fluid(w, p, dt);
    clock.done("membranes");
    collide_walls(w); // 15
    clock.done("walls");
    return result;
}

/// The steps of one call of advance().
template <class Real> struct Call : CallOf<Method, Real> {
    using Base = CallOf<Method, Real>;
    using Base::clock, Base::end_time, Base::host, Base::inputs, Base::now, Base::params,
        Base::queue, Base::reach, Base::report, Base::scene, Base::state, Base::w;
    double last_dt = 0; ///< Length of the last substep [s]

    void begin() {
        check(inputs);
        check(state, scene.pins.size(), inputs.muscles.size());
        w.trial = state;
        w.kernels.emplace(params.spacing, params.support_radius());
        w.collision_residual = 0;
        w.end = end_time;
        enter_bodies();
        put_in_order(w, params);
        index_rows(w, params);
        settle_fluid(w, scene, params, host);
    }

    double step(double until) {
        update_pins(w.trial.particles.x, w.trial.particles.pin, scene, now(),
                    is_body(w.trial.particles));
        place_scene(w, scene, inputs, std::min(params.time_step, until - now()));
        last_dt = plan_substep(w, scene, params, until - now());
        place_scene(w, scene, inputs, last_dt);
        clock.done("plan");
        const SubstepResult done = substep(w, scene, params, last_dt, clock);
        report.cg_iterations += std::abs(done.cg_iterations);
        report.cg_unconverged += done.cg_iterations < 0 ? 1 : 0;
        report.pressure_iterations += done.pressure.iterations;
        report.pressure_unconverged += done.pressure.converged ? 0 : 1;
        return reach(last_dt);
    }

    void check_finite() {
        const Particles<Real>& particles = w.trial.particles;
        nendo::check_finite(
            particles, now(), w.partials,
            {"velocity", "particle id", "use a smaller solver.time_step or solver.courant"},
            [&](std::size_t i) { return particles.v[i].sum() + particles.x[i].sum(); });
    }

    void update_matter() {
        const bool torn = break_springs(w);
        const bool gone = drain(w, inputs.drains);
        const bool come = pour(w, inputs.taps, params, last_dt);
        const bool entered = enter_bodies();
        if (torn || gone || come || entered) index_rows(w, params);
        if (entered) settle_fluid(w, scene, params, host);
        clock.done("flow");
    }

    void finish() {
        warn_unconverged(host, report.cg_unconverged, "spring solves ran out of iterations",
                         "solver.cg_iterations");
        warn_unconverged(host, report.pressure_unconverged, "pressure solves ran out of iterations",
                         "solver.pressure_iterations");
        measure(report, w, scene, params);
    }

    bool enter_bodies() {
        State<Real>& s = w.trial;
        return enter_due_bodies(
            s, s.particles, queue, scene,
            [&](const Body& body) { add_body(s, body, inputs.muscles, params); },
            is_body(s.particles));
    }
};

template SubstepResult substep(Workspace<float>&, const Scene&, const Params&, double, StageClock&);
template SubstepResult substep(Workspace<double>&, const Scene&, const Params&, double,
                               StageClock&);

} // namespace nendo::coupling

namespace nendo {
template class Solver<coupling::Method, float>;
template class Solver<coupling::Method, double>;
} // namespace nendo
