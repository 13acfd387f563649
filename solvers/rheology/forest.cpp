// SPDX-License-Identifier: Apache-2.0
// Builds the forest of bones and joints and solves its linear system in linear time: elimination
// from the leaves to the roots, then substitution back.
#include "rheology/stages.h"

#include "core/parallel.h"

#include <algorithm>

namespace nendo::rheology {
namespace {

/// With fewer bones than this in total, one thread handles all trees.
constexpr std::size_t worth_threads = 64;

template <class Work> void for_each_tree(const Workspace& w, const Work& work) {
    if (w.nodes.size() < worth_threads || w.trees.size() < 2)
        for (const Tree& tree : w.trees) work(tree);
    else
        parallel_tasks(w.trees.size(), [&](std::size_t t) { work(w.trees[t]); });
}

/// Lists the joints of each bone in order of row.
void list_joints(const Workspace& w, std::vector<std::vector<std::uint32_t>>& of_bone) {
    of_bone.assign(w.frames.size(), {});
    for (std::uint32_t j = 0; j < w.child_bone.size(); ++j) {
        of_bone[w.child_bone[j]].push_back(j);
        if (w.parent_bone[j] != no_row) of_bone[w.parent_bone[j]].push_back(j);
    }
}

/// Grows one tree, nearest bones first. Joints that lead back to it are loops.
class TreeGrower {
public:
    explicit TreeGrower(Workspace& w) : m_w(w), m_used(w.child_bone.size(), 0) {
        list_joints(w, m_joints);
    }

    bool used(std::uint32_t joint) const { return m_used[joint] != 0; }

    /// Grows the tree that begins with `bone`. Its first joint leads to something held; a free tree
    /// has none.
    void grow(std::uint32_t bone, std::uint32_t joint, std::uint32_t held) {
        Tree tree;
        tree.begin = static_cast<std::uint32_t>(m_w.nodes.size());
        add(bone, joint, no_row, held);
        if (joint == no_row) {
            tree.root = static_cast<std::uint32_t>(m_w.roots.size());
            m_w.roots.emplace_back().node = tree.begin;
        }
        for (std::uint32_t n = tree.begin; n < m_w.nodes.size(); ++n) {
            const std::uint32_t here = m_w.nodes[n].bone;
            for (const std::uint32_t j : m_joints[here]) visit(j, here, n);
        }
        tree.end = static_cast<std::uint32_t>(m_w.nodes.size());
        m_w.trees.push_back(tree);
    }

    void close(std::uint32_t joint) {
        m_used[joint] = 1;
        m_w.loops.push_back(joint);
    }

private:
    void visit(std::uint32_t joint, std::uint32_t here, std::uint32_t node) {
        if (m_used[joint] != 0) return;
        const std::uint32_t there =
            m_w.child_bone[joint] == here ? m_w.parent_bone[joint] : m_w.child_bone[joint];
        const bool taken =
            there == no_row || m_w.frames[there].held || m_w.node_of[there] != no_row;
        if (taken)
            close(joint);
        else
            add(there, joint, node, no_row);
    }

    void add(std::uint32_t bone, std::uint32_t joint, std::uint32_t parent, std::uint32_t held) {
        m_w.node_of[bone] = static_cast<std::uint32_t>(m_w.nodes.size());
        m_w.tree_of.push_back(static_cast<std::uint32_t>(m_w.trees.size()));
        Node& node = m_w.nodes.emplace_back();
        node.bone = bone;
        node.joint = joint;
        node.parent = parent;
        node.held = held;
        if (joint != no_row) {
            m_used[joint] = 1;
            node.sign = m_w.child_bone[joint] == bone ? 1 : -1;
            node.slides = m_w.trial.joints.kind[joint] == std::int32_t(JointKind::slide);
        }
    }

