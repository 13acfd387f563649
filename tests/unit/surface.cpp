// SPDX-License-Identifier: Apache-2.0
// Surfaces of particles: flat faces, closed sheets, kept volume, and files that read back.
#include "surface/surface.h"
#include "core/error.h"
#include "geometry/mesh_sdf.h"
#include "geometry/sample.h"
#include "geometry/vdb_sdf.h"
#include "io/vdb_file.h"
#include "support/meshes.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>

namespace nendo {
namespace {

using test::count_parts;

SurfaceInput fill(const SdfPtr& shape, double spacing) {
    SurfaceInput input;
    input.positions = place_masters(*shape, spacing);
    input.spacing = spacing;
    return input;
}

/// A folder that is deleted with the test.
struct ScratchFolder {
    std::filesystem::path path;
    ScratchFolder()
        : path(std::filesystem::temp_directory_path() /
               ("nendo_surface_" + std::to_string(::getpid()))) {
        std::filesystem::create_directories(path);
    }
    ~ScratchFolder() { std::filesystem::remove_all(path); }
};

TEST(Surface, a_lattice_cube_has_flat_faces_and_its_volume) {
    const double d = 1.0 / 20;
    const Surface s = surface_particles(fill(make_box({0, 0, 0}, {1, 1, 1}), d), SurfaceParams());
    EXPECT_NEAR(s.volume, 1, 0.025); // edges are rounded
    EXPECT_EQ(inspect_mesh(s.mesh).open_edges, 0);
    EXPECT_EQ(count_parts(s.mesh), 1u);
    double low = infinite, high = -infinite;
    for (const Vec3d& p : s.mesh.points)
        if (p.x() > 0 && std::abs(p.y()) < 0.15 && std::abs(p.z()) < 0.15) {
            low = std::min(low, p.x());
            high = std::max(high, p.x());
        }
    EXPECT_LT(high - low, 0.02 * d); // no bumps over the particles
    EXPECT_NEAR((low + high) / 2, 0.5, 0.15 * d);
}

TEST(Surface, a_single_layer_stays_closed_even_when_stretched) {
    for (const double stretch : {1.0, 1.5}) {
        const double d = 0.05;
        SurfaceInput input = fill(make_box({0, 0, 0}, {1, d, 1}), d);
        for (Vec3d& x : input.positions) x.x() *= stretch;
        const Surface s = surface_particles(input, SurfaceParams());
        EXPECT_EQ(count_parts(s.mesh), 1u);
        // The Euler number of a sphere: no handle, hence no hole through the sheet.
        const MeshReport report = inspect_mesh(s.mesh);
        EXPECT_EQ(report.open_edges, 0);
        EXPECT_EQ(std::int64_t(s.mesh.points.size()) - report.edges + report.triangles, 2);
    }
}

TEST(Surface, single_particles_and_rods_do_not_vanish) {
    SurfaceInput input;
    input.spacing = 0.1;
    input.positions = {{0.013, 0.02, 0.03}};
    EXPECT_GT(surface_particles(input, SurfaceParams()).volume, 0.3 * 1e-3);
    for (int i = 1; i < 10; ++i) input.positions.emplace_back(0.013 + 0.1 * i, 0.02, 0.03);
    const Surface rod = surface_particles(input, SurfaceParams());
    EXPECT_EQ(count_parts(rod.mesh), 1u);
    EXPECT_GT(rod.bounds.max.x() - rod.bounds.min.x(), 0.9);
}

TEST(Surface, gaps_stay_open) {
    SurfaceInput input = fill(make_box({0, 0, 0}, {1, 1, 1}), 0.1);
    const std::size_t half = input.positions.size();
    for (std::size_t i = 0; i < half; ++i)
        input.positions.push_back(input.positions[i] + Vec3d(1.3, 0, 0));
    EXPECT_EQ(count_parts(surface_particles(input, SurfaceParams()).mesh), 2u);
}

TEST(Surface, touching_bodies_blend_only_within_a_group) {
    SurfaceInput input = fill(make_box({0, 0, 0}, {1, 2, 1}), 0.1);
    for (const Vec3d& x : input.positions) {
        input.bodies.push_back(x.y() < 0 ? 3 : 5);
        input.velocities.push_back({0, x.y() < 0 ? -1.0 : 1.0, 0});
    }
    // Depth of the dip at the seam, in the middle of a side.
    const auto seam = [](const Surface& s) {
        double deepest = infinite;
        for (const Vec3d& p : s.mesh.points)
            if (p.x() > 0.3 && std::abs(p.z()) < 0.2 && std::abs(p.y()) < 0.1)
                deepest = std::min(deepest, p.x());
        return deepest;
    };
    const Surface merged = surface_particles(input, SurfaceParams());
    EXPECT_NEAR(seam(merged), 0.5, 0.02);
    for (std::size_t i = 0; i < merged.mesh.points.size(); ++i) {
        const double y = merged.mesh.points[i].y();
        if (std::abs(y) < 0.06) continue;
        EXPECT_EQ(merged.bodies[i], y < 0 ? 3 : 5);
        if (std::abs(y) < 0.4) continue;
        EXPECT_NEAR(merged.mesh.velocities[i].y(), y < 0 ? -1.0 : 1.0, 1e-6);
    }
    input.groups = input.bodies;
    const Surface apart = surface_particles(input, SurfaceParams());
    EXPECT_LT(seam(apart), 0.48);
}

TEST(Surface, has_the_same_bits_for_any_number_of_threads) {
    const SurfaceInput input = fill(make_animal(1), 0.05);
    const auto points = [&](std::size_t threads) {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        return surface_particles(input, SurfaceParams()).mesh.points;
    };
    const std::vector<Vec3d> one = points(1);
    EXPECT_EQ(one, points(2));
    EXPECT_EQ(one, points(8));
}

TEST(Surface, bad_input_is_an_error) {
    EXPECT_THROW(surface_particles({}, SurfaceParams()), Error);
    SurfaceInput input;
    input.positions = {{0, 0, 0}};
    EXPECT_THROW(surface_particles(input, SurfaceParams()), Error);
    input.spacing = 0.1;
    input.bodies = {1, 2};
    EXPECT_THROW(surface_particles(input, SurfaceParams()), Error);
    input.bodies.clear();
    input.positions[0].y() = std::nan("");
    EXPECT_THROW(surface_particles(input, SurfaceParams()), Error);
}

TEST(VdbFile, reads_back_what_was_written) {
    const ScratchFolder folder;
    const auto path = folder.path / "ball.vdb";
    SurfaceInput input = fill(make_sphere({1, 2, 3}, 0.5), 0.08);
    input.velocities.assign(input.positions.size(), Vec3d(1, -2, 3));
    input.bodies.assign(input.positions.size(), 7);
    const Surface s = surface_particles(input, SurfaceParams());
    write_vdb(path, s, {{"nendo_frame", "12"}});

    const VdbInfo info = read_vdb_info(path);
    ASSERT_EQ(info.grids.size(), 3u);
    const auto grid = [&](const std::string& name) {
        return *std::find_if(info.grids.begin(), info.grids.end(),
                             [&](const VdbGridInfo& g) { return g.name == name; });
    };
    EXPECT_EQ(grid("surface").type, "float");
    EXPECT_EQ(grid("v").type, "vec3s");
    EXPECT_EQ(grid("body").voxels, grid("surface").voxels);
    EXPECT_NEAR(grid("surface").voxel_size.x(), 0.04, 1e-12);
    EXPECT_LT(grid("surface").bounds.min.x(), 0.5);
    EXPECT_NE(std::find(info.metadata.begin(), info.metadata.end(),
                        std::pair<std::string, std::string>("nendo_frame", "12")),
              info.metadata.end());

    const Surface again = read_vdb_surface(path);
    EXPECT_EQ(again.mesh.points, s.mesh.points);
    EXPECT_EQ(again.mesh.triangles, s.mesh.triangles);
    EXPECT_EQ(again.volume, s.volume);
    EXPECT_TRUE(std::all_of(again.bodies.begin(), again.bodies.end(),
                            [](std::int32_t b) { return b == 7; }));
    EXPECT_NEAR((again.mesh.velocities.front() - Vec3d(1, -2, 3)).norm(), 0, 1e-5);

    // The same file works as a collider, and nothing else was left in the folder.
    const SdfPtr shape = make_vdb(path);
    EXPECT_NEAR(shape->distance({1, 2, 3.5}), 0, 0.03);
    EXPECT_GT(shape->normal({1, 2, 3.5}).z(), 0.99);
    EXPECT_THROW(make_vdb(path, "density"), Error);
    EXPECT_THROW(make_vdb(path, "v"), Error);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path), {}), 1);
}

TEST(VdbFile, bad_files_are_errors) {
    const ScratchFolder folder;
    const auto path = folder.path / "bad.vdb";
    EXPECT_THROW(read_vdb_info(path), Error);
    std::ofstream(path) << "this is not a VDB";
    EXPECT_THROW(read_vdb_info(path), Error);
    EXPECT_THROW(read_vdb_surface(path), Error);
    EXPECT_THROW(make_vdb(path), Error);
    const Surface s = surface_particles(fill(make_sphere({0, 0, 0}, 0.3), 0.1), SurfaceParams());
    EXPECT_THROW(write_vdb(folder.path / "no such folder" / "a.vdb", s), Error);

    const auto cut = folder.path / "cut.vdb";
    write_vdb(cut, s);
    std::filesystem::resize_file(cut, std::filesystem::file_size(cut) / 2);
    EXPECT_THROW(read_vdb_surface(cut), Error);
}

} // namespace
} // namespace nendo
