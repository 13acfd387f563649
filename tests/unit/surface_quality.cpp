// SPDX-License-Identifier: Apache-2.0
// Quality of surfaces: balls without bumps, thin sheets, sharp edges, meshes without slivers, no
// popping.
#include "geometry/sample.h"
#include "support/meshes.h"
#include "surface/surface.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace nendo {
namespace {

constexpr double d = 0.1; // spacing of all particles here [m]

SurfaceInput fill(const SdfPtr& shape) {
    SurfaceInput input;
    input.positions = place_masters(*shape, d);
    input.spacing = d;
    return input;
}

SurfaceParams in_mode(SurfaceMode mode) {
    SurfaceParams params;
    params.mode = mode;
    return params;
}

/// A sheet of one layer, 2 m wide.
SurfaceInput sheet() {
    return fill(make_box({0, 0, 0}, {2, d, 2}));
}

/// Mean thickness of a sheet in the middle, in spacings.
double thickness(const TriMesh& mesh) {
    double up = 0, down = 0;
    int above = 0, below = 0;
    for (const Vec3d& p : mesh.points) {
        if (std::abs(p.x()) > 0.5 || std::abs(p.z()) > 0.5) continue;
        (p.y() > 0 ? up : down) += p.y();
        ++(p.y() > 0 ? above : below);
    }
    return (up / above - down / below) / d;
}

struct Ball {
    Surface surface;
    double volume_error, rms; ///< As a share of the volume; in spacings
    test::Curvature curvature;

