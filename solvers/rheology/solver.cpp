// SPDX-License-Identifier: Apache-2.0
// The steps of one call of advance() for bones and joints: begin, substep, measure.
#include "rheology/solver.h"

#include "method/advance.h"
#include "rheology/stages.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace nendo::rheology {
namespace {

/// Maximum number of rounds to decide which joints yield.
constexpr int yield_rounds = 300;
/// Maximum number of solves that repeat one which has passed limits.
constexpr int limit_rounds = 4;

/// Sorts rows by id, so that the result does not depend on their order.
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

/// Solves for the velocities under the joints, without contacts.
void solve_joints(Workspace& w, double dt) {
    lay_rows(w, dt); // (rheology paper, eq 27)
    factor_forest(w);
    solve_forest(w);
}

/// Solves joints directly along the trees, and contacts by sweeps around that. Repeats if a joint
/// turns out to be on the other side of its yield. `outdated` means that the joints must be solved
/// first.
ConeResult settle(Workspace& w, const Params& p, double dt, bool outdated, Report& report) {
    ConeResult cones;
    bool settled = false;
    for (int round = 0; round < yield_rounds && !settled; ++round) {
        if (outdated || round > 0) solve_joints(w, dt);
        build_cones(w); // (rheology paper, eq 33, 34)
        cones = solve_blocks(w, p);
        settled = read_rows(w, p, dt);
        improve_guesses(w, dt, round == 0);
        ++report.yield_iterations;
    }
    report.yield_unconverged += settled ? 0 : 1;
    report.contact_sweeps += cones.sweeps;
    return cones;
}

/// Solves for all impulses together (rheology paper, eq 32), again if that passes a limit.
void solve_impulses(Workspace& w, const Params& p, double dt, Report& report) {
    ConeResult cones = settle(w, p, dt, guess_flow(w, dt), report);
    for (int k = 0; k < limit_rounds && stop_passed_limits(w, p, dt); ++k)
        cones = settle(w, p, dt, true, report);
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

/// One step of dt [s] (rheology paper, §3.2): impulses (1), velocities (2), positions (3).
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

/// Converts columns from one precision to another.
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

/// The steps of one call of advance().
template <class Real> struct Call : CallOf<Method, Real> {
    using Base = CallOf<Method, Real>;
    using Base::clock, Base::end_time, Base::host, Base::inputs, Base::now, Base::params,
        Base::queue, Base::reach, Base::report, Base::scene, Base::state, Base::w;
    double event = -infinite; ///< The event that substeps lead to [s]
    double from = 0;          ///< The event before it [s]
    int steps = 1;            ///< Substeps of equal length between the two
    int taken = 0;            ///< How many of them are done

    void begin() {
        check_tables(state);
        cast_state(state, w.trial);
        w.end = end_time;
        put_in_order(w.trial);
        const std::size_t moved = now() > 0 ? w.trial.joints.id.size() : 0;
        enter_bodies();
        index(moved);
    }

    double step(double until) {
        if (until != event) begin_interval(until);
        const double dt = (until - from) / steps;
        substep(w, scene, inputs, params, dt, report, clock);
        reach(dt);
        return ++taken == steps ? until : from + taken * dt;
    }

    void check_finite() {
        const Bones<double>& bones = w.trial.bones;
        nendo::check_finite(bones, now(), w.partials,
                            {"velocity or position", "bone id",
                             "look for forces that are far too large for the bone's mass"},
                            [&](std::size_t b) {
                                return bones.x[b].sum() + bones.v[b].sum() + bones.w[b].sum() +
                                       bones.orient[b].sum();
                            });
    }

    void update_matter() {
        const std::size_t moved = w.trial.joints.id.size();
        if (enter_bodies()) index(moved);
    }

    void finish() {
        for (const Collider& collider : scene.colliders)
            if (collider.stickiness > 0)
                host.log(Severity::warning,
                         "collider '" + collider.name +
                             "': stickiness has no effect on bones, which touch at points");
        warn_unconverged(host, report.contact_unconverged, "contact solves ran out of sweeps",
                         "solver.contact_sweeps");
        measure(report, w, scene);
        for (std::size_t j = 0; j < w.rows.size(); ++j)
            if (is_open(w, j))
                host.log(Severity::warning,
                         "joint id " + std::to_string(w.trial.joints.id[j]) +
                             ", in a loop or between held bones, is open by " +
                             std::to_string(joint_gap(w, j)) +
                             " m: lower solver.time_step, or move its bones less");
    }

    void commit(State<Real>& committed) {
        State<Real> result;
        cast_state(w.trial, result);
        std::swap(committed, result);
    }

    /// Divides the time to the next event into substeps of equal length.
    void begin_interval(double until) {
        update_pins(w.trial.bones.x, w.trial.bones.pin, scene, now(),
                    [](std::size_t) { return true; });
        if (held_bones_changed(w)) index_state(w, scene.pins.size());
        event = until;
        from = now();
        steps = std::max(1, static_cast<int>(std::ceil((until - from) / params.time_step - 1e-6)));
        taken = 0;
    }

    void index(std::size_t moved) {
        index_state(w, scene.pins.size());
        check_closed(w, moved);
    }

    bool enter_bodies() {
        State<double>& s = w.trial;
        return enter_due_bodies(
            s, s.bones, queue, scene, [&](const Body& body) { add_body(s, body); },
            [&](std::size_t b) { return s.bones.pin[b] == 0; });
    }
};

} // namespace nendo::rheology

namespace nendo {
template class Solver<rheology::Method, float>;
template class Solver<rheology::Method, double>;
} // namespace nendo
