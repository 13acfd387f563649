// SPDX-License-Identifier: Apache-2.0
// Motion by keyframes: Houdini's order of rotations, and the velocities of moving surfaces.
#include "scene/scene.h"
#include "core/error.h"

#include <gtest/gtest.h>

#include <cmath>

namespace nendo {
namespace {

Keyframe key(double time, const Vec3d& translate, const Vec3d& rotate) {
    Keyframe k;
    k.time = time;
    k.translate = translate;
    k.rotate = rotate;
    return k;
}

Motion tumbling() {
    return Motion({key(0, {0, 0, 0}, {0, 0, 0}), key(1, {1, 2, 3}, {40, 50, 60}),
                   key(3, {0, 2, 0}, {-20, 100, 0})});
}

TEST(Motion, rotates_about_x_then_y_then_z) {
    const Pose pose = Motion({key(0, {0, 0, 0}, {90, 90, 0})}).at(5);
    // The rotation about x takes y to z, and the one about y takes that to x.
    EXPECT_NEAR((pose * Vec3d(0, 1, 0) - Vec3d(1, 0, 0)).norm(), 0, 1e-12);
    const Pose last = Motion({key(0, {0, 0, 0}, {90, 0, 90})}).at(0);
    EXPECT_NEAR((last * Vec3d(1, 0, 0) - Vec3d(0, 1, 0)).norm(), 0, 1e-12);
}

TEST(Motion, is_straight_between_keys_and_at_rest_outside) {
    const Motion motion = tumbling();
    EXPECT_TRUE(motion.moves());
    EXPECT_NEAR((motion.at(0.25).translation() - Vec3d(0.25, 0.5, 0.75)).norm(), 0, 1e-12);
    EXPECT_TRUE(motion.at(-1).isApprox(motion.at(0)));
    EXPECT_TRUE(motion.at(9).isApprox(motion.at(3)));
    EXPECT_TRUE(Motion().at(1).isApprox(Pose::Identity()));
    EXPECT_FALSE(Motion({key(2, {1, 0, 0}, {0, 0, 0})}).moves());
    const Pose half = Motion({key(0, {0, 0, 0}, {0, 0, 0}), key(1, {0, 0, 0}, {0, 0, 90})}).at(0.5);
    EXPECT_NEAR(Eigen::AngleAxisd(half.linear()).angle(), std::acos(-1.0) / 4, 1e-12);
}

TEST(Motion, times_of_keys_must_rise) {
    EXPECT_THROW(Motion({key(1, {0, 0, 0}, {0, 0, 0}), key(1, {1, 0, 0}, {0, 0, 0})}), Error);
    EXPECT_THROW(Motion({key(1, {0, 0, 0}, {0, 0, 0}), key(0, {1, 0, 0}, {0, 0, 0})}), Error);
    EXPECT_THROW(Motion({key(std::nan(""), {0, 0, 0}, {0, 0, 0})}), Error);
}

TEST(MovedShape, a_point_rides_along_exactly) {
    const SdfPtr box = make_box({0, 0, 0}, {1, 1, 1});
    const Motion motion = tumbling();
    for (const double time : {0.0, 0.4, 0.95, 2.2}) {
        const double dt = 0.1;
        const MovedShape moved = move_shape(box, motion, time, dt);
        const Vec3d local(0.5, 0.2, -0.3);
        const Vec3d x = motion.at(time) * local;
        const Vec3d arrived = x + dt * moved.velocity(x);
        EXPECT_NEAR((motion.at(time + dt).inverse() * arrived - local).norm(), 0, 1e-13);
        EXPECT_NEAR(moved.distance(x), 0, 1e-13);
        EXPECT_NEAR((moved.normal(x) - motion.at(time).linear() * Vec3d::UnitX()).norm(), 0, 1e-12);
    }
}

TEST(MovedShape, velocity_matches_differences_of_the_pose) {
    const SdfPtr box = make_box({0, 0, 0}, {1, 1, 1});
    const Motion motion = tumbling();
    const Vec3d local(0.5, 0.5, 0.1);
    for (const double time : {0.3, 1.7}) {
        const double h = 1e-5;
        const Vec3d exact = (motion.at(time + h) * local - motion.at(time - h) * local) / (2 * h);
        const MovedShape moved = move_shape(box, motion, time, 1e-6);
        EXPECT_NEAR((moved.velocity(motion.at(time) * local) - exact).norm(), 0, 1e-5);
    }
}

TEST(MovedShape, rotation_has_the_velocity_of_a_rigid_body) {
    // 90 degrees per second about z: v = omega x r.
    const Motion spin({key(0, {1, 0, 0}, {0, 0, 0}), key(1, {1, 0, 0}, {0, 0, 90})});
    const MovedShape moved = move_shape(make_sphere({0, 0, 0}, 2), spin, 0.5, 1e-7);
    const Vec3d x(1, 2, 0);
    EXPECT_NEAR((moved.velocity(x) - std::acos(-1.0) / 2 * Vec3d(-2, 0, 0)).norm(), 0, 1e-5);
}

TEST(MovedShape, a_collider_passes_on_its_surface) {
    Collider collider;
    collider.shape = make_sphere({0, 0, 0}, 1);
    collider.friction = 0.25;
    collider.stickiness = 30;
    const MovedShape moved = move_collider(collider, 0, 0.01);
    EXPECT_EQ(moved.friction, 0.25);
    EXPECT_EQ(moved.stickiness, 30);
    EXPECT_EQ(moved.velocity({1, 0, 0}).norm(), 0);
    EXPECT_THROW(move_collider(collider, 0, 0), Error);
}

TEST(Motion, interpolates_between_two_poses) {
    Pose from = Pose::Identity(), to = Pose::Identity();
    to.linear() = Eigen::AngleAxisd(0.5, Vec3d(1, 2, 2).normalized()).toRotationMatrix();
    to.translation() = Vec3d(1, 0, -1);
    const Motion motion = Motion::between(2, from, 3, to);
    EXPECT_TRUE(motion.at(2).isApprox(from));
    EXPECT_TRUE(motion.at(3).isApprox(to));
    const Eigen::AngleAxisd half(motion.at(2.5).linear());
    EXPECT_NEAR(half.angle(), 0.25, 1e-12);
    EXPECT_NEAR((motion.at(2.5).translation() - Vec3d(0.5, 0, -0.5)).norm(), 0, 1e-12);
    // Rest is exact, so it changes no bits.
    const Motion rest = Motion::between(2, from, 3, from);
    EXPECT_FALSE(rest.moves());
    EXPECT_EQ(rest.at(2.7).matrix(), Pose::Identity().matrix());
}

TEST(Deformation, surfaces_move_along_their_normals_as_distances_change) {
    Collider ball;
    ball.shape = make_sphere({0, 0, 0}, 1);
    ball.deformation.start = 1;
    ball.deformation.end = 2;
    ball.deformation.end_shape = make_sphere({0, 0, 0}, 1.5);
    const MovedShape moved = move_collider(ball, 1.5, 0.25);
    const Vec3d x(2, 0, 0);
    EXPECT_NEAR(moved.distance(x), 0.75, 1e-12);
    EXPECT_NEAR(moved.distance_after(x), 0.625, 1e-12);
    EXPECT_NEAR((moved.velocity(x) - Vec3d(0.5, 0, 0)).norm(), 0, 1e-12);
    EXPECT_NEAR((moved.normal_after(x) - Vec3d(1, 0, 0)).norm(), 0, 1e-12);
}

TEST(Deformation, a_velocity_field_carries_matter_to_the_given_shape) {
    struct Wind final : VelocityField {
        Vec3d at(const Vec3d&) const override { return {0, 2, 0}; }
    };
    Collider ball;
    ball.shape = make_sphere({0, 1, 0}, 1); // its position at the end
    ball.deformation.start = 0;
    ball.deformation.end = 0.5;
    ball.deformation.velocity = std::make_shared<Wind>();
    Pose turned = Pose::Identity();
    turned.linear() = Eigen::AngleAxisd(std::acos(-1.0) / 2, Vec3d::UnitX()).toRotationMatrix();
    ball.motion = Motion::between(0, turned, 0.5, turned);
    // In the ball's frame it starts at the origin and rises along y, which is the z axis of the
    // world.
    const MovedShape moved = move_collider(ball, 0.25, 0.25);
    EXPECT_NEAR(moved.distance({0, 0, 0.5}), -1, 1e-12);
    EXPECT_NEAR(moved.distance_after({0, 0, 1}), -1, 1e-12);
    EXPECT_NEAR((moved.velocity({3, 0, 0}) - Vec3d(0, 0, 2)).norm(), 0, 1e-12);
}

} // namespace
} // namespace nendo