    Ball(double radius, const SurfaceParams& params) {
        const Vec3d center(0.01, 0.02, 0.03);
        surface = surface_particles(fill(make_sphere(center, radius)), params);
        volume_error = surface.volume / (4.0 / 3 * M_PI * std::pow(radius, 3)) - 1;
        double squares = 0;
        for (const Vec3d& p : surface.mesh.points)
            squares += std::pow(((p - center).norm() - radius) / d, 2);
        rms = std::sqrt(squares / static_cast<double>(surface.mesh.points.size()));
        curvature = test::mean_curvature(surface.mesh);
    }
};

TEST(SurfaceQuality, balls_are_round_without_bumps) {
    for (const double radius : {6 * d, 10 * d}) {
        SurfaceParams bare = in_mode(SurfaceMode::metaball);
        bare.smoothing = 0;
        const Ball plain(radius, bare);
        for (const SurfaceMode mode : {SurfaceMode::matter, SurfaceMode::anisotropic}) {
            const Ball ball(radius, in_mode(mode));
            EXPECT_LT(std::abs(ball.volume_error), 0.02);
            EXPECT_LT(ball.rms, 0.1);
            EXPECT_NEAR(ball.curvature.mean * radius, 1, 0.02);
            EXPECT_LT(5 * ball.curvature.variance, plain.curvature.variance);
            RecordProperty("volume_error", std::to_string(ball.volume_error));
            RecordProperty("rms", std::to_string(ball.rms));
            RecordProperty("bumps",
                           std::to_string(plain.curvature.variance / ball.curvature.variance));
        }
    }
}

TEST(SurfaceQuality, smoothing_keeps_the_volume_and_removes_bumps) {
    SurfaceParams rough = in_mode(SurfaceMode::metaball);
    rough.smoothing = 0;
    SurfaceParams smooth = rough;
    smooth.smoothing = 20;
    const Ball before(8 * d, rough), after(8 * d, smooth);
    EXPECT_NEAR(after.surface.volume / before.surface.volume, 1, 0.01);
    EXPECT_LT(2 * after.curvature.variance, before.curvature.variance);
    // A sheet keeps its thickness.
    EXPECT_NEAR(thickness(surface_particles(sheet(), smooth).mesh),
                thickness(surface_particles(sheet(), rough).mesh), 0.05);
}

TEST(SurfaceQuality, a_sheet_is_flat_and_one_spacing_thick) {
    for (const SurfaceMode mode : {SurfaceMode::matter, SurfaceMode::anisotropic}) {
        const Surface s = surface_particles(sheet(), in_mode(mode));
        EXPECT_EQ(test::count_parts(s.mesh), 1u);
        EXPECT_EQ(test::euler_number(s.mesh), 2); // no hole
        EXPECT_NEAR(thickness(s.mesh), 1, 0.2);
        EXPECT_NEAR(s.bounds.max.x(), 1, 0.15 * d); // up to the rim of the outermost particles
        for (const Vec3d& p : s.mesh.points)
            if (std::abs(p.x()) < 0.6 && std::abs(p.z()) < 0.6) {
                EXPECT_NEAR(std::abs(p.y()), thickness(s.mesh) * d / 2, 0.02 * d);
            }
    }
}

TEST(SurfaceQuality, a_sheet_of_small_particles_is_whole_beside_large_ones) {
    SurfaceInput input = sheet();
    input.sizes.assign(input.positions.size(), d);
    const Surface alone = surface_particles(input, {});
    for (const Vec3d& x : place_masters(*make_box({0, 1, 0}, {1, 0.6, 1}), 2 * d)) {
        input.positions.push_back(x);
        input.sizes.push_back(2 * d);
    }
    input.spacing = 2 * d;
    Surface both = surface_particles(input, {});
    const auto is_above = [](const Vec3d& p) { return p.y() > 0.4; };
    auto& points = both.mesh.points;
    EXPECT_GT(std::count_if(points.begin(), points.end(), is_above), 0);
    // The sheet has its own volume, as if nothing were above it: no hole.
    double volume = 0;
    for (const auto& t : both.mesh.triangles)
        if (!is_above(points[t[0]]))
            volume += points[t[0]].dot(points[t[1]].cross(points[t[2]])) / 6;
    EXPECT_NEAR(std::abs(volume) / alone.volume, 1, 0.05);
    points.erase(std::remove_if(points.begin(), points.end(), is_above), points.end());
    EXPECT_NEAR(thickness(both.mesh), thickness(alone.mesh), 0.1);
}

TEST(SurfaceQuality, a_tear_has_crisp_edges) {
    SurfaceInput torn;
    torn.spacing = d;
    for (const Vec3d& x : sheet().positions) // three rows are removed
        if (std::abs(x.x() - 0.05) > 1.2 * d) torn.positions.push_back(x);
    const Surface s = surface_particles(torn, SurfaceParams());
    EXPECT_EQ(test::count_parts(s.mesh), 2u);
    std::map<int, double> rim; // by position along the tear
    double thickest = 0;
    for (const Vec3d& p : s.mesh.points) {
        if (std::abs(p.z()) > 0.7 || p.x() < 0.05 || p.x() > 0.5) continue;
        double& nearest = rim.emplace(static_cast<int>(std::floor(p.z() / d)), 1).first->second;
        nearest = std::min(nearest, p.x());
        if (p.x() < 0.2 + 0.5 * d) thickest = std::max(thickest, p.y());
    }
    for (const auto& [place, x] : rim) {
        EXPECT_NEAR(x, 0.2, 0.15 * d);
        EXPECT_NEAR(x, rim.begin()->second, 0.05 * d); // straight
    }
    EXPECT_GT(thickest, 0.3 * d); // over its last particles
}

TEST(SurfaceQuality, a_stretched_sheet_is_thin_and_whole) {
    SurfaceInput input = sheet();
    for (Vec3d& x : input.positions) x.x() *= 2;
    input.deformations.assign(input.positions.size(), Vec3<float>(2, 0.8f, 1).asDiagonal());
    const Surface s = surface_particles(input, SurfaceParams());
    EXPECT_EQ(test::euler_number(s.mesh), 2);
    EXPECT_NEAR(thickness(s.mesh), 0.8, 0.16);
    EXPECT_NEAR(s.bounds.max.x(), 2, 0.25 * 2 * d); // a quarter of the spacing there
}

TEST(SurfaceQuality, edges_are_sharp_and_become_round_when_they_melt) {
    SurfaceInput input = fill(make_box({0, 0, 0}, {1.2, 1.2, 1.2}));
    const auto edge = [&] { // distance of the edges from sharp ones, in spacings
        double farthest = 0;
        for (const Vec3d& p : surface_particles(input, SurfaceParams()).mesh.points)
            if (std::abs(p.z()) < 0.2) farthest = std::max(farthest, (p.x() + p.y()) / 2);
        return (0.6 - farthest) / d;
    };
    const double sharp = edge();
    EXPECT_LT(sharp, 0.35);
    input.melted.assign(input.positions.size(), 1);
    EXPECT_GT(edge(), sharp + 0.03);
}

TEST(SurfaceQuality, meshes_are_closed_manifold_and_without_slivers) {
    SurfaceInput drops;
    drops.spacing = d;
    for (int i = 0; i < 40; ++i) // in the air: alone, in pairs and in threads
        drops.positions.emplace_back(0.37 * (i % 7) + 0.013 * i, 0.21 * (i % 5), 0.29 * (i % 3));
    for (const SurfaceInput& input :
         {fill(make_sphere({0, 0, 0}, 0.7)), fill(make_animal(1.5)), sheet(), drops}) {
        const Surface s = surface_particles(input, SurfaceParams());
        EXPECT_TRUE(test::is_closed_manifold(s.mesh));
        EXPECT_GT(test::smallest_angle(s.mesh), 10);
        // Where triangles are joined no angle is promised, but few angles are sharp.
        SurfaceParams adaptive;
        adaptive.adaptivity = 0.3;
        const Surface joined = surface_particles(input, adaptive);
        EXPECT_TRUE(test::is_closed_manifold(joined.mesh));
        EXPECT_LT(joined.mesh.triangles.size(), s.mesh.triangles.size());
        EXPECT_LT(test::share_below(joined.mesh, 10), 0.04);
    }
}

/// A ball that rotates, flies and is stretched along x.
SurfaceInput moving(double time) {
    SurfaceInput input = fill(make_sphere({0, 0, 0}, 0.8));
    const Mat3d stretch = Vec3d(1.5, -0.7, -0.7).asDiagonal();
    const Mat3d rate = skew(Vec3d(0, 2, 1)) + stretch;
    for (Vec3d& x : input.positions) {
        // The flow of a linear velocity field, by its series.
        Vec3d term = x;
        for (int k = 1; k < 20; ++k) {
            term = rate * term * time / k;
            x += term;
        }
        input.velocities.push_back(rate * x + Vec3d(1, 0, 0));
        x += Vec3d(time, 0, 0);
    }
    return input;
}

TEST(SurfaceQuality, velocity_carries_the_mesh_to_the_next_frame) {
    const double frame = 1.0 / 24;
    const Surface now = surface_particles(moving(0.1), SurfaceParams());
    const Surface next = surface_particles(moving(0.1 + frame), SurfaceParams());
    std::vector<Vec3d> carried = now.mesh.points;
    for (std::size_t i = 0; i < carried.size(); ++i) carried[i] += frame * now.mesh.velocities[i];
    EXPECT_LT(test::distances_to(next.mesh, carried).rms, 0.25 * now.voxel_size);
}

/// Matter that creeps by a hundredth of a voxel per frame: a surface that moves more has popped.
TEST(SurfaceQuality, nothing_pops_between_frames) {
    for (const SurfaceMode mode : {SurfaceMode::matter, SurfaceMode::anisotropic}) {
        SurfaceInput input = fill(make_animal(1.2));
        Surface before = surface_particles(input, in_mode(mode));
        const double step = 0.01 * before.voxel_size;
        for (int frame = 0; frame < 4; ++frame) {
            for (Vec3d& x : input.positions)
                x += step * Vec3d(std::sin(9 * x.y()), std::cos(7 * x.z()), std::sin(8 * x.x()));
            const Surface after = surface_particles(input, in_mode(mode));
            const test::Distances moved = test::distances_to(before.mesh, after.mesh.points);
            EXPECT_LT(moved.rms, 3 * step);
            EXPECT_LT(moved.largest, 0.5 * after.voxel_size); // at the tips of the ears
            EXPECT_NEAR(after.volume / before.volume, 1, 0.002);
            before = after;
        }
    }
}

TEST(SurfaceQuality, attributes_are_carried) {
    SurfaceInput input = fill(make_sphere({0, 0, 0}, 0.8));
    const Mat3d rotation = Eigen::AngleAxisd(0.7, Vec3d(1, 2, 3).normalized()).toRotationMatrix();
    PointAttribute rest{"rest", 3, Meaning::point, std::vector<float>()};
    PointAttribute heat{"temperature", 1, Meaning::value, std::vector<float>()};
    PointAttribute id{"id", 1, Meaning::value, std::vector<std::int64_t>()};
    for (std::size_t i = 0; i < input.positions.size(); ++i) {
        const Vec3d x = input.positions[i];
        for (int k = 0; k < 3; ++k) std::get<0>(rest.values).push_back(static_cast<float>(x[k]));
        std::get<0>(heat.values).push_back(static_cast<float>(20 + 10 * x.y()));
        std::get<1>(id.values).push_back((std::int64_t(1) << 40) + std::int64_t(i));
        input.positions[i] = rotation * x;
    }
    input.attributes = {rest, heat, id};
    const Surface s = surface_particles(input, SurfaceParams());
    ASSERT_EQ(s.attributes.size(), 3u);
    const auto& rests = std::get<0>(s.attributes[0].values);
    const auto& heats = std::get<0>(s.attributes[1].values);
    const auto& ids = std::get<1>(s.attributes[2].values);
    for (std::size_t i = 0; i < s.mesh.points.size(); ++i) {
        const Vec3d back = rotation.transpose() * s.mesh.points[i];
        const Vec3d told(rests[3 * i], rests[3 * i + 1], rests[3 * i + 2]);
        EXPECT_LT((told - back).norm(), 0.2 * d);
        EXPECT_NEAR(heats[i], 20 + 10 * back.y(),
                    10 * 1.1 * d); // temperature of the matter under the surface
        const auto from = static_cast<std::size_t>(ids[i] - (std::int64_t(1) << 40));
        ASSERT_LT(from, input.positions.size());
        EXPECT_LT((input.positions[from] - s.mesh.points[i]).norm(), 1.2 * d);
    }
}

} // namespace
} // namespace nendo
