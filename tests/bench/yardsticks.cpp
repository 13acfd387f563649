// SPDX-License-Identifier: Apache-2.0
// Yardsticks for the other benchmarks, measured in the same run: another method for the same
// matter, the memory of this machine, and the share of its cores that the run had.
#include "mls_mpm.h"
#include "support/threads.h"

#include <benchmark/benchmark.h>

#include <chrono>

namespace nendo {
namespace {

/// Cubes as large as those of the solver's own benchmarks, as they meet the ground.
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

/// a = b + s c over columns that no cache holds: 24 bytes per entry.
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

/// 8 n additions that keep a core busy.
void add_up(int n) {
    std::uint64_t a = 1, b = 2, c = 3, d = 4, more = 5;
    for (int i = 0; i < n; ++i) {
        a += more, b += more, c += more, d += more;
        asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
        a += more, b += more, c += more, d += more;
        asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
    }
}

/// A chain of n products, none of which can start before the previous one has ended.
void multiply_up(int n) {
    std::uint64_t product = 3, factor = 5;
    for (int i = 0; i < n; ++i) {
        product *= factor;
        asm volatile("" : "+r"(product), "+r"(factor));
    }
}

/// Additions that a core does in the time of one product of a chain. Other programs on the core
/// slow down the additions, which fill it, but not the chain, which waits for itself.
void core(benchmark::State& bench) {
    constexpr int n = 1 << 20;
    using Clock = std::chrono::steady_clock;
    Clock::duration chain{}, additions{};
    for (auto unused : bench) {
        static_cast<void>(unused);
        const auto begin = Clock::now();
        multiply_up(n);
        const auto middle = Clock::now();
        add_up(n);
        additions += Clock::now() - middle;
        chain += middle - begin;
    }
    using Seconds = std::chrono::duration<double>;
    bench.counters["additions/product"] = 8 * Seconds(chain).count() / Seconds(additions).count();
}
BENCHMARK(core);

/// Work that needs no memory and no order, in pieces of microseconds: the largest speed-up of two
/// threads on this machine.
void additions(benchmark::State& bench) {
    constexpr std::size_t pieces = 256;
    constexpr int n = 1 << 12;
    test::with_threads(static_cast<int>(bench.range(0)), [&] {
        for (auto unused : bench) {
            static_cast<void>(unused);
            parallel_tasks(pieces, [](std::size_t) { add_up(n); });
        }
    });
    const auto done = 8.0 * n * pieces * static_cast<double>(bench.iterations());
    using benchmark::Counter;
    bench.counters["time/addition"] = Counter(done, Counter::kIsRate | Counter::kInvert);
}
BENCHMARK(additions)->ArgNames({"threads"})->Arg(1)->Arg(2)->MeasureProcessCPUTime()->UseRealTime();

} // namespace
} // namespace nendo
