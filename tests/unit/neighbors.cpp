// SPDX-License-Identifier: Apache-2.0
// Neighbor search against comparing all pairs: blocks of pairs, and lists.
#include "neighbors/lists.h"
#include "neighbors/pairs.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <random>
#include <set>
#include <thread>

namespace nendo {
namespace {

template <class Real>
std::vector<Vec3<Real>> random_points(std::size_t n, double size, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> u(-size, size);
    std::vector<Vec3<Real>> points(n);
    for (auto& p : points) p = Vec3d(u(random), u(random), u(random)).template cast<Real>();
    return points;
}

/// The points near each query, with their squared distances.
template <class Real> using Rows = std::vector<std::vector<std::pair<std::uint32_t, Real>>>;

template <class Real>
Rows<Real> find_rows(const std::vector<Vec3<Real>>& queries, const std::vector<Vec3<Real>>& points,
                     double radius) {
    Grid<Real> grid;
    grid.build(points, radius);
    Pairs<Real> pairs;
    Rows<Real> rows(queries.size());
    pairs.find(
        queries, grid, static_cast<Real>(radius), [](std::uint32_t, std::uint32_t) { return true; },
        [&](const PairBlock<Real>& block) {
            for (std::size_t r = 0; r < block.rows(); ++r)
                for (std::uint32_t k = block.start[r]; k != block.start[r + 1]; ++k)
                    if (std::isfinite(block.weight[k])) // not padding of the row
                        rows[block.query[r]].emplace_back(grid.index()[block.slot[k]],
                                                          block.weight[k]);
        });
    return rows;
}

template <class Real> void check_against_all_pairs(double size, std::size_t count) {
    const auto points = random_points<Real>(count, size, 1);
    const auto queries = random_points<Real>(200, size, 2);
    const Real radius = Real(0.4);
    Grid<Real> grid;
    grid.build(points, 0.4);
    const Rows<Real> rows = find_rows(queries, points, 0.4);
    std::size_t total = 0;
    for (std::size_t q = 0; q < queries.size(); ++q) {
        std::set<std::uint32_t> expected;
        for (std::uint32_t i = 0; i < points.size(); ++i)
            if ((points[i] - queries[q]).squaredNorm() < radius * radius) expected.insert(i);
        std::set<std::uint32_t> found;
        for (const auto& [point, r2] : rows[q]) {
            found.insert(point);
            const Vec3<Real> d = points[point] - queries[q];
            EXPECT_EQ(r2, d.x() * d.x() + d.y() * d.y() + d.z() * d.z());
        }
        EXPECT_EQ(found, expected);
        EXPECT_EQ(found.size(), rows[q].size()) << "a pair is listed twice";
        std::multiset<std::uint32_t> single;
        grid.visit(queries[q], radius, [&](std::uint32_t i, Real) { single.insert(i); });
        EXPECT_EQ(single, std::multiset<std::uint32_t>(expected.begin(), expected.end()));
        total += expected.size();
    }
    EXPECT_GT(total, 100u);
}

TEST(Neighbors, finds_what_comparing_all_pairs_finds) {
    check_against_all_pairs<double>(1.5, 700);
    check_against_all_pairs<float>(1.5, 700);
    check_against_all_pairs<float>(0.3, 3000); // more points around a cell than usual
    // So few buckets that rows of cells share them.
    check_against_all_pairs<float>(0.9, 60);
}

template <class Real> void check_near_slots(std::size_t count, double size) {
    const auto points = random_points<Real>(count, size, 11);
    Grid<Real> grid;
    grid.build(points, 0.4);
    const Real radius = Real(0.25);
    std::vector<std::set<std::uint32_t>> found(count);
    grid.for_each_near(radius, [&](std::uint32_t slot, const std::uint32_t* near, std::uint32_t n) {
        for (std::uint32_t k = 0; k < n; ++k)
            found[grid.index()[slot]].insert(grid.index()[near[k]]);
    });
    for (std::size_t i = 0; i < count; ++i) {
        std::set<std::uint32_t> expected;
        for (std::uint32_t j = 0; j < count; ++j)
            if ((points[j] - points[i]).squaredNorm() < radius * radius) expected.insert(j);
        ASSERT_EQ(found[i], expected);
    }
}

TEST(Neighbors, near_slots_are_what_comparing_all_pairs_finds) {
    check_near_slots<float>(1500, 1.5);
    check_near_slots<double>(1500, 1.5);
    check_near_slots<float>(2000, 0.25);
}

void check_colors(std::size_t count, double size) {
    const auto points = random_points<float>(count, size, 8);
    Grid<float> grid;
    grid.build(points, 0.2);
    Pairs<float> pairs;
    const auto all = [](std::uint32_t, std::uint32_t) { return true; };
    // Two blocks that run at the same time never share a slot.
    std::vector<std::atomic<int>> visitors(points.size());
    std::atomic<int> clashes{0};
    std::atomic<std::size_t> queries{0};
    tbb::task_arena arena(4);
    arena.execute([&] {
        pairs.find(points, grid, 0.2f, all, [](const PairBlock<float>&) {});
        pairs.by_color([&](const PairBlock<float>& block) {
            queries += block.rows();
            const std::set<std::uint32_t> slots(block.slot.begin(),
                                                block.slot.begin() + block.start.back());
            for (const std::uint32_t s : slots) clashes += visitors[s]++ != 0 ? 1 : 0;
            std::this_thread::yield();
            for (const std::uint32_t s : slots) --visitors[s];
        });
    });
    EXPECT_EQ(clashes, 0);
    EXPECT_EQ(queries, points.size());
}

// Many queries are stored in larger blocks.
constexpr std::size_t many = 70000;

TEST(Neighbors, blocks_of_a_color_share_no_neighbor) {
    check_colors(20000, 2);
    check_colors(many, 3);
}

TEST(Neighbors, rows_do_not_depend_on_the_number_of_queries) {
    const auto points = random_points<float>(many, 3, 8);
    const std::vector<Vec3<float>> some(points.begin(), points.begin() + 1000);
    Rows<float> rows = find_rows(points, points, 0.2);
    rows.resize(some.size());
    EXPECT_EQ(rows, find_rows(some, points, 0.2));
}

TEST(Neighbors, space_has_no_bounds) {
    // Two clusters a million cells apart, and far from the origin.
    auto points = random_points<double>(300, 1, 3);
    for (std::size_t i = 150; i < 300; ++i) points[i] += Vec3d(4e5, -7e8, 1e9);
    Grid<double> grid;
    grid.build(points, 0.5);
    std::size_t found = 0;
    for (std::size_t q = 0; q < points.size(); ++q) {
        std::size_t expected = 0;
        for (const Vec3d& p : points) expected += (p - points[q]).squaredNorm() < 0.25 ? 1 : 0;
        std::size_t count = 0;
        grid.visit(points[q], 0.5, [&](std::uint32_t, double) { ++count; });
        EXPECT_EQ(count, expected);
        found += count;
    }
    EXPECT_GT(found, 600u);
    EXPECT_LT(grid.bytes(), 300u * 100u);
}

TEST(Neighbors, rows_are_the_same_for_any_number_of_threads) {
    const auto points = random_points<float>(many, 4, 4);
    const auto run = [&](std::size_t threads) {
        tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        return find_rows(points, points, 0.25);
    };
    const Rows<float> one = run(1);
    EXPECT_EQ(run(2), one);
    EXPECT_EQ(run(8), one);
}

template <class Real> Rows<Real> list_rows(const std::vector<Vec3<Real>>& points, double radius) {
    NeighborLists<Real> lists;
    lists.build(points, static_cast<Real>(radius), Distances::kept);
    Rows<Real> rows(points.size());
    lists.for_each([&](std::uint32_t i, const auto& row) {
        for (std::uint32_t k = 0; k < row.count; ++k) rows[i].emplace_back(row.first[k], row.r2[k]);
    });
    return rows;
}

/// Compares the lists with all pairs, both with and without distances.
template <class Real> void check_lists(std::size_t count, double size, double radius) {
    const auto points = random_points<Real>(count, size, 7);
    const Rows<Real> rows = list_rows(points, radius);
    NeighborLists<Real> plain;
    plain.build(points, static_cast<Real>(radius));
    const Real limit = static_cast<Real>(radius) * static_cast<Real>(radius);
    std::size_t total = 0;
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        std::vector<std::pair<std::uint32_t, Real>> expected;
        for (std::uint32_t j = 0; j < points.size(); ++j) {
            const Vec3<Real> d = points[j] - points[i];
            const Real r2 = d.x() * d.x() + d.y() * d.y() + d.z() * d.z();
            if (j != i && r2 < limit) expected.emplace_back(j, r2);
        }
        auto found = rows[i];
        std::sort(found.begin(), found.end());
        ASSERT_EQ(found, expected) << "point " << i;
        std::vector<std::uint32_t> numbers;
        for (const auto& [j, r2] : rows[i]) numbers.push_back(j);
        const auto row = plain.of(i);
        ASSERT_EQ(std::vector<std::uint32_t>(row.begin(), row.end()), numbers);
        EXPECT_EQ(row.r2, nullptr);
        total += expected.size();
    }
    EXPECT_GT(total, 5 * count);
}

TEST(NeighborLists, hold_what_comparing_all_pairs_finds) {
    check_lists<float>(3000, 2, 0.45);
    check_lists<double>(3000, 2, 0.45);
}

TEST(NeighborLists, hold_every_point_of_a_crowd) {
    check_lists<float>(2500, 0.5, 0.4); // thousands around one cell
    check_lists<double>(2500, 0.5, 0.4);
}

TEST(NeighborLists, points_in_one_place_are_neighbors) {
    const std::vector<Vec3<float>> points(20, Vec3<float>(1, 2, 3));
    NeighborLists<float> lists;
    lists.build(points, 0.1f);
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        const auto row = lists.of(i);
        EXPECT_EQ(row.count, points.size() - 1);
        EXPECT_EQ(std::count(row.begin(), row.end(), i), 0);
    }
    lists.build({}, 0.1f);
    EXPECT_EQ(lists.size(), 0u);
}