    Workspace& m_w;
    std::vector<std::vector<std::uint32_t>> m_joints;
    std::vector<std::uint8_t> m_used;
};

/// Computes the inertia along the directions that the joint leaves free, seen at the joint.
void face_joint(Node& node, const SpatialInertia& at, const Mat3d& axes) {
    if (node.slides) {
        node.along_linear = at.linear * axes;
        node.along_angular = at.cross.transpose() * axes;
        node.along = axes.transpose() * node.along_linear;
    } else {
        node.along_linear = at.cross * axes;
        node.along_angular = at.angular * axes;
        node.along = axes.transpose() * node.along_angular;
    }
}

/// Returns the inertia that the parent feels from a bone's subtree through the joint's springs.
SpatialInertia eliminate(Node& node, const Row& row) {
    SpatialInertia at = shifted(node.inertia, node.from_bone);
    face_joint(node, at, row.axes);
    const Mat3d Z = inverse_symmetric(row.Y);
    node.inverse = inverse_symmetric(node.along + Z);
    node.gain_linear = node.along_linear * node.inverse;
    node.gain_angular = node.along_angular * node.inverse;
    node.Zd = node.sign * (Z * row.d);
    at.linear -= node.gain_linear * node.along_linear.transpose();
    at.cross -= node.gain_linear * node.along_angular.transpose();
    at.angular -= node.gain_angular * node.along_angular.transpose();
    return shifted(at, -node.from_parent);
}

void factor_root(Root& root, const SpatialInertia& a) {
    root.linear_inverse = inverse_symmetric(a.linear);
    const Mat3d lc = root.linear_inverse * a.cross;
    root.schur_inverse = inverse_symmetric(a.angular - a.cross.transpose() * lc);
}

void factor_tree(Workspace& w, const Tree& tree) {
    for (std::uint32_t n = tree.begin; n < tree.end; ++n) {
        Node& node = w.nodes[n];
        node.inertia.linear = w.trial.bones.mass[node.bone] * Mat3d::Identity();
        node.inertia.cross.setZero();
        node.inertia.angular = w.frames[node.bone].inertia;
        if (node.joint == no_row) continue;
        const Vec3d& point = w.rows[node.joint].point;
        const std::uint32_t parent = node.parent != no_row ? w.nodes[node.parent].bone : node.held;
        node.from_bone = point - w.trial.bones.x[node.bone];
        node.from_parent =
            parent == no_row ? Vec3d::Zero() : Vec3d(point - w.trial.bones.x[parent]);
    }
    for (std::uint32_t n = tree.end; n-- > tree.begin;) {
        Node& node = w.nodes[n];
        if (node.joint == no_row) continue;
        const SpatialInertia seen = eliminate(node, w.rows[node.joint]);
        if (node.parent == no_row) continue;
        SpatialInertia& parent = w.nodes[node.parent].inertia;
        parent.linear += seen.linear;
        parent.cross += seen.cross;
        parent.angular += seen.angular;
    }
    if (tree.root != no_row) factor_root(w.roots[tree.root], w.nodes[tree.begin].inertia);
}

/// The part of a momentum, or of three at once, along the joint's free directions.
template <class Linear, class Angular>
auto facing(const Node& node, const Mat3d& axes, const Linear& linear, const Angular& angular) {
    return node.slides ? (axes.transpose() * linear).eval() : (axes.transpose() * angular).eval();
}

Spatial root_velocity(const Root& root, const SpatialInertia& a, const Spatial& g) {
    const Vec3d lg = root.linear_inverse * g.linear;
    Spatial v;
    v.angular = root.schur_inverse * (g.angular - a.cross.transpose() * lg);
    v.linear = lg - root.linear_inverse * (a.cross * v.angular);
    return v;
}

/// Velocity of the parent's side at the joint, moving rigidly with the parent.
Spatial velocity_at_joint(const Workspace& w, const Node& node) {
    Spatial v;
    if (node.parent != no_row)
        v = w.nodes[node.parent].velocity;
    else if (node.held != no_row)
        v = {w.frames[node.held].v, w.frames[node.held].w};
    v.linear += v.angular.cross(node.from_parent);
    return v;
}

void solve_tree(Workspace& w, const Tree& tree) {
    for (std::uint32_t n = tree.begin; n < tree.end; ++n) {
        Node& node = w.nodes[n];
        const Frame& frame = w.frames[node.bone];
        node.momentum.linear = w.trial.bones.mass[node.bone] * frame.v + w.pushes[node.bone].linear;
        node.momentum.angular = frame.inertia * frame.w + w.pushes[node.bone].angular;
    }
    for (std::uint32_t n = tree.end; n-- > tree.begin;) {
        Node& node = w.nodes[n];
        if (node.joint == no_row) continue;
        Spatial g = shifted_momentum(node.momentum, node.from_bone);
        node.impulse = -facing(node, w.rows[node.joint].axes, g.linear, g.angular);
        const Vec3d pushed = -node.impulse - node.Zd;
        node.free = node.inverse * pushed;
        if (node.parent == no_row) continue;
        g.linear -= node.gain_linear * pushed;
        g.angular -= node.gain_angular * pushed;
        g = shifted_momentum(g, -node.from_parent);
        w.nodes[node.parent].momentum.linear += g.linear;
        w.nodes[node.parent].momentum.angular += g.angular;
    }
    for (std::uint32_t n = tree.begin; n < tree.end; ++n) {
        Node& node = w.nodes[n];
        if (node.joint == no_row) {
            node.velocity = root_velocity(w.roots[tree.root], node.inertia, node.momentum);
            continue;
        }
        Spatial v = velocity_at_joint(w, node);
        node.relative = node.free - node.gain_linear.transpose() * v.linear -
                        node.gain_angular.transpose() * v.angular;
        node.impulse += node.along * node.relative + node.along_linear.transpose() * v.linear +
                        node.along_angular.transpose() * v.angular;
        (node.slides ? v.linear : v.angular) += w.rows[node.joint].axes * node.relative;
        v.linear += node.from_bone.cross(v.angular);
        node.velocity = v;
    }
}

/// Cross products of r with three columns.
Mat3d cross_columns(const Vec3d& r, const Mat3d& columns) {
    return skew(r) * columns;
}

void push_response(Workspace& w, std::uint32_t bone, const Block& block, double sign) {
    if (bone == no_row || w.node_of[bone] == no_row) return;
    Workspace::Response& r = w.responses[w.node_of[bone]];
    if (!r.pushed) {
        r.linear_push.setZero();
        r.angular_push.setZero();
        r.pushed = true;
    }
    if (block.linear) {
        const Vec3d& offset = bone == block.a ? block.from_a : block.from_b;
        r.linear_push += sign * block.axes;
        r.angular_push += sign * cross_columns(offset, block.axes);
    } else {
        r.angular_push += sign * block.axes;
    }
}

/// Like solve_tree() for three columns at once, limited to the nodes that are pushed or needed.
void respond_tree(Workspace& w, const Tree& tree) {
    for (std::uint32_t n = tree.end; n-- > tree.begin;) {
        const Node& node = w.nodes[n];
        Workspace::Response& r = w.responses[n];
        if (!r.pushed || node.joint == no_row) continue;
        Mat3d linear = r.linear_push;
        Mat3d angular = r.angular_push - cross_columns(node.from_bone, linear);
        const Mat3d pushed = facing(node, w.rows[node.joint].axes, linear, angular);
        r.free = node.inverse * pushed;
        if (node.parent == no_row) continue;
        linear -= node.gain_linear * pushed;
        angular -= node.gain_angular * pushed;
        angular += cross_columns(node.from_parent, linear);
        Workspace::Response& up = w.responses[node.parent];
        if (!up.pushed) {
            up.linear_push = linear;
            up.angular_push = angular;
            up.pushed = true;
        } else {
            up.linear_push += linear;
            up.angular_push += angular;
        }
    }
    for (std::uint32_t n = tree.begin; n < tree.end; ++n) {
        const Node& node = w.nodes[n];
        Workspace::Response& r = w.responses[n];
        const bool pushed = r.pushed;
        r.pushed = false;
        if (w.needed[n] == 0) continue;
        if (node.joint == no_row) {
            const Root& root = w.roots[tree.root];
            const Mat3d lg = root.linear_inverse * r.linear_push;
            r.angular = root.schur_inverse * (r.angular_push - node.inertia.cross.transpose() * lg);
            r.linear = lg - root.linear_inverse * (node.inertia.cross * r.angular);
            continue;
        }
        Mat3d linear = Mat3d::Zero(), angular = Mat3d::Zero();
        if (node.parent != no_row) {
            const Workspace::Response& up = w.responses[node.parent];
            angular = up.angular;
            linear = up.linear - cross_columns(node.from_parent, angular);
        }
        Mat3d relative =
            -(node.gain_linear.transpose() * linear) - node.gain_angular.transpose() * angular;
        if (pushed) relative += r.free;
        (node.slides ? linear : angular) += w.rows[node.joint].axes * relative;
        r.angular = angular;
        r.linear = linear + cross_columns(node.from_bone, angular);
    }
}

} // namespace

void build_forest(Workspace& w) {
    w.nodes.clear();
    w.trees.clear();
    w.roots.clear();
    w.loops.clear();
    w.tree_of.clear();
    w.node_of.assign(w.frames.size(), no_row);
    TreeGrower grower(w);
    const auto holds = [&](std::uint32_t bone) { return bone == no_row || w.frames[bone].held; };
    for (std::uint32_t j = 0; j < w.child_bone.size(); ++j) {
        const std::uint32_t parent = w.parent_bone[j], child = w.child_bone[j];
        if (grower.used(j) || holds(parent) == holds(child)) continue;
        const std::uint32_t first = holds(parent) ? child : parent;
        if (w.node_of[first] != no_row)
            grower.close(j);
        else
            grower.grow(first, j, holds(parent) ? parent : child);
    }
    for (std::uint32_t b = 0; b < w.frames.size(); ++b)
        if (!w.frames[b].held && w.node_of[b] == no_row) grower.grow(b, no_row, no_row);
    w.responses.resize(w.nodes.size());
    for (Workspace::Response& response : w.responses) response.pushed = false;
}

void factor_forest(Workspace& w) {
    for_each_tree(w, [&](const Tree& tree) { factor_tree(w, tree); });
}

void solve_forest(Workspace& w) {
    for_each_tree(w, [&](const Tree& tree) { solve_tree(w, tree); });
}

void respond(Workspace& w, const Block& block) {
    push_response(w, block.a, block, 1);
    push_response(w, block.b, block, -1);
    std::uint32_t done = no_row;
    for (const std::uint32_t bone : {block.a, block.b}) {
        if (bone == no_row || w.node_of[bone] == no_row) continue;
        const std::uint32_t tree = w.tree_of[w.node_of[bone]];
        if (tree != done) respond_tree(w, w.trees[tree]);
        done = tree;
    }
}

} // namespace nendo::rheology
