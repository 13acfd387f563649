// SPDX-License-Identifier: Apache-2.0
// The cost of finding neighbors: sorting points into cells, then finding all pairs, 30 per point.
#include "neighbors/lists.h"
#include "neighbors/pairs.h"
#include "support/threads.h"

#include <benchmark/benchmark.h>

#include <atomic>
#include <cmath>
#include <random>
#include <vector>

namespace nendo {
namespace {

/// Points of a lattice of edge 1, each displaced by up to a quarter, in the order that solvers
/// keep.
template <class Real> std::vector<Vec3<Real>> scattered_points(std::size_t n) {
    const auto side = static_cast<std::size_t>(std::ceil(std::cbrt(static_cast<double>(n))));
    std::mt19937 random(1);
    std::uniform_real_distribution<double> u(-0.25, 0.25);
    std::vector<Vec3<Real>> points;
    std::vector<std::int64_t> ids;
    for (std::size_t k = 0; k < n; ++k) {
        const Vec3d corner(static_cast<double>(k / (side * side)),
                           static_cast<double>(k / side % side), static_cast<double>(k % side));
        points.emplace_back(
            (corner + Vec3d(u(random), u(random), u(random))).template cast<Real>());
        ids.push_back(static_cast<std::int64_t>(k));
    }
    std::vector<std::uint32_t> order;
    spatial_order(points, ids, 2.0, order);
    std::vector<Vec3<Real>> sorted;
    for (const std::uint32_t k : order) sorted.push_back(points[k]);
    return sorted;
}

void count_points(benchmark::State& bench, std::size_t points, std::size_t pairs,
                  std::size_t bytes) {
    const auto n = static_cast<double>(points);
    const auto done = n * static_cast<double>(bench.iterations());
    using benchmark::Counter;
    bench.counters["points/s"] = Counter(done, Counter::kIsRate);
    bench.counters["time/point"] = Counter(done, Counter::kIsRate | Counter::kInvert);
    bench.counters["neighbors"] = static_cast<double>(pairs) / n;
    bench.counters["bytes/point"] = static_cast<double>(bytes) / n;
}

/// Radius that gives 30 neighbors per point, or 28 where the surface has a larger share.
constexpr double radius_of_30 = 2.02;

/// Pairs among the points of one set, as in SPH.
template <class Real> void neighbor_lists(benchmark::State& bench) {
    const std::vector<Vec3<Real>> points =
        scattered_points<Real>(static_cast<std::size_t>(bench.range(0)));
    NeighborLists<Real> lists;
    test::with_threads(static_cast<int>(bench.range(1)), [&] {
        for (auto unused : bench) {
            static_cast<void>(unused);
            lists.build(points, static_cast<Real>(radius_of_30));
        }
    });
    std::atomic<std::size_t> found{0};
    lists.for_each([&](std::uint32_t, const auto& row) { found += row.count; });
    count_points(bench, points.size(), found, lists.bytes());
}

/// Pairs between two sets, in blocks that may scatter to their neighbors.
template <class Real> void neighbor_pairs(benchmark::State& bench) {
    const std::vector<Vec3<Real>> points =
        scattered_points<Real>(static_cast<std::size_t>(bench.range(0)));
    const Real radius = static_cast<Real>(radius_of_30);
    Grid<Real> grid;
    Pairs<Real> pairs;
    std::atomic<std::size_t> found{0};
    test::with_threads(static_cast<int>(bench.range(1)), [&] {
        for (auto unused : bench) {
            static_cast<void>(unused);
            grid.build(points, 1.00001 * radius_of_30);
            found = 0;
            pairs.find(
                points, grid, radius,
                [&](std::uint32_t q, std::uint32_t slot) { return q != grid.index()[slot]; },
                [&](const PairBlock<Real>& block) { found += block.pairs(); });
        }
    });
    count_points(bench, points.size(), found, grid.bytes() + pairs.bytes());
}

void sizes_and_threads(benchmark::internal::Benchmark* row) {
    row->ArgNames({"points", "threads"})
        ->ArgsProduct({{10000, 100000}, {1, 2}})
        ->MeasureProcessCPUTime()
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
}

BENCHMARK_TEMPLATE(neighbor_lists, float)->Apply(sizes_and_threads);
BENCHMARK_TEMPLATE(neighbor_pairs, float)->Apply(sizes_and_threads);

} // namespace
} // namespace nendo
