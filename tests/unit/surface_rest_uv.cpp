// SPDX-License-Identifier: Apache-2.0
// Texture coordinates by position at rest.
#include "core/error.h"
#include "geometry/sample.h"
#include "surface/rest_uv.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <variant>

namespace nendo::rest_uv {
namespace {

constexpr double d = 0.1;

/// A box with a UV that is known everywhere: each face has its own square of the texture, so that
/// all edges are seams.
struct Atlas {
    TexturedMesh textured;
    Vec3d half{0.5, 0.4, 0.6};

    Atlas() {
        for (int axis = 0; axis < 3; ++axis)
            for (const double side : {-1.0, 1.0}) {
                const int u = (axis + 1) % 3, v = (axis + 2) % 3;
                const auto first = static_cast<std::uint32_t>(textured.mesh.points.size());
                for (const auto& [a, b] :
                     {std::pair(-1.0, -1.0), {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}}) {
                    Vec3d p;
                    p[axis] = side * half[axis];
                    p[u] = a * half[u];
                    p[v] = b * half[v];
                    textured.mesh.points.push_back(p);
                    textured.uv.push_back(uv_of(p, axis, side));
                }
                for (const auto& t : {std::array<std::uint32_t, 3>{0, 1, 2}, {0, 2, 3}}) {
                    std::array<std::uint32_t, 3> corners{first + t[0], first + t[1], first + t[2]};
                    if (side < 0) std::swap(corners[1], corners[2]);
                    textured.mesh.triangles.push_back(corners);
                }
            }
    }
    Vec3<float> uv_of(const Vec3d& p, int axis, double side) const {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        const double column = axis + (p[u] / half[u] + 1) / 2 * 0.8 + 0.1;
        const double row = (side > 0) + (p[v] / half[v] + 1) / 2 * 0.8 + 0.1;
        return Vec3d(column / 3, row / 2, 0).cast<float>();
    }
};

TEST(RestUv, is_the_uv_of_the_closest_point) {
    const Atlas atlas;
    std::vector<Vec3d> places;
    std::vector<Vec3<float>> expected;
    for (const double a : {-0.3, -0.05, 0.21})
        for (const double b : {-0.22, 0.0, 0.35})
            for (const double away : {-0.04, 0.0, 0.3}) { // inside, on it, outside
                places.emplace_back(0.5 + away, a, b);
                expected.push_back(atlas.uv_of({0.5, a, b}, 0, 1));
                places.emplace_back(a, b, -0.6 - away);
                expected.push_back(atlas.uv_of({a, b, -0.6}, 2, -1));
            }
    const auto uv = uv_by_closest_point(atlas.textured, places);
    for (std::size_t i = 0; i < places.size(); ++i) EXPECT_LT((uv[i] - expected[i]).norm(), 1e-6);
}

TEST(RestUv, a_deformed_surface_keeps_the_texture_of_its_rest) {
    const Atlas atlas;
    SurfaceInput rest;
    rest.spacing = d;
    rest.positions = place_masters(*make_box({0, 0, 0}, 2 * atlas.half), d);
    std::vector<std::int64_t> ids(rest.positions.size());
    std::iota(ids.begin(), ids.end(), 7);
    rest.attributes.push_back({"id", 1, Meaning::value, ids});
    // Rotated, sheared and moved, and in another order.
    const Mat3d rotation = Eigen::AngleAxisd(2, Vec3d(1, 2, 3).normalized()).toRotationMatrix();
    Mat3d shear = Mat3d::Identity();
    shear(0, 1) = 0.3;
    const Mat3d F = rotation * shear;
    SurfaceInput now = rest;
    for (std::size_t i = 0; i < rest.positions.size(); ++i) {
        now.positions[i] = F * rest.positions[rest.positions.size() - 1 - i] + Vec3d(3, 2, 1);
        std::get<std::vector<std::int64_t>>(now.attributes[0].values)[i] = ids[ids.size() - 1 - i];
    }
    EXPECT_EQ(set_rest(now, rest), 0u);
    Surface surface = surface_particles(now, {});
    carry_uv(surface, atlas.textured);
    const std::vector<Vec3d> places = rest_of(surface.attributes);
    const PointAttribute& uv = surface.attributes.back();
    ASSERT_EQ(uv.name, "uv");
    const auto& values = std::get<std::vector<float>>(uv.values);
    std::size_t in_faces = 0;
    double squares = 0;
    for (std::size_t i = 0; i < surface.mesh.points.size(); ++i) {
        // The motion is linear, so the rest position is known.
        const Vec3d known = F.inverse() * (surface.mesh.points[i] - Vec3d(3, 2, 1));
        EXPECT_LT((places[i] - known).norm(), 0.2 * d);
        squares += (places[i] - known).squaredNorm();
        // Away from edges, the face is known too.
        const Vec3d share = known.cwiseAbs().cwiseQuotient(atlas.half);
        int axis = 0;
        share.maxCoeff(&axis);
        const Vec3d depth = atlas.half - known.cwiseAbs();
        if (depth[(axis + 1) % 3] < 1.5 * d || depth[(axis + 2) % 3] < 1.5 * d) continue;
        const Vec3<float> expected = atlas.uv_of(known, axis, known[axis] > 0 ? 1 : -1);
        // A twentieth of a spacing in the texture: 0.4 of a face of 0.8 m or more is 1/3.
        EXPECT_LT(std::hypot(values[3 * i] - expected[0], values[3 * i + 1] - expected[1]),
                  0.05 * d);
        ++in_faces;
    }
    EXPECT_LT(std::sqrt(squares / double(places.size())), 0.05 * d);
    EXPECT_GT(in_faces, surface.mesh.points.size() / 3);
}

TEST(RestUv, a_particle_without_a_rest_position_rests_where_it_is) {
    SurfaceInput rest, now;
    rest.positions = {{1, 2, 3}};
    rest.attributes = {{"id", 1, Meaning::value, std::vector<std::int64_t>{5}}};
    now.positions = {{4, 4, 4}, {7, 7, 7}};
    now.attributes = {{"id", 1, Meaning::value, std::vector<std::int64_t>{6, 5}}};
    EXPECT_EQ(set_rest(now, rest), 1u);
    const std::vector<Vec3d> places = rest_of(now.attributes);
    EXPECT_EQ(places[0], Vec3d(4, 4, 4));
    EXPECT_EQ(places[1], Vec3d(1, 2, 3));
}

TEST(RestUv, bad_input_is_an_error) {
    Atlas atlas;
    EXPECT_THROW(rest_of({}), Error);
    EXPECT_THROW(ids_of({}), Error);
    atlas.textured.uv.clear();
    EXPECT_THROW(uv_by_closest_point(atlas.textured, {{0, 0, 0}}), Error);
}

} // namespace
} // namespace nendo::rest_uv
