// SPDX-License-Identifier: Apache-2.0
#include "melt/solver.h"

#include "core/error.h"
#include "core/range.h"
#include "math/nearest_rotation.h"
#include "melt/match.h"
#include "melt/stages.h"
#include "neighbors/grid.h"
#include "scene/timeline.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace nendo::melt {

namespace {

/// Pins hold solid matter; liquid flows through them.
template <class Real> auto is_solid(const Particles<Real>& particles) {
    return [&](std::size_t i) { return particles.phase[i] == solid; };
}

bool is_due(const std::vector<const Body*>& bodies, const Details& details) {
    const auto k = static_cast<std::size_t>(details.bodies_entered);
    return k < bodies.size() && bodies[k]->start <= details.time + time_tolerance;
}

template <class Real>
void enter_due_bodies(State<Real>& s, const std::vector<const Body*>& bodies, const Scene& scene,
                      const Params& p) {
    Details& details = s.details;
    while (is_due(bodies, details)) {
        const std::size_t first = s.particles.id.size();
        add_body(s, *bodies[static_cast<std::size_t>(details.bodies_entered++)], p);
        pin_newborn(s.particles.x, s.particles.pin, first, scene, details.time,
                    is_solid(s.particles));
    }
}

void check(const Params& p, double duration) {
    for_each_field(p, [](const auto& value, const Field& f) {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
            const auto number = static_cast<double>(value);
            if (f.may_be_none_ && number == infinite) return;
            check_range(number, f, "solver." + std::string(f.name_), "a number");
        }
    });
    if (!(duration >= 0) || !std::isfinite(duration))
        throw Error("cannot advance by " + std::to_string(duration) + " s", "solver",
                    "use a duration of zero or more");
}

/// Throws for what no step can start from.
template <class Real> void check(const State<Real>& s, std::size_t pins) {
    State<Real>::tables(
        s, [](const auto& table, std::string_view name) { check_table(table, std::string(name)); });
    const Particles<Real>& particles = s.particles;
    const auto place = [&](std::size_t i) {
        return "particle id " + std::to_string(particles.id[i]);
    };
    for (std::size_t i = 0; i < particles.id.size(); ++i) {
        if (particles.pin[i] < 0 || particles.pin[i] > static_cast<std::int64_t>(pins))
            throw Error("pin is " + std::to_string(particles.pin[i]) + ", and the scene has " +
                            std::to_string(pins) + " pins",
                        place(i), "use 0 for free matter");
        if (std::abs(static_cast<double>(particles.orient[i].norm()) - 1) > 1e-3)
            throw Error("orient is not a rotation", place(i),
                        "give a quaternion of length 1: x, y, z, w");
    }
}

/// Throws for the particle of the least id that is no longer finite.
template <class Real> void check_finite(Workspace<Real>& w) {
    const Particles<Real>& particles = w.trial.particles;
    const double first = parallel_reduce(
        particles.id.size(), infinite,
        [&](std::size_t i) {
            // A sum is finite only when all its terms are.
            const Real sum = particles.v[i].sum() + particles.x[i].sum() +
                             particles.orient[i].sum() + static_cast<Real>(particles.enthalpy[i]);
            return std::isfinite(sum) ? infinite : static_cast<double>(particles.id[i]);
        },
        [](double a, double b) { return std::min(a, b); }, w.partials);
    if (first < infinite)
        throw Error("position, orientation or heat is no longer finite",
                    "particle id " + std::to_string(static_cast<std::int64_t>(first)) +
                        " at time " + std::to_string(w.trial.details.time) + " s",
                    "use a smaller solver.time_step or solver.courant");
}

/// Rows in an order that follows from positions and ids alone, near ones close in memory.
template <class Real> void put_in_order(Workspace<Real>& w, const Params& p) {
    State<Real>& s = w.trial;
    spatial_order(s.particles.x, s.particles.id, 2 * p.spacing, w.order);
    gather_table(s.particles, w.order);
}

/// Pieces and phases that decide which stages have something to do.
template <class Real> std::int64_t count_pieces(Workspace<Real>& w) {
    const Particles<Real>& c = w.trial.particles;
    std::int64_t pieces = 0;
    for (std::uint32_t i = 0; i < c.id.size(); ++i)
        pieces += c.phase[i] == solid && w.piece_of(i) == i ? 1 : 0;
    w.several = pieces > 1;
    w.liquids = std::find(c.phase.begin(), c.phase.end(), liquid) != c.phase.end();
    return pieces;
}

