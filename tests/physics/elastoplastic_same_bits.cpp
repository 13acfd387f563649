// SPDX-License-Identifier: Apache-2.0
// The same state gives the same bits: for any number of threads, for any order of the rows, and
// for a run that was stopped, saved and resumed by another solver object.
#include "core/hash.h"
#include "io/checkpoint.h"
#include "support/matter.h"
#include "support/threads.h"

#include <gtest/gtest.h>

#include <filesystem>

#include <unistd.h>

namespace nendo::elastoplastic::test {
namespace {

constexpr double frame = 1.0 / 24;

/// All that happens to matter, at once: a plastic slab tears on a bar, an elastic and a plastic
/// block touch, a pin drags one end of a beam, a board pushes, and a body enters between frames.
struct Play {
    Scene scene = ground();
    Params params;
    std::vector<Body> bodies;
};

Play make_play() {
    Play play;
    Params& p = play.params;
    p.spacing = 0.1;
    p.time_step = 4e-3;

    Collider bar;
    bar.name = "bar";
    bar.shape = make_capsule(Vec3d(0, 1, -1), Vec3d(0, 1, 1), 0.1);
    play.scene.colliders.push_back(bar);
    Collider board;
    board.name = "board";
    board.shape = make_box(Vec3d(0, 0.5, 0), Vec3d(0.2, 1, 2));
    board.motion = Motion({{0, {1.5, 0, 0}, {0, 0, 0}}, {0.25, {2.0, 0, 0}, {0, 20, 0}}});
    play.scene.colliders.push_back(board);
    Pin pin;
    pin.name = "clamp";
    pin.shape = make_box(Vec3d(-2, 1, 0), Vec3d(0.5, 1, 1));
    pin.motion = Motion({{0, {0, 0, 0}, {0, 0, 0}}, {0.2, {0, 0.2, 0}, {0, 0, 30}}});
    pin.end = 0.2;
    play.scene.pins.push_back(pin);

    const auto add = [&](const Eigen::Vector3i& cells, const Vec3d& corner, const char* material,
                         const Vec3d& velocity, double start) {
        const auto index = static_cast<std::int32_t>(play.bodies.size());
        Body body = make_block(cells, corner, preset(material), p.spacing, index);
        body.velocity = velocity;
        body.start = start;
        play.bodies.push_back(body);
    };
    add({12, 3, 6}, {-0.6, 1.15, -0.3}, "clay", {0, -6, 0}, 0);
    add({5, 4, 5}, {1.62, 0, -0.25}, "jelly", {0, 0, 0}, 0);
    add({4, 4, 4}, {1.7, 0.42, -0.2}, "dough", {0, -0.5, 0}, 0);
    add({8, 2, 2}, {-2.2, 0.9, -0.1}, "jelly", {0, 0, 0}, 0);
    add({4, 4, 4}, {-0.2, 1.7, -0.2}, "gum", {0, -5, 0}, 2.6 * frame);
    return play;
}

/// What the run went through, so that the promise is about something.
struct Outcome {
    std::uint64_t hash = 0;
    Report report;
};

template <class Real> Outcome run(State<Real>& state, const Play& play, int frames) {
    Solver<Real> solver;
    Host host;
    Outcome outcome;
    for (int k = 0; k < frames; ++k)
        outcome.report = solver.advance(state, play.scene, play.bodies, play.params, frame, host);
    outcome.hash = hash_state(state);
    return outcome;
}

template <class Table> void shuffle(Table& table, unsigned seed) {
    std::vector<std::uint32_t> order(table_size(table));
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), std::mt19937(seed));
    gather_table(table, order);
}

template <class Real> class SameBits : public testing::Test {
protected:
    static constexpr int frames = 6;
    const Play play = make_play();

    /// As the command line starts it.
    State<Real> begin() const {
        State<Real> state;
        Host host;
        Solver<Real>().advance(state, play.scene, play.bodies, play.params, 0, host);
        return state;
    }
};

using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(SameBits, Reals);

TYPED_TEST(SameBits, for_1_2_and_8_threads) {
    const auto on = [&](int threads) {
        return nendo::test::with_threads(threads, [&] {
            EXPECT_EQ(tbb::this_task_arena::max_concurrency(), threads);
            State<TypeParam> state = this->begin();
            return run(state, this->play, this->frames);
        });
    };
    const Outcome one = on(1);
    EXPECT_EQ(on(2).hash, one.hash);
    EXPECT_EQ(on(8).hash, one.hash);

    std::int64_t all = 0;
    for (const Body& body : this->play.bodies)
        all += static_cast<std::int64_t>(body.masters.size());
    EXPECT_EQ(one.report.masters, all) << "a body did not enter";
    EXPECT_GT(one.report.slaves_added, 20) << "nothing tore";
    EXPECT_GT(one.report.slaves_removed, 0);
}

