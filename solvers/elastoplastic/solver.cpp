// SPDX-License-Identifier: Apache-2.0
#include "elastoplastic/solver.h"

#include "core/error.h"
#include "elastoplastic/stages.h"
#include "scene/timeline.h"

#include <algorithm>
#include <cmath>

namespace nendo::elastoplastic {

template <class Real>
void enter_due_bodies(State<Real>& s, const std::vector<const Body*>& bodies, const Scene& scene,
                      const Params& p) {
    Details& details = s.details;
    for (std::size_t k = static_cast<std::size_t>(details.bodies_entered);
         k < bodies.size() && bodies[k]->start <= details.time + time_tolerance; ++k) {
        const std::size_t first = s.masters.id.size();
        add_body(s, *bodies[k], p);
        ++details.bodies_entered;
        pin_newborn(s.masters.x, s.masters.pin, first, scene, details.time,
                    [](std::size_t) { return true; });
    }
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

/// Rows in an order that follows from positions and ids alone, near ones close in memory.
template <class Real> void put_in_order(Workspace<Real>& w, const Params& p) {
    State<Real>& s = w.trial;
    spatial_order(s.masters.x, s.masters.id, 2 * p.spacing, w.order);
    gather_table(s.masters, w.order);
    spatial_order(s.slaves.x, s.slaves.id, 2 * p.spacing, w.order);
    gather_table(s.slaves, w.order);
    sort_neighbors(w);
}

/// Throws when a master is held by a pin that there is not. Returns whether any is led to its goal.
template <class Real> bool check_pins(const Masters<Real>& masters, std::size_t pins) {
    bool goals = false;
    for (std::size_t m = 0; m < masters.pin.size(); ++m) {
        const std::int32_t pin = masters.pin[m];
        if (pin < -1 || pin > static_cast<std::int64_t>(pins))
            throw Error("pin is " + std::to_string(pin) + ", and the scene has " +
                            std::to_string(pins) + " pins",
                        "particle id " + std::to_string(masters.id[m]),
                        "use 0 for free matter, or -1 for matter that is held by its goal");
        goals = goals || pin < 0;
    }
    return goals;
}

void check(const Params& p, double duration) {
    for_each_field(p, [](const auto& value, const Field& f) {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_arithmetic_v<T>) {
            const double v = static_cast<double>(value);
            const bool outside = v < f.min_ || v > f.max_ || (f.above_min_ && v <= f.min_);
            if (!std::isfinite(v) || outside)
                throw Error("value " + std::to_string(v) + " is out of range",
                            "solver." + std::string(f.name_), "see its range in the schema");
        }
    });
    if (!(duration >= 0) || !std::isfinite(duration))
        throw Error("cannot advance by " + std::to_string(duration) + " s", "solver",
                    "use a duration of zero or more");
}

} // namespace

template <class Real>
void begin_call(Workspace<Real>& w, const State<Real>& state, const Scene& scene,
                const std::vector<const Body*>& queue, const Params& p, double duration) {
    check(p, duration);
    w.trial = state;
    w.slack = 0;
    w.end = state.details.time + duration;
    w.goals = check_pins(state.masters, scene.pins.size());
    enter_due_bodies(w.trial, queue, scene, p);
    put_in_order(w, p);
    remove_orphans(w, p);
    index_neighbors(w);
}

template <class Real> void check_finite(Workspace<Real>& w) {
    const Masters<Real>& masters = w.trial.masters;
    const auto broken = [&](std::size_t m) {
        // A sum is finite only when all its terms are.
        const Real sum = masters.v[m].sum() + masters.x[m].sum() + masters.F_E[m].sum();
        return std::isfinite(sum) ? infinite : static_cast<double>(masters.id[m]);
    };
    const double first = parallel_reduce(
        masters.id.size(), infinite, broken, [](double a, double b) { return std::min(a, b); },
        w.partials);
    if (first < infinite)
        throw Error("velocity or deformation is no longer finite",
                    "particle id " + std::to_string(static_cast<std::int64_t>(first)) +
                        " at time " + std::to_string(w.trial.details.time) + " s",
                    "use a smaller solver.time_step, or implicitness 1");
}

