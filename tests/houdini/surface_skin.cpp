// SPDX-License-Identifier: Apache-2.0
// Nendo Surface with a rest mesh: a render skin that tears and fades, and UVs from the closest rest
// point.
#include "support.h"

#include "geometry/sample.h"
#include "geometry/skin.h"
#include "surface/render_skin.h"
#include "surface/rest_uv.h"

#include <algorithm>
#include <numeric>

using namespace nendo;
using namespace nendo::houdini;

namespace {

constexpr double d = 0.1;

/// A ball of particles inside a fine mesh, both at rest.
struct Skinned : testing::Test {
    TexturedMesh skin;
    std::vector<Vec3d> rest = place_masters(*make_sphere({0, 0, 0}, 0.6), d);
    GU_Detail mesh, rest_particles, particles;
    Node node{"nendo_surface"};

    void SetUp() override {
        skin.mesh = make_skin({0, 0, 0}, {0.6, 0.6, 0.6}, 0.04);
        for (const Vec3d& x : skin.mesh.points)
            skin.uv.emplace_back(float(x.x()), 2 * float(x.y()), 0.0f);
        const std::vector<GA_Offset> points = write_polygons(mesh, skin.mesh);
        write_column(mesh, points, field("uv"), skin.uv);
        std::vector<float> wear(points.size());
        std::iota(wear.begin(), wear.end(), 0.0f);
        write_column(mesh, points, field("wear"), wear);
        add_particles(rest_particles, rest);
    }
    static void add_particles(GU_Detail& to, const std::vector<Vec3d>& positions) {
        const std::vector<GA_Offset> points = append_points(to, positions);
        std::vector<std::int64_t> ids(points.size());
        std::iota(ids.begin(), ids.end(), 5);
        write_column(to, points, field("id"), ids);
        write_column(to, points, field("pscale"), std::vector<float>(points.size(), float(d / 2)));
    }
    const GU_Detail& cook() { return node.wire(particles).wire(mesh).wire(rest_particles).cook(); }
    GA_Size polygons() const { return mesh.getNumPrimitives(); }
};

TEST_F(Skinned, the_mesh_moves_with_the_particles_and_keeps_its_attributes) {
    const Mat3d rotation = Eigen::AngleAxisd(0.7, Vec3d(1, 1, 0).normalized()).toRotationMatrix();
    std::vector<Vec3d> now;
    for (const Vec3d& x : rest) now.push_back(rotation * x + Vec3d(1, 0, 0));
    add_particles(particles, now);
    const GU_Detail& out = cook();
    ASSERT_EQ(out.getNumPrimitives(), polygons()); // all polygons, and nothing bare
    ASSERT_EQ(out.getNumPoints(), mesh.getNumPoints());
    const auto places = column<Vec3<float>>(out, "P");
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Vec3d expected = rotation * skin.mesh.points[i] + Vec3d(1, 0, 0);
        EXPECT_LT((places[i].cast<double>() - expected).norm(), 1e-5);
    }
    EXPECT_EQ(column<Vec3<float>>(out, "uv"), skin.uv);
    EXPECT_EQ(column<float>(out, "wear").back(), float(places.size() - 1));
    for (const float fade : column<float>(out, "fade")) EXPECT_EQ(fade, 0);
}

TEST_F(Skinned, polygons_tear_and_the_surface_shows_in_the_tear) {
    std::vector<Vec3d> now = rest;
    for (Vec3d& x : now)
        if (x.x() > 0) x.x() += 1;
    add_particles(particles, now);
    const GU_Detail& out = cook();
    const TriMesh made = read_polygons(out, "test");
    const auto fade = column<float>(out, "fade");
    std::vector<char> used(made.points.size(), 0);
    std::size_t bare = 0, left = 0;
    for (const auto& t : made.triangles) {
        double low = infinite, high = -infinite;
        for (const std::uint32_t corner : t) {
            used[corner] = 1;
            low = std::min(low, made.points[corner].x());
            high = std::max(high, made.points[corner].x());
        }
        EXPECT_LT(high - low, 0.2); // nothing spans the gap
        ++(fade[t[0]] == 1 ? bare : left);
    }
    EXPECT_LT(left, std::size_t(polygons()));
    EXPECT_GT(left, std::size_t(polygons()) * 85 / 100);
    EXPECT_GT(bare, 100u);
    EXPECT_EQ(std::count(used.begin(), used.end(), 0), 0); // no loose points
    // The visible surface has the texture of the closest rest point.
    const auto uv = column<Vec3<float>>(out, "uv"), places = column<Vec3<float>>(out, "rest");
    const std::vector<Vec3<float>> expected = uv_by_closest_point(skin, cast<double>(places));
    for (std::size_t i = 0; i < uv.size(); ++i)
        if (fade[i] == 1) {
            EXPECT_LT((uv[i] - expected[i]).norm(), 1e-5);
        }
}

