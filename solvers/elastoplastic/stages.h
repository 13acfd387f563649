// SPDX-License-Identifier: Apache-2.0
// The stages of one substep, in the order in which they are called. Numbers are the steps of
// (Saida 2017, Fig 3).
#pragma once

#include "core/host.h"
#include "core/stage_clock.h"
#include "elastoplastic/solver.h"
#include "elastoplastic/workspace.h"

namespace nendo::elastoplastic {

// solver.cpp
/// Bodies whose start has come by now.
template <class Real>
void enter_due_bodies(State<Real>& s, const std::vector<const Body*>& bodies, const Scene& scene,
                      const Params& p);
/// Remembered neighbors in the order of their ids.
template <class Real> void sort_neighbors(Workspace<Real>& w);
/// How a call of `duration` [s] begins: the trial state is a copy of `state` in which due bodies
/// are in, rows are in order, and nothing is left of what is gone.
template <class Real>
void begin_call(Workspace<Real>& w, const State<Real>& state, const Scene& scene,
                const std::vector<const Body*>& queue, const Params& p, double duration);
/// Throws for the particle of the least id that is no longer finite.
template <class Real> void check_finite(Workspace<Real>& w);
/// How the matter is at the end of a call.
template <class Real> void measure(Report& r, const State<Real>& s, const Scene& scene);

// plan.cpp
struct Plan {
    double dt;           ///< Length of the substep [s]
    double beta;         ///< Its implicitness
    double sound;        ///< Speed of sound in the stiffest matter [m/s]
    bool yields = false; ///< Whether any matter can flow
};
/// Of masters, colliders and goals.
template <class Real> Pace pace_of_matter(Workspace<Real>& w, const Scene& scene, const Params& p);
/// The longest substep that is safe and, in hard contact, lively; at most `remaining` [s].
template <class Real>
Plan plan_substep(Workspace<Real>& w, const Params& p, const Pace& pace, double remaining);

// slaves.cpp
/// Sorts slaves into cells.
template <class Real> void build_slave_grid(Workspace<Real>& w, const Params& p);
/// 11: adds slaves where neighbors parted, removes slaves that came too close. The next four in
/// order.
template <class Real> void add_and_remove_slaves(Workspace<Real>& w, const Params& p);
/// Marks slaves that are too close to an elder one. Returns how many.
template <class Real> std::int64_t mark_close_slaves(Workspace<Real>& w, const Params& p);
/// Neighbors that parted, and the places where slaves could be added for them.
template <class Real> void find_offers(Workspace<Real>& w, const Params& p);
/// Slaves are born at the places that are not crowded, those born before them counted in.
template <class Real> void accept_offers(Workspace<Real>& w, const Params& p);
/// Neighbors that parted are neighbors no more.
template <class Real> void forget_parted(Workspace<Real>& w);
/// Drops slaves that no master can see any more.
template <class Real> void remove_orphans(Workspace<Real>& w, const Params& p);
/// Looks up the rows of remembered neighbors.
template <class Real> void index_neighbors(Workspace<Real>& w);

// transfer.cpp
/// 1: near pairs and their weights.
template <class Real> void weigh_pairs(Workspace<Real>& w, const Params& p);
/// 6 to 10: velocity gradient, deformation gradient and velocity of the masters, their collisions;
/// masters and slaves move.
template <class Real>
void slaves_to_masters(Workspace<Real>& w, const Scene& scene, const Params& p, double dt);

// contact.cpp
/// Colliders and pins as they are in this substep; pins take hold and let go.
template <class Real> void place_scene(Workspace<Real>& w, const Scene& scene, double dt);
/// Slaves inside colliders or held by pins, and which of them are held in this substep.
template <class Real> void find_contacts(Workspace<Real>& w, const Params& p, double dt);
/// Masters of bodies that do not join and touch.
template <class Real>
void find_touches(Workspace<Real>& w, const Params& p, double beta, double dt);
/// Slaves that the solved velocity presses into a collider are held too. Returns whether there are
/// any.
template <class Real> bool hold_closing_contacts(Workspace<Real>& w, const Params& p, double dt);
/// Friction of slaves that are held by now becomes drag within the solve. Returns whether there is
/// more of it than before.
template <class Real> bool drag_contacts(Workspace<Real>& w, const Params& p, double dt);
/// 5: what the velocity solve left to do for slaves in contact: friction, late penetration.
template <class Real> void collide_slaves(Workspace<Real>& w, const Params& p, double dt);
/// 8: a master collides, velocity and position; called around its move.
template <class Real> void collide_master(Workspace<Real>& w, const Params& p, std::uint32_t m);
template <class Real> void push_master_out(Workspace<Real>& w, std::uint32_t m);

// velocity.cpp
/// 1 and 3, in one pass over the pairs: mass and velocity of the slaves; stress of the masters and
/// its force on the slaves; v* = v + dt (f/m + g).
template <class Real>
void masters_to_slaves(Workspace<Real>& w, const Scene& scene, const Params& p, double beta,
                       double dt);
/// 4: (m + beta dt^2 K) v = m v*. Returns the number of iterations, negative when they ran out.
template <class Real>
int solve_velocity(Workspace<Real>& w, const Params& p, const Plan& plan, Host& host);
/// out = (m + beta dt^2 K) u.
template <class Real>
void multiply(Workspace<Real>& w, const std::vector<Vec4<Real>>& u, std::vector<Vec4<Real>>& out);

// solver.cpp
/// One substep of dt [s]: the papers' eleven steps (Saida 2017, Fig 3; Saida report, Fig 1). Step 11 of the substep
/// before comes first, on the grids that this one needs anyway; step 2 is `volume`, from sampling.
/// Returns what solve_velocity() does.
template <class Real>
int substep(Workspace<Real>& w, const Scene& scene, const Params& p, const Plan& plan, Host& host,
            StageClock& clock);

} // namespace nendo::elastoplastic
