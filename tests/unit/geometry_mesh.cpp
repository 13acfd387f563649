// SPDX-License-Identifier: Apache-2.0
// Meshes as shapes: winding number and distance against closed forms, holes, and bad meshes.
#include "core/error.h"
#include "geometry/mesh_sdf.h"
#include "geometry/sample.h"
#include "geometry/triangle_tree.h"
#include "geometry/vdb_sdf.h"
#include "math/kernels.h"
#include "support/source_dir.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

namespace nendo {
namespace {

/// A sphere of latitudes and longitudes, counterclockwise seen from outside.
TriMesh sphere_mesh(double radius, int rings, const Vec3d& center = Vec3d::Zero()) {
    TriMesh mesh;
    const int sectors = 2 * rings;
    for (int i = 0; i <= rings; ++i)
        for (int j = 0; j < sectors; ++j) {
            const double theta = pi * i / rings, phi = 2 * pi * j / sectors;
            mesh.points.push_back(center + radius * Vec3d(std::sin(theta) * std::cos(phi),
                                                          std::cos(theta),
                                                          -std::sin(theta) * std::sin(phi)));
        }
    const auto point = [&](int i, int j) { return std::uint32_t(i * sectors + j % sectors); };
    for (int i = 0; i < rings; ++i)
        for (int j = 0; j < sectors; ++j) {
            const std::uint32_t a = point(i, j), b = point(i + 1, j), c = point(i + 1, j + 1),
                                d = point(i, j + 1);
            if (i + 1 < rings) mesh.triangles.push_back({a, b, c});
            if (i > 0) mesh.triangles.push_back({a, c, d});
        }
    return mesh;
}

/// The sphere without the cap around the +y axis that contains `share` of its triangles.
TriMesh without_cap(TriMesh mesh, double share) {
    const auto count = std::size_t(share * double(mesh.triangles.size()));
    mesh.triangles.erase(mesh.triangles.begin(), mesh.triangles.begin() + std::ptrdiff_t(count));
    return mesh;
}

std::vector<Vec3d> random_points(std::size_t n, double size) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(-size, size);
    std::vector<Vec3d> points(n);
    for (Vec3d& p : points) p = Vec3d(uniform(random), uniform(random), uniform(random));
    return points;
}

TriMesh box_mesh() {
    TriMesh mesh;
    for (int i = 0; i < 8; ++i) mesh.points.push_back(Vec3d(i & 1, (i >> 1) & 1, (i >> 2) & 1));
    mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                      {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    return mesh;
}

TEST(TriangleTree, the_winding_number_is_one_inside_and_zero_outside) {
    const TriangleTree tree(sphere_mesh(1, 40));
    for (const Vec3d& p : random_points(5000, 1.5)) {
        if (std::abs(p.norm() - 1) < 0.01) continue;
        ASSERT_NEAR(tree.winding(p), p.norm() < 1 ? 1 : 0, 0.04);
    }
}

TEST(TriangleTree, the_closest_point_agrees_with_the_box) {
    const TriangleTree tree(box_mesh());
    const SdfPtr box = make_box({0.5, 0.5, 0.5}, {1, 1, 1});
    for (const Vec3d& p : random_points(5000, 2))
        ASSERT_NEAR(tree.closest(p).distance, std::abs(box->distance(p)), 1e-12);
}

TEST(MeshSdf, a_box_mesh_has_the_distances_of_the_box) {
    MeshReport report;
    const SdfPtr mesh = make_mesh(box_mesh(), &report);
    const SdfPtr box = make_box({0.5, 0.5, 0.5}, {1, 1, 1});
    EXPECT_NEAR(report.volume, 1, 1e-12);
    EXPECT_NEAR(report.area, 6, 1e-12);
    EXPECT_EQ(report.edges, 18);
    EXPECT_EQ(report.open_edges, 0);
    EXPECT_EQ(report.warning(), "");
    for (const Vec3d& p : random_points(2000, 2)) {
        ASSERT_NEAR(mesh->distance(p), box->distance(p), 1e-12);
        ASSERT_NEAR((mesh->normal(p) - mesh->Sdf::normal(p)).norm(), 0, 1e-3);
    }
    EXPECT_EQ(sample(*mesh, 1.0 / 16).masters.size(), 4096u);
    EXPECT_EQ(sample(*mesh, 1.0 / 16).slaves.size(), 6647u);
}

TEST(MeshSdf, a_hole_changes_nothing_away_from_it) {
    MeshReport report;
    const SdfPtr open = make_mesh(without_cap(sphere_mesh(1, 60), 0.05), &report);
    EXPECT_GT(report.open_edges, 0);
    EXPECT_NE(report.warning().find("edges are open"), std::string::npos);
    int checked = 0;
    for (const Vec3d& p : random_points(20000, 1.3)) {
        const double hole = std::acos(1 - 2 * 0.05) + 0.1; // angle of the cap, plus a margin
        if (std::acos(p.y() / p.norm()) < 2 * hole && p.norm() > 0.6) continue;
        if (std::abs(p.norm() - 1) < 0.01) continue;
        ASSERT_EQ(open->inside(p), p.norm() < 1) << p.transpose();
        ++checked;
    }
    EXPECT_GT(checked, 10000);
    const auto masters = place_masters(*open, 0.05);
    EXPECT_NEAR(double(masters.size()) * 0.05 * 0.05 * 0.05, 4.0 / 3 * pi, 0.1);
}

TEST(MeshSdf, scattered_missing_triangles_do_not_matter) {
    TriMesh mesh = sphere_mesh(1, 60), holed = mesh;
    holed.triangles.clear();
    std::mt19937 random(5);
    for (const auto& t : mesh.triangles)
        if (random() % 20 != 0) holed.triangles.push_back(t);
    const SdfPtr shape = make_mesh(holed);
    for (const Vec3d& p : random_points(10000, 1.3))
        ASSERT_TRUE(std::abs(p.norm() - 1) < 0.1 || shape->inside(p) == (p.norm() < 1));
}

TEST(MeshSdf, a_mesh_that_is_inside_out_is_flipped) {
    TriMesh mesh = sphere_mesh(1, 20);
    for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
    MeshReport report;
    const SdfPtr shape = make_mesh(mesh, &report);
    EXPECT_TRUE(report.flipped);
    EXPECT_NE(report.warning().find("inside out"), std::string::npos);
    EXPECT_TRUE(shape->inside({0, 0, 0}));
    EXPECT_FALSE(shape->inside({2, 0, 0}));
}

TEST(MeshSdf, seams_of_equal_points_are_closed) {
    const TriMesh whole = box_mesh();
    TriMesh split;
    for (const auto& t : whole.triangles) {
        const auto n = std::uint32_t(split.points.size());
        for (const std::uint32_t corner : t) split.points.push_back(whole.points[corner]);
        split.triangles.push_back({n, n + 1, n + 2});
    }
    EXPECT_EQ(inspect_mesh(split).open_edges, 0);
}

TEST(MeshSdf, bad_meshes_are_errors) {
    TriMesh flat;
    flat.points = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    flat.triangles = {{0, 1, 2}, {0, 2, 3}};
    EXPECT_THROW(make_mesh(flat), Error);
    flat.triangles.insert(flat.triangles.end(), {{0, 2, 1}, {0, 3, 2}});
    EXPECT_THROW(make_mesh(flat), Error); // both sides of one sheet
    flat.triangles = {{0, 0, 1}, {1, 1, 1}};
    EXPECT_THROW(make_mesh(flat), Error);
    flat.triangles = {{0, 1, 9}};
    EXPECT_THROW(make_mesh(flat), Error);
    flat.triangles.clear();
    EXPECT_THROW(make_mesh(flat), Error);
    TriMesh broken = box_mesh();
    broken.points[3].x() = std::nan("");
    EXPECT_THROW(make_mesh(broken), Error);
}

TriMesh read_obj(const std::filesystem::path& path) {
    TriMesh mesh;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string kind;
        words >> kind;
        if (kind == "v") {
            Vec3d p;
            words >> p.x() >> p.y() >> p.z();
            mesh.points.push_back(p);
        } else if (kind == "f") {
            std::vector<std::uint32_t> face;
            for (std::string corner; words >> corner;)
                face.push_back(std::uint32_t(std::stoul(corner)) - 1);
            for (std::size_t k = 2; k < face.size(); ++k)
                mesh.triangles.push_back({face[0], face[k - 1], face[k]});
        }
    }
    return mesh;
}

TEST(MeshSdf, real_meshes_are_filled_to_their_volume) {
    const auto folder = test::source_dir() / "../shared/data/meshes";
    for (const char* name : {"cheburashka.obj", "fandisk.obj"}) {
        if (!std::filesystem::exists(folder / name)) GTEST_SKIP() << "there is no file " << name;
        MeshReport report;
        const SdfPtr shape = make_mesh(read_obj(folder / name), &report);
        const Vec3d size = shape->bounds().max - shape->bounds().min;
        const double d = size.maxCoeff() / 48;
        const auto masters = place_masters(*shape, d);
        EXPECT_NEAR(double(masters.size()) * d * d * d, std::abs(report.volume),
                    0.05 * std::abs(report.volume))
            << name << ": " << report.warning();
    }
}

TEST(MeshCollider, agrees_with_the_sphere_within_its_band) {
    const double voxel = 0.05;
    const SdfPtr shape = make_mesh_collider(sphere_mesh(1, 60, {1, 2, 3}), voxel);
    for (const Vec3d& p : random_points(5000, 1.6)) {
        const double exact = p.norm() - 1;
        const double found = shape->distance(p + Vec3d(1, 2, 3));
        ASSERT_TRUE((found < 0) == (exact < 0) || std::abs(exact) < 0.1 * voxel) << exact;
        ASSERT_LE(std::abs(found), std::abs(exact) + 0.2 * voxel);
        if (std::abs(exact) > 2 * voxel) continue;
        ASSERT_NEAR(found, exact, 0.1 * voxel);
        ASSERT_GT(shape->normal(p + Vec3d(1, 2, 3)).dot(p.normalized()), 0.995);
    }
    const Box3 box = shape->bounds();
    EXPECT_NEAR((box.min - Vec3d(0, 1, 2)).norm(), 0, 2 * voxel);
}

TEST(MeshCollider, an_open_mesh_keeps_its_inside) {
    const double voxel = 0.05;
    const SdfPtr shape = make_mesh_collider(without_cap(sphere_mesh(1, 60), 0.05), voxel);
    const double hole = std::acos(1 - 2 * 0.05) + 0.1;
    for (const Vec3d& p : random_points(20000, 1.6)) {
        if (std::acos(p.y() / p.norm()) < 2 * hole && p.norm() > 0.6) continue;
        if (std::abs(p.norm() - 1) < 0.3 * voxel) continue;
        ASSERT_EQ(shape->distance(p) < 0, p.norm() < 1) << p.transpose();
    }
    // A ray through the hole hits the lid that the winding number spans, once.
    int crossings = 0;
    bool inside = false;
    for (double y = 2; y > 0; y -= 0.01) {
        const bool now = shape->distance({0, y, 0}) < 0;
        crossings += now != inside;
        inside = now;
    }
    EXPECT_EQ(crossings, 1);
}

TEST(MeshCollider, bad_input_is_an_error) {
    EXPECT_THROW(make_mesh_collider(sphere_mesh(1, 8), 0), Error);
    EXPECT_THROW(make_vdb("there is no such file.vdb"), Error);
}

} // namespace
} // namespace nendo
