// SPDX-License-Identifier: Apache-2.0
// Bones for tests: bodies, scenes and measurements that several tests share.
#pragma once

#include "rheology/solver.h"
#include "skinning/skeleton.h"
#include "support/scenes.h"

#include <algorithm>
#include <vector>

namespace nendo::rheology::test {

using nendo::test::ground_plane;
using nendo::test::make_collider;
using nendo::test::weightless;

/// A box with rounded edges, with the mass and inertia of a sharp one.
inline Bone make_box_bone(const Vec3d& center, const Vec3d& size, double density, double rounding) {
    Bone bone;
    bone.pose.translation() = center;
    bone.mass = density * size.prod();
    const Vec3d squares = size.cwiseProduct(size);
    bone.inertia = (bone.mass / 12 * (Vec3d::Constant(squares.sum()) - squares)).asDiagonal();
    bone.radius = rounding;
    bone.half = 0.5 * size - Vec3d::Constant(rounding);
    return bone;
}

/// A straight bar along x from the origin, of `count` bones.
inline std::vector<Segment> straight(int count, double length, const Section& section,
                                     const Material& material) {
    std::vector<Vec3d> points;
    for (int k = 0; k <= count; ++k) points.emplace_back(length * k / count, 0, 0);
    return segments_of_line(points, section, Vec3d::UnitY(), material);
}

inline Load constant_load(int bone, const Vec3d& point, const Vec3d& force) {
    Load load;
    load.bone = bone;
    load.point = point;
    load.keys = {{0, force, Vec3d::Zero()}};
    return load;
}

/// Position of the end of the last bone [m].
inline Vec3d tip(const State<double>& s) {
    const std::size_t b = s.bones.id.size() - 1;
    return s.bones.x[b] + Eigen::Quaterniond(s.bones.orient[b]) * Vec3d(s.bones.half[b].x(), 0, 0);
}

} // namespace nendo::rheology::test
