// SPDX-License-Identifier: Apache-2.0
// The cost of an iteration of clusters (melting thesis, Table 3.3): 6546 particles of a flattened
// animal, all clusters and a sample of them, each pairing; a large block; and a frame of melting.
#include "support/melting.h"
#include "support/threads.h"

#include <benchmark/benchmark.h>

namespace nendo::melt::test {
namespace {

constexpr double d = 0.05;

void count(benchmark::State& bench, const Workspace<float>& w, double iterations) {
    double pairs = 0, solved = 0;
    for (std::uint32_t i = 0; i < w.clusters.size(); ++i)
        if (w.clusters[i].count > 0 && w.clusters.bucket(i) != max_groups) {
            pairs += w.clusters[i].count;
            ++solved;
        }
    using benchmark::Counter;
    bench.counters["particles"] = static_cast<double>(w.clusters.size());
    bench.counters["clusters"] = solved;
    bench.counters["time/pair"] = Counter(pairs * iterations, Counter::kIsRate | Counter::kInvert);
}

/// One iteration on a body that is returning to its shape.
void iteration(benchmark::State& bench, const Pairing& pairing, const State<float>& state,
               Params p) {
    pairing.apply(p);
    Workspace<float> w;
    prepare(w, state, p);
    nendo::test::with_threads(static_cast<int>(bench.range(0)), [&] {
        int k = 0;
        for (auto unused : bench) {
            static_cast<void>(unused);
            iterate(w, k++);
        }
    });
    count(bench, w, static_cast<double>(bench.iterations()));
}

void animal(benchmark::State& bench, const Pairing& pairing, double samples) {
    Params p = cold(d);
    p.samples = samples;
    Body body = make_body(*make_animal(2.23), Material{}, d);
    body.squash = Vec3d(1, 1, 0);
    iteration(bench, pairing, start<float>({body}, p), p);
}

void block(benchmark::State& bench, const Pairing& pairing) {
    const Params p = cold(d);
    Body body = make_block({58, 58, 60}, {0, 0, 0}, Material{}, d);
    body.squash = Vec3d(1, 0.5, 1);
    iteration(bench, pairing, start<float>({body}, p), p);
}

/// A time step of a melting animal: heat, liquid, and 17 iterations. The thesis takes one step of
/// 0.01 s per frame (melting thesis, Tables 3.2 and 3.4); one of 1/30 s runs in real time.
void melting_frame(benchmark::State& bench, double time_step) {
    Params p;
    p.spacing = d;
    p.iterations = 17;
    p.samples = 0.129;
    p.time_step = time_step;
    p.fluid.pressure = sph::Pressure::implicit;
    Body body = make_body(*make_animal(2.23), preset("paper"), d);
    body.temperature = 49.9;
    Scene scene = ground();
    HeatSource ball;
    ball.shape = make_sphere({0, 2.3, 0}, 0.2);
    ball.temperature = 2000;
    ball.transfer = 1e5;
    ball.reach = 0.7;
    scene.heat_sources.push_back(ball);
    State<float> begin = start<float>({body}, p);
    Report report = run(begin, scene, p, 0.2);
    Solver<float> solver;
    Host host;
    nendo::test::with_threads(static_cast<int>(bench.range(0)), [&] {
        for (auto unused : bench) {
            static_cast<void>(unused);
            bench.PauseTiming();
            State<float> state = begin;
            bench.ResumeTiming();
            report = solver.advance(state, scene, {}, p, time_step, host);
        }
    });
    bench.counters["liquid"] = static_cast<double>(report.liquid);
    bench.counters["substeps"] = report.substeps;
    bench.counters["iterations"] = report.iterations;
}

void threads(benchmark::internal::Benchmark* row) {
    row->ArgName("threads")->Arg(1)->Arg(2)->MeasureProcessCPUTime()->UseRealTime()->Unit(
        benchmark::kMillisecond);
}

[[maybe_unused]] const bool registered = [] {
    for (const Pairing& pairing : pairings()) {
        const std::string name = pairing.name;
        for (const double samples : {1.0, 0.129})
            threads(benchmark::RegisterBenchmark(
                ("melt/" + name + (samples < 1 ? ", sampled" : "")).c_str(),
                [&pairing, samples](benchmark::State& b) { animal(b, pairing, samples); }));
    }
    threads(benchmark::RegisterBenchmark("melt/200k particles, OP weighted Jacobi",
                                         [](benchmark::State& b) { block(b, pairings()[4]); }));
    threads(benchmark::RegisterBenchmark("melt/frame of 1:30 s",
                                         [](benchmark::State& b) { melting_frame(b, 1.0 / 30); }));
    threads(benchmark::RegisterBenchmark("melt/frame of 0.01 s",
                                         [](benchmark::State& b) { melting_frame(b, 0.01); }));
    return true;
}();

} // namespace
} // namespace nendo::melt::test
