// SPDX-License-Identifier: Apache-2.0
// Adds a body's bones and joints to the state.
#include "core/error.h"
#include "math/rotation.h"
#include "rheology/solver.h"

#include <cmath>
#include <string>

namespace nendo::rheology {
namespace {

Vec3d center_of_mass(const Body& body) {
    Vec3d moment = Vec3d::Zero();
    double mass = 0;
    for (const Bone& bone : body.bones) {
        moment += bone.mass * bone.pose.translation();
        mass += bone.mass;
    }
    return mass > 0 ? Vec3d(moment / mass) : Vec3d::Zero();
}

template <class Real> Vec4<Real> coefficients(const Mat3d& rotation) {
    return Quat(rotation).normalized().coeffs().template cast<Real>();
}

template <class Real>
void add_joint(Joints<Real>& joints, const Joint& joint, const Body& body, std::int64_t first_bone,
               std::int64_t id) {
    const auto count = static_cast<int>(body.bones.size());
    const std::string where = body.name + ", joint " + std::to_string(joints.id.size());
    if (joint.child < 0 || joint.child >= count || joint.parent < -1 || joint.parent >= count ||
        joint.child == joint.parent)
        throw Error("the joint connects bone " + std::to_string(joint.parent) + " to bone " +
                        std::to_string(joint.child) + " of " + std::to_string(count),
                    where, "number the bones from 0, and use -1 as the parent for the world");
    const std::size_t j = joints.id.size();
    resize_table(joints, j + 1);
    const Pose parent = joint.parent < 0 ? Pose::Identity()
                                         : body.bones[static_cast<std::size_t>(joint.parent)].pose;
    const Pose child = body.bones[static_cast<std::size_t>(joint.child)].pose;
    const Pose in_parent = parent.inverse(Eigen::Isometry) * joint.frame;
    const Pose in_child = child.inverse(Eigen::Isometry) * joint.frame;
    joints.id[j] = id;
    joints.parent[j] = joint.parent < 0 ? -1 : first_bone + joint.parent;
    joints.child[j] = first_bone + joint.child;
    joints.kind[j] = std::int32_t(joint.kind);
    joints.anchor_parent[j] = in_parent.translation().cast<Real>();
    joints.anchor_child[j] = in_child.translation().cast<Real>();
    joints.frame_parent[j] = coefficients<Real>(in_parent.linear());
    joints.frame_child[j] = coefficients<Real>(in_child.linear());
    joints.stiffness[j] = joint.rheology.stiffness.cast<Real>();
    joints.damping[j] = joint.rheology.damping.cast<Real>();
    joints.first_stiffness[j] = joint.rheology.first_stiffness.cast<Real>();
    joints.flow[j] = static_cast<Real>(joint.rheology.flow);
    joints.yield[j] = static_cast<Real>(joint.rheology.yield);
    joints.limit[j] = static_cast<Real>(joint.rheology.limit);
}

} // namespace

template <class Real> void add_body(State<Real>& state, const Body& body) {
    Bones<Real>& bones = state.bones;
    const std::int64_t first = state.details.next_bone;
    const Vec3d center = center_of_mass(body);
    for (std::size_t k = 0; k < body.bones.size(); ++k) {
        const Bone& bone = body.bones[k];
        if (!(bone.mass > 0) || !std::isfinite(bone.mass))
            throw Error("the mass is " + std::to_string(bone.mass) + " kg",
                        body.name + ", bone " + std::to_string(k), "use a mass above 0");
        const std::size_t b = bones.id.size();
        resize_table(bones, b + 1);
        const Vec3d x = bone.pose.translation();
        bones.id[b] = state.details.next_bone++;
        bones.x[b] = bones.rest[b] = bones.goal[b] = x.cast<Real>();
        bones.orient[b] = bones.rest_orient[b] = coefficients<Real>(bone.pose.linear());
        bones.v[b] = (body.velocity + body.angular_velocity.cross(x - center)).cast<Real>();
        bones.w[b] = body.angular_velocity.cast<Real>();
        bones.mass[b] = static_cast<Real>(bone.mass);
        bones.inertia[b] = bone.inertia.cast<Real>();
        bones.half[b] = bone.half.cast<Real>();
        bones.radius[b] = static_cast<Real>(bone.radius);
        bones.body[b] = body.index;
        bones.number[b] = static_cast<std::int32_t>(k);
    }
    for (const Joint& joint : body.joints)
        add_joint(state.joints, joint, body, first, state.details.next_joint++);
}

template void add_body(State<float>&, const Body&);
template void add_body(State<double>&, const Body&);

} // namespace nendo::rheology
