// SPDX-License-Identifier: Apache-2.0
// The stages of one substep, in the order in which they are called.
#pragma once

#include "core/host.h"
#include "rheology/solver.h"
#include "rheology/workspace.h"

namespace nendo::rheology {

// index.cpp
/// Which rows the joints join, which bones are held, and the forest of them: after bones, joints or
/// holds have changed. Throws for joints that lead nowhere and bones that can't be.
void index_state(Workspace& w, std::size_t pins);
/// Whether the forest was built for other holds than those at hand.
bool holds_changed(const Workspace& w);
/// How far the two ends of a joint are apart [m].
double joint_gap(const Workspace& w, std::size_t joint);
/// Throws for a joint whose two ends are apart by more than a twentieth of its bones.
void check_closed(const Workspace& w);
/// Throws for the bone of the least id that is no longer finite.
void check_finite(const Workspace& w);

// forest.cpp
/// Which bones hang together by which joints; joints that close a loop are left over.
void build_forest(Workspace& w);
/// Inertias from the leaves to the roots: block LDL^T of the joints' rows, along the trees.
void factor_forest(Workspace& w);
/// Velocities of all bones under their own momentum and `pushes`.
void solve_forest(Workspace& w);
/// Three unit impulses of a block on its bones: w.responses of the nodes that are wanted.
void respond(Workspace& w, const Block& block);

// joints.cpp
/// Axes, points and bends of the joints.
void place_joints(Workspace& w);
/// Springs of the joints over a step (rheology paper, eq 27); none yields.
void start_rows(Workspace& w, const Params& p, double dt);
/// Joints that yielded in the last step are taken to do so again. Returns whether there are any.
bool guess_flow(Workspace& w, double dt);
/// C and D of each joint, linear about the impulses that are guessed.
void lay_rows(Workspace& w, double dt);
/// Impulses of the joints. Returns whether joints that yield flow as fast as these make them, to the
/// tolerance of contacts.
bool read_rows(Workspace& w, const Params& p, double dt);
/// Guesses go towards the impulses at hand, so far that the work of all joints is least.
void improve_guesses(Workspace& w, double dt, bool first);
/// (rheology paper, eq 22): the bend that comes back.
void update_bends(Workspace& w, double dt);
/// The bend that stays: all of it but what comes back [rad].
Vec3d residual_bend(const Joints<double>& joints, std::size_t joint, const Vec3d& bend);

// contact.cpp
/// Contacts with colliders and between bones, limits that are near, and loops: the blocks.
void find_blocks(Workspace& w, const Params& p, double dt);

// impact.cpp
/// (rheology paper, eq 12): A and b of the blocks, on top of the forest.
void build_cones(Workspace& w);
/// (rheology paper, eq 16): impulses of the blocks, and velocities of all bones under them.
ConeResult solve_blocks(Workspace& w, const Params& p);
/// Keeps the impulses of contacts and limits for the next step.
void remember_impulses(Workspace& w);

// motion.cpp
/// Colliders, pins and held bones as they are in this substep.
void place_scene(Workspace& w, const Scene& scene, double dt);
/// v + M^-1 f h, with the gyroscopic term (rheology paper, eq 5).
void predict(Workspace& w, const Scene& scene, const std::vector<Body>& bodies, const Params& p,
             double dt);
/// (rheology paper, eq 9); joints of the forest stay closed.
void move_bones(Workspace& w, double dt);
/// Frames of all bones from their orientations.
void place_bones(Workspace& w);

} // namespace nendo::rheology
