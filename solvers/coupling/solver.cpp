// SPDX-License-Identifier: Apache-2.0
#include "coupling/solver.h"

#include "core/error.h"
#include "core/range.h"
#include "coupling/stages.h"
#include "scene/timeline.h"

#include <algorithm>
#include <cmath>

namespace nendo::coupling {

namespace {

/// Pins hold bodies; fluid flows through them.
template <class Real> auto is_body(const Particles<Real>& particles) {
    return [&](std::size_t i) { return particles.phase[i] == body_phase; };
}

/// Returns whether any entered.
template <class Real>
bool enter_due_bodies(State<Real>& s, const std::vector<const Body*>& bodies, const Scene& scene,
                      const Inputs& inputs, const Params& p) {
    Details& details = s.details;
    const std::size_t before = s.particles.id.size();
    for (std::size_t k = static_cast<std::size_t>(details.bodies_entered);
         k < bodies.size() && bodies[k]->start <= details.time + time_tolerance; ++k) {
        const std::size_t first = s.particles.id.size();
        add_body(s, *bodies[k], inputs.muscles, p);
        ++details.bodies_entered;
        pin_newborn(s.particles.x, s.particles.pin, first, scene, details.time,
                    is_body(s.particles));
    }
    return s.particles.id.size() != before;
}

void check(const Params& p, double duration) {
    for_each_field(p, [](const auto& value, const Field& f) {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
            check_range(static_cast<double>(value), f, "solver." + std::string(f.name_),
                        "a number");
    });
    if (!(duration >= 0) || !std::isfinite(duration))
        throw Error("cannot advance by " + std::to_string(duration) + " s", "solver",
                    "use a duration of zero or more");
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

/// Throws for what no step can start from.
template <class Real> void check(const State<Real>& s, std::size_t pins, std::size_t muscles) {
    State<Real>::tables(
        s, [](const auto& table, std::string_view name) { check_table(table, std::string(name)); });
    const auto in = [](std::int32_t value, std::size_t count) {
        return value <= static_cast<std::int64_t>(count);
    };
    for (std::size_t i = 0; i < s.particles.id.size(); ++i)
        if (s.particles.pin[i] < -1 || !in(s.particles.pin[i], pins))
            throw Error("pin is " + std::to_string(s.particles.pin[i]) + ", and the scene has " +
                            std::to_string(pins) + " pins",
                        "particle id " + std::to_string(s.particles.id[i]),
                        "use 0 for free matter, or -1 for matter that is held by its goal");
    for (std::size_t k = 0; k < s.springs.id.size(); ++k)
        if (!in(s.springs.muscle[k], muscles))
            throw Error("muscle is " + std::to_string(s.springs.muscle[k]) + ", and there are " +
                            std::to_string(muscles),
                        "spring id " + std::to_string(s.springs.id[k]),
                        "use 0 for a spring without a muscle");
}

/// Throws for the particle of the least id that is no longer finite.
template <class Real> void check_finite(Workspace<Real>& w) {
    const Particles<Real>& particles = w.trial.particles;
    const double first = parallel_reduce(
        particles.id.size(), infinite,
        [&](std::size_t i) {
            // A sum is finite only when all its terms are.
            const bool finite = std::isfinite(particles.v[i].sum() + particles.x[i].sum());
            return finite ? infinite : static_cast<double>(particles.id[i]);
        },
        [](double a, double b) { return std::min(a, b); }, w.partials);
    if (first < infinite)
        throw Error("velocity is no longer finite",
                    "particle id " + std::to_string(static_cast<std::int64_t>(first)) +
                        " at time " + std::to_string(w.trial.details.time) + " s",
                    "use a smaller solver.time_step or solver.courant");
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

template <class Real>
SubstepResult substep(Workspace<Real>& w, const Scene& scene, const Params& p, double dt,
                      StageClock& clock) {
    SubstepResult result;
    measure_stretch(w);   // 4 [eq 8, 9]
    find_neighbors(w, p); // 1, 2
    clock.done("neighbors");
    fill_columns(w, p); // 5 [eq 10]
    find_density(w);    // 3 [eq 3]
    clock.done("density");
    find_holdings(w, p);
    clock.done("membranes");
    apply_forces(w, scene, p, dt); // 6, 7, 8, 10 to 12 [eq 4-6]
    clock.done("forces");
    result.cg_iterations = apply_springs(w, p, dt); // 9 [eq 7]
    clock.done("springs");
    result.pressure = press(w, p, dt); // 6, 7 where it is implicit
    clock.done("pressure");
    move(w, dt); // 13
    find_meetings(w, p);
    collide_bodies(w, p, dt); // 14
    clock.done("collisions");
    hold_fluid(w, p, dt);
    clock.done("membranes");
    collide_walls(w); // 15
    clock.done("walls");
    return result;
}

template <class Real> std::size_t Workspace<Real>::bytes() const {
    const auto of = [](const auto& column) { return column.capacity() * sizeof(column[0]); };
    return table_bytes(trial.particles) + table_bytes(trial.springs) + table_bytes(trial.faces) +
           near.bytes() + matter.bytes() + of(volume) + of(node_of) + of(held_velocity) +
           of(row_of) + of(link_start) + of(links) + of(ends) + of(faces) + of(face_start) +
           of(faces_of) + of(pulls) + of(u) + of(residual) + of(direction) + of(product) +
           of(per_diagonal) + node_grid.bytes() + of(node_x) + of(meetings) + of(holdings) +
           of(order) + of(marked);
}

template <class Real> Solver<Real>::Solver() : m_workspace(std::make_unique<Workspace<Real>>()) {}
template <class Real> Solver<Real>::~Solver() = default;
template <class Real> Solver<Real>::Solver(Solver&&) noexcept = default;
template <class Real> Solver<Real>& Solver<Real>::operator=(Solver&&) noexcept = default;

template <class Real>
Report Solver<Real>::advance(State<Real>& state, const Scene& scene, const Inputs& inputs,
                             const Params& params, double duration, Host& host) {
    check(params, duration);
    check(inputs);
    check(state, scene.pins.size(), inputs.muscles.size());
    Workspace<Real>& w = *m_workspace;
    Report report;
    StageClock clock(report.stages);
    w.trial = state;
    w.kernels.emplace(params.spacing, params.support_radius());
    w.collision_residual = 0;
    Details& details = w.trial.details;
    const double begin = details.time;
    const double end = begin + duration;
    w.end = end;
    const std::vector<const Body*> queue = by_start(inputs.bodies);

    enter_due_bodies(w.trial, queue, scene, inputs, params);
    put_in_order(w, params);
    index_rows(w, params);
    clock.done("order");
    report.shortest_step = duration;
    while (details.time < end - time_tolerance) {
        if (host.interrupted()) throw Interrupted();
        const double until = next_event(details.time, end, queue, scene);
        update_pins(w.trial.particles.x, w.trial.particles.pin, scene, details.time,
                    is_body(w.trial.particles));
        place_scene(w, scene, inputs, std::min(params.time_step, until - details.time));
        const double dt = plan_substep(w, scene, params, until - details.time);
        place_scene(w, scene, inputs, dt);
        clock.done("plan");
        const SubstepResult done = substep(w, scene, params, dt, clock);
        report.cg_iterations += std::abs(done.cg_iterations);
        report.cg_unconverged += done.cg_iterations < 0 ? 1 : 0;
        report.pressure_iterations += done.pressure.iterations;
        report.pressure_unconverged += done.pressure.converged ? 0 : 1;
        report.shortest_step = std::min(report.shortest_step, dt);
        ++report.substeps;
        details.time += dt;
        if (std::abs(details.time - until) <= time_tolerance) details.time = until;
        check_finite(w);
        const bool torn = break_springs(w);
        const bool gone = drain(w, inputs.drains);
        const bool come = pour(w, inputs.taps, params, dt);
        const bool entered = enter_due_bodies(w.trial, queue, scene, inputs, params);
        if (torn || gone || come || entered) index_rows(w, params);
        clock.done("flow");
        host.progress((details.time - begin) / duration, "substep");
    }
    if (report.cg_unconverged > 0)
        host.log(Severity::warning, std::to_string(report.cg_unconverged) +
                                        " spring solves ran out of iterations: raise "
                                        "solver.cg_iterations or lower solver.time_step");
    if (report.pressure_unconverged > 0)
        host.log(Severity::warning, std::to_string(report.pressure_unconverged) +
                                        " pressure solves ran out of iterations: raise "
                                        "solver.pressure_iterations or lower solver.time_step");
    measure(report, w, scene, params);
    report.bytes = static_cast<std::int64_t>(w.bytes() + table_bytes(state.particles) +
                                             table_bytes(state.springs));
    std::swap(state, w.trial);
    clock.done("measure");
    return report;
}

template SubstepResult substep(Workspace<float>&, const Scene&, const Params&, double, StageClock&);
template SubstepResult substep(Workspace<double>&, const Scene&, const Params&, double,
                               StageClock&);
template class Solver<float>;
template class Solver<double>;

} // namespace nendo::coupling