/// What particles from `begin` to `end` have, into a report that is empty.
template <class Real>
void add_rows(Report& r, const Particles<Real>& c, const Vec3d& gravity, std::size_t begin,
              std::size_t end) {
    r.coldest = infinite;
    r.hottest = -infinite;
    for (std::size_t i = begin; i < end; ++i) {
        const Vec3d x = c.x[i].template cast<double>();
        const Vec3d v = c.v[i].template cast<double>();
        const Vec3d spin = c.spin[i].template cast<double>();
        const auto mass = static_cast<double>(c.mass[i]);
        const auto temperature = static_cast<double>(c.temperature[i]);
        const Vec3d own = own_inertia(c, i, c.orient[i]) * spin;
        r.mass += mass;
        r.kinetic_energy += 0.5 * (mass * v.squaredNorm() + spin.dot(own));
        r.gravity_energy -= mass * gravity.dot(x);
        r.heat_energy += mass * c.enthalpy[i];
        r.momentum += mass * v;
        r.angular_momentum += mass * x.cross(v) + own;
        r.liquid += c.phase[i] == liquid ? 1 : 0;
        r.clusters_solved += c.phase[i] == solid ? c.solved[i] : 0;
        r.max_speed = std::max(r.max_speed, v.norm());
        r.coldest = std::min(r.coldest, temperature);
        r.hottest = std::max(r.hottest, temperature);
    }
}

template <class Real> void measure(Report& r, Workspace<Real>& w, const Scene& scene) {
    const State<Real>& s = w.trial;
    const Particles<Real>& c = s.particles;
    r.particles = static_cast<std::int64_t>(c.id.size());
    r.links = static_cast<std::int64_t>(s.links.id.size());
    r.particles_melted = s.details.particles_melted;
    r.particles_frozen = s.details.particles_frozen;
    r.heat_taken = s.details.heat_taken;
    r.d_sums = w.d_sums;
    if (!w.d_sums.empty())
        r.deformation = w.d_sums.back() / static_cast<double>(w.clusters.links());
    std::vector<Report> blocks((c.id.size() + block_size - 1) / block_size);
    parallel_blocks(c.id.size(), [&](std::size_t begin, std::size_t end) {
        add_rows(blocks[begin / block_size], c, scene.gravity, begin, end);
    });
    r.coldest = c.id.empty() ? 0 : infinite;
    r.hottest = c.id.empty() ? 0 : -infinite;
    for (const Report& block : blocks) {
        r.mass += block.mass;
        r.kinetic_energy += block.kinetic_energy;
        r.gravity_energy += block.gravity_energy;
        r.heat_energy += block.heat_energy;
        r.momentum += block.momentum;
        r.angular_momentum += block.angular_momentum;
        r.liquid += block.liquid;
        r.clusters_solved += block.clusters_solved;
        r.max_speed = std::max(r.max_speed, block.max_speed);
        r.coldest = std::min(r.coldest, block.coldest);
        r.hottest = std::max(r.hottest, block.hottest);
    }
}

} // namespace

template <class Real>
sph::PressureSolve substep(Workspace<Real>& w, const Scene& scene, const Params& p, double dt,
                           double heat_dt, Host& host, StageClock& clock) {
    if (heat_dt > 0) {
        w.heat_steps += flow_heat(w, scene, p, heat_dt); // (melting thesis, §3.4)
        clock.done("heat");
        melt_and_freeze(w, p); // solid <-> liquid
        clock.done("phases");
    }
    const sph::PressureSolve pressure =
        flow_liquid(w, scene, p, dt); // (melting thesis, eq 2.3-2.9)
    clock.done("liquid");
    w.solve = plan_solve(w, p, dt);
    predict(w, p, dt); // (melting thesis, eq 2.28)
    find_contacts(w, p);
    clock.done("predict");
    match_clusters(w, host, p.watch_deformation); // (melting thesis, eq 2.26-2.38)
    clock.done("clusters");
    remove_drift(w, dt);
    take_motion(w, p, dt); // (melting thesis, eq 2.23, 2.24, 2.30)
    push_liquid_out(w);
    clock.done("motion");
    flow_rest_shapes(w, p, dt); // (melting thesis, eq 2.39, 2.40)
    clock.done("flow");
    return pressure;
}

