// SPDX-License-Identifier: Apache-2.0
// Scratch memory of the rheology solver: the forest of joints, and the rows of contacts and of
// joints that close loops. All computation is in double precision; the state's precision is for
// storage only.
#pragma once

#include "math/cones.h"
#include "math/rotation.h"
#include "rheology/params.h"
#include "rheology/state.h"
#include "scene/scene.h"

#include <cstdint>
#include <vector>

namespace nendo::rheology {

inline constexpr std::uint32_t no_row = static_cast<std::uint32_t>(-1);

/// Velocity (v, w) of a rigid body at a point, or momentum or impulse (p, L) about a point.
struct Spatial {
    Vec3d linear{0, 0, 0};
    Vec3d angular{0, 0, 0};
};

/// Inertia of connected bones about a point: (v, w) -> (p, L).
struct SpatialInertia {
    Mat3d linear;  ///< v -> p
    Mat3d cross;   ///< w -> p
    Mat3d angular; ///< w -> L
};

/// The inertia `a` for velocities at another point, where v_here = v_there + r x w.
inline SpatialInertia shifted(const SpatialInertia& a, const Vec3d& r) {
    const Mat3d x = skew(r);
    const Mat3d lx = a.linear * x;
    SpatialInertia b;
    b.linear = a.linear;
    b.cross = a.cross + lx;
    const Mat3d cx = x.transpose() * a.cross;
    b.angular = a.angular + cx + cx.transpose() + x.transpose() * lx;
    return b;
}

/// The momentum `g` about that other point.
inline Spatial shifted_momentum(const Spatial& g, const Vec3d& r) {
    return {g.linear, g.angular - r.cross(g.linear)};
}

/// A bone in this substep.
struct Frame {
    Mat3d rotation;    ///< Axes of the bone in the world
    Mat3d inertia;     ///< In world axes [kg m^2]
    Vec3d v, w;        ///< Velocities before the solve; for a held bone, the prescribed ones
    bool held = false; ///< True if a pin or a goal moves the bone
};

/// A joint in this substep (rheology paper, eq 26): w_s = -Y p - d, where p is the impulse on the
/// child.
struct Row {
    Vec3d point;   ///< Point at which the joint acts [m]
    Mat3d axes;    ///< Axes of the joint in the world
    Vec3d bend;    ///< Bend of the child relative to the parent [rad], or displacement [m]
    Vec3d springs; ///< Contribution of the springs and their dashpots to Y, by axis
    Vec3d bias;    ///< Their contribution to d
    Mat3d Y;       ///< C / h [rad/(N m s) / s]
    Vec3d d;       ///< D q_sf [rad/s]
    Vec3d p;       ///< Impulse on the child [N m s]
    Vec3d guess;   ///< Impulse about which a yielding joint is linearized
    Vec3d rate;    ///< w_s if all joints have their guessed impulses [rad/s]
    bool flowing;  ///< True above the yield
};

/// A bone of a tree and the joint to its parent: one step of the elimination.
struct Node {
    std::uint32_t bone = no_row;
    std::uint32_t joint = no_row;  ///< None for a free root
    std::uint32_t parent = no_row; ///< Parent node; none if free, or held by a bone or the world
    std::uint32_t held = no_row;   ///< The held bone that it is attached to, if any
    double sign = 1;               ///< -1 if the joint's child is nearer to the root
    bool slides = false;

    Vec3d from_bone, from_parent; ///< Offsets from the two centers to the joint [m]
    SpatialInertia inertia;       ///< Inertia of the bone's subtree about the bone's center
    Mat3d along_linear, along_angular, along; ///< Inertia along the joint's free directions
    Mat3d inverse;                            ///< (along + Z)^-1
    Mat3d gain_linear, gain_angular;          ///< Those, times the inverse
    Vec3d Zd;                                 ///< Z d, signed along the tree

