// SPDX-License-Identifier: Apache-2.0
// The steps of one call of advance() for slave-particle elastoplasticity: begin, substep, measure.
#include "elastoplastic/solver.h"

#include "elastoplastic/stages.h"
#include "method/advance.h"

#include <algorithm>
#include <cmath>

namespace nendo::elastoplastic {

template <class Real>
bool enter_bodies(State<Real>& s, const std::vector<const Body*>& queue, const Scene& scene,
                  const Params& p) {
    return enter_due_bodies(
        s, s.masters, queue, scene, [&](const Body& body) { add_body(s, body, p); },
        [](std::size_t) { return true; });
}

template <class Real> void sort_neighbors(Workspace<Real>& w) {
    const Neighbors& pairs = w.trial.neighbors;
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        return pairs.id[a] != pairs.id[b] ? pairs.id[a] < pairs.id[b]
                                          : pairs.other[a] < pairs.other[b];
    };
    w.order.resize(pairs.id.size());
    std::iota(w.order.begin(), w.order.end(), 0u);
    if (std::is_sorted(w.order.begin(), w.order.end(), before)) return;
    std::sort(w.order.begin(), w.order.end(), before);
    gather_table(w.trial.neighbors, w.order);
}

namespace {

/// Sorts rows by position and id alone, so that near particles are close in memory.
template <class Real> void put_in_order(Workspace<Real>& w, const Params& p) {
    State<Real>& s = w.trial;
    spatial_order(s.masters.x, s.masters.id, 2 * p.spacing, w.order);
    gather_table(s.masters, w.order);
    spatial_order(s.slaves.x, s.slaves.id, 2 * p.spacing, w.order);
    gather_table(s.slaves, w.order);
    sort_neighbors(w);
}

/// Throws for a pin that does not exist. Returns whether any master is led to its goal.
template <class Real> bool check_pins(const Masters<Real>& masters, std::size_t pins) {
    for (std::size_t m = 0; m < masters.pin.size(); ++m)
        check_pin(masters.pin[m], pins, true, masters.id[m]);
    return std::any_of(masters.pin.begin(), masters.pin.end(),
                       [](std::int32_t pin) { return pin < 0; });
}

} // namespace

template <class Real>
void begin_call(Workspace<Real>& w, const State<Real>& state, const Scene& scene,
                const std::vector<const Body*>& queue, const Params& p, double end) {
    w.trial = state;
    w.slack = 0;
    w.end = end;
    w.goals = check_pins(state.masters, scene.pins.size());
    enter_bodies(w.trial, queue, scene, p);
    put_in_order(w, p);
    remove_orphans(w, p);
    index_neighbors(w);
}

template <class Real> void check_finite(Workspace<Real>& w) {
    const Masters<Real>& masters = w.trial.masters;
    nendo::check_finite(masters, w.trial.details.time, w.partials,
                        {"velocity or deformation", "particle id",
                         "use a smaller solver.time_step, or implicitness 1"},
                        [&](std::size_t m) {
                            return masters.v[m].sum() + masters.x[m].sum() + masters.F_E[m].sum();
                        });
}

namespace {

/// Energies, momenta and extremes, summed over a block of masters or over all of them.
struct Sums {
    double kinetic = 0, elastic = 0, gravity = 0;
    Vec3d momentum{0, 0, 0}, angular{0, 0, 0};
    double speed = 0, least_jacobian = 1, greatest_jacobian = 1;
};

Sums together(const Sums& a, const Sums& b) {
    return {a.kinetic + b.kinetic,
            a.elastic + b.elastic,
            a.gravity + b.gravity,
            a.momentum + b.momentum,
            a.angular + b.angular,
            std::max(a.speed, b.speed),
            std::min(a.least_jacobian, b.least_jacobian),
            std::max(a.greatest_jacobian, b.greatest_jacobian)};
}

template <class Real>
Sums sums_of(const Masters<Real>& masters, std::size_t m, const Vec3d& gravity) {
    const Vec3d x = masters.x[m].template cast<double>();
    const Vec3d v = masters.v[m].template cast<double>();
    const double mass = static_cast<double>(masters.mass[m]);
    const Vec3d sigma = svd3<double>(masters.F_E[m].template cast<double>()).sigma;
    const Lame<double> moduli = hardened(lame(double(masters.young[m]), double(masters.poisson[m])),
                                         double(masters.hardening[m]), double(masters.J_P[m]));
    return {0.5 * mass * v.squaredNorm(),
            double(masters.volume[m]) * energy_density(moduli, sigma),
            -mass * gravity.dot(x),
            mass * v,
            mass * x.cross(v),
            v.norm(),
            sigma.prod(),
            sigma.prod()};
}

} // namespace

