// SPDX-License-Identifier: Apache-2.0
#include "rheology/solver.h"

#include "core/error.h"
#include "rheology/stages.h"
#include "scene/timeline.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace nendo::rheology {
namespace {

/// Rounds in which joints find out whether they yield.
constexpr int yield_rounds = 300;

void enter_due_bodies(State<double>& s, const std::vector<const Body*>& bodies,
                      const Scene& scene) {
    Details& details = s.details;
    for (std::size_t k = static_cast<std::size_t>(details.bodies_entered);
         k < bodies.size() && bodies[k]->start <= details.time + time_tolerance; ++k) {
        const std::size_t first = s.bones.id.size();
        add_body(s, *bodies[k]);
        ++details.bodies_entered;
        pin_newborn(s.bones.x, s.bones.pin, first, scene, details.time,
                    [&](std::size_t b) { return s.bones.pin[b] == 0; });
    }
}

/// Rows by id, so that the result does not depend on their order.
void put_in_order(State<double>& s) {
    gather_table(s.bones, order_by_id(s.bones));
    gather_table(s.joints, order_by_id(s.joints));
    const Contacts<double>& c = s.contacts;
    std::vector<std::uint32_t> order(c.id.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::tie(c.id[a], c.other[a], c.feature[a]) <
               std::tie(c.id[b], c.other[b], c.feature[b]);
    });
    gather_table(s.contacts, order);
}

void measure(Report& r, Workspace& w, const Scene& scene) {
    const Bones<double>& bones = w.trial.bones;
    const Joints<double>& joints = w.trial.joints;
    place_bones(w);
    place_joints(w);
    r.bones = static_cast<std::int64_t>(bones.id.size());
    r.joints = static_cast<std::int64_t>(joints.id.size());
    for (std::size_t b = 0; b < bones.id.size(); ++b) {
        const Vec3d spin = w.frames[b].inertia * bones.w[b];
        r.kinetic_energy += 0.5 * (bones.mass[b] * bones.v[b].squaredNorm() + bones.w[b].dot(spin));
        r.gravity_energy -= bones.mass[b] * scene.gravity.dot(bones.x[b]);
        r.momentum += bones.mass[b] * bones.v[b];
        r.angular_momentum += bones.mass[b] * bones.x[b].cross(bones.v[b]) + spin;
        r.max_speed = std::max(r.max_speed, bones.v[b].norm());
    }
    for (std::size_t j = 0; j < joints.id.size(); ++j) {
        r.joint_gap = std::max(r.joint_gap, joint_gap(w, j));
        for (int k = 0; k < 3; ++k) {
            if (std::isfinite(joints.stiffness[j][k]))
                r.elastic_energy += 0.5 * joints.stiffness[j][k] * std::pow(joints.q_sf[j][k], 2);
            if (std::isfinite(joints.first_stiffness[j][k]))
                r.elastic_energy +=
                    0.5 * joints.first_stiffness[j][k] * std::pow(joints.q_sm[j][k], 2);
        }
        r.max_bend = std::max(r.max_bend, residual_bend(joints, j, w.rows[j].bend).norm());
    }
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

/// Velocities under the joints, as if nothing touched.
void solve_joints(Workspace& w, double dt) {
    lay_rows(w, dt); // (rheology paper, eq 27)
    factor_forest(w);
    solve_forest(w);
}

/// (rheology paper, eq 32): all impulses at once. Joints directly along the forest, contacts by sweeps around
/// it; again where a joint turns out to be on the other side of its yield.
void solve_impulses(Workspace& w, const Params& p, double dt, Report& report) {
    ConeResult cones;
    bool settled = false;
    const bool flowing = guess_flow(w, dt);
    for (int round = 0; round < yield_rounds && !settled; ++round) {
        if (flowing || round > 0) solve_joints(w, dt);
        build_cones(w); // (rheology paper, eq 33, 34)
        cones = solve_blocks(w, p);
        settled = read_rows(w, p, dt);
        improve_guesses(w, dt, round == 0);
        ++report.yield_iterations;
    }
    report.yield_unconverged += settled ? 0 : 1;
    report.contact_sweeps += cones.sweeps;
    report.contact_unconverged += cones.residual > p.contact_tolerance ? 1 : 0;
    report.complementarity = std::max(report.complementarity, cones.residual);
}

void note_contacts(const Workspace& w, Report& report) {
    report.contacts = 0;
    for (const Block& block : w.blocks) {
        if (block.kind != Block::Kind::contact) continue;
        ++report.contacts;
        report.overlap = std::max(report.overlap, -block.gap);
    }
}

/// One step of dt [s] (rheology paper, §3.2): impulses (1), velocities (2), places (3).
void substep(Workspace& w, const Scene& scene, const std::vector<Body>& bodies, const Params& p,
             double dt, Report& report, StageClock& clock) {
    place_scene(w, scene, dt);
    place_bones(w);
    place_joints(w);
    predict(w, scene, bodies, p, dt); // (rheology paper, eq 5)
    clock.done("predict");
    start_rows(w, p, dt);
    solve_joints(w, dt);
    find_blocks(w, p, dt);
    note_contacts(w, report);
    clock.done("contact");
    solve_impulses(w, p, dt, report); // (rheology paper, eq 12 to 16, 29 to 34)
    remember_impulses(w);
    clock.done("solve");
    move_bones(w, dt);   // (rheology paper, eq 8, 9)
    update_bends(w, dt); // (rheology paper, eq 22)
    clock.done("move");
}

/// Columns of one precision as those of another.
template <class From, class To> void cast_table(const From& from, To& to) {
    resize_table(to, table_size(from));
    int at = 0;
    for_each_field(to, [&](auto& column, const Field&) {
        using T = typename std::decay_t<decltype(column)>::value_type;
        using Scalar = typename ElementTraits<T>::Scalar;
        int k = 0;
        for_each_field(from, [&](const auto& source, const Field&) {
            using S = typename std::decay_t<decltype(source)>::value_type;
            constexpr bool alike =
                ElementTraits<T>::width == ElementTraits<S>::width &&
                std::is_integral_v<Scalar> == std::is_integral_v<typename ElementTraits<S>::Scalar>;
            if constexpr (alike) {
                if (k == at)
                    for (std::size_t i = 0; i < source.size(); ++i)
                        for (int e = 0; e < ElementTraits<T>::width; ++e)
                            ElementTraits<T>::set(
                                column[i], e,
                                static_cast<Scalar>(ElementTraits<S>::get(source[i], e)));
            }
            ++k;
        });
        ++at;
    });
}

template <class From, class To> void cast_state(const From& from, To& to) {
    if constexpr (std::is_same_v<From, To>) {
        to = from;
    } else {
        cast_table(from.bones, to.bones);
        cast_table(from.joints, to.joints);
        cast_table(from.contacts, to.contacts);
        to.details = from.details;
    }
}

} // namespace

