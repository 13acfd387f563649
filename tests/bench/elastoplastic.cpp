// The cost of a substep of elastoplastic matter: the cube of S000 Fig 9 (4096 masters) as it hits
// the ground.
#include "support/matter.h"
#include "support/threads.h"

#include <benchmark/benchmark.h>

namespace nendo::elastoplastic::test {
namespace {

struct Drop {
    const char* material;
    double implicitness;
    bool lively_contact;
    double duration; ///< [s]
};

/// The first substep falls, the others are in contact.
template <class Real> void cube(benchmark::State& bench, const Drop& drop) {
    Params params;
    params.implicitness = drop.implicitness;
    params.lively_contact = drop.lively_contact;
    Body body =
        make_block({16, 16, 16}, Vec3d(-0.5, 0.064, -0.5), preset(drop.material), params.spacing);
    body.velocity = Vec3d(0, -3, 0);
    const Scene scene = ground();
    const State<Real> begin = start<Real>({body}, params);
    Solver<Real> solver;
    Host host;
    Report report;
    nendo::test::with_threads(static_cast<int>(bench.range(0)), [&] {
        for (auto unused : bench) {
            static_cast<void>(unused);
            State<Real> state = begin;
            report = solver.advance(state, scene, {}, params, drop.duration, host);
        }
    });
    const auto masters = static_cast<double>(report.masters);
    const double done = masters * report.substeps * static_cast<double>(bench.iterations());
    using benchmark::Counter;
    bench.counters["particles/s"] = Counter(done, Counter::kIsRate);
    bench.counters["time/particle"] = Counter(done, Counter::kIsRate | Counter::kInvert);
    bench.counters["bytes/particle"] = static_cast<double>(report.bytes) / masters;
    bench.counters["substeps"] = report.substeps;
    bench.counters["CG/substep"] = static_cast<double>(report.cg_iterations) / report.substeps;
    bench.counters["slaves"] = static_cast<double>(report.slaves);
}

void float_cube(benchmark::State& bench, const Drop& drop) {
    cube<float>(bench, drop);
}
void double_cube(benchmark::State& bench, const Drop& drop) {
    cube<double>(bench, drop);
}

void threads(benchmark::internal::Benchmark* row) {
    row->ArgNames({"threads"})
        ->ArgsProduct({{1, 2}})
        ->MeasureProcessCPUTime()
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
}

constexpr Drop soft{"jelly", 1, true, 0.016};
constexpr Drop hard{"rubber", 1, false, 0.008};       // the substeps of soft matter
constexpr Drop hard_lively{"rubber", 1, true, 0.004}; // as scenes run it, so that it bounces
constexpr Drop explicit_soft{"jelly", 0, true, 0.016};

BENCHMARK_CAPTURE(float_cube, soft, soft)->Apply(threads);
BENCHMARK_CAPTURE(double_cube, soft, soft)->Apply(threads);
BENCHMARK_CAPTURE(float_cube, hard, hard)->Apply(threads);
BENCHMARK_CAPTURE(double_cube, hard, hard)->Apply(threads);
BENCHMARK_CAPTURE(float_cube, hard_lively, hard_lively)->Apply(threads);
BENCHMARK_CAPTURE(double_cube, hard_lively, hard_lively)->Apply(threads);
BENCHMARK_CAPTURE(float_cube, explicit_soft, explicit_soft)->Apply(threads);
BENCHMARK_CAPTURE(double_cube, explicit_soft, explicit_soft)->Apply(threads);

} // namespace
} // namespace nendo::elastoplastic::test