template <class Real> void measure(Report& r, const State<Real>& s, const Scene& scene) {
    const Masters<Real>& masters = s.masters;
    r.masters = static_cast<std::int64_t>(masters.id.size());
    r.slaves = static_cast<std::int64_t>(s.slaves.id.size());
    r.slaves_added = s.details.slaves_added;
    r.slaves_removed = s.details.slaves_removed;
    Partials<Sums> partials;
    const Sums all = parallel_reduce(
        masters.id.size(), Sums{},
        [&](std::size_t m) { return sums_of(masters, m, scene.gravity); }, together, partials);
    r.kinetic_energy = all.kinetic;
    r.elastic_energy = all.elastic;
    r.gravity_energy = all.gravity;
    r.momentum = all.momentum;
    r.angular_momentum = all.angular;
    r.max_speed = all.speed;
    r.min_jacobian = all.least_jacobian;
    r.max_jacobian = all.greatest_jacobian;
}

template <class Real>
int substep(Workspace<Real>& w, const Scene& scene, const Params& p, const Plan& plan, Host& host,
            StageClock& clock) {
    weigh_pairs(w, p); // 1
    clock.done("pairs");
    find_touches(w, p, plan.beta, plan.dt);
    clock.done("contact");
    masters_to_slaves(w, scene, p, plan.beta, plan.dt); // 1, 3
    clock.done("to slaves");
    find_contacts(w, p, plan.dt);
    clock.done("contact");
    const int iterations = solve_velocity(w, p, plan, host); // 4
    clock.done("velocity");
    collide_slaves(w, p, plan.dt); // 5
    clock.done("contact");
    slaves_to_masters(w, scene, p, plan.dt); // 6 to 10
    clock.done("to masters");
    return iterations;
}

/// The steps of one call of advance().
template <class Real> struct Call : CallOf<Method, Real> {
    using Base = CallOf<Method, Real>;
    using Base::clock, Base::end_time, Base::host, Base::now, Base::params, Base::queue,
        Base::reach, Base::report, Base::scene, Base::state, Base::w;

    void begin() { begin_call(w, state, scene, queue, params, end_time); }

    double step(double until) {
        if (w.trial.masters.id.empty()) return until;
        update_pins(w.trial.masters.x, w.trial.masters.pin, scene, now(),
                    [](std::size_t) { return true; });
        build_slave_grid(w, params);
        add_and_remove_slaves(w, params); // 11
        clock.done("slaves");
        place_scene(w, scene, std::min(params.time_step, until - now()));
        const StepLimits limits = find_step_limits(w, scene, params);
        const Plan plan = plan_substep(w, params, limits, until - now());
        place_scene(w, scene, plan.dt);
        clock.done("plan");
        const int iterations = substep(w, scene, params, plan, host, clock);
        report.cg_iterations += std::abs(iterations);
        report.cg_unconverged += iterations < 0 ? 1 : 0;
        return reach(plan.dt);
    }

    void check_finite() { elastoplastic::check_finite(w); }

    void update_matter() {
        if (!enter_bodies(w.trial, queue, scene, params)) return;
        index_neighbors(w);
        w.slack = 0;
    }

    void finish() {
        warn_unconverged(host, report.cg_unconverged, "velocity solves ran out of iterations",
                         "solver.cg_iterations");
        measure(report, w.trial, scene);
    }
};

template bool enter_bodies(State<float>&, const std::vector<const Body*>&, const Scene&,
                           const Params&);
template bool enter_bodies(State<double>&, const std::vector<const Body*>&, const Scene&,
                           const Params&);
template void sort_neighbors(Workspace<float>&);
template void sort_neighbors(Workspace<double>&);
template void begin_call(Workspace<float>&, const State<float>&, const Scene&,
                         const std::vector<const Body*>&, const Params&, double);
template void begin_call(Workspace<double>&, const State<double>&, const Scene&,
                         const std::vector<const Body*>&, const Params&, double);
template void check_finite(Workspace<float>&);
template void check_finite(Workspace<double>&);
template void measure(Report&, const State<float>&, const Scene&);
template void measure(Report&, const State<double>&, const Scene&);
template int substep(Workspace<float>&, const Scene&, const Params&, const Plan&, Host&,
                     StageClock&);
template int substep(Workspace<double>&, const Scene&, const Params&, const Plan&, Host&,
                     StageClock&);

} // namespace nendo::elastoplastic

namespace nendo {
template class Solver<elastoplastic::Method, float>;
template class Solver<elastoplastic::Method, double>;
} // namespace nendo