std::size_t Workspace::bytes() const {
    const auto of = [](const auto& column) { return column.capacity() * sizeof(column[0]); };
    return table_bytes(trial.bones) + table_bytes(trial.joints) + table_bytes(trial.contacts) +
           of(frames) + of(rows) + of(parent_bone) + of(child_bone) + of(pushes) + of(nodes) +
           of(trees) + of(roots) + of(node_of) + of(tree_of) + of(loops) + of(blocks) +
           of(cones.columns) + of(cones.matrices) + of(cones.b) + of(responses) + of(wanted);
}

template <class Real> Solver<Real>::Solver() : m_workspace(std::make_unique<Workspace>()) {}
template <class Real> Solver<Real>::~Solver() = default;
template <class Real> Solver<Real>::Solver(Solver&&) noexcept = default;
template <class Real> Solver<Real>& Solver<Real>::operator=(Solver&&) noexcept = default;

template <class Real>
Report Solver<Real>::advance(State<Real>& state, const Scene& scene,
                             const std::vector<Body>& bodies, const Params& params, double duration,
                             Host& host) {
    check(params, duration);
    State<Real>::tables(state, [](const auto& table, std::string_view name) {
        check_table(table, std::string(name));
    });
    Workspace& w = *m_workspace;
    Report report;
    StageClock clock(report.stages);
    cast_state(state, w.trial);
    Details& details = w.trial.details;
    const double begin = details.time;
    w.end = begin + duration;
    const std::vector<const Body*> queue = by_start(bodies);
    put_in_order(w.trial);
    enter_due_bodies(w.trial, queue, scene);
    index_state(w, scene.pins.size());
    check_closed(w);
    while (details.time < w.end - time_tolerance) {
        const double until = next_event(details.time, w.end, queue, scene);
        update_pins(w.trial.bones.x, w.trial.bones.pin, scene, details.time,
                    [](std::size_t) { return true; });
        if (holds_changed(w)) index_state(w, scene.pins.size());
        const double left = until - details.time;
        const int steps = std::max(1, static_cast<int>(std::ceil(left / params.time_step - 1e-6)));
        const double from = details.time;
        for (int k = 0; k < steps; ++k) {
            if (host.interrupted()) throw Interrupted();
            substep(w, scene, bodies, params, left / steps, report, clock);
            details.time = k + 1 == steps ? until : from + (k + 1) * (left / steps);
            check_finite(w);
            ++report.substeps;
            host.progress((details.time - begin) / duration, "substep");
        }
        const std::size_t before = w.trial.bones.id.size();
        enter_due_bodies(w.trial, queue, scene);
        if (w.trial.bones.id.size() != before) {
            index_state(w, scene.pins.size());
            check_closed(w);
        }
    }
    for (const Collider& collider : scene.colliders)
        if (collider.stickiness > 0)
            host.log(Severity::warning, "collider '" + collider.name +
                                            "': stickiness has no effect on bones, which touch at "
                                            "points");
    if (report.contact_unconverged > 0)
        host.log(Severity::warning, std::to_string(report.contact_unconverged) +
                                        " contact solves ran out of sweeps: raise "
                                        "solver.contact_sweeps or lower solver.time_step");
    measure(report, w, scene);
    report.bytes = static_cast<std::int64_t>(w.bytes() + table_bytes(state.bones));
    State<Real> result;
    cast_state(w.trial, result);
    std::swap(state, result);
    clock.done("measure");
    return report;
}

template class Solver<float>;
template class Solver<double>;

} // namespace nendo::rheology