namespace {

/// What matter has, summed over a block of masters or all of them.
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

template <class Real> std::size_t Workspace<Real>::bytes() const {
    const auto of = [](const auto& column) { return column.capacity() * sizeof(column[0]); };
    const auto of_blocks = [&](const auto& blocks) {
        std::size_t sum = 0;
        for (const auto& block : blocks) sum += of(block);
        return sum;
    };
    return table_bytes(trial.masters) + table_bytes(trial.slaves) + table_bytes(trial.neighbors) +
           slave_grid.bytes() + master_grid.bytes() + pairs.bytes() + of(center) + of(D_inv) +
           of(U) + of(slope_to_F) + of(stiffness) + of(flowing) + of(affine) + of(answer) +
           of(touch_start) + of(touches) + of_blocks(touch_blocks) + of(x) + of(v) + of(v_old) +
           of(v_star) + of(residual) + of(direction) + of(product) + of(held) + of(mass) +
           of(per_mass) + of(contacts) + of_blocks(contact_blocks) + rows.bytes() + of(order) +
           of(marked) + of(neighbors) + of(parted) + table_bytes(offers) + of(born) + of(born_join);
}

template <class Real> Solver<Real>::Solver() : m_workspace(std::make_unique<Workspace<Real>>()) {}
template <class Real> Solver<Real>::~Solver() = default;
template <class Real> Solver<Real>::Solver(Solver&&) noexcept = default;
template <class Real> Solver<Real>& Solver<Real>::operator=(Solver&&) noexcept = default;

template <class Real>
Report Solver<Real>::advance(State<Real>& state, const Scene& scene,
                             const std::vector<Body>& bodies, const Params& params, double duration,
                             Host& host) {
    Workspace<Real>& w = *m_workspace;
    Report report;
    StageClock clock(report.stages);
    const std::vector<const Body*> queue = by_start(bodies);
    begin_call(w, state, scene, queue, params, duration);
    Details& details = w.trial.details;
    const double begin = state.details.time;
    const double end = w.end;
    clock.done("order");
    report.shortest_step = duration;
    while (details.time < end - time_tolerance) {
        if (host.interrupted()) throw Interrupted();
        const double until = next_event(details.time, end, queue, scene);
        if (w.trial.masters.id.empty()) {
            details.time = until;
        } else {
            update_pins(w.trial.masters.x, w.trial.masters.pin, scene, details.time,
                        [](std::size_t) { return true; });
            build_slave_grid(w, params);
            add_and_remove_slaves(w, params); // 11
            clock.done("slaves");
            place_scene(w, scene, std::min(params.time_step, until - details.time));
            const Pace pace = pace_of_matter(w, scene, params);
            const Plan plan = plan_substep(w, params, pace, until - details.time);
            place_scene(w, scene, plan.dt);
            clock.done("plan");
            const int iterations = substep(w, scene, params, plan, host, clock);
            report.cg_iterations += std::abs(iterations);
            report.cg_unconverged += iterations < 0 ? 1 : 0;
            report.shortest_step = std::min(report.shortest_step, plan.dt);
            ++report.substeps;
            details.time += plan.dt;
            check_finite(w);
        }
        if (std::abs(details.time - until) <= time_tolerance) details.time = until;
        const std::size_t before = w.trial.masters.id.size();
        enter_due_bodies(w.trial, queue, scene, params);
        if (w.trial.masters.id.size() != before) {
            index_neighbors(w);
            w.slack = 0;
        }
        host.progress((details.time - begin) / duration, "substep");
    }
    if (report.cg_unconverged > 0)
        host.log(Severity::warning,
                 std::to_string(report.cg_unconverged) +
                     " velocity solves ran out of iterations: raise solver.cg_iterations or "
                     "lower solver.time_step");
    measure(report, w.trial, scene);
    report.bytes = static_cast<std::int64_t>(w.bytes() + table_bytes(state.masters) +
                                             table_bytes(state.slaves));
    std::swap(state, w.trial);
    clock.done("measure");
    return report;
}

template void enter_due_bodies(State<float>&, const std::vector<const Body*>&, const Scene&,
                               const Params&);
template void enter_due_bodies(State<double>&, const std::vector<const Body*>&, const Scene&,
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
template std::size_t Workspace<float>::bytes() const;
template std::size_t Workspace<double>::bytes() const;
template class Solver<float>;
template class Solver<double>;

} // namespace nendo::elastoplastic
