// SPDX-License-Identifier: Apache-2.0
// The steps of one call of advance() for melting clusters: begin, substep, measure.
#include "melt/solver.h"

#include "math/nearest_rotation.h"
#include "melt/match.h"
#include "melt/stages.h"
#include "method/advance.h"
#include "neighbors/grid.h"

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

/// Throws for a state that no step can start from.
template <class Real> void check(const State<Real>& s, std::size_t pins) {
    check_tables(s);
    const Particles<Real>& particles = s.particles;
    for (std::size_t i = 0; i < particles.id.size(); ++i) {
        check_pin(particles.pin[i], pins, false, particles.id[i]);
        if (std::abs(static_cast<double>(particles.orient[i].norm()) - 1) > 1e-3)
            throw Error("orient is not a rotation",
                        "particle id " + std::to_string(particles.id[i]),
                        "give a quaternion of length 1: x, y, z, w");
    }
}

/// Sorts rows by position and id alone, so that near particles are close in memory.
template <class Real> void put_in_order(Workspace<Real>& w, const Params& p) {
    State<Real>& s = w.trial;
    spatial_order(s.particles.x, s.particles.id, 2 * p.spacing, w.order);
    gather_table(s.particles, w.order);
}

/// Counts connected solid pieces, and notes which stages have work to do.
template <class Real> std::int64_t count_pieces(Workspace<Real>& w) {
    const Particles<Real>& c = w.trial.particles;
    std::int64_t pieces = 0;
    for (std::uint32_t i = 0; i < c.id.size(); ++i)
        pieces += c.phase[i] == solid && w.piece_of(i) == i ? 1 : 0;
    w.several_pieces = pieces > 1;
    w.liquids = std::find(c.phase.begin(), c.phase.end(), liquid) != c.phase.end();
    return pieces;
}

/// Sums over particles [begin, end), into an empty report.
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
    update_velocities(w, p, dt); // (melting thesis, eq 2.23, 2.24, 2.30)
    push_liquid_out(w);
    clock.done("motion");
    flow_rest_shapes(w, p, dt); // (melting thesis, eq 2.39, 2.40)
    clock.done("flow");
    return pressure;
}

/// The steps of one call of advance().
template <class Real> struct Call : CallOf<Method, Real> {
    using Base = CallOf<Method, Real>;
    using Base::clock, Base::host, Base::now, Base::params, Base::queue, Base::reach, Base::report,
        Base::scene, Base::state, Base::w;
    double cold = 0;     ///< How long heat has waited for its next step [s]
    double event = 0;    ///< The event that substeps lead to [s]
    double interval = 0; ///< Time from the last event to this one [s]

    void begin() {
        check(state, scene.pins.size());
        w.trial.particles = state.particles;
        w.trial.details = state.details;
        w.heat_steps = 0;
        w.d_sums.clear();
        event = now();
        // There are many links. If nothing changes them yet, they are laid out without a copy.
        const double share = sample_share(params);
        const bool reselect = w.trial.details.sample_share != share;
        const bool copies = reselect || is_due(queue, w.trial.details);
        if (copies) w.trial.links = state.links;
        enter_bodies();
        put_in_order(w, params);
        if (reselect) choose_clusters(w.trial, params, 0);
        lay_out(w, params, copies ? w.trial.links : state.links);
        report.pieces = count_pieces(w);
    }

    double step(double until) {
        update_pins(w.trial.particles.x, w.trial.particles.pin, scene, now(),
                    is_solid(w.trial.particles));
        place_scene(w, scene, std::min(params.time_step, until - now()));
        if (until != event) interval = until - now();
        event = until;
        const double dt = plan_substep(w, scene, params, until - now(), interval);
        place_scene(w, scene, dt);
        clock.done("plan");
        w.work = 0;
        // Heat is slow: it takes steps as long as motion may take at most, and one to each event.
        cold += dt;
        const bool warms =
            cold > (1 - 1e-6) * params.time_step || now() + dt > until - time_tolerance;
        const sph::PressureSolve pressure =
            substep(w, scene, params, dt, warms ? std::exchange(cold, 0.0) : 0.0, host, clock);
        report.iterations += w.solve.iterations;
        report.pressure_iterations += pressure.iterations;
        report.pressure_unconverged += pressure.converged ? 0 : 1;
        report.work += static_cast<double>(w.work);
        report.work_most = std::max(report.work_most, static_cast<double>(w.work));
        return reach(dt);
    }

    void check_finite() {
        const Particles<Real>& particles = w.trial.particles;
        nendo::check_finite(particles, now(), w.partials,
                            {"position, orientation or heat", "particle id",
                             "use a smaller solver.time_step or solver.courant"},
                            [&](std::size_t i) {
                                return particles.v[i].sum() + particles.x[i].sum() +
                                       particles.orient[i].sum() +
                                       static_cast<Real>(particles.enthalpy[i]);
                            });
    }

    void update_matter() {
        if (is_due(queue, w.trial.details)) {
            w.clusters.store(w.trial);
            enter_bodies();
            lay_out(w, params, w.trial.links);
            report.pieces = count_pieces(w);
        }
        clock.done("enter");
    }

    void finish() {
        warn_unconverged(host, report.pressure_unconverged, "pressure solves ran out of iterations",
                         "solver.pressure_iterations");
        w.clusters.store(w.trial);
        report.heat_steps = w.heat_steps;
        report.work /= std::max(1, report.substeps);
        measure(report, w, scene);
    }

    void enter_bodies() {
        State<Real>& s = w.trial;
        enter_due_bodies(
            s, s.particles, queue, scene, [&](const Body& body) { add_body(s, body, params); },
            is_solid(s.particles));
    }
};

} // namespace nendo::melt

namespace nendo {
template class Solver<melt::Method, float>;
template class Solver<melt::Method, double>;
} // namespace nendo
