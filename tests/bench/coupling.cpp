// SPDX-License-Identifier: Apache-2.0
// The cost of a substep of fluid: a breaking dam of 70k and of 500k particles with the pressure of
// the state equation, and of 70k particles with implicit pressure.
#include "support/flow.h"
#include "support/threads.h"

#include <benchmark/benchmark.h>

#include <map>
#include <memory>

namespace nendo::coupling::test {
namespace {

/// A cubic meter of water at the side of a tank that is two and a half times as long.
struct Dam {
    Scene scene;
    Params params;
    State<float> state;

    Dam(int side, sph::Pressure pressure) {
        params.spacing = 1.0 / side;
        params.pressure = pressure;
        // In longer steps the solve of such a deep column runs out of iterations.
        if (pressure == sph::Pressure::implicit) params.time_step = 0.2 * params.spacing;
        scene = make_tank(2.5, 1, 9.81);
        Inputs in;
        in.bodies.push_back(
            make_block({side, side, side}, {0, 0, 0}, preset("water"), params.spacing));
        Host host;
        Solver<float>().advance(state, scene, in, params, 0.05, host); // until it flows
    }
};

void dam_break(benchmark::State& bench, sph::Pressure pressure) {
    const auto side = static_cast<int>(bench.range(0));
    static std::map<std::pair<int, sph::Pressure>, std::unique_ptr<Dam>> dams;
    auto& dam = dams[{side, pressure}];
    if (!dam) dam = std::make_unique<Dam>(side, pressure);
    Solver<float> solver;
    Host host;
    double done = 0;
    std::map<std::string, double> seconds;
    Report report;
    nendo::test::with_threads(static_cast<int>(bench.range(1)), [&] {
        for (auto unused : bench) {
            static_cast<void>(unused);
            bench.PauseTiming();
            State<float> state = dam->state;
            bench.ResumeTiming();
            report = solver.advance(state, dam->scene, {}, dam->params, 1e-2, host);
            done += static_cast<double>(report.particles) * report.substeps;
            for (const StageTime& stage : report.stages)
                seconds[std::string(stage.name)] += stage.seconds;
        }
    });
    using benchmark::Counter;
    double all = 0;
    for (const auto& [name, time] : seconds) all += time;
    bench.counters["particles"] = static_cast<double>(report.particles);
    bench.counters["time/particle"] = Counter(done, Counter::kIsRate | Counter::kInvert);
    bench.counters["search"] = seconds["neighbors"] / all;
    bench.counters["substeps"] = report.substeps;
    bench.counters["bytes/particle"] =
        static_cast<double>(report.bytes) / static_cast<double>(report.particles);
    if (report.pressure_iterations > 0)
        bench.counters["iterations/substep"] =
            static_cast<double>(report.pressure_iterations) / report.substeps;
}

void at(benchmark::internal::Benchmark* row, const std::vector<std::int64_t>& sides) {
    row->ArgNames({"side", "threads"})
        ->ArgsProduct({sides, {1, 2}})
        ->MeasureProcessCPUTime()
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
}

/// 68,921 and 493,039 particles.
void both_sizes(benchmark::internal::Benchmark* row) {
    at(row, {41, 79});
}
/// Deeper water would take minutes.
void small_size(benchmark::internal::Benchmark* row) {
    at(row, {41});
}

BENCHMARK_CAPTURE(dam_break, state_equation, sph::Pressure::state_equation)->Apply(both_sizes);
BENCHMARK_CAPTURE(dam_break, implicit, sph::Pressure::implicit)->Apply(small_size);

} // namespace
} // namespace nendo::coupling::test
