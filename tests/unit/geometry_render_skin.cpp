// A mesh that particles carry: exact for affine motion, torn and faded where they are.
#include "core/error.h"
#include "geometry/render_skin.h"
#include "geometry/sample.h"
#include "geometry/skin.h"

#include <gtest/gtest.h>

namespace nendo {
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
    const Mat3d turn = Eigen::AngleAxisd(1.1, Vec3d(1, 2, 3).normalized()).toRotationMatrix();
    const Mat3d F = turn * Vec3d(1.3, 0.8, 1).asDiagonal();
    std::vector<Vec3d> now;
    for (const Vec3d& x : rest) now.push_back(F * x + Vec3d(1, 2, 3));
    const CarriedSkin carried = skin.carry({now, {}});
    for (std::size_t i = 0; i < mesh.points.size(); ++i)
        EXPECT_LT((carried.points[i] - (F * mesh.points[i] + Vec3d(1, 2, 3))).norm(), 1e-6);
    EXPECT_EQ(carried.triangles.size(), mesh.triangles.size());
}

TEST_F(RenderSkinTest, it_tears_where_matter_does) {
    std::vector<Vec3d> now = rest;
    for (Vec3d& x : now)
        if (x.x() > 0) x.x() += 1;
    const CarriedSkin carried = skin.carry({now, {}});
    for (std::size_t i = 0; i < mesh.points.size(); ++i) {
        // Each point goes with one half, and is where that half has it.
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
    // Only what was at the tear is gone.
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

TEST_F(RenderSkinTest, bad_input_is_an_error) {
    EXPECT_THROW(RenderSkin(mesh, {}, d), Error);
    EXPECT_THROW(skin.carry({{Vec3d(0, 0, 0)}, {}}), Error);
}

} // namespace
} // namespace nendo
