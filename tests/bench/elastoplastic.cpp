// SPDX-License-Identifier: Apache-2.0
// The cost of a substep of elastoplastic matter: the cube of Saida 2017, Fig 9 (4096 masters), and
// larger cubes, as they hit the ground.
#include "support/matter.h"
#include "support/threads.h"

#include <benchmark/benchmark.h>

namespace nendo::elastoplastic::test {
namespace {

struct Drop {
    const char* material;
    double implicitness;
    bool lively_contact;
    int substeps; ///< Substeps of 1 ms; shorter ones where matter is lively
};

/// Memory traffic of a stage [bytes/s]: the bytes that it must move between memory and cores when
/// each column is read or written once, over its time.
void count_traffic(benchmark::State& bench, const Report& report) {
    const auto masters = static_cast<double>(report.masters);
    const auto slaves = static_cast<double>(report.slaves);
    const double pairs = masters * 32 * (sizeof(std::uint32_t) + sizeof(float));
    const double vec = sizeof(Vec4<float>);
    const double mat = sizeof(Mat3<float>);
    const double multiply = pairs + masters * (vec + 3 * mat + sizeof(Stiffness<float>)) +
                            slaves * (3 * vec + sizeof(float));
    const double products = report.cg_iterations / std::max(1.0, double(report.substeps)) + 1;
    const auto rate = [&](const char* stage, double bytes) {
        for (const auto& s : report.stages)
            if (s.name == stage)
                bench.counters[std::string(stage) + " bytes/s"] =
                    bytes * report.substeps / s.seconds;
    };
    rate("pairs", pairs + masters * (2 * vec + mat) + slaves * 2 * vec);
    rate("to slaves",
         pairs + masters * (2 * vec + 6 * mat + sizeof(Stiffness<float>)) + slaves * 8 * vec);
    rate("velocity", products * (multiply + slaves * 8 * vec));
    rate("to masters", pairs + masters * (2 * vec + 7 * mat) + slaves * 4 * vec);
}

/// The cube falls in the first substep and is in contact in the others.
template <class Real> void drop_cube(benchmark::State& bench, const Drop& drop) {
    const auto side = static_cast<int>(bench.range(0));
    Params params;
    params.implicitness = drop.implicitness;
    params.lively_contact = drop.lively_contact;
    Body body = make_block({side, side, side}, Vec3d(-0.5, 0.064, -0.5), preset(drop.material),
                           params.spacing);
    body.velocity = Vec3d(0, -3, 0);
    const Scene scene = ground();
    const State<Real> begin = start<Real>({body}, params);
    Solver<Real> solver;
    Host host;
    Report report;
    nendo::test::with_threads(static_cast<int>(bench.range(1)), [&] {
        for (auto unused : bench) {
            static_cast<void>(unused);
            bench.PauseTiming();
            State<Real> state = begin;
            bench.ResumeTiming();
            report =
                solver.advance(state, scene, {}, params, drop.substeps * params.time_step, host);
        }
    });
    const auto masters = static_cast<double>(report.masters);
    const double done = masters * report.substeps * static_cast<double>(bench.iterations());
    using benchmark::Counter;
    bench.counters["masters"] = masters;
    bench.counters["particles/s"] = Counter(done, Counter::kIsRate);
    bench.counters["time/particle"] = Counter(done, Counter::kIsRate | Counter::kInvert);
    bench.counters["bytes/particle"] = static_cast<double>(report.bytes) / masters;
    bench.counters["substeps"] = report.substeps;
    bench.counters["CG/substep"] = static_cast<double>(report.cg_iterations) / report.substeps;
    bench.counters["slaves"] = static_cast<double>(report.slaves);
    if constexpr (std::is_same_v<Real, float>) count_traffic(bench, report);
}

void cube(benchmark::State& bench, const Drop& drop) {
    drop_cube<float>(bench, drop);
}
void double_cube(benchmark::State& bench, const Drop& drop) {
    drop_cube<double>(bench, drop);
}

void at(benchmark::internal::Benchmark* row, const std::vector<std::int64_t>& sides,
        const std::vector<std::int64_t>& threads) {
    row->ArgNames({"side", "threads"})
        ->ArgsProduct({sides, threads})
        ->MeasureProcessCPUTime()
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
}
void all_sizes(benchmark::internal::Benchmark* row) {
    at(row, {16, 26, 46}, {1, 2});
}
void one_size(benchmark::internal::Benchmark* row) {
    at(row, {16}, {1, 2});
}
/// 512,000 masters: one run is long enough.
void half_a_million(benchmark::internal::Benchmark* row) {
    at(row, {80}, {2});
    row->Iterations(1)->Repetitions(3);
}
/// 2,000,376 masters: whether they fit into memory, and their cost.
void two_million(benchmark::internal::Benchmark* row) {
    at(row, {126}, {2});
    row->Iterations(1)->Repetitions(1);
}

constexpr Drop soft{"jelly", 1, true, 8};
constexpr Drop explicit_soft{"jelly", 0, true, 8};
constexpr Drop hard{"rubber", 1, false, 8};       // the substeps of soft matter
constexpr Drop hard_lively{"rubber", 1, true, 4}; // as scenes run it, so that it bounces

BENCHMARK_CAPTURE(cube, soft, soft)->Apply(all_sizes);
BENCHMARK_CAPTURE(cube, explicit_soft, explicit_soft)->Apply(all_sizes);
BENCHMARK_CAPTURE(cube, soft, soft)->Apply(half_a_million);
BENCHMARK_CAPTURE(cube, explicit_soft, explicit_soft)->Apply(half_a_million);
BENCHMARK_CAPTURE(cube, soft, soft)->Apply(two_million);
BENCHMARK_CAPTURE(cube, hard, hard)->Apply(one_size);
BENCHMARK_CAPTURE(cube, hard_lively, hard_lively)->Apply(one_size);
BENCHMARK_CAPTURE(double_cube, soft, soft)->Apply(one_size);
BENCHMARK_CAPTURE(double_cube, hard, hard)->Apply(one_size);

} // namespace
} // namespace nendo::elastoplastic::test