template <class Real> std::size_t Workspace<Real>::bytes() const {
    const auto of = [](const auto& column) { return column.capacity() * sizeof(column[0]); };
    return table_bytes(trial.particles) + table_bytes(trial.links) + clusters.bytes() + of(x) +
           of(q) + of(turned) + of(moment) + of(target) + of(begin) + of(unforced) + of(before) +
           of(last) + of(mass) + of(held) + of(fit) + of(deformation) + of(weights) + of(pulled) +
           of(link_pull) + of(piece) + of(given) + of(found) + of(touched) + of(steady) + of(wet) +
           of(wet_x) + near.bytes() + fluid.bytes() + conduction.bytes() + of(contacts) +
           of(pushed) + of(order) + of(bucket) + of(marked);
}

template <class Real> Solver<Real>::Solver() : m_workspace(std::make_unique<Workspace<Real>>()) {}
template <class Real> Solver<Real>::~Solver() = default;
template <class Real> Solver<Real>::Solver(Solver&&) noexcept = default;
template <class Real> Solver<Real>& Solver<Real>::operator=(Solver&&) noexcept = default;

template <class Real>
Report Solver<Real>::advance(State<Real>& state, const Scene& scene,
                             const std::vector<Body>& bodies, const Params& params, double duration,
                             Host& host) {
    check(params, duration);
    check(state, scene.pins.size());
    Workspace<Real>& w = *m_workspace;
    Report report;
    StageClock clock(report.stages);
    w.trial.particles = state.particles;
    w.trial.details = state.details;
    w.heat_steps = 0;
    w.d_sums.clear();
    Details& details = w.trial.details;
    const double begin = details.time;
    const double end = begin + duration;
    const std::vector<const Body*> queue = by_start(bodies);

    // Links are many. Where nothing changes them yet, they are laid out from where they are.
    const double share = sample_share(params);
    const bool copies = details.sample_share != share || is_due(queue, details);
    if (copies) w.trial.links = state.links;
    enter_due_bodies(w.trial, queue, scene, params);
    put_in_order(w, params);
    if (details.sample_share != share) choose_clusters(w.trial, params, 0);
    lay_out(w, params, copies ? w.trial.links : state.links);
    report.pieces = count_pieces(w);
    clock.done("order");
    report.shortest_step = duration;
    double cold = 0; // how long heat has waited [s]
    double event = begin, interval = 0;
    while (details.time < end - time_tolerance) {
        if (host.interrupted()) throw Interrupted();
        const double until = next_event(details.time, end, queue, scene);
        update_pins(w.trial.particles.x, w.trial.particles.pin, scene, details.time,
                    is_solid(w.trial.particles));
        place_scene(w, scene, std::min(params.time_step, until - details.time));
        if (until != event) interval = until - details.time;
        event = until;
        const double dt = plan_substep(w, scene, params, until - details.time, interval);
        place_scene(w, scene, dt);
        clock.done("plan");
        w.work = 0;
        // Heat is slow: it flows for as long as motion may take in one step, and to each event.
        cold += dt;
        const bool warms =
            cold > (1 - 1e-6) * params.time_step || details.time + dt > until - time_tolerance;
        const sph::PressureSolve pressure =
            substep(w, scene, params, dt, warms ? std::exchange(cold, 0.0) : 0.0, host, clock);
        report.iterations += w.solve.iterations;
        report.pressure_iterations += pressure.iterations;
        report.pressure_unconverged += pressure.converged ? 0 : 1;
        report.shortest_step = std::min(report.shortest_step, dt);
        report.work += static_cast<double>(w.work);
        report.work_most = std::max(report.work_most, static_cast<double>(w.work));
        ++report.substeps;
        details.time += dt;
        if (std::abs(details.time - until) <= time_tolerance) details.time = until;
        check_finite(w);
        if (is_due(queue, details)) {
            w.clusters.store(w.trial);
            enter_due_bodies(w.trial, queue, scene, params);
            lay_out(w, params, w.trial.links);
            report.pieces = count_pieces(w);
        }
        clock.done("enter");
        host.progress((details.time - begin) / duration, "substep");
    }
    if (report.pressure_unconverged > 0)
        host.log(Severity::warning, std::to_string(report.pressure_unconverged) +
                                        " pressure solves ran out of iterations: raise "
                                        "solver.pressure_iterations or lower solver.time_step");
    w.clusters.store(w.trial);
    report.heat_steps = w.heat_steps;
    report.work /= std::max(1, report.substeps);
    measure(report, w, scene);
    report.bytes = static_cast<std::int64_t>(w.bytes() + table_bytes(state.particles) +
                                             table_bytes(state.links));
    std::swap(state, w.trial);
    clock.done("measure");
    return report;
}

template class Solver<float>;
template class Solver<double>;

} // namespace nendo::melt
