// SPDX-License-Identifier: Apache-2.0
// Scratch memory of the rheology solver: the tree of joints, the rows of contacts and of joints
// that close loops. Everything is computed in double precision; the state's own is for storage.
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

/// Velocity of a rigid body at a point, or momentum or impulse about one: (v, w), (p, L).
struct Spatial {
    Vec3d linear{0, 0, 0};
    Vec3d angular{0, 0, 0};
};

/// Inertia about a point of bones that hang together: (v, w) -> (p, L).
struct SpatialInertia {
    Mat3d linear;  ///< v -> p
    Mat3d cross;   ///< w -> p
    Mat3d angular; ///< w -> L
};

/// The same inertia for velocities at another point, v_here = v_there + r x w.
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

/// The same momentum about that point.
inline Spatial shifted_momentum(const Spatial& g, const Vec3d& r) {
    return {g.linear, g.angular - r.cross(g.linear)};
}

/// A bone in this substep.
struct Frame {
    Mat3d turn;        ///< Its axes in the world
    Mat3d inertia;     ///< In the world [kg m^2]
    Vec3d v, w;        ///< Before the solve; of held bones, what they are led to
    bool held = false; ///< By a pin or its goal
};

/// A joint in this substep (rheology paper, eq 26): w_s = -Y p - d, where p is the impulse on the child.
struct Row {
    Vec3d point;   ///< Where it acts [m]
    Mat3d axes;    ///< Its frame in the world
    Vec3d bend;    ///< Of the child against the parent [rad], or shift [m]
    Vec3d springs; ///< What springs and their dashpots add to Y, by axis
    Vec3d bias;    ///< What they add to d
    Mat3d Y;       ///< C / h [rad/(N m s) / s]
    Vec3d d;       ///< D q_sf [rad/s]
    Vec3d p;       ///< Impulse on the child [N m s]
    Vec3d guess;   ///< The impulse about which a joint that yields is made linear
    Vec3d rate;    ///< w_s when all joints have the impulses that are guessed [rad/s]
    bool flowing;  ///< Above its yield
};

/// A bone of the tree with the joint that leads to its parent: one step of the elimination.
struct Node {
    std::uint32_t bone = no_row;
    std::uint32_t joint = no_row; ///< None: a free root
    std::uint32_t parent =
        no_row;                  ///< Node; none: a free root, or a bone that is held, or the world
    std::uint32_t held = no_row; ///< The held bone it hangs on, if any
    double sign = 1;             ///< -1 where the joint's child is nearer to the root
    bool slides = false;

    Vec3d from_bone, from_parent; ///< From the two centers to the joint [m]
    SpatialInertia inertia;       ///< Of the bone and all that hangs on it, about its center
    Mat3d along_linear, along_angular, along; ///< Inertia against the joint's free directions
    Mat3d inverse;                            ///< (along + Z)^-1
    Mat3d gain_linear, gain_angular;          ///< Inertia against them, times the inverse
    Vec3d Zd;                                 ///< Z d, in the direction of the tree

    Spatial momentum; ///< Of the bone and all that hangs on it
    Vec3d free;       ///< Relative velocity if the parent stood still
    Vec3d relative;   ///< Relative velocity
    Vec3d impulse;    ///< Of the joint on the bone, in the directions it leaves free
    Spatial velocity; ///< Of the bone, at its center
};

/// A root that nothing holds: the inverse of its inertia, in blocks.
struct Root {
    std::uint32_t node = no_row;
    Mat3d linear_inverse, schur_inverse;
};

/// Nodes [begin, end) hang together; parents come first.
struct Tree {
    std::uint32_t begin = 0, end = 0;
    std::uint32_t root = no_row; ///< Index of its Root, none when it is held
};

/// Three rows of the complementarity problem: bone a against bone b (or the world).
struct Block {
    enum class Kind { loop, limit, contact };
    Kind kind = Kind::contact;
    bool linear = true;                   ///< Against shifting; else against turning
    std::uint32_t a = no_row, b = no_row; ///< Bones
    Mat3d axes = Mat3d::Identity();       ///< Normal first
    Vec3d from_a{0, 0, 0};                ///< From the centers to the point [m]
    Vec3d from_b{0, 0, 0};
    Vec3d bias{0, 0, 0}; ///< Added to the velocity, along the axes [m/s]
    double friction = 0;
    std::int64_t other = 0; ///< As in Contacts; of a limit or loop, the joint's row
    std::int32_t feature = 0;
    double gap = 0; ///< [m]
};

struct Workspace {
    State<double> trial; ///< The state that a failed or interrupted step leaves behind
    double end = 0;      ///< Of the call: when goals are reached [s]

    std::vector<MovedShape> colliders, pins;            ///< The world at this substep
    std::vector<Frame> frames;                          ///< Of the bones
    std::vector<Row> rows;                              ///< Of the joints
    std::vector<std::uint32_t> parent_bone, child_bone; ///< Of the joints; none: the world
    std::vector<Spatial> pushes;                        ///< Impulses on the bones from blocks

    // The forest, rebuilt when bodies enter or pins change.
    std::vector<Node> nodes;
    std::vector<Tree> trees;
    std::vector<Root> roots;
    std::vector<std::uint32_t> node_of; ///< Of the bones; none when held
    std::vector<std::uint32_t> tree_of; ///< Of the nodes
    std::vector<std::uint32_t> loops;   ///< Joints that the forest leaves out

    // The complementarity problem.
    std::vector<Block> blocks; ///< Loops first
    ConeProblem cones;
    ConeScratch cone_scratch;
    std::vector<std::uint32_t> block_start, block_list; ///< Blocks of each tree
    std::vector<std::uint32_t> last_seen;
    struct Response {
        Mat3d linear_push, angular_push; ///< Impulse of three columns at once
        Mat3d free;                      ///< As of Node
        Mat3d linear, angular;           ///< Velocity
        bool pushed = false;
    };
    std::vector<Response> responses;
    std::vector<std::uint8_t> wanted; ///< Nodes whose response somebody asks for

    std::vector<std::uint32_t> order, sweep;
    std::vector<std::vector<std::uint32_t>> jointed; ///< Bones joined to each bone
    std::vector<Box3> boxes;                         ///< Around the bones [m]

    std::size_t bytes() const;
};

/// Velocity of a bone as the forest was solved last; of held bones, what they are led to.
inline Spatial velocity_of(const Workspace& w, std::uint32_t bone) {
    const std::uint32_t node = w.node_of[bone];
    return node == no_row ? Spatial{w.frames[bone].v, w.frames[bone].w} : w.nodes[node].velocity;
}

inline Vec3d anchor_in_world(const Bones<double>& bones, const std::vector<Frame>& frames,
                             std::uint32_t bone, const Vec3d& anchor) {
    return bone == no_row ? anchor : Vec3d(bones.x[bone] + frames[bone].turn * anchor);
}

} // namespace nendo::rheology
