// SPDX-License-Identifier: Apache-2.0
// The stages of one substep, grouped by file and in the order of their calls. Numbers are the steps
// of the algorithm (Saida 2017, Fig 3). In all of them w is the workspace and p the parameters.
#pragma once

#include "core/host.h"
#include "core/stage_clock.h"
#include "elastoplastic/solver.h"
#include "elastoplastic/workspace.h"

namespace nendo::elastoplastic {

// solver.cpp
/// Adds the bodies whose start has come. Returns whether there were any.
template <class Real>
bool enter_bodies(State<Real>& s, const std::vector<const Body*>& queue, const Scene& scene,
                  const Params& p);
/// Sorts the remembered neighbors by id.
template <class Real> void sort_neighbors(Workspace<Real>& w);
/// Begins a call that ends at time `end` [s]: the trial state becomes a copy of `state` with the due
/// bodies added, its rows in order, and slaves without masters removed.
template <class Real>
void begin_call(Workspace<Real>& w, const State<Real>& state, const Scene& scene,
                const std::vector<const Body*>& queue, const Params& p, double end);
/// Throws if a particle is no longer finite, and names the one with the smallest id.
template <class Real> void check_finite(Workspace<Real>& w);
/// Fills the report with the totals of the state at the end of a call.
template <class Real> void measure(Report& r, const State<Real>& s, const Scene& scene);

// plan.cpp
/// Length and integration scheme of one substep.
struct Plan {
    double dt;           ///< Length of the substep [s]
    double beta;         ///< Implicitness of the substep
    double sound;        ///< Speed of sound in the stiffest matter [m/s]
    bool yields = false; ///< True if any matter can flow
};
/// Collects the limits that masters, colliders and goals set to the next substep.
template <class Real>
StepLimits find_step_limits(Workspace<Real>& w, const Scene& scene, const Params& p);
/// Plans the longest substep that is stable and, in hard contact, keeps the rebound. It is at most
/// `remaining` [s].
template <class Real>
Plan plan_substep(Workspace<Real>& w, const Params& p, const StepLimits& limits, double remaining);

// slaves.cpp
/// Sorts the slaves into the cells of the grid.
template <class Real> void build_slave_grid(Workspace<Real>& w, const Params& p);
/// 11: adds slaves where neighbors have separated and removes slaves that came too close. Calls the
/// next four functions in order.
template <class Real> void add_and_remove_slaves(Workspace<Real>& w, const Params& p);
/// Marks slaves that are too close to an older one. Returns how many.
template <class Real> std::int64_t mark_close_slaves(Workspace<Real>& w, const Params& p);
/// Finds neighbors that have separated, and the places where slaves could be added between them.
template <class Real> void find_slave_candidates(Workspace<Real>& w, const Params& p);
/// Accepts the places that are not crowded, counting the slaves accepted before.
template <class Real> void accept_slave_candidates(Workspace<Real>& w, const Params& p);
/// Forgets pairs of neighbors that have separated.
template <class Real> void forget_separated(Workspace<Real>& w);
/// Removes slaves that have no master within reach.
template <class Real> void remove_orphans(Workspace<Real>& w, const Params& p);
/// Looks up the rows of remembered neighbors, and forgets pairs with a master that is gone.
template <class Real> void index_neighbors(Workspace<Real>& w);

// transfer.cpp
/// 1: finds near pairs of masters and slaves and their weights.
template <class Real> void weigh_pairs(Workspace<Real>& w, const Params& p);
/// 6 to 10: updates the velocity gradient, deformation gradient and velocity of the masters, lets
/// them collide, and moves masters and slaves.
template <class Real>
void slaves_to_masters(Workspace<Real>& w, const Scene& scene, const Params& p, double dt);

// contact.cpp
/// Places colliders and pins for a substep of dt [s].
template <class Real> void place_scene(Workspace<Real>& w, const Scene& scene, double dt);
/// Finds slaves that are inside colliders or held by pins, and decides which of them the velocity
/// solve holds.
template <class Real> void find_contacts(Workspace<Real>& w, const Params& p, double dt);
/// Finds touching masters of bodies that do not join.
template <class Real>
void find_touches(Workspace<Real>& w, const Params& p, double beta, double dt);
/// Holds the slaves that the solved velocity presses into a collider as well. Returns true if there
/// are any.
template <class Real> bool hold_closing_contacts(Workspace<Real>& w, const Params& p, double dt);
/// Turns the friction of held slaves into drag within the solve. Returns true if drag was added.
template <class Real> bool drag_contacts(Workspace<Real>& w, const Params& p, double dt);
/// 5: friction and late penetration of slaves in contact, as far as the velocity solve has not
/// handled them.
template <class Real> void collide_slaves(Workspace<Real>& w, const Params& p, double dt);
/// 8: collision of a master. The first changes its velocity before it moves, the second its position
/// after.
template <class Real> void collide_master(Workspace<Real>& w, const Params& p, std::uint32_t m);
template <class Real> void push_master_out(Workspace<Real>& w, std::uint32_t m);

// velocity.cpp
/// 1 and 3, in one pass over the pairs: mass and velocity of the slaves, stress of the masters and
/// its force on the slaves, and v* = v + dt (f/m + g).
template <class Real>
void masters_to_slaves(Workspace<Real>& w, const Scene& scene, const Params& p, double beta,
                       double dt);
/// 4: solves (m + beta dt^2 K) v = m v*. Returns the number of iterations, negative if it did not
/// converge.
template <class Real>
int solve_velocity(Workspace<Real>& w, const Params& p, const Plan& plan, Host& host);
/// Computes out = (m + beta dt^2 K) u.
template <class Real>
void multiply(Workspace<Real>& w, const std::vector<Vec4<Real>>& u, std::vector<Vec4<Real>>& out);

// solver.cpp
/// One substep of plan.dt [s]: the eleven steps of the papers (Saida 2017, Fig 3; Saida report,
/// Fig 1). Step 11 of the previous substep is done beforehand, on the grids that this one needs
/// anyway; step 2 is the column `volume`, computed by sampling. Returns the result of
/// solve_velocity().
template <class Real>
int substep(Workspace<Real>& w, const Scene& scene, const Params& p, const Plan& plan, Host& host,
            StageClock& clock);

} // namespace nendo::elastoplastic
