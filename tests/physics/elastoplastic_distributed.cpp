// SPDX-License-Identifier: Apache-2.0
// One simulation on several processes has the same bits as on one.
#include "core/hash.h"
#include "elastoplastic/distributed.h"
#include "processes/slabs.h"
#include "support/matter.h"
#include "support/processes.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace nendo::elastoplastic::test {
namespace {

constexpr double frame = 1.0 / 24;

struct Play {
    Scene scene;
    Params params;
    std::vector<Body> bodies;

    void add(const Eigen::Vector3i& cells, const Vec3d& corner, const char* material,
             const Vec3d& velocity, double start) {
        Body body = make_block(cells, corner, preset(material), params.spacing,
                               static_cast<std::int32_t>(bodies.size()));
        body.velocity = velocity;
        body.start = start;
        bodies.push_back(body);
    }
};

/// A slab tears on a bar while a pin drags a beam, a board pushes a block along, and a body enters
/// between frames: slaves come and go, and matter moves across every cut.
Play make_play() {
    Play play;
    play.scene = ground();
    play.params.spacing = 0.1;
    play.params.time_step = 4e-3;
    play.params.implicitness = 0;
    Collider bar;
    bar.name = "bar";
    bar.shape = make_capsule(Vec3d(0, 1, -1), Vec3d(0, 1, 1), 0.1);
    play.scene.colliders.push_back(bar);
    Collider board;
    board.name = "board";
    board.shape = make_box(Vec3d(0, 0.5, 0), Vec3d(0.2, 1, 2));
    board.motion = Motion({{0, {1.5, 0, 0}, {0, 0, 0}}, {0.25, {2.5, 0, 0}, {0, 20, 0}}});
    play.scene.colliders.push_back(board);
    Pin pin;
    pin.name = "clamp";
    pin.shape = make_box(Vec3d(-2, 1, 0), Vec3d(0.5, 1, 1));
    pin.motion = Motion({{0, {0, 0, 0}, {0, 0, 0}}, {0.2, {0, 0.2, 0}, {0, 0, 30}}});
    pin.end = 0.2;
    play.scene.pins.push_back(pin);
    play.add({12, 3, 6}, {-0.6, 1.15, -0.3}, "clay", {0, -6, 0}, 0);
    play.add({5, 4, 5}, {1.62, 0, -0.25}, "dough", {0, 0, 0}, 0);
    play.add({8, 2, 2}, {-2.2, 0.9, -0.1}, "dough", {0, 0, 0}, 0);
    play.add({4, 4, 4}, {-0.2, 1.7, -0.2}, "gum", {0, -5, 0}, 2.6 * frame);
    return play;
}

struct Outcome {
    std::uint64_t hash = 0;
    Report report;
};

template <class Real, class AnySolver>
Outcome run(AnySolver& solver, const Play& play, int frames) {
    State<Real> state;
    Host host;
    Outcome outcome;
    solver.advance(state, play.scene, play.bodies, play.params, 0, host);
    for (int k = 0; k < frames; ++k)
        outcome.report = solver.advance(state, play.scene, play.bodies, play.params, frame, host);
    outcome.hash = hash_state(state);
    return outcome;
}

/// Runs lead(solver) as process 0 of several.
template <class Real, class Lead>
void share(const Play& play, int processes, const Lead& lead, const std::string& world = "play") {
    nendo::test::as_processes(
        processes,
        [&](Exchange& others) {
            DistributedSolver<Real> solver(others, "play");
            lead(solver);
            dismiss(others);
        },
        [&](Exchange& others) {
            DistributedSolver<Real>(others, world).serve(play.scene, play.bodies, play.params);
        });
}

template <class Real> Outcome run_shared(const Play& play, int frames, int processes) {
    Outcome outcome;
    share<Real>(play, processes, [&](auto& solver) { outcome = run<Real>(solver, play, frames); });
    return outcome;
}

/// The text of the Error that the work throws.
template <class Work> std::string error_of(const Work& work) {
    try {
        work();
    } catch (const Error& problem) {
        return problem.what();
    }
    return "no error";
}

template <class Real> class Distributed : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(Distributed, Reals);

TYPED_TEST(Distributed, gives_the_bits_of_one_process) {
    const Play play = make_play();
    const int frames = 4;
    Solver<TypeParam> alone;
    const Outcome one = run<TypeParam>(alone, play, frames);
    EXPECT_GT(one.report.slaves_added, 0);
    for (const int processes : {2, 4}) {
        const Outcome shared = run_shared<TypeParam>(play, frames, processes);
        EXPECT_EQ(shared.report.slaves_added, one.report.slaves_added);
        EXPECT_EQ(shared.report.slaves_removed, one.report.slaves_removed);
        EXPECT_EQ(shared.hash, one.hash) << processes << " processes";
        EXPECT_GT(shared.report.ghosts, 0);
    }
}

TEST(DistributedSolver, keeps_momentum_across_cuts) {
    Play play;
    play.scene = weightless();
    play.params.spacing = 0.1;
    play.params.time_step = 1e-3;
    play.params.implicitness = 0;
    play.add({8, 4, 4}, {-0.85, 0, 0}, "dough", {3, 0, 0}, 0);
    play.add({8, 4, 4}, {0.05, 0.13, 0.06}, "dough", {-1, 0.5, 0}, 0);
    const Outcome start = run_shared<double>(play, 0, 4);
    const Outcome end = run_shared<double>(play, 3, 4);
    const Vec3d before(8 * 4 * 4 * (3 - 1), 8 * 4 * 4 * 0.5,
                       0); // density 1000, 1e-3 m^3 per master
    EXPECT_GT(end.report.elastic_energy, 1) << "they did not meet";
    EXPECT_LT((end.report.momentum - before).norm(), 1e-12 * before.norm());
    EXPECT_EQ(start.report.substeps, 0);
}

TEST(DistributedSolver, finds_neighbors_that_a_collider_pushed_far_apart) {
    Play play;
    play.params.spacing = 0.1;
    play.params.time_step = 2e-3;
    play.params.implicitness = 0;
    Collider block;
    block.name = "block";
    block.shape = make_box(Vec3d(0, 0, 0), Vec3d(3, 6, 6));
    play.scene.colliders.push_back(block);
    play.add({12, 3, 3}, {-0.6, 0, 0}, "clay", {0, 0, 0}, 0);
    Solver<double> alone;
    const Outcome one = run<double>(alone, play, 1);
    EXPECT_EQ(run_shared<double>(play, 1, 3).hash, one.hash);
}

TEST(DistributedSolver, fails_in_all_processes_and_can_continue) {
    const Play play = make_play();
    share<double>(play, 3, [&](DistributedSolver<double>& solver) {
        State<double> state;
        Host host;
        const auto advance = [&](Host& any) {
            solver.advance(state, play.scene, play.bodies, play.params, frame, any);
        };
        advance(host);
        const std::uint64_t before = hash_state(state);

        struct Impatient : Host {
            bool interrupted() override { return ++asked > 5; }
            int asked = 0;
        } impatient;
        EXPECT_THROW(advance(impatient), Interrupted);
        EXPECT_EQ(hash_state(state), before);

        // Matter of the last slab is torn away, which a process other than the first detects.
        State<double> broken = state;
        std::size_t last = 0;
        for (std::size_t m = 0; m < broken.masters.x.size(); ++m)
            if (broken.masters.x[m].x() > broken.masters.x[last].x()) last = m;
        broken.masters.force[last].setConstant(infinite);
        const std::uint64_t before_break = hash_state(broken);
        const std::string problem = error_of(
            [&] { solver.advance(broken, play.scene, play.bodies, play.params, frame, host); });
        EXPECT_NE(problem.find("no longer finite"), std::string::npos) << problem;
        EXPECT_EQ(hash_state(broken), before_break);

        advance(host);
        Solver<double> alone;
        EXPECT_EQ(hash_state(state), run<double>(alone, play, 2).hash);
    });
}

TEST(DistributedSolver, says_which_process_cannot_help) {
    const Play play = make_play();
    const auto advance = [&](DistributedSolver<double>& solver) {
        State<double> state;
        Host host;
        solver.advance(state, play.scene, play.bodies, play.params, frame, host);
    };
    nendo::test::as_processes(
        3,
        [&](Exchange& others) {
            DistributedSolver<double> solver(others, "play");
            EXPECT_EQ(error_of([&] { advance(solver); }), "process 2: no such mesh");
            dismiss(others);
        },
        [&](Exchange& others) {
            if (others.rank() == 2) return refuse(others, "process 2: no such mesh");
            DistributedSolver<double>(others, "play").serve(play.scene, play.bodies, play.params);
        });
    share<double>(
        play, 2,
        [&](DistributedSolver<double>& solver) {
            EXPECT_NE(error_of([&] { advance(solver); }).find("the same scene"), std::string::npos);
        },
        "another play");
}

TEST(DistributedSolver, refuses_what_it_cannot_share) {
    const auto refusal = [](const auto& change) {
        Play play = make_play();
        change(play);
        return error_of([&] { check_shareable(play.bodies, play.params); });
    };
    EXPECT_EQ(refusal([](Play&) {}), "no error");
    const auto begins = [](const std::string& text, const std::string& start) {
        return text.rfind(start, 0) == 0;
    };
    EXPECT_TRUE(
        begins(refusal([](Play& p) { p.params.implicitness = 0.5; }), "solver.implicitness: "));
    EXPECT_TRUE(begins(refusal([](Play& p) { p.params.stress_points = StressPoints::masters; }),
                       "solver.stress_points: "));
    EXPECT_TRUE(begins(refusal([](Play& p) { p.params.remove_slaves = RemoveSlaves::merge; }),
                       "solver.remove_slaves: "));
    EXPECT_TRUE(begins(refusal([](Play& p) { p.bodies.back().join = 7; }), "bodies: "));
}

TEST(Slabs, hold_equal_shares_and_every_point_once) {
    std::mt19937 random(5);
    std::normal_distribution<double> normal(0, 3);
    std::vector<Vec3d> points(20000);
    for (Vec3d& x : points) x = Vec3d(normal(random), 0.1 * normal(random), 0);
    EXPECT_EQ(longest_axis(points), 0);
    const double width = 0.05;
    const Histogram bins = count_bins(points, 0, width);
    const Slabs slabs{0, even_cuts(bins, width, 7)};
    std::vector<int> held(7, 0);
    for (const Vec3d& x : points) ++held[static_cast<std::size_t>(slabs.owner(x))];
    EXPECT_EQ(std::accumulate(held.begin(), held.end(), 0), 20000);
    EXPECT_EQ(*std::max_element(held.begin(), held.end()), fullest(bins, width, slabs.cuts));
    // A bin in the middle holds 20000 * 0.05 * 0.133 = 133 points.
    for (const int count : held) EXPECT_NEAR(count, 20000 / 7.0, 133);
    // Counted in halves and added up again.
    const std::vector<Vec3d> first(points.begin(), points.begin() + 9000);
    const std::vector<Vec3d> second(points.begin() + 9000, points.end());
    EXPECT_EQ(add_bins(count_bins(first, 0, width), count_bins(second, 0, width)), bins);
}

} // namespace
} // namespace nendo::elastoplastic::test
