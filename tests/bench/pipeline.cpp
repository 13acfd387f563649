// SPDX-License-Identifier: Apache-2.0
// The cost of the work around a simulation: sampling a shape, making its skin, writing a frame.
#include "io/geo/geo.h"
#include "io/geo/table.h"
#include "support/matter.h"
#include "surface/surface.h"

#include <benchmark/benchmark.h>

#include <filesystem>

#include <unistd.h>

namespace nendo::elastoplastic::test {
namespace {

void count_particles(benchmark::State& bench, std::size_t particles) {
    using benchmark::Counter;
    const auto n = static_cast<double>(particles);
    bench.counters["particles"] = n;
    bench.counters["particles/s"] =
        Counter(n * static_cast<double>(bench.iterations()), Counter::kIsRate);
}

SurfaceInput surface_input(const State<float>& state, double spacing) {
    SurfaceInput input;
    for (const auto& x : state.masters.x) input.positions.push_back(x.cast<double>());
    for (const auto& v : state.masters.v) input.velocities.push_back(v.cast<double>());
    input.spacing = spacing;
    return input;
}

/// The state of an animal 1 m tall.
State<float> animal(double spacing) {
    Params params;
    params.spacing = spacing;
    return start<float>({make_body(*make_animal(1), preset("jelly"), spacing)}, params);
}

void sample_animal(benchmark::State& bench) {
    const SdfPtr shape = make_animal(1);
    Samples samples;
    for (auto unused : bench) {
        static_cast<void>(unused);
        samples = sample(*shape, 0.03);
    }
    count_particles(bench, samples.masters.size());
}

void surface_animal(benchmark::State& bench) {
    const double spacing = 0.03;
    const SurfaceInput input = surface_input(animal(spacing), spacing);
    Surface surface;
    for (auto unused : bench) {
        static_cast<void>(unused);
        surface = surface_particles(input, SurfaceParams{});
    }
    count_particles(bench, input.positions.size());
    bench.counters["triangles"] = static_cast<double>(surface.mesh.triangles.size());
}

void write_animal(benchmark::State& bench, const char* suffix) {
    const State<float> state = animal(0.03);
    const std::filesystem::path path = std::filesystem::temp_directory_path() /
                                       ("nendo-bench-" + std::to_string(::getpid()) + suffix);
    for (auto unused : bench) {
        static_cast<void>(unused);
        Geometry geometry;
        table_to_points(state.masters, geometry);
        write_geometry(path.string(), geometry);
    }
    count_particles(bench, state.masters.id.size());
    bench.counters["bytes/particle"] = static_cast<double>(std::filesystem::file_size(path)) /
                                       static_cast<double>(state.masters.id.size());
    std::filesystem::remove(path);
}

void in_milliseconds(benchmark::internal::Benchmark* row) {
    row->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond);
}

BENCHMARK(sample_animal)->Apply(in_milliseconds);
BENCHMARK(surface_animal)->Apply(in_milliseconds);
BENCHMARK_CAPTURE(write_animal, bgeo, ".bgeo")->Apply(in_milliseconds);
BENCHMARK_CAPTURE(write_animal, bgeo.sc, ".bgeo.sc")->Apply(in_milliseconds);

} // namespace
} // namespace nendo::elastoplastic::test
