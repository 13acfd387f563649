// SPDX-License-Identifier: Apache-2.0
// Particles to a level set and a mesh: time and memory per particle.
#include "bench/lattice.h"
#include "support/threads.h"

#include <benchmark/benchmark.h>

#include <fstream>
#include <string>

#include <malloc.h>

namespace nendo {
namespace {

/// The most memory that the process has held since reset_peak() [bytes].
double peak_memory() {
    std::ifstream status("/proc/self/status");
    std::string word;
    double kilobytes = 0;
    while (status >> word)
        if (word == "VmHWM:") status >> kilobytes;
    return 1024 * kilobytes;
}
void reset_peak() {
    malloc_trim(0); // releases memory left by earlier benchmarks
    std::ofstream("/proc/self/clear_refs") << 5;
}

void surface(benchmark::State& bench, const SurfaceInput& input, SurfaceMode mode) {
    SurfaceParams params;
    params.mode = mode;
    Surface made;
    reset_peak();
    const double before = peak_memory();
    test::with_threads(static_cast<int>(bench.range(1)), [&] {
        for (auto unused : bench) {
            static_cast<void>(unused);
            made = surface_particles(input, params);
        }
    });
    using benchmark::Counter;
    const auto n = static_cast<double>(input.positions.size());
    bench.counters["particles"] = n;
    bench.counters["triangles"] = static_cast<double>(made.mesh.triangles.size());
    bench.counters["time/particle"] =
        Counter(n * static_cast<double>(bench.iterations()), Counter::kIsRate | Counter::kInvert);
    bench.counters["bytes/particle"] = (peak_memory() - before) / n;
}

void surface_cube(benchmark::State& bench, SurfaceMode mode) {
    surface(bench, bench::lattice(Vec3d::Constant(static_cast<double>(bench.range(0)))), mode);
}
void surface_sheet(benchmark::State& bench, SurfaceMode mode) {
    const auto side = static_cast<double>(bench.range(0));
    surface(bench, bench::lattice({side, 1, side}), mode);
}

void rows(benchmark::internal::Benchmark* row) {
    row->ArgNames({"side", "threads"})->MeasureProcessCPUTime()->UseRealTime();
}

BENCHMARK_CAPTURE(surface_cube, matter, SurfaceMode::matter)
    ->Apply(rows)
    ->ArgsProduct({{46, 100}, {1, 2}});
BENCHMARK_CAPTURE(surface_cube, anisotropic, SurfaceMode::anisotropic)->Apply(rows)->Args({46, 2});
BENCHMARK_CAPTURE(surface_cube, metaball, SurfaceMode::metaball)->Apply(rows)->Args({46, 2});
BENCHMARK_CAPTURE(surface_sheet, matter, SurfaceMode::matter)->Apply(rows)->Args({87, 2});

} // namespace
} // namespace nendo