TEST_F(Skinned, the_skin_passes_over_to_the_surface_where_matter_melts) {
    add_particles(particles, rest);
    std::vector<float> melted;
    for (const Vec3d& x : rest) melted.push_back(float(std::clamp(x.y() / 0.4, 0.0, 1.0)));
    write_column(particles, point_offsets(particles), field("melted"), melted);
    const GU_Detail& out = cook();
    const auto fade = column<float>(out, "fade");
    const auto places = column<Vec3<float>>(out, "rest");
    std::size_t part = 0, gone = 0;
    for (std::size_t i = 0; i < fade.size(); ++i) {
        if (places[i].y() < -0.25f) {
            EXPECT_EQ(fade[i], 0);
        }
        part += fade[i] > 0 && fade[i] < 1;
        gone += fade[i] == 1;
    }
    EXPECT_GT(part, 100u);
    EXPECT_GT(gone, 100u);
}

TEST_F(Skinned, the_surface_has_the_uv_of_its_closest_rest_point) {
    std::vector<Vec3d> now;
    for (const Vec3d& x : rest) now.push_back(x + Vec3d(0, 3, 0));
    add_particles(particles, now);
    const GU_Detail& out = node.set("rest_mesh", std::string("uv"))
                               .wire(particles)
                               .wire(mesh)
                               .wire(rest_particles)
                               .cook();
    const auto uv = column<Vec3<float>>(out, "uv");
    const auto places = column<Vec3<float>>(out, "P");
    ASSERT_GT(uv.size(), 1000u);
    for (std::size_t i = 0; i < uv.size(); ++i) {
        // The texture is x and 2 y at rest, on a ball; the surface is within a fifth of a spacing.
        const Vec3d at = (places[i].cast<double>() - Vec3d(0, 3, 0)).normalized() * 0.6;
        EXPECT_NEAR(double(uv[i].x()), at.x(), 0.05 * d);
        EXPECT_NEAR(double(uv[i].y()), 2 * at.y(), 0.1 * d);
    }
}

TEST_F(Skinned, rest_may_be_an_attribute_of_the_particles) {
    std::vector<Vec3d> now;
    for (const Vec3d& x : rest) now.push_back(x + Vec3d(0, 1, 0));
    append_points(particles, now);
    const std::vector<GA_Offset> points = point_offsets(particles);
    write_column(particles, points, field("pscale"), std::vector<float>(points.size(), 0.05f));
    node.wire(particles).wire(mesh);
    EXPECT_EQ(node.error(),
              "input 1: the rest positions of the particles are not known; wire the particles at "
              "the frame at which the mesh fits them to input 3, or give them the attribute rest");
    write_column(particles, points, field("rest").meaning(Meaning::point), cast<float>(rest));
    const auto places = column<Vec3<float>>(node.cook(), "P");
    ASSERT_EQ(places.size(), skin.mesh.points.size());
    for (std::size_t i = 0; i < places.size(); ++i)
        EXPECT_LT((places[i].cast<double>() - skin.mesh.points[i] - Vec3d(0, 1, 0)).norm(), 1e-5);
}

TEST_F(Skinned, bad_meshes_are_errors) {
    add_particles(particles, rest);
    GU_Detail none;
    node.wire(particles).wire(none).wire(rest_particles);
    EXPECT_EQ(node.error(), "input 2: there are no polygons; connect the mesh at rest");
    node.sop->standin_inputs[1] = &mesh;
    mesh.destroyAttribute(GA_ATTRIB_POINT, "uv");
    EXPECT_NE(node.set("rest_mesh", std::string("uv")).error().find("the mesh has no uv"),
              std::string::npos);
}

} // namespace
