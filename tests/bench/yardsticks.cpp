// What the other rows are measured against, in the same run: another method for the same matter, and
// the memory of this machine.
#include "mls_mpm.h"
#include "support/threads.h"

#include <benchmark/benchmark.h>

namespace nendo {
namespace {

/// Cubes as large as those of the solver's own rows, as they meet the ground.
void mls_mpm(benchmark::State& bench) {
    const auto side = static_cast<int>(bench.range(0));
    test::MlsMpm mpm(side, 0.0625f, 1e4f, 0.4f, 1000);
    test::with_threads(static_cast<int>(bench.range(1)), [&] {
        for (auto unused : bench) {
            static_cast<void>(unused);
            mpm.step(1e-3f);
        }
    });
    for (const auto& p : mpm.particles())
        if (!p.x.allFinite()) bench.SkipWithError("a particle is lost");
    const auto n = static_cast<double>(mpm.particles().size());
    const double done = n * static_cast<double>(bench.iterations());
    using benchmark::Counter;
    bench.counters["masters"] = n;
    bench.counters["time/particle"] = Counter(done, Counter::kIsRate | Counter::kInvert);
    bench.counters["bytes/particle"] = static_cast<double>(mpm.bytes()) / n;
}
BENCHMARK(mls_mpm)
    ->ArgNames({"side", "threads"})
    ->ArgsProduct({{16, 26, 46}, {1, 2}})
    ->MeasureProcessCPUTime()
    ->UseRealTime();

/// a = b + s c over columns that no cache holds: 24 bytes an entry.
void triad(benchmark::State& bench) {
    constexpr std::size_t n = 1 << 24;
    std::vector<double> a(n, 1), b(n, 2), c(n, 3);
    test::with_threads(static_cast<int>(bench.range(0)), [&] {
        for (auto unused : bench) {
            static_cast<void>(unused);
            parallel_for(n, [&](std::size_t i) { a[i] = b[i] + 0.5 * c[i]; });
            benchmark::ClobberMemory();
        }
    });
    const auto bytes = 3.0 * sizeof(double) * n * static_cast<double>(bench.iterations());
    bench.counters["bytes/s"] = benchmark::Counter(bytes, benchmark::Counter::kIsRate);
}
BENCHMARK(triad)->ArgNames({"threads"})->Arg(1)->Arg(2)->MeasureProcessCPUTime()->UseRealTime();

} // namespace
} // namespace nendo
