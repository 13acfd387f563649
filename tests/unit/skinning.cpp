// SPDX-License-Identifier: Apache-2.0
// Skins, weights, skeletons and bends.
#include "math/kernels.h"
#include "math/rotation.h"
#include "rheology/bend.h"
#include "skinning/skin.h"
#include "support/bones.h"
#include "support/tubes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

namespace nendo::rheology::test {
namespace {

Pose turned(const Vec3d& center, const Vec3d& rotation, const Vec3d& shift) {
    Pose pose = Pose::Identity();
    pose.linear() = rotation_exp(rotation).toRotationMatrix();
    pose.translation() = center + shift;
    return pose;
}

/// A tube of two bones along x, from 0 to 2.
struct TwoBones {
    TriMesh mesh = make_tube({Vec3d(0, 0, 0), Vec3d(2, 0, 0)}, 0.2, 40, 16);
    std::vector<BoneLine> lines = {{Vec3d(0, 0, 0), Vec3d(1, 0, 0)},
                                   {Vec3d(1, 0, 0), Vec3d(2, 0, 0)}};
    std::vector<Pose> rest = {turned({0.5, 0, 0}, {0, 0, 0}, {0, 0, 0}),
                              turned({1.5, 0, 0}, {0, 0, 0}, {0, 0, 0})};
};

void expect_fit(const Influences& influences) {
    const auto n = static_cast<std::size_t>(influences.per_vertex);
    for (std::size_t v = 0; v < influences.vertices(); ++v) {
        float sum = 0;
        for (std::size_t k = 0; k < n; ++k) {
            EXPECT_GE(influences.weights[v * n + k], 0);
            EXPECT_LE(influences.weights[v * n + k], 1.00001f);
            sum += influences.weights[v * n + k];
        }
        EXPECT_NEAR(sum, 1, 1e-5);
    }
}

TEST(Skin, is_the_plain_sum_of_matrices) {
    const TwoBones two;
    const Influences influences = influences_by_distance(two.mesh.points, two.lines, 2, 4);
    expect_fit(influences);
    const std::vector<Vec3d> normals = point_normals(two.mesh);
    const Skin skin(two.mesh.points, normals, influences, two.rest);
    const std::vector<Pose> now = {turned({0.5, 0, 0}, {0.1, 0.2, 0}, {0, 1, 0}),
                                   turned({1.5, 0, 0}, {0.5, 0, 0.7}, {0.1, 0.2, 0.3})};
    std::vector<Vec3<float>> points, out_normals;
    skin.deform(now, Blend::linear, points, out_normals);
    ASSERT_EQ(points.size(), two.mesh.points.size());
    for (std::size_t v = 0; v < points.size(); ++v) {
        Vec3d x = Vec3d::Zero(), n = Vec3d::Zero();
        for (std::size_t k = 0; k < 2; ++k) {
            const auto b = static_cast<std::size_t>(influences.bones[2 * v + k]);
            const Pose motion = now[b] * two.rest[b].inverse();
            const double weight = static_cast<double>(influences.weights[2 * v + k]);
            x += weight * (motion * two.mesh.points[v]);
            n += weight * (motion.linear() * normals[v]);
        }
        EXPECT_LT((points[v].cast<double>() - x).norm(), 2e-6);
        EXPECT_LT((out_normals[v].cast<double>() - n.normalized()).norm(), 2e-6);
    }
}

TEST(Skin, moves_rigidly_with_bones_that_move_alike) {
    const TwoBones two;
    const Influences influences = influences_by_heat(two.mesh, two.lines, 4, 1);
    const Skin skin(two.mesh.points, point_normals(two.mesh), influences, two.rest);
    const Pose motion = turned({0, 0, 0}, {0.3, 1.1, -0.4}, {0.5, -0.2, 0.9});
    const std::vector<Pose> now = {motion * two.rest[0], motion * two.rest[1]};
    for (const Blend blend : {Blend::linear, Blend::dual_quaternion}) {
        std::vector<Vec3<float>> points, normals;
        skin.deform(now, blend, points, normals);
        for (std::size_t v = 0; v < points.size(); ++v)
            EXPECT_LT((points[v].cast<double>() - motion * two.mesh.points[v]).norm(), 2e-6);
    }
}

/// The smallest radius of the tube when the second bone is twisted.
double thinnest(const TwoBones& two, Blend blend, double twist) {
    const Influences influences = influences_by_distance(two.mesh.points, two.lines, 2, 4);
    const Skin skin(two.mesh.points, point_normals(two.mesh), influences, two.rest);
    std::vector<Vec3<float>> points, normals;
    skin.deform({two.rest[0], turned({1.5, 0, 0}, {twist, 0, 0}, {0, 0, 0})}, blend, points,
                normals);
    double least = infinite;
    for (std::size_t v = 0; v < points.size(); ++v)
        if (std::abs(two.mesh.points[v].x() - 1) < 0.9)
            least = std::min(least, std::hypot(static_cast<double>(points[v].y()),
                                               static_cast<double>(points[v].z())));
    return least;
}

TEST(Skin, of_dual_quaternions_keeps_its_thickness_under_twist) {
    const TwoBones two;
    EXPECT_LT(thinnest(two, Blend::linear, 2.6), 0.1);
    EXPECT_GT(thinnest(two, Blend::dual_quaternion, 2.6), 0.199);
}

TEST(Skin, uses_up_to_eight_influences) {
    std::vector<Vec3d> points{Vec3d(0, 0, 0)}, normals{Vec3d(0, 1, 0)};
    std::vector<float> painted(8, 0.5f);
    std::vector<Pose> rest(8, Pose::Identity()), now = rest;
    for (int b = 0; b < 8; ++b) now[static_cast<std::size_t>(b)].translation() = Vec3d(b, 0, 0);
    const Influences all = influences_from_painted(painted, 8, 8);
    std::vector<Vec3<float>> out, out_normals;
    Skin(points, normals, all, rest).deform(now, Blend::linear, out, out_normals);
    EXPECT_NEAR(out[0].x(), 3.5, 1e-6);
    EXPECT_THROW(influences_from_painted(painted, 8, 9), Error);
    painted[3] = -1;
    EXPECT_THROW(influences_from_painted(painted, 8, 8), Error);
    EXPECT_THROW(influences_from_painted(std::vector<float>(8, 0.0f), 8, 4), Error);
}

TEST(Weights, by_heat_are_smooth_bounded_and_half_at_the_joint) {
    const TwoBones two;
    const Influences influences = influences_by_heat(two.mesh, two.lines, 2, 1);
    expect_fit(influences);
    double last = 1.1;
    for (double x = 0.3; x <= 1.7; x += 0.1) {
        // Mean weight of the first bone at this position along the tube.
        double sum = 0, count = 0;
        for (std::size_t v = 0; v < two.mesh.points.size(); ++v) {
            if (std::abs(two.mesh.points[v].x() - x) > 0.03) continue;
            for (std::size_t k = 0; k < 2; ++k)
                if (influences.bones[2 * v + k] == 0)
                    sum += static_cast<double>(influences.weights[2 * v + k]);
            count += 1;
        }
        ASSERT_GT(count, 0);
        EXPECT_LE(sum / count, last + 1e-6);
        last = sum / count;
        if (std::abs(x - 1) < 1e-9) {
            EXPECT_NEAR(last, 0.5, 0.02);
        }
    }
    EXPECT_LT(last, 0.1);
}

double volume_of(const std::vector<Vec3<float>>& points, const TriMesh& mesh) {
    double sum = 0;
    for (const auto& t : mesh.triangles)
        sum += points[t[0]].cast<double>().dot(
            points[t[1]].cast<double>().cross(points[t[2]].cast<double>()));
    return sum / 6;
}

TEST(SkinDetail, restores_volume_and_length_lost_by_the_blend) {
    const TwoBones two;
    const Influences influences = influences_by_distance(two.mesh.points, two.lines, 2, 4);
    const Skin skin(two.mesh.points, point_normals(two.mesh), influences, two.rest);
    std::vector<Vec3<float>> points, normals;
    const auto strain = [&] {
        double sum = 0;
        for (const auto& t : two.mesh.triangles)
            for (std::size_t k = 0; k < 3; ++k) {
                const std::uint32_t a = t[k], b = t[(k + 1) % 3];
                const double rest = (two.mesh.points[a] - two.mesh.points[b]).norm();
                const double length = static_cast<double>((points[a] - points[b]).norm());
                sum += std::pow(length / rest - 1, 2);
            }
        return std::sqrt(sum / (3.0 * static_cast<double>(two.mesh.triangles.size())));
    };
    skin.deform(two.rest, Blend::linear, points, normals);
    const double whole = volume_of(points, two.mesh);
    // The second bone is bent, or twisted, about the joint at x = 1.
    for (const Vec3d& rotation : {Vec3d(0, 0, -1.2), Vec3d(0, 0, -1.8), Vec3d(1.8, 0, 0)}) {
        Pose bend = Pose::Identity();
        bend.linear() = rotation_exp(rotation).toRotationMatrix();
        bend.translation() = Vec3d(1, 0, 0) - bend.linear() * Vec3d(1, 0, 0);
        const std::vector<Pose> now = {two.rest[0], bend * two.rest[1]};
        skin.deform(now, Blend::linear, points, normals);
        const double lost = 1 - volume_of(points, two.mesh) / whole, stretched = strain();
        SkinDetail(two.mesh, 0.02).correct(skin.rotations(now), 60, points);
        const double still_lost = 1 - volume_of(points, two.mesh) / whole;
        std::printf(
            "turn (%.1f, %.1f, %.1f): volume lost %.2f %% -> %.2f %%, strain %.4f -> %.4f\n",
            rotation.x(), rotation.y(), rotation.z(), 100 * lost, 100 * still_lost, stretched,
            strain());
        EXPECT_GT(lost, 0.01) << "there is nothing to restore";
        EXPECT_LT(std::abs(still_lost), lost);
        EXPECT_LT(strain(), stretched);
    }
    // Bones at rest: nothing to correct.
    skin.deform(two.rest, Blend::linear, points, normals);
    SkinDetail(two.mesh, 0.05).correct(skin.rotations(two.rest), 20, points);
    for (std::size_t v = 0; v < points.size(); ++v)
        EXPECT_LT((points[v].cast<double>() - two.mesh.points[v]).norm(), 1e-5);
}

TEST(Skeleton, of_a_straight_mesh_has_its_mass_inertia_and_stiffness) {
    const double radius = 0.02, length = 0.4;
    const TriMesh tube = make_tube({Vec3d(0, 0, 0), Vec3d(length, 0, 0)}, radius, 60, 32);
    Material material;
    material.density = 2000;
    const MeshSegments from_mesh = segments_of_mesh(tube, 8, material);
    ASSERT_EQ(from_mesh.segments.size(), 8u);
    double mass = 0;
    for (const Segment& s : from_mesh.segments) mass += s.mass;
    const double volume = pi * radius * radius * length;
    EXPECT_NEAR(mass, 2000 * volume, 0.02 * 2000 * volume);
    const Segment& middle = from_mesh.segments[4];
    const Section round = Section::ellipse(2 * radius, 2 * radius);
    EXPECT_NEAR(middle.length(), length / 8, 0.05 * length / 8);
    EXPECT_NEAR(middle.section.about_y, round.about_y, 0.05 * round.about_y);
    EXPECT_NEAR(middle.section.about_z, round.about_z, 0.05 * round.about_z);
    EXPECT_NEAR(middle.section.half_width(), radius, 0.03 * radius);
    EXPECT_NEAR(std::abs(middle.rotation.col(0).x()), 1, 1e-3);
    const Rheology a = rheology_between(&from_mesh.segments[3], middle, material);
    const double EI_over_l = material.young * round.about_y / (length / 8);
    EXPECT_NEAR(a.stiffness.y(), EI_over_l, 0.08 * EI_over_l);
    EXPECT_NEAR(a.stiffness.x(), EI_over_l / (1 + material.poisson),
                0.08 * EI_over_l); // G J = 2 G I = E I / (1 + nu)
}

TEST(Skeleton, follows_the_path_through_a_curved_mesh) {
    std::vector<Vec3d> arc;
    for (int k = 0; k <= 24; ++k) {
        const double a = pi * k / 24;
        arc.emplace_back(std::cos(a), std::sin(a), 0);
    }
    const MeshSegments half = segments_of_mesh(make_tube(arc, 0.08, 48, 16), 10, Material());
    double length = 0;
    for (const Segment& s : half.segments) {
        length += s.length();
        EXPECT_NEAR(s.begin.norm(), 1, 0.05) << "the line left the middle of the tube";
    }
    EXPECT_NEAR(length, pi, 0.1 * pi);
}

TEST(Bends, are_reset_blended_and_baked) {
    Material material = preset("aluminium");
    Body body = make_skeleton(straight(5, 0.5, Section::ellipse(0.01, 0.01), material), material,
                              Clamp::first);
    State<double> state;
    add_body(state, body);
    std::vector<Vec3d> bends(5);
    for (std::size_t j = 0; j < 5; ++j)
        bends[j] = Vec3d(0.02, 0.3, -0.1) * (1 + static_cast<double>(j) / 5);
    set_bends(state, bends);
    const std::vector<Vec3d> back = residual_bends(state);
    for (std::size_t j = 0; j < 5; ++j) EXPECT_LT((back[j] - bends[j]).norm(), 1e-12);
    const Vec3d tip_bent = tip(state);
    EXPECT_GT((tip_bent - Vec3d(0.5, 0, 0)).norm(), 0.2);

    State<double> half = state;
    blend_bends(half, 0.5);
    EXPECT_LT((residual_bends(half)[3] - 0.5 * bends[3]).norm(), 1e-12);
    State<double> none_left = state;
    blend_bends(none_left, 0);
    EXPECT_LT((tip(none_left) - Vec3d(0.5, 0, 0)).norm(), 1e-12);

    State<double> baked = state;
    bake_bends(baked);
    for (const Vec3d& bend : residual_bends(baked)) EXPECT_LT(bend.norm(), 1e-12);
    EXPECT_EQ(tip(baked), tip_bent);
    Host host; // a shape at rest stays at rest
    Solver<double>().advance(baked, weightless(), {}, Params(), 0.5, host);
    EXPECT_LT((tip(baked) - tip_bent).norm(), 1e-9);
}

} // namespace
} // namespace nendo::rheology::test
