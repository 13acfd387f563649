// SPDX-License-Identifier: Apache-2.0
// Scene files of fluids and bodies become the inputs of the solver.
#include "geometry/skin.h"
#include "io/scene/scenes.h"

#include <gtest/gtest.h>

#include <set>

namespace nendo {
namespace {

TEST(Skin, is_closed_and_has_edges_of_about_the_spacing) {
    const Vec3d center(1, 2, 3);
    const TriMesh skin = make_skin(center, Vec3d(2, 2, 2), 0.25);
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (const auto& t : skin.triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t a = t[k], b = t[(k + 1) % 3];
            EXPECT_TRUE(edges.insert({a, b}).second)
                << "an edge is used twice in the same direction";
            const double length = (skin.points[a] - skin.points[b]).norm();
            EXPECT_GT(length, 0.7 * 0.25);
            EXPECT_LT(length, 1.3 * 0.25);
        }
        const Vec3d &a = skin.points[t[0]], &b = skin.points[t[1]], &c = skin.points[t[2]];
        EXPECT_GT((b - a).cross(c - a).dot(a - center), 0) << "a triangle faces inward";
    }
    for (const auto& [a, b] : edges) EXPECT_TRUE(edges.count({b, a})) << "there is a hole";
    EXPECT_EQ(skin.points.size() + skin.triangles.size(), edges.size() / 2 + 2); // Euler
    for (const Vec3d& x : skin.points) EXPECT_NEAR((x - center).norm(), 2, 1e-12);
}

coupling::BuiltScene build_fluid(const std::string& text) {
    Host host;
    return coupling::build_scene(
        read_scene<coupling::SceneSpec>(parse_json(text, "scene.json"), "scene.json"), "scene.json",
        host);
}

TEST(CouplingScene, fluid_makes_room_for_bodies) {
    const auto built = build_fluid(R"({"method": "coupling", "solver": {"spacing": 0.25},
        "bodies": [
            {"box": {"center": [0, 0, 0], "size": [2, 2, 2]}, "material": {"preset": "water"}},
            {"sphere": {"radius": 0.6}, "shell": 0.3,
             "cut": {"point": [0, -0.2, 0], "normal": [0, 1, 0]},
             "material": {"preset": "jellyfish", "density": 1050}}]})");
    const auto& fluid = built.bodies.bodies[0];
    const auto& bell = built.bodies.bodies[1];
    EXPECT_EQ(bell.spacing, 0.125);
    EXPECT_EQ(bell.material.density, 1050);
    EXPECT_EQ(bell.material.damping, 10);
    EXPECT_LT(fluid.points.size(), 512u);
    EXPECT_GT(fluid.points.size(), 400u);
    for (const Vec3d& x : bell.points) {
        EXPECT_GE(x.y(), -0.2);
        EXPECT_GE(x.norm(), 0.3 - 1e-9);
        for (const Vec3d& y : fluid.points) EXPECT_GT((x - y).norm(), 0.16);
    }
}

TEST(CouplingScene, has_muscles_taps_and_drains) {
    const auto built = build_fluid(R"({"method": "coupling", "solver": {"spacing": 0.25},
        "bodies": [
            {"box": {}, "material": {"preset": "oil"}},
            {"box": {"center": [0, 3, 0]}, "material": {"preset": "telescopic"}},
            {"sphere": {"center": [9, 0, 0]}, "membrane": true,
             "material": {"preset": "balloon"}}],
        "muscles": [{"body": 1, "period": 2, "keys": [{"time": 0}, {"time": 1, "length": 0.5}]}],
        "taps": [{"fluid": 0, "radius": 0.4, "end": null}],
        "drains": [{"plane": {"point": [0, -3, 0]}}, {"box": {"center": [8, 0, 0]}}]})");
    EXPECT_EQ(built.bodies.taps[0].material.density, 900);
    EXPECT_EQ(built.bodies.drains.size(), 2u);
    EXPECT_LT(built.bodies.drains[0].shape->distance({0, -4, 0}), 0);
    EXPECT_DOUBLE_EQ(built.bodies.muscles[0].at(2.5).length, 0.75);
    EXPECT_FALSE(built.bodies.bodies[2].faces.empty());
}

TEST(CouplingScene, refuses_a_tap_whose_material_is_not_a_fluid) {
    try {
        build_fluid(
            R"({"method": "coupling", "bodies": [{"box": {}, "material": {"preset": "membrane"}}],
                  "taps": [{"fluid": 0}]})");
        ADD_FAILURE() << "no error";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("not a fluid"), std::string::npos) << error.what();
    }
}

} // namespace
} // namespace nendo
