// SPDX-License-Identifier: Apache-2.0
// The cost of a step of a chain of bones, and of moving a skin.
#include "skinning/skin.h"
#include "support/bones.h"
#include "support/threads.h"
#include "support/tubes.h"

#include <benchmark/benchmark.h>

#include <algorithm>

namespace nendo::rheology::test {
namespace {

/// A chain that swings down from a clamp; 250 steps of 4 ms.
void chain(benchmark::State& bench) {
    Material material;
    material.young = 1e6;
    material.viscosity = 1e8;
    const auto bones = static_cast<int>(bench.range(0));
    const Body body =
        make_skeleton(straight(bones, 0.04 * bones, Section::ellipse(0.02, 0.02), material),
                      material, Clamp::first);
    State<double> begin;
    add_body(begin, body);
    Solver<double> solver;
    Host host;
    Report report;
    double gap = 0;
    for (auto unused : bench) {
        static_cast<void>(unused);
        bench.PauseTiming();
        State<double> state = begin;
        bench.ResumeTiming();
        report = solver.advance(state, Scene(), {}, Params(), 1, host);
        gap = std::max(gap, report.joint_gap);
    }
    using benchmark::Counter;
    bench.counters["time/step"] =
        Counter(static_cast<double>(report.substeps) * static_cast<double>(bench.iterations()),
                Counter::kIsRate | Counter::kInvert);
    bench.counters["gap"] = gap;
}
BENCHMARK(chain)->ArgName("bones")->Arg(20)->Arg(50)->Arg(200)->Unit(benchmark::kMillisecond);

/// A tube on 20 bones: positions and normals.
void skin(benchmark::State& bench, Blend blend) {
    const auto corners = 100;
    const auto rings = static_cast<int>(bench.range(0)) / corners;
    const TriMesh mesh = make_tube({Vec3d(0, 0, 0), Vec3d(2, 0, 0)}, 0.05, rings, corners);
    Material material;
    State<double> state;
    add_body(state, make_skeleton(straight(20, 2, Section::ellipse(0.1, 0.1), material), material,
                                  Clamp::first));
    const Influences influences =
        influences_by_distance(mesh.points, bone_lines(state.bones), 4, 4);
    const Skin skin(mesh.points, point_normals(mesh), influences, rest_poses(state.bones));
    for (std::size_t b = 0; b < 20; ++b) state.bones.x[b].y() = 0.01 * static_cast<double>(b);
    const std::vector<Pose> now = poses(state.bones);
    std::vector<Vec3<float>> points, normals;
    nendo::test::with_threads(static_cast<int>(bench.range(1)), [&] {
        for (auto unused : bench) {
            static_cast<void>(unused);
            skin.deform(now, blend, points, normals);
            benchmark::ClobberMemory();
        }
    });
    using benchmark::Counter;
    const auto vertices = static_cast<double>(mesh.points.size());
    bench.counters["time/vertex"] = Counter(vertices * static_cast<double>(bench.iterations()),
                                            Counter::kIsRate | Counter::kInvert);
    // Read: position, normal, and all weights but the first. Written: position and normal.
    const auto used =
        static_cast<double>(std::count_if(influences.weights.begin(), influences.weights.end(),
                                          [](float weight) { return weight > 0; }));
    bench.counters["bytes/vertex"] = 24 + 4 * (used / vertices - 1) + 24;
}
void sizes(benchmark::internal::Benchmark* row) {
    row->ArgNames({"vertices", "threads"})
        ->ArgsProduct({{100000, 1000000}, {1, 2}})
        ->MeasureProcessCPUTime()
        ->UseRealTime()
        ->Unit(benchmark::kMicrosecond);
}
BENCHMARK_CAPTURE(skin, linear, Blend::linear)->Apply(sizes);
BENCHMARK_CAPTURE(skin, dual_quaternion, Blend::dual_quaternion)->Apply(sizes);

} // namespace
} // namespace nendo::rheology::test
