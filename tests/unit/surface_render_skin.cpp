// SPDX-License-Identifier: Apache-2.0
// A mesh carried by particles: exact for affine motion, torn and faded where the particles are.
#include "core/error.h"
#include "geometry/sample.h"
#include "geometry/skin.h"
#include "geometry/triangle_tree.h"
#include "surface/render_skin.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <variant>

namespace nendo::render_skin {
namespace {

constexpr double d = 0.1;

struct RenderSkinTest : testing::Test {
    TriMesh mesh = make_skin({0, 0, 0}, {0.6, 0.6, 0.6}, 0.04);
    std::vector<Vec3d> rest = place_masters(*make_sphere({0, 0, 0}, 0.6), d);
    RenderSkin skin{mesh, rest, d};
};

TEST_F(RenderSkinTest, at_rest_it_is_the_mesh) {
    const CarriedSkin carried = skin.carry({rest, {}});
    for (std::size_t i = 0; i < mesh.points.size(); ++i)
        EXPECT_LT((carried.points[i] - mesh.points[i]).norm(), 1e-9);
    EXPECT_EQ(carried.triangles.size(), mesh.triangles.size());
}

TEST_F(RenderSkinTest, affine_motion_is_followed_exactly) {
    const Mat3d rotation = Eigen::AngleAxisd(1.1, Vec3d(1, 2, 3).normalized()).toRotationMatrix();
    const Mat3d F = rotation * Vec3d(1.3, 0.8, 1).asDiagonal();
    std::vector<Vec3d> now;
    for (const Vec3d& x : rest) now.push_back(F * x + Vec3d(1, 2, 3));
    const CarriedSkin carried = skin.carry({now, {}});
    for (std::size_t i = 0; i < mesh.points.size(); ++i)
        EXPECT_LT((carried.points[i] - (F * mesh.points[i] + Vec3d(1, 2, 3))).norm(), 1e-6);
    EXPECT_EQ(carried.triangles.size(), mesh.triangles.size());
}

TEST_F(RenderSkinTest, it_tears_where_matter_tears) {
    std::vector<Vec3d> now = rest;
    for (Vec3d& x : now)
        if (x.x() > 0) x.x() += 1;
    const CarriedSkin carried = skin.carry({now, {}});
    for (std::size_t i = 0; i < mesh.points.size(); ++i) {
        // Each point follows one half and has the position that this half gives it.
        const Vec3d moved = carried.points[i] - mesh.points[i];
        EXPECT_LT(std::min(moved.norm(), (moved - Vec3d(1, 0, 0)).norm()), 0.05 * d);
    }
    EXPECT_LT(carried.triangles.size(), mesh.triangles.size());
    for (const std::uint32_t t : carried.triangles) {
        double low = infinite, high = -infinite;
        for (const std::uint32_t corner : mesh.triangles[t]) {
            low = std::min(low, carried.points[corner].x());
            high = std::max(high, carried.points[corner].x());
        }
        EXPECT_LT(high - low, 0.2); // nothing spans the gap
    }
    // Only triangles at the tear are gone.
    EXPECT_GT(carried.triangles.size(), mesh.triangles.size() * 85 / 100);
}

TEST_F(RenderSkinTest, it_fades_where_matter_melts) {
    std::vector<float> melted;
    for (const Vec3d& x : rest) melted.push_back(x.y() > 0 ? 1.0f : 0.0f);
    const CarriedSkin carried = skin.carry({rest, melted});
    for (std::size_t i = 0; i < mesh.points.size(); ++i) {
        if (mesh.points[i].y() > 2.1 * d) {
            EXPECT_EQ(carried.fade[i], 1);
        }
        if (mesh.points[i].y() < -2.1 * d) {
            EXPECT_EQ(carried.fade[i], 0);
        }
    }
    for (const std::uint32_t t : carried.triangles)
        EXPECT_LT(mesh.points[mesh.triangles[t][0]].y(), 3 * d);
}

/// The ball with ids, as input of a surface.
SurfaceInput matter_at(const std::vector<Vec3d>& positions) {
    SurfaceInput input;
    input.spacing = d;
    input.positions = positions;
    std::vector<std::int64_t> ids(positions.size());
    std::iota(ids.begin(), ids.end(), 100);
    input.attributes.push_back({"id", 1, Meaning::value, std::move(ids)});
    return input;
}

TEST_F(RenderSkinTest, carriers_are_found_by_id_and_missing_ones_are_left_out) {
    SurfaceInput now = matter_at(rest);
    std::reverse(now.positions.begin(), now.positions.end());
    auto& ids = std::get<std::vector<std::int64_t>>(now.attributes[0].values);
    std::reverse(ids.begin(), ids.end());
    // All particles far above are gone.
    std::vector<Vec3d> left;
    std::vector<std::int64_t> left_ids;
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (now.positions[i].y() < 0.3) {
            left.push_back(now.positions[i] + Vec3d(1, 0, 0));
            left_ids.push_back(ids[i]);
        }
    now.positions = left;
    ids = left_ids;
    const CarriedSkin carried = skin.carry(match_carriers(matter_at(rest), now));
    std::size_t seen = 0;
    for (const std::uint32_t t : carried.triangles)
        for (const std::uint32_t corner : mesh.triangles[t]) {
            EXPECT_LT((carried.points[corner] - mesh.points[corner] - Vec3d(1, 0, 0)).norm(), 1e-6);
            EXPECT_LT(mesh.points[corner].y(), 0.3 + 2 * d);
            ++seen;
        }
    EXPECT_GT(seen, mesh.triangles.size());
    now.attributes.clear();
    EXPECT_THROW(match_carriers(matter_at(rest), now), Error);
}

TEST_F(RenderSkinTest, whole_and_solid_matter_leaves_nothing_bare) {
    const Surface surface = surface_particles(matter_at(rest), {});
    const CarriedSkin carried = skin.carry({rest, {}}, surface);
    EXPECT_EQ(skin.bare_part(carried, surface).mesh.triangles.size(), 0u);
}

TEST_F(RenderSkinTest, faces_of_a_tear_are_bare_and_close_it) {
    std::vector<Vec3d> now = rest;
    for (Vec3d& x : now)
        if (x.x() > 0) x.x() += 1;
    const Surface surface = surface_particles(matter_at(now), {});
    const CarriedSkin carried = skin.carry({now, {}}, surface);
    const TriMesh left = skin.mesh_of(carried);
    const Surface bare = skin.bare_part(carried, surface);
    // The two faces look at each other; each has the area of a disc, plus a rim.
    double area = 0;
    for (const auto& t : bare.mesh.triangles) {
        const Vec3d &a = bare.mesh.points[t[0]], &b = bare.mesh.points[t[1]],
                    &c = bare.mesh.points[t[2]];
        area += (b - a).cross(c - a).norm() / 2;
        EXPECT_GT(a.x(), -0.3);
        EXPECT_LT(a.x(), 1.3);
    }
    EXPECT_GT(area, 2 * M_PI * 0.6 * 0.6 * 0.85);
    EXPECT_LT(area, 2 * M_PI * 0.6 * 0.6 * 1.5);
    // Skin and bare part together enclose each half; they overlap by a strip.
    TriMesh whole = left;
    const auto first = static_cast<std::uint32_t>(whole.points.size());
    whole.points.insert(whole.points.end(), bare.mesh.points.begin(), bare.mesh.points.end());
    for (const auto& t : bare.mesh.triangles)
        whole.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    const TriangleTree tree(whole);
    EXPECT_NEAR(tree.winding({-0.3, 0, 0}), 1, 0.1);
    EXPECT_NEAR(tree.winding({1.3, 0, 0}), 1, 0.1);
    EXPECT_NEAR(tree.winding({0.5, 0, 0}), 0, 0.1);
}

TEST_F(RenderSkinTest, melting_matter_passes_over_to_the_level_set) {
    SurfaceInput input = matter_at(rest);
    // Melted at the top, with all degrees in between.
    for (const Vec3d& x : rest)
        input.melted.push_back(static_cast<float>(std::clamp(x.y() / 0.4, 0.0, 1.0)));
    for (Vec3d& x : input.positions) x.y() *= x.y() > 0 ? 0.8 : 1; // sunk as well
    const Surface surface = surface_particles(input, {});
    const CarriedSkin plain = skin.carry({input.positions, input.melted});
    const CarriedSkin carried = skin.carry({input.positions, input.melted}, surface);
    const TriangleTree tree(surface.mesh);
    std::size_t part = 0;
    for (std::size_t i = 0; i < mesh.points.size(); ++i) {
        const double before = tree.closest(plain.points[i]).distance;
        const double after = tree.closest(carried.points[i]).distance;
        EXPECT_NEAR(after, (1 - double(carried.fade[i])) * before, 0.02 * d);
        part += carried.fade[i] > 0 && carried.fade[i] < 1;
    }
    EXPECT_GT(part, mesh.points.size() / 10);
    // Where the skin is gone the level set is bare, and only there.
    const Surface bare = skin.bare_part(carried, surface);
    EXPECT_GT(bare.mesh.triangles.size(), 0u);
    for (const Vec3d& p : bare.mesh.points) EXPECT_GT(p.y(), 0.3);
    EXPECT_EQ(bare.mesh.velocities.size(), bare.mesh.points.size());
    for (const PointAttribute& a : bare.attributes)
        EXPECT_EQ(std::get<std::vector<std::int64_t>>(a.values).size(), bare.mesh.points.size());
}

TEST_F(RenderSkinTest, bad_input_is_an_error) {
    EXPECT_THROW(RenderSkin(mesh, {}, d), Error);
    EXPECT_THROW(skin.carry({{Vec3d(0, 0, 0)}, {}}), Error);
}

} // namespace
} // namespace nendo::render_skin
