// SPDX-License-Identifier: Apache-2.0
// Reads, sets, scales and bakes the permanent bend of a state.
#include "rheology/bend.h"

#include "core/error.h"
#include "math/rotation.h"

#include <algorithm>

namespace nendo::rheology {
namespace {

constexpr std::size_t world = static_cast<std::size_t>(-1);

template <class Real> Quat to_quat(const Vec4<Real>& q) {
    return Quat(Vec4<double>(q.template cast<double>())).normalized();
}

/// Position and axes of a joint on a bone (or the world).
template <class Real>
Pose joint_pose(const Bones<Real>& bones, std::size_t bone, const Vec3<Real>& anchor,
                const Vec4<Real>& frame) {
    Pose local = Pose::Identity(), at = Pose::Identity();
    local.linear() = to_quat(frame).toRotationMatrix();
    local.translation() = anchor.template cast<double>();
    if (bone != world) {
        at.linear() = to_quat(bones.orient[bone]).toRotationMatrix();
        at.translation() = bones.x[bone].template cast<double>();
    }
    return at * local;
}

template <class Real> std::size_t row_of(const Bones<Real>& bones, std::int64_t id) {
    if (id < 0) return world;
    const auto found = std::find(bones.id.begin(), bones.id.end(), id);
    if (found == bones.id.end())
        throw Error("bone id " + std::to_string(id) + " does not exist", "joints",
                    "remove joints together with their bones");
    return static_cast<std::size_t>(found - bones.id.begin());
}

/// The child's joint frame relative to the parent's.
template <class Real> Pose relative(const State<Real>& s, std::size_t j) {
    const Joints<Real>& joints = s.joints;
    const Pose inner = joint_pose(s.bones, row_of(s.bones, joints.parent[j]),
                                  joints.anchor_parent[j], joints.frame_parent[j]);
    const Pose outer = joint_pose(s.bones, row_of(s.bones, joints.child[j]), joints.anchor_child[j],
                                  joints.frame_child[j]);
    return inner.inverse(Eigen::Isometry) * outer;
}

template <class Real> Pose bent(const State<Real>& s, std::size_t j, const Vec3d& bend) {
    Pose pose = Pose::Identity();
    if (s.joints.kind[j] == std::int32_t(JointKind::slide))
        pose.translation() = bend;
    else
        pose.linear() = rotation_exp(bend).toRotationMatrix();
    return pose;
}

template <class Real> void place_bone(Bones<Real>& bones, std::size_t b, const Pose& pose) {
    bones.x[b] = pose.translation().cast<Real>();
    bones.orient[b] = Quat(pose.linear()).normalized().coeffs().template cast<Real>();
    bones.v[b].setZero();
    bones.w[b].setZero();
}

} // namespace

template <class Real> std::vector<Vec3d> residual_bends(const State<Real>& state) {
    std::vector<Vec3d> bends;
    for (std::size_t j = 0; j < state.joints.id.size(); ++j) {
        const Pose pose = relative(state, j);
        const bool slides = state.joints.kind[j] == std::int32_t(JointKind::slide);
        const Vec3d all = slides ? Vec3d(pose.translation()) : rotation_log(Quat(pose.linear()));
        bends.push_back(all - state.joints.q_sf[j].template cast<double>() -
                        state.joints.q_sm[j].template cast<double>());
    }
    return bends;
}

template <class Real> void set_bends(State<Real>& state, const std::vector<Vec3d>& bends) {
    Joints<Real>& joints = state.joints;
    Bones<Real>& bones = state.bones;
    if (bends.size() != joints.id.size())
        throw Error("got " + std::to_string(bends.size()) + " bends for " +
                        std::to_string(joints.id.size()) + " joints",
                    "bends", "pass one bend per joint");
    std::vector<std::uint8_t> placed(bones.id.size(), 0), used(joints.id.size(), 0);
    const auto pose_from = [&](std::size_t j) {
        const std::size_t parent = row_of(bones, joints.parent[j]);
        const std::size_t child = row_of(bones, joints.child[j]);
        const bool forwards = parent == world || placed[parent] != 0;
        if (used[j] != 0 || (!forwards && placed[child] == 0)) return false;
        used[j] = 1;
        if (forwards && placed[child] != 0) return true; // closes a loop
        Pose in_parent = Pose::Identity(), in_child = Pose::Identity();
        in_parent.linear() = to_quat(joints.frame_parent[j]).toRotationMatrix();
        in_parent.translation() = joints.anchor_parent[j].template cast<double>();
        in_child.linear() = to_quat(joints.frame_child[j]).toRotationMatrix();
        in_child.translation() = joints.anchor_child[j].template cast<double>();
        const Pose step = in_parent * bent(state, j, bends[j]) * in_child.inverse(Eigen::Isometry);
        const auto pose_of = [&](std::size_t b) {
            Pose pose = Pose::Identity();
            if (b == world) return pose;
            pose.linear() = to_quat(bones.orient[b]).toRotationMatrix();
            pose.translation() = bones.x[b].template cast<double>();
            return pose;
        };
        const std::size_t moved = forwards ? child : parent;
        place_bone(bones, moved,
                   forwards ? pose_of(parent) * step : pose_of(child) * step.inverse());
        placed[moved] = 1;
        return true;
    };
    const auto grow = [&] {
        for (bool any = true; any;) {
            any = false;
            for (std::size_t j = 0; j < joints.id.size(); ++j) any = pose_from(j) || any;
        }
    };
    grow(); // from the world
    for (std::size_t b = 0; b < bones.id.size(); ++b) {
        if (placed[b] != 0) continue;
        placed[b] = 1;
        bones.v[b].setZero();
        bones.w[b].setZero();
        grow();
    }
    for (std::size_t j = 0; j < joints.id.size(); ++j) {
        joints.q_sf[j].setZero();
        joints.q_sm[j].setZero();
        joints.torque[j].setZero();
        joints.limit_impulse[j] = 0;
    }
    resize_table(state.contacts, 0);
}

template <class Real> void blend_bends(State<Real>& state, double share) {
    std::vector<Vec3d> bends = residual_bends(state);
    for (Vec3d& bend : bends) bend *= share;
    set_bends(state, bends);
}

template <class Real> void bake_bends(State<Real>& state) {
    const std::vector<Vec3d> bends = residual_bends(state);
    Joints<Real>& joints = state.joints;
    for (std::size_t j = 0; j < joints.id.size(); ++j) {
        // The child's side absorbs the bend, so that the bent shape counts as straight from now on.
        if (joints.kind[j] == std::int32_t(JointKind::slide)) {
            const Mat3d rotation = to_quat(joints.frame_child[j]).toRotationMatrix();
            joints.anchor_child[j] -= (rotation * bends[j]).template cast<Real>();
        } else {
            const Quat frame = to_quat(joints.frame_child[j]) * rotation_exp(bends[j]).conjugate();
            joints.frame_child[j] = frame.normalized().coeffs().template cast<Real>();
        }
    }
}

template std::vector<Vec3d> residual_bends(const State<float>&);
template std::vector<Vec3d> residual_bends(const State<double>&);
template void set_bends(State<float>&, const std::vector<Vec3d>&);
template void set_bends(State<double>&, const std::vector<Vec3d>&);
template void blend_bends(State<float>&, double);
template void blend_bends(State<double>&, double);
template void bake_bends(State<float>&);
template void bake_bends(State<double>&);

} // namespace nendo::rheology