TYPED_TEST(SameBits, when_close_slaves_are_looked_for_only_where_there_may_be_some) {
    const Scene& scene = this->play.scene;
    Params params = this->play.params;
    params.remove_distance = 0.4; // so that many go
    int skipped = 0;
    const auto run_steps = [&](bool look_always) {
        const double dt = params.time_step;
        Host host;
        std::vector<StageTime> stages;
        StageClock clock(stages);
        Workspace<TypeParam> w;
        w.trial = this->begin();
        index_neighbors(w);
        for (int k = 0; k < 50; ++k) {
            if (look_always) w.slack = 0;
            build_slave_grid(w, params);
            add_and_remove_slaves(w, params);
            place_scene(w, scene, dt);
            substep(w, scene, params, Plan{dt, 1, 45}, host, clock);
            skipped += !look_always && w.slack > 0 ? 1 : 0;
            w.trial.details.time += dt;
        }
        EXPECT_GT(w.trial.details.slaves_removed, 10);
        return hash_state(w.trial);
    };
    EXPECT_EQ(run_steps(false), run_steps(true));
    EXPECT_GT(skipped, 0);
    EXPECT_LT(skipped, 50);
}

TYPED_TEST(SameBits, for_any_order_of_the_rows) {
    State<TypeParam> state = this->begin();
    run(state, this->play, 2);
    Workspace<TypeParam> w;
    prepare(w, state, this->play.params);
    EXPECT_FALSE(w.touches.empty()) << "no bodies touch";
    EXPECT_GT(std::count(state.masters.pin.begin(), state.masters.pin.end(), 1), 0);
    State<TypeParam> mixed = state;
    State<TypeParam>::tables(mixed, [](auto& table, std::string_view) { shuffle(table, 7); });
    ASSERT_NE(mixed.masters.id, state.masters.id);
    ASSERT_EQ(hash_state(mixed), hash_state(state));
    EXPECT_EQ(run(mixed, this->play, 4).hash, run(state, this->play, 4).hash);
}

TYPED_TEST(SameBits, for_a_run_that_was_stopped_and_resumed) {
    const std::string name = "nendo-same-bits-" + std::to_string(::getpid()) + ".nendo";
    const std::filesystem::path path = std::filesystem::temp_directory_path() / name;
    State<TypeParam> straight = this->begin();
    const Outcome expected = run(straight, this->play, this->frames);

    State<TypeParam> first = this->begin();
    run(first, this->play, 3);
    write_checkpoint(path.string(), first, "elastoplastic", "");
    State<TypeParam> second;
    read_checkpoint(path.string(), second, "elastoplastic");
    std::filesystem::remove(path);
    EXPECT_EQ(run(second, this->play, 3).hash, expected.hash);
}

// So many masters stand in larger blocks.
TEST(SameBitsOfMany, for_threads_and_for_any_order_of_the_rows) {
    Params params;
    Body body = make_block({41, 41, 41}, Vec3d(0, 0.03, 0), preset("clay"), params.spacing);
    body.velocity = Vec3d(0, -3, 0);
    const State<float> begin = start<float>({body}, params);
    const auto after = [&](int threads, State<float> state) {
        return nendo::test::with_threads(threads, [&] {
            Host host;
            Solver<float>().advance(state, ground(), {}, params, 2 * params.time_step, host);
            return hash_state(state);
        });
    };
    const std::uint64_t one = after(1, begin);
    EXPECT_NE(one, hash_state(begin));
    EXPECT_EQ(after(8, begin), one);
    State<float> mixed = begin;
    State<float>::tables(mixed, [](auto& table, std::string_view) { shuffle(table, 7); });
    EXPECT_EQ(after(2, mixed), one);
}

TYPED_TEST(SameBits, differ_when_one_bit_differs) {
    State<TypeParam> state = this->begin();
    State<TypeParam> other = state;
    TypeParam& x = other.masters.x[0].x();
    x = std::nextafter(x, TypeParam(1e3));
    EXPECT_NE(run(state, this->play, 1).hash, run(other, this->play, 1).hash);
}

} // namespace
} // namespace nendo::elastoplastic::test
