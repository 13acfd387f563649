// SPDX-License-Identifier: Apache-2.0
// Shapes: distances against closed forms, gradients against differences, the animal's size.
#include "core/error.h"
#include "geometry/sdf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace nendo::sdf {
namespace {

std::vector<Vec3d> random_points(std::size_t n, double size) {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> uniform(-size, size);
    std::vector<Vec3d> points(n);
    for (Vec3d& p : points) p = Vec3d(uniform(random), uniform(random), uniform(random));
    return points;
}

Pose some_pose() {
    Pose pose = Pose::Identity();
    pose.linear() = Eigen::AngleAxisd(0.7, Vec3d(1, 2, 3).normalized()).toRotationMatrix();
    pose.translation() = Vec3d(0.3, -0.2, 0.1);
    return pose;
}

std::vector<SdfPtr> every_shape() {
    return {
        make_plane({0, 0.1, 0}, {1, 2, -1}),
        make_box({0.1, 0, 0}, {1, 0.5, 0.7}),
        make_sphere({0, 0.2, 0}, 0.6),
        make_ellipsoid({0, 0, 0.1}, {0.9, 0.3, 0.5}),
        make_capsule({-0.5, 0, 0}, {0.4, 0.3, 0.2}, 0.25),
        make_union({make_sphere({-0.3, 0, 0}, 0.4), make_box({0.3, 0, 0}, {0.5, 0.5, 0.5})}, 0.1),
        make_animal(1.0),
        make_posed(make_box({0, 0, 0}, {1, 0.5, 0.7}), some_pose())};
}

TEST(Sdf, known_distances_are_exact) {
    EXPECT_DOUBLE_EQ(make_plane({0, 1, 0}, {0, 3, 0})->distance({5, 3, 5}), 2);
    const SdfPtr box = make_box({0, 0, 0}, {2, 4, 6});
    EXPECT_DOUBLE_EQ(box->distance({0, 0, 0}), -1);
    EXPECT_DOUBLE_EQ(box->distance({0, 1.5, 0}), -0.5);
    EXPECT_DOUBLE_EQ(box->distance({4, 6, 0}), 5);
    EXPECT_DOUBLE_EQ(make_sphere({1, 0, 0}, 2)->distance({1, 0, 5}), 3);
    EXPECT_DOUBLE_EQ(make_capsule({0, 0, 0}, {0, 2, 0}, 1)->distance({3, 1, 0}), 2);
    EXPECT_DOUBLE_EQ(make_capsule({0, 0, 0}, {0, 2, 0}, 1)->distance({0, 5, 0}), 2);
    EXPECT_NEAR(make_ellipsoid({0, 0, 0}, {3, 2, 1})->distance({5, 0, 0}), 2, 1e-12);
    EXPECT_NEAR(make_ellipsoid({0, 0, 0}, {3, 2, 1})->distance({0, 0, 0}), -1, 1e-12);
    EXPECT_NEAR(make_ellipsoid({0, 0, 0}, {3, 2, 1})->distance({0, 1.5, 0}), -0.5, 0.3);
}

/// The closest point given by distance and normal lies on the ellipsoid, and the path to it runs
/// along the ellipsoid's own normal; together this makes the distance exact.
TEST(Sdf, an_ellipsoid_is_exact) {
    const Vec3d radii(0.9, 0.3, 0.5);
    const SdfPtr shape = make_ellipsoid({0, 0, 0}, radii);
    for (const Vec3d& p : random_points(2000, 1.5)) {
        const Vec3d foot = p - shape->distance(p) * shape->normal(p);
        EXPECT_NEAR(foot.cwiseQuotient(radii).squaredNorm(), 1, 1e-9);
        const Vec3d across = foot.cwiseQuotient(radii.cwiseAbs2()).normalized();
        EXPECT_NEAR(across.dot(shape->normal(p)), 1, 1e-9);
    }
}

TEST(Sdf, the_normal_is_the_gradient_and_has_unit_length) {
    for (const SdfPtr& shape : every_shape()) {
        int differ = 0;
        for (const Vec3d& p : random_points(1000, 1.2)) {
            const Vec3d n = shape->normal(p);
            ASSERT_NEAR(n.norm(), 1, 1e-12);
            differ += (n - shape->Sdf::normal(p)).norm() > 1e-4;
        }
        EXPECT_LE(differ, 10); // points close to a ridge of the distance
    }
}

/// A distance bound never exceeds the distance to the surface: it changes by at most the step.
TEST(Sdf, distances_are_bounds) {
    const std::vector<Vec3d> a = random_points(4000, 1.2);
    for (const SdfPtr& shape : every_shape())
        for (std::size_t i = 1; i < a.size(); ++i)
            ASSERT_LE(std::abs(shape->distance(a[i]) - shape->distance(a[i - 1])),
                      (a[i] - a[i - 1]).norm() * (1 + 1e-12));
}

TEST(Sdf, bounds_contain_the_inside) {
    for (const SdfPtr& shape : every_shape()) {
        const Box3 box = shape->bounds();
        for (const Vec3d& p : random_points(20000, 1.2))
            ASSERT_TRUE(!shape->inside(p) || ((p.array() >= box.min.array()).all() &&
                                              (p.array() <= box.max.array()).all()));
    }
    EXPECT_DOUBLE_EQ(make_plane({0, 2, 0}, {0, 1, 0})->bounds().max.y(), 2);
    EXPECT_FALSE(is_finite(make_plane({0, 2, 0}, {0, 1, 0})->bounds()));
}

TEST(Sdf, normals_are_safe_everywhere) {
    for (const SdfPtr& shape : every_shape())
        for (const Vec3d& p :
             {Vec3d(0, 0, 0), Vec3d(0, 0.2, 0), Vec3d(0, 0, 0.1), Vec3d(1e9, 0, 0)})
            EXPECT_NEAR(shape->normal(p).norm(), 1, 1e-9);
}

TEST(Animal, stands_on_the_ground_and_is_as_tall_as_requested) {
    for (const double height : {0.1, 1.0, 7.0}) {
        const SdfPtr animal = make_animal(height);
        double lowest = infinite, highest = -infinite;
        for (const Vec3d& p : random_points(200000, 0.5 * height)) {
            const Vec3d q = p + Vec3d(0, 0.5 * height, 0);
            if (!animal->inside(q)) continue;
            lowest = std::min(lowest, q.y());
            highest = std::max(highest, q.y());
            ASSERT_TRUE(animal->inside({-q.x(), q.y(), q.z()})); // left and right are alike
        }
        EXPECT_NEAR(lowest, 0, 0.01 * height);
        EXPECT_NEAR(highest, height, 0.03 * height);
        EXPECT_DOUBLE_EQ(animal->bounds().max.y(), height);
        EXPECT_LT(animal->distance(Vec3d(0.075, 0.02, 0.24) * height), 0); // a paw
        // Somewhere in each ear, matter extends 3 % of the height in all directions.
        double deepest = 0;
        for (const Vec3d& p : random_points(20000, 0.2 * height)) {
            const Vec3d q = p + Vec3d(0, 0.85 * height, 0);
            if (q.y() > 0.75 * height) deepest = std::min(deepest, animal->distance(q));
        }
        EXPECT_LT(deepest, -0.03 * height);
    }
}

TEST(Sdf, bad_shapes_are_errors) {
    EXPECT_THROW(make_box({0, 0, 0}, {1, 0, 1}), Error);
    EXPECT_THROW(make_sphere({0, 0, 0}, -1), Error);
    EXPECT_THROW(make_plane({0, 0, 0}, {0, 0, 0}), Error);
    EXPECT_THROW(make_union({}, 0), Error);
    EXPECT_THROW(make_animal(std::nan("")), Error);
}

} // namespace
} // namespace nendo::sdf
