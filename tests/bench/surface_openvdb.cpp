// SPDX-License-Identifier: Apache-2.0
// OpenVDB's own path from particles to a mesh, which ours is measured against: balls as a level
// set, one Gaussian, two steps of mean curvature, mesh.
#include "bench/lattice.h"
#include "support/threads.h"

#include <benchmark/benchmark.h>
#include <openvdb/tools/LevelSetFilter.h>
#include <openvdb/tools/ParticlesToLevelSet.h>
#include <openvdb/tools/VolumeToMesh.h>

#include <vector>

namespace nendo {
namespace {

struct Balls {
    using PosType = openvdb::Vec3R;
    const std::vector<Vec3d>& positions;

    std::size_t size() const { return positions.size(); }
    void getPos(std::size_t n, openvdb::Vec3R& place) const {
        const Vec3d& p = positions[n];
        place = openvdb::Vec3R(p.x(), p.y(), p.z());
    }
};

std::size_t triangles_of(const SurfaceInput& input) {
    // Balls large enough to leave no gap between eight neighbors.
    const double voxel = 0.5 * input.spacing, radius = 0.87 * input.spacing;
    const auto grid = openvdb::createLevelSet<openvdb::FloatGrid>(voxel);
    openvdb::tools::ParticlesToLevelSet<openvdb::FloatGrid> raster(*grid);
    raster.rasterizeSpheres(Balls{input.positions}, radius);
    raster.finalize(true);
    openvdb::tools::LevelSetFilter<openvdb::FloatGrid> filter(*grid);
    filter.gaussian();
    filter.meanCurvature();
    filter.meanCurvature();
    std::vector<openvdb::Vec3s> points;
    std::vector<openvdb::Vec3I> triangles;
    std::vector<openvdb::Vec4I> quads;
    openvdb::tools::volumeToMesh(*grid, points, triangles, quads, 0, 0);
    return triangles.size() + 2 * quads.size();
}

void surface_openvdb(benchmark::State& bench) {
    openvdb::initialize();
    const SurfaceInput input = bench::lattice(Vec3d::Constant(static_cast<double>(bench.range(0))));
    std::size_t triangles = 0;
    test::with_threads(static_cast<int>(bench.range(1)), [&] {
        for (auto unused : bench) {
            static_cast<void>(unused);
            triangles = triangles_of(input);
        }
    });
    using benchmark::Counter;
    const auto n = static_cast<double>(input.positions.size());
    bench.counters["particles"] = n;
    bench.counters["triangles"] = static_cast<double>(triangles);
    bench.counters["time/particle"] =
        Counter(n * static_cast<double>(bench.iterations()), Counter::kIsRate | Counter::kInvert);
}

BENCHMARK(surface_openvdb)
    ->ArgNames({"side", "threads"})
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->ArgsProduct({{46}, {1, 2}});

} // namespace
} // namespace nendo
