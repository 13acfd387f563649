// SPDX-License-Identifier: Apache-2.0
// The loop that every method's advance() runs. Included by each method's solver.cpp, which brings
// the steps as its Call:
//
//     template <class Real> struct Call : CallOf<Method, Real> {
//         void begin();              // copy the state into w.trial, let due bodies enter, index
//         double step(double until); // one substep, not beyond `until`; returns the new time [s]
//         void check_finite();       // throws for a particle that is no longer finite
//         void update_matter();      // what enters, leaves or breaks between two substeps
//         void finish();             // warnings and statistics
//     };
#pragma once

#include "core/error.h"
#include "core/host.h"
#include "core/memory.h"
#include "core/stage_clock.h"
#include "method/checks.h"
#include "method/solver.h"
#include "scene/timeline.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace nendo {

/// What the steps of one call of advance() work with.
template <class Method, class Real> struct CallOf {
    using State = typename Method::template State<Real>;
    using Workspace = typename Method::template Workspace<Real>;
    using Inputs = typename Method::Inputs;
    using Params = typename Method::Params;
    using Report = typename Method::Report;
    using Body = typename Method::Body;

    Workspace& w;
    const State& state; ///< The caller's state, unchanged until the call succeeds
    const Scene& scene;
    const Inputs& inputs;
    const Params& params;
    Host& host;
    StageClock& clock;
    Report& report;
    std::vector<const Body*> queue; ///< Bodies in the order of their start
    double begin_time;              ///< [s]
    double end_time;                ///< [s]

    double now() const { return w.trial.details.time; }
    /// Counts a finished substep of `dt` [s] and returns the time it reached.
    double reach(double dt) {
        report.shortest_step = std::min(report.shortest_step, dt);
        ++report.substeps;
        return now() + dt;
    }
    /// The trial state becomes the caller's.
    void commit(State& committed) { std::swap(committed, w.trial); }
};

/// Bodies whose start has come enter the state: add(body) appends one. Pins that hold at this time
/// take hold of its particles, if may_hold(row). Returns whether any body entered.
template <class State, class Table, class Body, class Add, class MayHold>
bool enter_due_bodies(State& state, Table& table, const std::vector<const Body*>& queue,
                      const Scene& scene, const Add& add, const MayHold& may_hold) {
    bool entered = false;
    while (is_due(queue, state.details)) {
        const std::size_t first = table_size(table);
        add(*queue[static_cast<std::size_t>(state.details.bodies_entered++)]);
        pin_new_particles(table.x, table.pin, first, scene, state.details.time, may_hold);
        entered = true;
    }
    return entered;
}

/// Throws for a substep from `before` to `now` [s] that is no progress towards `end`: so short that
/// more than ten million like it would be needed, or of no length at all.
inline void check_progress(double before, double now, double end) {
    const double most_substeps = 1e7;
    if (end - now <= most_substeps * (now - before)) return;
    throw Error("matter needs substeps as short as " + format_number(now - before) + " s",
                "solver at time " + std::to_string(before) + " s",
                "look for velocities, forces or stiffnesses that are far too large");
}

/// Warns when `count` solves gave up before they converged; `parameter` is the limit to raise.
inline void warn_unconverged(Host& host, int count, const char* solves, const char* parameter) {
    if (count > 0)
        host.log(Severity::warning, std::to_string(count) + " " + solves + ": raise " + parameter +
                                        " or lower solver.time_step");
}

template <class Method, class Real>
Solver<Method, Real>::Solver() : m_workspace(std::make_unique<Workspace>()) {}
template <class Method, class Real> Solver<Method, Real>::~Solver() = default;
template <class Method, class Real> Solver<Method, Real>::Solver(Solver&&) noexcept = default;
template <class Method, class Real>
Solver<Method, Real>& Solver<Method, Real>::operator=(Solver&&) noexcept = default;

template <class Method, class Real>
auto Solver<Method, Real>::advance(State& state, const Scene& scene, const Inputs& inputs,
                                   const Params& params, double duration, Host& host) -> Report {
    check_params(params, duration);
    Report report;
    StageClock clock(report.stages);
    const double begin = state.details.time;
    typename Method::template Call<Real> call{{*m_workspace, state, scene, inputs, params, host,
                                               clock, report, by_start(Method::bodies(inputs)),
                                               begin, begin + duration}};
    call.begin();
    clock.done("order");
    report.shortest_step = duration;
    double& time = m_workspace->trial.details.time;
    while (time < call.end_time - time_tolerance) {
        if (host.interrupted()) throw Interrupted();
        const double until = next_event(time, call.end_time, call.queue, scene);
        const double before = time;
        time = call.step(until);
        if (std::abs(time - until) <= time_tolerance) time = until;
        call.check_finite();
        check_progress(before, time, until);
        call.update_matter();
        host.progress((time - begin) / duration, "substep");
    }
    call.finish();
    report.bytes = static_cast<std::int64_t>(memory_of(*m_workspace) + memory_of(state));
    call.commit(state);
    clock.done("measure");
    return report;
}

} // namespace nendo
