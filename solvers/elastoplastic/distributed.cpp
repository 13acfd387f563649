// SPDX-License-Identifier: Apache-2.0
// The loop of a shared simulation, and the calls of process 0 and of the processes that serve it.
#include "elastoplastic/distributed.h"

#include "elastoplastic/part.h"
#include "method/checks.h"
#include "scene/timeline.h"

#include <algorithm>

namespace nendo::elastoplastic {

namespace {

/// Number of substeps after which processes check whether to move the cuts.
constexpr int rebalance_every = 16;

/// Runs the substeps of a call. All processes run the same ones.
template <class Real>
void run(Channel& channel, Part<Real>& part, Workspace<Real>& w, const Scene& scene,
         const std::vector<const Body*>& queue, const Params& p, Report& report, StageClock& clock,
         Host& host) {
    Details& details = w.trial.details;
    const double begin = details.time;
    while (details.time < w.end - time_tolerance) {
        const double until = next_event(details.time, w.end, queue, scene);
        channel.attempt([&] {
            if (host.interrupted()) throw Interrupted();
            update_pins(w.trial.masters.x, w.trial.masters.pin, scene, details.time,
                        [](std::size_t) { return true; });
        });
        const bool rebalance = report.substeps % rebalance_every == 0;
        const Agreed agreed =
            part.synchronize(scene, std::min(p.time_step, until - details.time), rebalance);
        report.ghosts = agreed.ghosts;
        clock.done("exchange");
        if (agreed.masters == 0) {
            details.time = until;
        } else {
            const Plan plan = plan_substep(w, p, agreed.limits, until - details.time);
            channel.attempt([&] {
                part.settle(agreed);
                place_scene(w, scene, plan.dt);
                clock.done("slaves");
                if (!w.trial.masters.id.empty()) substep(w, scene, p, plan, host, clock);
                part.keep_own();
                check_finite(w);
            });
            report.shortest_step = std::min(report.shortest_step, plan.dt);
            ++report.substeps;
            details.time += plan.dt;
        }
        if (std::abs(details.time - until) <= time_tolerance) details.time = until;
        channel.attempt([&] { part.enter(queue, scene); });
        host.progress((details.time - begin) / (w.end - begin), "substep");
    }
}

/// Repeats `work` until process 0 dismisses this one. Errors reach all processes and process 0
/// reports them; the others wait for its next call.
template <class Work> void until_dismissed(const Work& work) {
    for (;;) {
        try {
            work();
        } catch (const Dismissed&) {
            return;
        } catch (const LostProcess&) {
            throw;
        } catch (const Error&) {
            continue;
        }
    }
}

void check_world(const std::string& here, const std::string& there) {
    if (here != there)
        throw Error("not all processes have the same scene", "nendo sim --mpi",
                    "start all of them with the same scene file and meshes");
}

} // namespace

GhostMargins ghost_margins(const Params& params) {
    const double masters = 6, slaves = 8 + params.remove_distance;
    const double rounding = 1e-3;
    return {(masters + rounding) * params.spacing, (slaves + rounding) * params.spacing};
}

void check_shareable(const std::vector<Body>& bodies, const Params& params) {
    const auto refuse_because = [](const char* what, const char* where, const char* remedy) {
        throw Error(what, where, remedy);
    };
    if (params.implicitness != 0)
        refuse_because("several processes support only explicit substeps", "solver.implicitness",
                       "set it to 0, or run without --mpi");
    if (params.stress_points != StressPoints::slaves)
        refuse_because("several processes support only stress points at slaves",
                       "solver.stress_points", "set it to slaves, or run without --mpi");
    if (params.remove_slaves == RemoveSlaves::merge)
        refuse_because("several processes do not support merging slaves", "solver.remove_slaves",
                       "set it to one, or run without --mpi");
    for (const Body& body : bodies)
        if (body.join != bodies.front().join)
            refuse_because("several processes support only bodies that join", "bodies",
                           "set the same join for all of them, or run without --mpi");
}

template <class Real>
DistributedSolver<Real>::DistributedSolver(Exchange& others, std::string world)
    : m_others(others), m_world(std::move(world)),
      m_workspace(std::make_unique<Workspace<Real>>()) {}

template <class Real> DistributedSolver<Real>::~DistributedSolver() = default;

template <class Real>
Report DistributedSolver<Real>::advance(State<Real>& state, const Scene& scene,
                                        const std::vector<Body>& bodies, const Params& params,
                                        double duration, Host& host) {
    check_shareable(bodies, params);
    check_params(params, duration);
    Workspace<Real>& w = *m_workspace;
    Report report;
    StageClock clock(report.stages);
    const std::vector<const Body*> queue = by_start(bodies);
    begin_call(w, state, scene, queue, params, state.details.time + duration);
    report.shortest_step = duration;
    clock.done("order");

    Channel channel(m_others);
    Part<Real> part(channel, w, params);
    std::vector<Packer> messages = channel.messages();
    for (Packer& to : messages) to.text(m_world);
    part.distribute(std::move(messages));
    run(channel, part, w, scene, queue, params, report, clock, host);
    part.collect(report);
    clock.done("exchange");
    measure(report, w.trial, scene);
    std::swap(state, w.trial);
    clock.done("measure");
    return report;
}

template <class Real>
void DistributedSolver<Real>::serve(const Scene& scene, const std::vector<Body>& bodies,
                                    const Params& params) {
    const std::vector<const Body*> queue = by_start(bodies);
    Workspace<Real>& w = *m_workspace;
    Host silent;
    until_dismissed([&] {
        Channel channel(m_others);
        Unpacker message = std::move(channel.exchange(channel.messages()).front());
        Part<Real> part(channel, w, params);
        Report report;
        StageClock clock(report.stages);
        channel.attempt([&] {
            check_world(m_world, message.text());
            part.receive(message);
        });
        run(channel, part, w, scene, queue, params, report, clock, silent);
        part.collect(report);
    });
}

void refuse(Exchange& others, const std::string& problem) {
    until_dismissed([&] {
        Channel channel(others);
        channel.fail(problem);
        channel.exchange(channel.messages());
    });
}

void dismiss(Exchange& others) noexcept {
    try {
        Channel channel(others);
        channel.dismiss();
        channel.exchange(channel.messages());
    } catch (const std::exception&) {
        // Either all processes are dismissed, or some are lost and the others will notice.
    }
}

template class DistributedSolver<float>;
template class DistributedSolver<double>;

} // namespace nendo::elastoplastic