    Spatial momentum; ///< Momentum of the bone's subtree
    Vec3d free;       ///< Relative velocity if the parent stood still
    Vec3d relative;   ///< Relative velocity
    Vec3d impulse;    ///< Impulse of the joint on the bone, along the free directions
    Spatial velocity; ///< Velocity of the bone at its center
};

/// A free root: the inverse of its inertia, in blocks.
struct Root {
    std::uint32_t node = no_row;
    Mat3d linear_inverse, schur_inverse;
};

/// A tree: the connected nodes [begin, end), parents before children.
struct Tree {
    std::uint32_t begin = 0, end = 0;
    std::uint32_t root = no_row; ///< Index of its Root; none if the tree is held
};

/// Three rows of the complementarity problem, for bone a relative to bone b (or the world).
struct Block {
    enum class Kind { loop, limit, contact };
    Kind kind = Kind::contact;
    bool linear = true;                   ///< True: constrains translation; false: rotation
    std::uint32_t a = no_row, b = no_row; ///< Rows of the bones
    Mat3d axes = Mat3d::Identity();       ///< Columns; the normal is the first
    Vec3d from_a{0, 0, 0};                ///< Offsets from the centers to the point [m]
    Vec3d from_b{0, 0, 0};
    Vec3d bias{0, 0, 0}; ///< Added to the velocity along the axes [m/s]
    double friction = 0;
    std::int64_t other = 0; ///< As in Contacts; for a limit or loop, the joint's row
    std::int32_t feature = 0;
    double gap = 0; ///< [m]
};

struct Workspace {
    State<double> trial; ///< Working copy; becomes the caller's state only on success
    double end = 0;      ///< End of the call, when goals are reached [s]

    std::vector<MovedShape> colliders, pins;            ///< Colliders and pins at this substep
    std::vector<Frame> frames;                          ///< One per bone
    std::vector<Row> rows;                              ///< One per joint
    std::vector<std::uint32_t> parent_bone, child_bone; ///< Bones of each joint; none: the world
    std::vector<Spatial> pushes;                        ///< Impulses of blocks on each bone

    // The forest, rebuilt when bodies enter or pins change.
    std::vector<Node> nodes;
    std::vector<Tree> trees;
    std::vector<Root> roots;
    std::vector<std::uint32_t> node_of; ///< Node of each bone; none if it is held
    std::vector<std::uint32_t> tree_of; ///< Tree of each node
    std::vector<std::uint32_t> loops;   ///< Joints outside the forest: they close a loop

    // The complementarity problem.
    std::vector<Block> blocks; ///< Loops first
    ConeProblem cones;
    ConeScratch cone_scratch;
    std::vector<std::uint32_t> block_start, block_list; ///< Blocks of each tree
    std::vector<std::uint32_t> last_seen;
    struct Response {
        Mat3d linear_push, angular_push; ///< Impulses, three columns at once
        Mat3d free;                      ///< As in Node
        Mat3d linear, angular;           ///< Velocities
        bool pushed = false;
    };
    std::vector<Response> responses;
    std::vector<std::uint8_t> needed; ///< Nodes whose response is needed

    std::vector<std::uint32_t> order, sweep;
    std::vector<std::vector<std::uint32_t>> jointed; ///< Bones joined to each bone
    std::vector<Box3> boxes;                         ///< Bounding boxes of the bones [m]
    Partials<double> partials;

    /// visit(member) for each member: how memory is counted.
    template <class Self, class Visit> static void columns(Self& self, Visit&& visit) {
        visit_each(visit, self.trial, self.end, self.colliders, self.pins, self.frames, self.rows,
                   self.parent_bone, self.child_bone, self.pushes, self.nodes, self.trees,
                   self.roots, self.node_of, self.tree_of, self.loops, self.blocks, self.cones,
                   self.cone_scratch, self.block_start, self.block_list, self.last_seen,
                   self.responses, self.needed, self.order, self.sweep, self.jointed, self.boxes,
                   self.partials);
    }
};

/// Velocity of a bone from the last solve of the forest; for a held bone, the prescribed velocity.
inline Spatial velocity_of(const Workspace& w, std::uint32_t bone) {
    const std::uint32_t node = w.node_of[bone];
    return node == no_row ? Spatial{w.frames[bone].v, w.frames[bone].w} : w.nodes[node].velocity;
}

inline Vec3d anchor_in_world(const Bones<double>& bones, const std::vector<Frame>& frames,
                             std::uint32_t bone, const Vec3d& anchor) {
    return bone == no_row ? anchor : Vec3d(bones.x[bone] + frames[bone].rotation * anchor);
}

} // namespace nendo::rheology
