// SPDX-License-Identifier: Apache-2.0
// Checks bones and joints, and finds the rows they refer to.
#include "core/error.h"
#include "rheology/stages.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace nendo::rheology {
namespace {

/// Returns the row of the bone with this id, or no_row.
std::uint32_t find_bone(const Bones<double>& bones, std::int64_t id) {
    const auto found = std::lower_bound(bones.id.begin(), bones.id.end(), id);
    if (found == bones.id.end() || *found != id) return no_row;
    return static_cast<std::uint32_t>(found - bones.id.begin());
}

void check_bones(const Bones<double>& bones, std::size_t pins) {
    for (std::size_t b = 0; b < bones.id.size(); ++b) {
        const std::string where = "bone id " + std::to_string(bones.id[b]);
        if (b > 0 && bones.id[b] == bones.id[b - 1])
            throw Error("two bones have this id", where, "give each bone its own id");
        if (bones.pin[b] < -1 || bones.pin[b] > static_cast<std::int64_t>(pins))
            throw Error("pin is " + std::to_string(bones.pin[b]) + ", but the scene has " +
                            std::to_string(pins) + " pins",
                        where, "use 0 for a free bone, or -1 for one that follows its goal");
        const Mat3d& inertia = bones.inertia[b];
        const double size = inertia.trace();
        const bool symmetric = (inertia - inertia.transpose()).norm() <= 1e-5 * size;
        if (!symmetric || inertia(0, 0) <= 0 || inertia.topLeftCorner<2, 2>().determinant() <= 0 ||
            inertia.determinant() <= 0)
            throw Error("the inertia is not that of a rigid body", where,
                        "use a symmetric, positive definite matrix in kg m^2");
        if (std::abs(Quat(bones.orient[b]).norm() - 1) > 1e-3)
            throw Error("orient is not a unit quaternion", where, "normalize it");
    }
}

/// Finds the rows of the bones that each joint connects. Throws for joints whose bones are missing.
void index_joints(Workspace& w) {
    const Bones<double>& bones = w.trial.bones;
    const Joints<double>& joints = w.trial.joints;
    const std::size_t n = joints.id.size();
    w.parent_bone.resize(n);
    w.child_bone.resize(n);
    w.jointed.assign(bones.id.size(), {});
    for (std::size_t j = 0; j < n; ++j) {
        const std::string where = "joint id " + std::to_string(joints.id[j]);
        const auto find = [&](std::int64_t id, const char* what) {
            const std::uint32_t bone = find_bone(bones, id);
            if (bone == no_row)
                throw Error(std::string("its ") + what + ", bone id " + std::to_string(id) +
                                ", does not exist",
                            where, "remove the joint too, or use -1 as the parent for the world");
            return bone;
        };
        w.parent_bone[j] = joints.parent[j] < 0 ? no_row : find(joints.parent[j], "parent");
        w.child_bone[j] = find(joints.child[j], "child");
        if (w.parent_bone[j] == w.child_bone[j])
            throw Error("the joint connects a bone to itself", where,
                        "connect two bones, or one bone to the world");
        if (w.parent_bone[j] != no_row) {
            w.jointed[w.parent_bone[j]].push_back(w.child_bone[j]);
            w.jointed[w.child_bone[j]].push_back(w.parent_bone[j]);
        }
    }
    for (std::vector<std::uint32_t>& list : w.jointed) std::sort(list.begin(), list.end());
}

} // namespace

double joint_gap(const Workspace& w, std::size_t j) {
    const Joints<double>& joints = w.trial.joints;
    if (joints.kind[j] == std::int32_t(JointKind::slide)) return 0;
    const Bones<double>& bones = w.trial.bones;
    return (anchor_in_world(bones, w.frames, w.child_bone[j], joints.anchor_child[j]) -
            anchor_in_world(bones, w.frames, w.parent_bone[j], joints.anchor_parent[j]))
        .norm();
}

bool is_open(const Workspace& w, std::size_t j) {
    const Joints<double>& joints = w.trial.joints;
    const double size = joints.anchor_child[j].norm() +
                        (w.parent_bone[j] == no_row ? 0 : joints.anchor_parent[j].norm());
    return joint_gap(w, j) > 0.05 * size + 1e-4;
}

void check_closed(const Workspace& w, std::size_t first) {
    const Joints<double>& joints = w.trial.joints;
    std::vector<bool> in_tree(joints.id.size(), false);
    for (const Node& node : w.nodes)
        if (node.joint != no_row) in_tree[node.joint] = true;
    for (std::size_t j = 0; j < joints.id.size(); ++j)
        if ((j >= first || in_tree[j]) && is_open(w, j))
            throw Error("the two ends of the joint are " + std::to_string(joint_gap(w, j)) +
                            " m apart",
                        "joint id " + std::to_string(joints.id[j]),
                        "place its bones so that they meet; loops of joints must close");
}

void index_state(Workspace& w, std::size_t pins) {
    const std::size_t n = w.trial.bones.id.size();
    check_bones(w.trial.bones, pins);
    index_joints(w);
    w.frames.resize(n);
    w.pushes.assign(n, {});
    w.rows.resize(w.trial.joints.id.size());
    for (std::size_t b = 0; b < n; ++b) w.frames[b].held = w.trial.bones.pin[b] != 0;
    place_bones(w);
    build_forest(w);
}

bool held_bones_changed(const Workspace& w) {
    for (std::size_t b = 0; b < w.frames.size(); ++b)
        if (w.frames[b].held != (w.trial.bones.pin[b] != 0)) return true;
    return false;
}

} // namespace nendo::rheology
