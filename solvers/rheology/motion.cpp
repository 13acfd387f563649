// SPDX-License-Identifier: Apache-2.0
// Predicts velocities from forces, loads and pins, and moves the bones of a substep.
#include "rheology/stages.h"

#include "core/error.h"

#include <algorithm>
#include <cmath>

namespace nendo::rheology {
namespace {

constexpr double fastest = 3e8; ///< [m/s], [rad/s]

/// Returns the mean force of a load over [from, to].
LoadKey mean_load(const std::vector<LoadKey>& keys, double from, double to) {
    LoadKey sum;
    const auto add = [&](const LoadKey& a, const LoadKey& b, double begin, double end) {
        if (!(end > begin)) return;
        const double middle = 0.5 * (begin + end);
        const double s = b.time > a.time ? (middle - a.time) / (b.time - a.time) : 0;
        const double share = (end - begin) / (to - from);
        sum.force += share * ((1 - s) * a.force + s * b.force);
        sum.torque += share * ((1 - s) * a.torque + s * b.torque);
    };
    if (keys.empty()) return sum;
    LoadKey before = keys.front(), after = keys.back();
    before.time = after.time = 0;
    add(before, before, from, std::min(to, keys.front().time));
    for (std::size_t k = 0; k + 1 < keys.size(); ++k)
        add(keys[k], keys[k + 1], std::max(from, keys[k].time), std::min(to, keys[k + 1].time));
    add(after, after, std::max(from, keys.back().time), to);
    return sum;
}

/// Adds the impulse h f of the loads that change with time to w.pushes.
void apply_loads(Workspace& w, const std::vector<Body>& bodies, double dt) {
    const Bones<double>& bones = w.trial.bones;
    const double now = w.trial.details.time;
    for (const Body& body : bodies)
        for (const Load& load : body.loads) {
            const int count = static_cast<int>(body.bones.size());
            const int number = load.bone < 0 ? count + load.bone : load.bone;
            for (std::size_t b = 0; b < bones.id.size(); ++b) {
                if (bones.body[b] != body.index || bones.number[b] != number) continue;
                const LoadKey mean = mean_load(load.keys, now, now + dt);
                const Vec3d offset = w.frames[b].rotation * load.point;
                w.pushes[b].linear += dt * mean.force;
                w.pushes[b].angular += dt * (mean.torque + offset.cross(mean.force));
            }
        }
}

/// Solves I w' + h w' x I w' = L in the bone's frame by Newton's method. Returns false if it did
/// not converge.
bool implicit_gyroscopic_step(const Mat3d& inertia, const Vec3d& target, double dt, Vec3d& w) {
    for (int k = 0; k < 12; ++k) {
        const Vec3d L = inertia * w;
        const Vec3d miss = L + dt * w.cross(L) - target;
        if (miss.norm() <= 1e-14 * target.norm()) return true;
        const Mat3d slope = inertia + dt * (skew(w) * inertia - skew(L));
        w -= slope.inverse() * miss;
    }
    return false;
}

/// Returns the angular velocity after dt. The gyroscopic term is implicit, so that a tumbling bone
/// gains no energy at any step size. If a step rotates the bone so far that Newton's method fails,
/// the step is split into halves, quarters and so on.
Vec3d gyroscopic_step(const Mat3d& inertia, const Vec3d& w_before, const Vec3d& push, double dt) {
    const Vec3d begin = w_before + inverse_symmetric(inertia) * push;
    for (int parts = 1; parts <= 4096; parts *= 2) {
        Vec3d w = begin;
        bool converged = true;
        for (int k = 0; k < parts && converged; ++k)
            converged = implicit_gyroscopic_step(inertia, inertia * w, dt / parts, w);
        if (converged) return w;
    }
    return begin;
}

/// Sets the velocity [m/s] and angular velocity [rad/s] that bring a held bone to its prescribed
/// pose at the end of the substep.
void prescribe_velocity(Workspace& w, std::size_t b, double dt) {
    const Bones<double>& bones = w.trial.bones;
    Frame& frame = w.frames[b];
    if (bones.pin[b] > 0) {
        const Pose& step = w.pins[static_cast<std::size_t>(bones.pin[b] - 1)].step;
        frame.v = (step * bones.x[b] - bones.x[b]) / dt;
        frame.w = rotation_log(Quat(step.linear())) / dt;
        return;
    }
    const double left = std::max(dt, w.end - w.trial.details.time);
    frame.v = (bones.goal[b] - bones.x[b]) / left;
    const Quat goal(bones.goal_orient[b]);
    frame.w =
        goal.squaredNorm() > 0
            ? Vec3d(rotation_log(goal.normalized() * Quat(bones.orient[b]).conjugate()) / left)
            : Vec3d::Zero();
}

/// Moves a bone so that the joint to its parent is closed. At a sliding joint it keeps its position
/// and takes the orientation that the parent prescribes.
void close_joint(Workspace& w, const Node& node) {
    Bones<double>& bones = w.trial.bones;
    const Joints<double>& joints = w.trial.joints;
    const std::uint32_t j = node.joint;
    const bool is_child = node.sign > 0;
    const std::uint32_t other = is_child ? w.parent_bone[j] : w.child_bone[j];
    const Quat other_orient = other == no_row ? Quat::Identity() : Quat(bones.orient[other]);
    const Vec3d other_x = other == no_row ? Vec3d::Zero() : bones.x[other];
    if (node.slides) {
        const Quat inner(joints.frame_parent[j]), outer(joints.frame_child[j]);
        const Quat rest = inner * outer.conjugate();
        bones.orient[node.bone] =
            (other_orient * (is_child ? rest : rest.conjugate())).normalized().coeffs();
        return;
    }
    const Vec3d& here = is_child ? joints.anchor_child[j] : joints.anchor_parent[j];
    const Vec3d& there = is_child ? joints.anchor_parent[j] : joints.anchor_child[j];
    bones.x[node.bone] = other_x + other_orient * there - Quat(bones.orient[node.bone]) * here;
}

/// Closes the joints of a tree from the root on. A free tree is then shifted as a whole so that its
/// center of mass is where its momentum carries it.
void close_tree(Workspace& w, const Tree& tree) {
    Bones<double>& bones = w.trial.bones;
    Vec3d moment = Vec3d::Zero();
    double mass = 0;
    for (std::uint32_t n = tree.begin; n < tree.end; ++n) {
        const Node& node = w.nodes[n];
        const Vec3d free = bones.x[node.bone];
        if (node.joint != no_row) close_joint(w, node);
        moment += bones.mass[node.bone] * (free - bones.x[node.bone]);
        mass += bones.mass[node.bone];
    }
    if (tree.root == no_row || tree.end - tree.begin == 1) return;
    const Vec3d shift = moment / mass;
    for (std::uint32_t n = tree.begin; n < tree.end; ++n) bones.x[w.nodes[n].bone] += shift;
}

} // namespace

void place_bones(Workspace& w) {
    const Bones<double>& bones = w.trial.bones;
    for (std::size_t b = 0; b < bones.id.size(); ++b) {
        Frame& frame = w.frames[b];
        frame.rotation = Quat(bones.orient[b]).toRotationMatrix();
        frame.inertia = frame.rotation * bones.inertia[b] * frame.rotation.transpose();
    }
}

void place_scene(Workspace& w, const Scene& scene, double dt) {
    const double now = w.trial.details.time;
    w.colliders.clear();
    for (const Collider& c : scene.colliders) w.colliders.push_back(move_collider(c, now, dt));
    w.pins.clear();
    for (const Pin& pin : scene.pins) w.pins.push_back(move_shape(pin.shape, pin.motion, now, dt));
}

void predict(Workspace& w, const Scene& scene, const std::vector<Body>& bodies, const Params& p,
             double dt) {
    const Bones<double>& bones = w.trial.bones;
    for (std::size_t b = 0; b < bones.id.size(); ++b) {
        w.pushes[b].linear = dt * (bones.mass[b] * scene.gravity + bones.force[b]);
        w.pushes[b].angular = dt * bones.torque[b];
    }
    apply_loads(w, bodies, dt);
    const double slow = 1 / (1 + p.drag * dt);
    for (std::size_t b = 0; b < bones.id.size(); ++b) {
        Frame& frame = w.frames[b];
        if (frame.held) {
            prescribe_velocity(w, b, dt);
        } else {
            const Mat3d back = frame.rotation.transpose();
            frame.v = slow * bones.v[b] + w.pushes[b].linear / bones.mass[b];
            frame.w = frame.rotation * gyroscopic_step(bones.inertia[b], back * (slow * bones.w[b]),
                                                       back * w.pushes[b].angular, dt);
            if (!(frame.v.norm() < fastest && frame.w.norm() < fastest))
                throw Error("the forces would make the bone faster than light",
                            "bone id " + std::to_string(bones.id[b]) + " at time " +
                                std::to_string(w.trial.details.time) + " s",
                            "look for forces that are far too large for the bone's mass");
        }
        w.pushes[b] = {};
    }
}

void move_bones(Workspace& w, double dt) {
    Bones<double>& bones = w.trial.bones;
    for (std::size_t b = 0; b < bones.id.size(); ++b) {
        const std::uint32_t node = w.node_of[b];
        const Spatial velocity =
            node == no_row ? Spatial{w.frames[b].v, w.frames[b].w} : w.nodes[node].velocity;
        bones.v[b] = velocity.linear;
        bones.w[b] = velocity.angular;
        bones.x[b] += dt * velocity.linear;
        bones.orient[b] =
            (rotation_exp(dt * velocity.angular) * Quat(bones.orient[b])).normalized().coeffs();
    }
    for (const Tree& tree : w.trees) close_tree(w, tree);
}

} // namespace nendo::rheology