TEST(NeighborLists, are_the_same_for_any_number_of_threads) {
    const auto points = random_points<float>(20000, 3, 9);
    const auto run = [&](std::size_t threads) {
        tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        return list_rows(points, 0.25);
    };
    const Rows<float> one = run(1);
    EXPECT_EQ(run(2), one);
    EXPECT_EQ(run(8), one);
}

TEST(NeighborLists, space_has_no_bounds) {
    // Two clusters so far apart that their cells share keys, and a third one far away.
    auto points = random_points<double>(450, 1, 3);
    for (std::size_t i = 150; i < 300; ++i)
        points[i] = points[i - 150] + Vec3d(0.5 * 1.00001 * (1 << 21), 0, 0.01);
    for (std::size_t i = 300; i < 450; ++i) points[i] += Vec3d(1e8, -7e8, 1e9);
    const Rows<double> rows = list_rows(points, 0.5);
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        std::size_t expected = 0;
        for (const Vec3d& p : points) expected += (p - points[i]).squaredNorm() < 0.25 ? 1 : 0;
        EXPECT_EQ(rows[i].size() + 1, expected);
    }
}

TEST(Neighbors, order_in_space_does_not_depend_on_the_order_of_input) {
    auto points = random_points<double>(1000, 2, 5);
    std::vector<std::int64_t> ids(points.size());
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::int64_t>(i);
    std::vector<std::uint32_t> order;
    spatial_order(points, ids, 0.5, order);
    std::vector<std::int64_t> expected;
    for (const std::uint32_t i : order) expected.push_back(ids[i]);

    std::vector<std::uint32_t> shuffle(points.size());
    for (std::uint32_t i = 0; i < shuffle.size(); ++i) shuffle[i] = i;
    std::shuffle(shuffle.begin(), shuffle.end(), std::mt19937(6));
    std::vector<Vec3d> mixed_points;
    std::vector<std::int64_t> mixed_ids;
    for (const std::uint32_t i : shuffle) {
        mixed_points.push_back(points[i]);
        mixed_ids.push_back(ids[i]);
    }
    spatial_order(mixed_points, mixed_ids, 0.5, order);
    std::vector<std::int64_t> found;
    for (const std::uint32_t i : order) found.push_back(mixed_ids[i]);
    EXPECT_EQ(found, expected);
}

} // namespace
} // namespace nendo
