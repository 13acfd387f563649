// SPDX-License-Identifier: Apache-2.0
// The stages of one substep, in the order in which they are called. Leading numbers are the steps
// of (Hirato, section 3.3), and equations are those of Hirato.
#pragma once

#include "core/host.h"
#include "coupling/workspace.h"

namespace nendo::coupling {

// index.cpp
/// Sorts all rows, particles in space so that neighbors are close in memory. The order depends on
/// positions and ids alone.
template <class Real> void put_in_order(Workspace<Real>& w, const Params& p);
/// Translates ids to rows: nodes, links, faces. Also computes the values that stay the same for all
/// substeps of a call. Throws if a spring or face refers to a particle that does not exist.
template <class Real> void index_rows(Workspace<Real>& w, const Params& p);

// plan.cpp
/// The longest safe substep [s], at most `remaining` [s].
template <class Real>
double plan_substep(Workspace<Real>& w, const Scene& scene, const Params& p, double remaining);

// flow.cpp
/// Moves colliders, pins and muscles to a substep of dt [s].
template <class Real>
void place_scene(Workspace<Real>& w, const Scene& scene, const Inputs& inputs, double dt);
/// Adds the fluid that left taps in the last dt [s]. Returns true if there is any.
template <class Real>
bool pour(Workspace<Real>& w, const std::vector<Tap>& taps, const Params& p, double dt);
/// Removes the fluid inside drains. Returns true if there is any.
template <class Real> bool drain(Workspace<Real>& w, const std::vector<Drain>& drains);

// settle.cpp
/// Moves fluid that has entered too close to walls or other matter apart, without giving it velocity,
/// and warns about it. Bodies stay where they are.
template <class Real>
void settle_fluid(Workspace<Real>& w, const Scene& scene, const Params& p, Host& host);

// fluid.cpp
/// 1, 2: finds neighbors.
template <class Real> void find_neighbors(Workspace<Real>& w, const Params& p);
/// 5: fills the columns of the fluid solve. The volume of a particle follows its stretch (eq 10).
template <class Real> void fill_columns(Workspace<Real>& w, const Params& p);
/// 3: density (eq 3), including the contribution of walls.
template <class Real> void find_density(Workspace<Real>& w);
/// 6, 7, 8, 10-12: pressure, viscosity and gravity; v* = v + dt a (eq 4-6).
template <class Real>
void apply_forces(Workspace<Real>& w, const Scene& scene, const Params& p, double dt);
/// 6, 7: the implicit pressure solve, if it is enabled.
template <class Real>
sph::PressureSolve solve_implicit_pressure(Workspace<Real>& w, const Params& p, double dt);
/// 13: x* = x + dt v.
template <class Real> void move(Workspace<Real>& w, double dt);

// springs.cpp
/// Writes 1 / L_leng of each node to the `stretch` column (eq 8, 9).
template <class Real> void measure_stretch(Workspace<Real>& w);
/// 9: applies the spring forces to v*, explicitly, or implicitly as they are at the end of the
/// substep (eq 7). Returns the number of iterations, negative if the solve did not converge.
template <class Real> int apply_springs(Workspace<Real>& w, const Params& p, double dt);
/// Removes springs that are stretched too far, and faces that lose a side with them. Returns true
/// if any spring broke.
template <class Real> bool break_springs(Workspace<Real>& w);

// contact.cpp
/// 14, first half: finds nodes without a common spring that may collide.
template <class Real> void find_body_contacts(Workspace<Real>& w, const Params& p);
/// 14, second half: pushes colliding nodes apart.
template <class Real> void collide_bodies(Workspace<Real>& w, const Params& p, double dt);
/// Stops particles at colliders before they move: contact, which only takes energy.
template <class Real> void stop_at_walls(Workspace<Real>& w, double dt);
/// 15: moves particles out of colliders that sweeps have pushed into them.
template <class Real> void collide_walls(Workspace<Real>& w);

// membrane.cpp
/// Finds fluid particles near faces, and the side that each is on.
template <class Real> void find_membrane_contacts(Workspace<Real>& w, const Params& p);
/// Keeps fluid on its side of the faces, and lets it push on them.
template <class Real> void hold_fluid(Workspace<Real>& w, const Params& p, double dt);
/// Distance that fluid keeps from a face, in spacings. It must not move further in one substep.
inline constexpr double membrane_gap = 0.4;

// solver.cpp
struct SubstepResult {
    int cg_iterations = 0; ///< Negative if the solve did not converge
    sph::PressureSolve pressure;
};
/// One substep of dt [s]: the fifteen steps of (Hirato, section 3.3).
template <class Real>
SubstepResult substep(Workspace<Real>& w, const Scene& scene, const Params& p, double dt,
                      StageClock& clock);

} // namespace nendo::coupling
