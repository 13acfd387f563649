// SPDX-License-Identifier: Apache-2.0
// Keyframed motion, deforming shapes, and colliders and pins placed in a substep.
#include "scene/scene.h"

#include "core/error.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace nendo {
namespace {

Eigen::Quaterniond rotation_xyz(const Vec3d& degrees) {
    const Vec3d angle = degrees * (std::acos(-1.0) / 180);
    return Eigen::Quaterniond(Eigen::AngleAxisd(angle.z(), Vec3d::UnitZ()) *
                              Eigen::AngleAxisd(angle.y(), Vec3d::UnitY()) *
                              Eigen::AngleAxisd(angle.x(), Vec3d::UnitX()));
}

Pose make_pose(const Vec3d& translate, const Eigen::Quaterniond& rotation) {
    Pose pose = Pose::Identity();
    pose.linear() = rotation.toRotationMatrix();
    pose.translation() = translate;
    return pose;
}

} // namespace

Motion::Motion(std::vector<Keyframe> keys) : m_keys(std::move(keys)) {
    for (std::size_t i = 0; i < m_keys.size(); ++i) {
        const Keyframe& key = m_keys[i];
        const std::string where = "key " + std::to_string(i);
        if (!std::isfinite(key.time) || !key.translate.allFinite() || !key.rotate.allFinite())
            throw Error("a value is not finite", where, "use finite numbers");
        if (i > 0 && !(key.time > m_keys[i - 1].time))
            throw Error("the time " + std::to_string(key.time) + " s does not come after " +
                            std::to_string(m_keys[i - 1].time) + " s",
                        where, "list the keys by increasing time");
        m_rotations.push_back(rotation_xyz(key.rotate));
    }
}

Motion Motion::between(double start, const Pose& from, double end, const Pose& to) {
    std::vector<Keyframe> keys = {{start, from.translation(), Vec3d::Zero()}};
    const bool moves = from.matrix() != to.matrix();
    if (moves) keys.push_back({end, to.translation(), Vec3d::Zero()});
    Motion motion(std::move(keys));
    motion.m_rotations[0] = Eigen::Quaterniond(from.linear());
    if (moves) motion.m_rotations[1] = Eigen::Quaterniond(to.linear());
    return motion;
}

Pose Motion::at(double time) const {
    if (m_keys.empty()) return Pose::Identity();
    const auto after = std::upper_bound(m_keys.begin(), m_keys.end(), time,
                                        [](double t, const Keyframe& key) { return t < key.time; });
    if (after == m_keys.begin()) return make_pose(m_keys.front().translate, m_rotations.front());
    if (after == m_keys.end()) return make_pose(m_keys.back().translate, m_rotations.back());
    const auto i = std::size_t(after - m_keys.begin());
    const Keyframe &from = m_keys[i - 1], &to = m_keys[i];
    const double s = (time - from.time) / (to.time - from.time);
    return make_pose((1 - s) * from.translate + s * to.translate,
                     m_rotations[i - 1].slerp(s, m_rotations[i]));
}

namespace {

/// The time as a fraction of the deformation, clamped to [0, 1].
double share(const Deformation& d, double time) {
    return std::clamp((time - d.start) / (d.end - d.start), 0.0, 1.0);
}

/// The position that the matter at p reaches at the end of the deformation, in the given shape.
Vec3d carried(const Deformation& d, const Vec3d& p, double time) {
    return p + std::max(0.0, d.end - time) * d.velocity->at(p);
}

} // namespace

double MovedShape::deformed_distance(const Vec3d& p, double when) const {
    const Deformation& d = *deformation;
    if (!d.end_shape) return shape->distance(carried(d, p, when));
    const double s = share(d, when);
    return (1 - s) * shape->distance(p) + s * d.end_shape->distance(p);
}

Vec3d MovedShape::deformed_normal(const Vec3d& p, double when) const {
    const Deformation& d = *deformation;
    if (!d.end_shape) return shape->normal(carried(d, p, when));
    const double s = share(d, when);
    const Vec3d normal = (1 - s) * shape->normal(p) + s * d.end_shape->normal(p);
    const double length = normal.norm();
    return length > 1e-6 ? Vec3d(normal / length) : d.end_shape->normal(p);
}

Vec3d MovedShape::deforming_velocity(const Vec3d& x) const {
    const Vec3d p = to_local * x;
    Vec3d velocity;
    if (deformation->velocity)
        velocity = deformation->velocity->at(p);
    else
        velocity = (deformed_distance(p, time) - deformed_distance(p, time + dt)) / dt *
                   deformed_normal(p, time);
    return to_local.linear().transpose() * velocity;
}

MovedShape move_shape(const SdfPtr& shape, const Motion& motion, double time, double dt) {
    if (!(dt > 0))
        throw Error("the time step is " + std::to_string(dt), "collider",
                    "use a time step above 0 s");
    MovedShape moved;
    moved.shape = shape.get();
    moved.to_local = motion.at(time).inverse(Eigen::Isometry);
    const Pose after = motion.at(time + dt);
    moved.step = after * moved.to_local;
    moved.to_local_after = after.inverse(Eigen::Isometry);
    moved.dt = dt;
    moved.time = time;
    return moved;
}

MovedShape move_collider(const Collider& collider, double time, double dt) {
    MovedShape moved = move_shape(collider.shape, collider.motion, time, dt);
    moved.friction = collider.friction;
    moved.stickiness = collider.stickiness;
    if (collider.deformation.any()) moved.deformation = &collider.deformation;
    return moved;
}

double surface_speed(const MovedShape& shape) {
    const Box3 box = shape.shape->bounds();
    double fastest = 0;
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3d local((corner & 1) != 0 ? box.max.x() : box.min.x(),
                          (corner & 2) != 0 ? box.max.y() : box.min.y(),
                          (corner & 4) != 0 ? box.max.z() : box.min.z());
        if (!local.allFinite())
            return shape.velocity(shape.to_local.inverse().translation()).norm();
        fastest = std::max(fastest, shape.velocity(shape.to_local.inverse() * local).norm());
    }
    return fastest;
}

} // namespace nendo
