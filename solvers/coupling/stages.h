// SPDX-License-Identifier: Apache-2.0
// The stages of one substep, in the order in which they are called. Numbers are the steps of
// (Hirato, section 3.3).
#pragma once

#include "coupling/workspace.h"

namespace nendo::coupling {

// index.cpp
/// Rows in an order that follows from positions and ids alone, near ones close in memory.
template <class Real> void put_in_order(Workspace<Real>& w, const Params& p);
/// Ids to rows: nodes, links, faces; and what is the same for all substeps of a call. Throws when a
/// spring or face has an end that is not there.
template <class Real> void index_rows(Workspace<Real>& w, const Params& p);

// plan.cpp
/// The longest substep [s] that is safe, at most `remaining`.
template <class Real>
double plan_substep(Workspace<Real>& w, const Scene& scene, const Params& p, double remaining);

// flow.cpp
/// The world at a substep of dt [s]: colliders, pins, muscles.
template <class Real>
void place_scene(Workspace<Real>& w, const Scene& scene, const Inputs& inputs, double dt);
/// Fluid that came out of taps in the last dt [s]. Returns whether there is any.
template <class Real>
bool pour(Workspace<Real>& w, const std::vector<Tap>& taps, const Params& p, double dt);
/// Fluid in drains goes. Returns whether any did.
template <class Real> bool drain(Workspace<Real>& w, const std::vector<Drain>& drains);

// fluid.cpp
/// 1, 2: who is near whom.
template <class Real> void find_neighbors(Workspace<Real>& w, const Params& p);
/// 5: particles as the fluid solve sees them, with the volume that their stretch gives them [eq 10].
template <class Real> void fill_columns(Workspace<Real>& w, const Params& p);
/// 3: density [eq 3], with what walls add to it.
template <class Real> void find_density(Workspace<Real>& w);
/// 6, 7, 8, 10-12: pressure, viscosity, weight; v* = v + dt a [eq 4-6].
template <class Real>
void apply_forces(Workspace<Real>& w, const Scene& scene, const Params& p, double dt);
/// 6, 7 when pressure is implicit.
template <class Real> sph::PressureSolve press(Workspace<Real>& w, const Params& p, double dt);
/// 13: x* = x + dt v.
template <class Real> void move(Workspace<Real>& w, double dt);

// springs.cpp
/// L_leng of each node becomes the `stretch` column [eq 8, 9].
template <class Real> void measure_stretch(Workspace<Real>& w);
/// 9: the springs' force on v*, explicit, or as it will be at the end of the substep [eq 7].
/// Returns the number of iterations, negative when they ran out.
template <class Real> int apply_springs(Workspace<Real>& w, const Params& p, double dt);
/// Takes away springs that are too long, and faces that have lost a side. Returns whether any were.
template <class Real> bool break_springs(Workspace<Real>& w);

// contact.cpp
/// 14, first half: nodes that no spring joins and that may meet.
template <class Real> void find_meetings(Workspace<Real>& w, const Params& p);
/// 14: they part.
template <class Real> void collide_bodies(Workspace<Real>& w, const Params& p, double dt);
/// 15: nothing is inside colliders.
template <class Real> void collide_walls(Workspace<Real>& w);

// membrane.cpp
/// Fluid near faces, and on which side it is.
template <class Real> void find_holdings(Workspace<Real>& w, const Params& p);
/// Fluid stays on its side of the faces, and presses on them.
template <class Real> void hold_fluid(Workspace<Real>& w, const Params& p, double dt);
/// How near fluid comes to a face, in spacings: it must not move further in one substep.
inline constexpr double membrane_gap = 0.4;

// solver.cpp
struct SubstepResult {
    int cg_iterations = 0; ///< Negative: they ran out
    sph::PressureSolve pressure;
};
/// One substep of dt [s]: the fifteen steps of (Hirato, section 3.3).
template <class Real>
SubstepResult substep(Workspace<Real>& w, const Scene& scene, const Params& p, double dt,
                      StageClock& clock);

} // namespace nendo::coupling
