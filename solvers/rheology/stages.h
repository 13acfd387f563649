// SPDX-License-Identifier: Apache-2.0
// The stages of one substep of the rheology solver, grouped by file, in the order in which they are
// called. `w` is the workspace, `p` the parameters, `dt` the length of the substep [s].
#pragma once

#include "core/host.h"
#include "rheology/solver.h"
#include "rheology/workspace.h"

namespace nendo::rheology {

// index.cpp
/// Finds the bones of each joint and the held bones, and rebuilds the forest. Call it after bones,
/// joints or holds have changed. Throws for joints without their bones and for invalid bones.
void index_state(Workspace& w, std::size_t pins);
/// True if the held bones have changed since the forest was built.
bool held_bones_changed(const Workspace& w);
/// Distance between the two ends of a joint [m].
double joint_gap(const Workspace& w, std::size_t joint);
/// True if the two ends of a joint are apart by more than a twentieth of its bones' size.
bool is_open(const Workspace& w, std::size_t joint);
/// Throws for a joint that is open. Loops of joints before row `first` have been moved by the solver
/// and are left out: they open in fast motion, and close again over the next substeps.
void check_closed(const Workspace& w, std::size_t first);

// forest.cpp
/// Builds trees of connected bones. Joints that close a loop are left out, in w.loops.
void build_forest(Workspace& w);
/// Accumulates inertias from the leaves to the roots: a block LDL^T factorization of the joints'
/// rows along the trees.
void factor_forest(Workspace& w);
/// Computes the velocities of all bones from their own momentum and w.pushes.
void solve_forest(Workspace& w);
/// Applies three unit impulses of a block to its bones and computes w.responses for the needed
/// nodes.
void respond(Workspace& w, const Block& block);

// joints.cpp
/// Computes the axes, points and bends of the joints.
void place_joints(Workspace& w);
/// Sets up the springs of the joints for one step (rheology paper, eq 27), with no joint yielding.
void start_rows(Workspace& w, const Params& p, double dt);
/// Assumes that joints that yielded in the last step yield again. Returns whether there are any.
bool guess_flow(Workspace& w, double dt);
/// Computes C and D of each joint, linearized about the guessed impulses.
void lay_rows(Workspace& w, double dt);
/// Reads the impulses of the joints. Returns whether every yielding joint flows at the rate that
/// its impulse implies, to within the contact tolerance.
bool read_rows(Workspace& w, const Params& p, double dt);
/// Moves the guesses toward the current impulses by the step that minimizes the work of all joints.
void improve_guesses(Workspace& w, double dt, bool first);
/// Updates the reversible bend (rheology paper, eq 22).
void update_bends(Workspace& w, double dt);
/// The permanent bend: the total bend minus its reversible parts [rad].
Vec3d residual_bend(const Joints<double>& joints, std::size_t joint, const Vec3d& bend);

// contact.cpp
/// Finds the blocks: contacts with colliders and between bones, limits about to be reached, and
/// loops.
void find_blocks(Workspace& w, const Params& p, double dt);
/// Adds or turns the blocks of limits that the solved velocities would pass: contacts and loops can
/// bend a joint that was far from its limit, or bent elsewhere. Returns whether there are any.
bool stop_passed_limits(Workspace& w, const Params& p, double dt);

// impact.cpp
/// Builds A and b of the blocks on top of the forest (rheology paper, eq 12).
void build_cones(Workspace& w);
/// Solves for the impulses of the blocks and the resulting velocities of all bones (rheology paper,
/// eq 16).
ConeResult solve_blocks(Workspace& w, const Params& p);
/// Stores the impulses of contacts and limits for the next step.
void remember_impulses(Workspace& w);

// motion.cpp
/// Places colliders and pins for this substep.
void place_scene(Workspace& w, const Scene& scene, double dt);
/// Predicts v + M^-1 f h with the gyroscopic term (rheology paper, eq 5).
void predict(Workspace& w, const Scene& scene, const std::vector<Body>& bodies, const Params& p,
             double dt);
/// Moves the bones (rheology paper, eq 9) and keeps the joints of the forest closed.
void move_bones(Workspace& w, double dt);
/// Computes the frames of all bones from their orientations.
void place_bones(Workspace& w);

} // namespace nendo::rheology
