// SPDX-License-Identifier: Apache-2.0
// Light in the preview: the laws of Snell and Fresnel, a slab that shifts the view behind it, a
// furnace that nothing outshines, and wax that lets light through where it is thin.
#include "preview/light.h"

#include "geometry/level_set.h"
#include "math/kernels.h"

#include <gtest/gtest.h>
#include <openvdb/tools/LevelSetPlatonic.h>
#include <openvdb/tools/LevelSetSphere.h>

#include <cmath>

namespace nendo::cli {
namespace {

Surface surface_of(const openvdb::FloatGrid::Ptr& grid) {
    auto level_set = std::make_shared<LevelSet>();
    level_set->distance = grid;
    return mesh_level_set(level_set, 0);
}

Surface ball(double radius, double voxel) {
    openvdb::initialize();
    return surface_of(openvdb::tools::createLevelSetSphere<openvdb::FloatGrid>(
        float(radius), openvdb::Vec3f(0), float(voxel)));
}

/// A slab from -half to half along z, three meters wide.
Surface slab(double half, double voxel) {
    openvdb::initialize();
    const auto transform = openvdb::math::Transform::createLinearTransform(voxel);
    const openvdb::math::BBox<openvdb::Vec3s> box(openvdb::Vec3s(-1.5f, -1.5f, float(-half)),
                                                  openvdb::Vec3s(1.5f, 1.5f, float(half)));
    return surface_of(openvdb::tools::createLevelSetBox<openvdb::FloatGrid>(box, *transform));
}

Look clear(double ior) {
    Look look = find_look("water");
    look.ior = ior;
    look.roughness = 0;
    return look;
}

TEST(PreviewLight, refraction_follows_snell) {
    for (const double eta : {1.33, 1 / 1.33})
        for (const double angle : {0.1, 0.4, 0.8}) {
            const Vec3d in(std::sin(angle), -std::cos(angle), 0);
            const Vec3d out = refract(in, Vec3d::UnitY(), eta);
            if (std::sin(angle) / eta > 1) {
                EXPECT_TRUE(out.isZero());
                continue;
            }
            EXPECT_NEAR(out.x() * eta, in.x(), 1e-12);
            EXPECT_NEAR(out.norm(), 1, 1e-12);
        }
}

TEST(PreviewLight, reflection_follows_fresnel) {
    EXPECT_NEAR(fresnel(1, 1.5), 0.04, 1e-12); // ((n - 1) / (n + 1))^2
    EXPECT_NEAR(fresnel(0, 1.5), 1, 1e-12);
    EXPECT_EQ(fresnel(std::cos(0.9), 1 / 1.5), 1); // beyond the critical angle of 0.73
    // At Brewster's angle half of the unpolarized light has no reflection.
    const double brewster = std::atan(1.5), r = std::sin(brewster - (pi / 2 - brewster));
    EXPECT_NEAR(fresnel(std::cos(brewster), 1.5), 0.5 * r * r, 1e-12);
    // The share is the same in both directions.
    const double c = std::cos(0.5), inner = std::sqrt(1 - (1 - c * c) / (1.5 * 1.5));
    EXPECT_NEAR(fresnel(c, 1.5), fresnel(inner, 1 / 1.5), 1e-12);
}

TEST(PreviewLight, a_slab_displaces_as_snell_predicts) {
    // Seen at an angle through a slab of thickness d, the background is shifted sideways by d
    // sin(a) (1 - cos(a) / sqrt(n^2 - sin^2 a)).
    const double half = 0.2, ior = 1.5, angle = 45 * pi / 180;
    const Surface glass = slab(half, 0.02);
    // A dark wall fills the half space x > 0 behind the slab; its edge is shifted.
    PreviewCollider wall;
    wall.shape = make_box({5, 0, -0.85}, {10, 10, 0.1});
    wall.color = Vec3d(0.01, 0.01, 0.01);
    PreviewScene scene;
    scene.surfaces = {&glass};
    Shade shade{Vec3d(1, 1, 1)};
    shade.look = clear(ior);
    scene.shades = {shade};
    scene.colliders = {wall};
    scene.daylight.sun.setZero();
    scene.daylight.low = scene.daylight.high = Color::Ones();
    PreviewScene bare = scene;
    bare.surfaces.clear();

    const Vec3d direction(std::sin(angle), 0, -std::cos(angle));
    const Vec3d aside(std::cos(angle), 0, std::sin(angle)); // across the view
    // The offset of the view at which it crosses the edge of the wall.
    const auto edge = [&](const PreviewScene& seen) {
        const World world(seen);
        const World::Rays rays(world);
        const Light light(world, seen.daylight, Vec3d::UnitY(), 0.1);
        double low = -1.2, high = 0; // light on the left, dark on the right
        for (int k = 0; k < 40; ++k) {
            const double middle = (low + high) / 2;
            const Ray ray{middle * aside - 3 * direction, direction};
            (light.along(ray, rays)[0] > 0.5f ? low : high) = middle;
        }
        return low;
    };
    const double expected =
        2 * half * std::sin(angle) *
        (1 - std::cos(angle) / std::sqrt(ior * ior - std::sin(angle) * std::sin(angle)));
    // The ray leaves shifted away from the side to which it is tilted.
    EXPECT_NEAR(std::abs(edge(scene) - edge(bare)), expected, 0.03 * expected);
    EXPECT_GT(expected, 0.12);
}

TEST(PreviewLight, nothing_outshines_a_furnace) {
    const Surface surface = ball(0.5, 0.03);
    for (const Look& look : looks()) {
        if (look.glow > 0) continue;
        PreviewScene scene;
        scene.surfaces = {&surface};
        Shade shade{Vec3d(1, 1, 1)};
        shade.look = look;
        scene.shades = {shade};
        scene.daylight.sun.setZero();
        scene.daylight.sky = scene.daylight.low = scene.daylight.high = Color::Ones();
        const World world(scene);
        const World::Rays rays(world);
        const Light light(world, scene.daylight, Vec3d(0, 1, 1), 0.1);
        float brightest = 0, clearest = 1;
        for (int k = 0; k < 400; ++k) {
            const double x = -0.49 + 0.98 * (k % 20) / 19, y = -0.49 + 0.98 * (k / 20) / 19;
            const Color seen = light.along({{x, y, 3}, {0, 0, -1}}, rays);
            brightest = std::max(brightest, seen.maxCoeff());
            clearest = std::min(clearest, seen.minCoeff());
        }
        EXPECT_LE(brightest, 1.0001f) << look.name;
        // Clear, colorless matter absorbs nothing, so it is invisible in a furnace.
        if (look.transmission == 1) {
            EXPECT_GE(clearest, 0.98f) << look.name;
        }
    }
}

TEST(PreviewLight, wax_lets_light_through_where_it_is_thin) {
    const auto behind = [](double half, const char* name) {
        const Surface plate = slab(half, 0.02);
        PreviewScene scene;
        scene.surfaces = {&plate};
        Shade shade{Vec3d(0.9, 0.8, 0.6)};
        shade.look = find_look(name);
        scene.shades = {shade};
        const World world(scene);
        const World::Rays rays(world);
        const Light light(world, scene.daylight, Vec3d(0, 0, -1), 0.1); // behind the plate
        const Ray ray{{0, 0, 3}, {0, 0, -1}};
        return light.scattered(rays.trace(ray), ray, rays);
    };
    const Color thin = behind(0.06, "wax"), thick = behind(0.3, "wax");
    EXPECT_GT(thin[0], 0.2f);
    // Red light travels farther than blue.
    EXPECT_GT(thick[0], 1.5f * thick[2]);
    EXPECT_EQ(behind(0.06, "clay").norm(), 0);
    // Beer's law: twice the length squares the remaining share.
    const double depth = find_look("wax").depth, size = std::sqrt(3 * 3 + 3 * 3 + 0.6 * 0.6);
    const double share = 0.6 * find_look("wax").subsurface * 0.9 * 1.3;
    EXPECT_NEAR(std::log(share / double(thick[0])), 0.6 / (depth * size),
                0.1 * 0.6 / (depth * size));
}

} // namespace
} // namespace nendo::cli
