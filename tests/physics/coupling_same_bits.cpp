// SPDX-License-Identifier: Apache-2.0
// Fluids and bodies: the same state gives the same bits, and a step that fails changes nothing.
#include "core/hash.h"
#include "io/checkpoint.h"
#include "support/flow.h"
#include "support/threads.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>
#include <random>

#include <unistd.h>

namespace nendo::coupling::test {
namespace {

constexpr double frame = 1.0 / 24;

/// All that happens at once: a block falls into a tank and tears, a muscle works a second one, a
/// membrane of one layer holds fluid, a tap pours, a drain takes, a board pushes.
struct Play {
    Scene scene = make_tank(8, 8, 6, 0.3);
    Inputs inputs;
    Params params;

    explicit Play(sph::Pressure pressure = sph::Pressure::state_equation) {
        params.spacing = 1;
        params.time_step = 0.02;
        params.pressure = pressure;
        Collider board;
        board.name = "board";
        board.shape = make_box({0, 1, 4}, {0.5, 2, 8});
        board.motion = Motion({{0, {-0.5, 0, 0}, {0, 0, 0}}, {0.3, {0.8, 0, 0}, {0, 5, 0}}});
        scene.colliders.push_back(board);
        Pin pin;
        pin.name = "rim";
        pin.shape = make_box({0, 6, 4}, {3, 1, 9});
        scene.pins.push_back(pin);
        Material weak = preset("membrane");
        weak.break_strain = 0.02;
        inputs.bodies.push_back(make_block({8, 3, 8}, {0, 0, 0}, preset("large_water"), 1, 0));
        inputs.bodies.push_back(make_block({4, 4, 4}, {5, 3.1, 5}, weak, 0.5, 1));
        inputs.bodies.back().velocity = Vec3d(0, -5, 0);
        inputs.bodies.push_back(make_block({5, 4, 4}, {4, 3.2, 1}, preset("telescopic"), 0.5, 2));
        inputs.bodies.push_back(make_block({10, 1, 10}, {0, 5.8, 1.5}, preset("membrane"), 0.5, 3));
        inputs.bodies.back().membrane = true;
        inputs.bodies.push_back(make_block({2, 2, 2}, {2, 6.5, 3}, preset("honey"), 1, 4));
        inputs.bodies.back().start = 2.6 * frame;
        Muscle muscle;
        muscle.body = 2;
        muscle.keys = {{0, 1, 0}, {0.1, 0.8, 0}};
        inputs.muscles.push_back(muscle);
        Tap tap;
        tap.center = Vec3d(6, 9, 2);
        tap.speed = 10;
        tap.radius = 1;
        tap.material = preset("large_water");
        inputs.taps.push_back(tap);
        Drain drain;
        drain.shape = make_box({8, 0, 8}, {3, 2, 3});
        inputs.drains.push_back(drain);
    }
};

template <class Real> Report run_frames(State<Real>& state, const Play& play, int frames) {
    Solver<Real> solver;
    Host host;
    Report report;
    for (int k = 0; k < frames; ++k)
        report = solver.advance(state, play.scene, play.inputs, play.params, frame, host);
    return report;
}

template <class Real> class CouplingSameBits : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(CouplingSameBits, Reals);

TYPED_TEST(CouplingSameBits, for_1_2_and_8_threads) {
    for (const auto pressure : {sph::Pressure::state_equation, sph::Pressure::implicit}) {
        const Play play(pressure);
        Report report;
        const auto on = [&](int threads) {
            return nendo::test::with_threads(threads, [&] {
                State<TypeParam> state;
                report = run_frames(state, play, 6);
                return hash_state(state);
            });
        };
        const std::uint64_t one = on(1);
        EXPECT_EQ(on(2), one);
        EXPECT_EQ(on(8), one);
        EXPECT_GT(report.springs_broken, 0);
        EXPECT_GT(report.poured, 0);
        EXPECT_GT(report.drained, 0);
    }
}

TYPED_TEST(CouplingSameBits, for_any_order_of_the_rows) {
    const Play play;
    State<TypeParam> state;
    run_frames(state, play, 3);
    State<TypeParam> mixed = state;
    State<TypeParam>::tables(mixed, [](auto& table, std::string_view) {
        std::vector<std::uint32_t> order(table_size(table));
        std::iota(order.begin(), order.end(), 0u);
        std::shuffle(order.begin(), order.end(), std::mt19937(7));
        gather_table(table, order);
    });
    ASSERT_NE(mixed.particles.id, state.particles.id);
    run_frames(state, play, 3);
    run_frames(mixed, play, 3);
    EXPECT_EQ(hash_state(mixed), hash_state(state));
}

TYPED_TEST(CouplingSameBits, for_a_run_that_was_stopped_and_resumed) {
    const Play play;
    const std::string name = "nendo-coupling-bits-" + std::to_string(::getpid()) + ".nendo";
    const std::filesystem::path path = std::filesystem::temp_directory_path() / name;
    State<TypeParam> straight, first, second;
    run_frames(straight, play, 6);
    run_frames(first, play, 3);
    write_checkpoint(path.string(), first, "coupling", "");
    read_checkpoint(path.string(), second, "coupling");
    std::filesystem::remove(path);
    run_frames(second, play, 3);
    EXPECT_EQ(hash_state(second), hash_state(straight));
}

TEST(CouplingFailure, leaves_the_state_as_it_was) {
    struct Stopping : Host {
        int asked = 0;
        bool interrupted() override { return ++asked > 2; }
    };
    const Play play;
    State<float> state;
    run_frames(state, play, 2);
    const std::uint64_t before = hash_state(state);
    Stopping host;
    Solver<float> solver;
    EXPECT_THROW(solver.advance(state, play.scene, play.inputs, play.params, frame, host),
                 Interrupted);
    EXPECT_EQ(hash_state(state), before);
    State<float> broken = state;
    broken.particles.v[3].x() = std::numeric_limits<float>::max();
    const std::uint64_t broken_before = hash_state(broken);
    Host quiet;
    EXPECT_THROW(solver.advance(broken, play.scene, play.inputs, play.params, frame, quiet), Error);
    EXPECT_EQ(hash_state(broken), broken_before);
    // The same solver goes on as a new one does.
    solver.advance(state, play.scene, play.inputs, play.params, frame, quiet);
    State<float> straight;
    run_frames(straight, play, 3);
    EXPECT_EQ(hash_state(state), hash_state(straight));
}

/// Expects an error whose text has all of `words`.
template <class Action>
void expect_error(const Action& action, const std::vector<std::string>& words) {
    try {
        action();
        ADD_FAILURE() << "no error: " << words.front();
    } catch (const Error& error) {
        for (const std::string& word : words)
            EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
}

TEST(CouplingInput, that_makes_no_sense_is_told) {
    const Play play;
    State<float> good;
    run_frames(good, play, 1);
    const auto refuses = [&](const auto& spoil, const std::vector<std::string>& words) {
        State<float> bad = good;
        spoil(bad);
        Host host;
        expect_error(
            [&] {
                Solver<float>().advance(bad, play.scene, play.inputs, play.params, frame, host);
            },
            words);
    };
    refuses([](auto& s) { s.springs.b[2] = 123456; }, {"spring id", "123456", "does not exist"});
    refuses([](auto& s) { s.springs.b[2] = s.springs.a[2]; }, {"spring id", "same particle"});
    refuses([](auto& s) { s.springs.rest[2] = 0; }, {"springs.rest", "out of range"});
    refuses([](auto& s) { s.particles.rest_density[2] = -1; }, {"rest_density", "out of range"});
    refuses([](auto& s) { s.particles.mass[2] = 0; }, {"particles.mass", "out of range"});
    refuses([](auto& s) { s.particles.x[2].x() = NAN; }, {"particles.P", "not finite"});
    refuses([](auto& s) { s.particles.pin[2] = 9; }, {"pin is 9", "1 pins"});
    refuses([](auto& s) { s.springs.muscle[2] = 5; }, {"muscle is 5"});
    refuses([](auto& s) { s.springs.stiffness.pop_back(); }, {"springs.stiffness", "entries"});
    refuses(
        [](auto& s) {
            for (std::size_t i = 0; i < s.particles.id.size(); ++i)
                if (s.particles.id[i] == s.springs.a[0]) s.particles.phase[i] = fluid_phase;
        },
        {"spring id", "is fluid"});
    refuses([](auto& s) { s.faces.c[0] = -7; }, {"face id", "-7"});
}

TEST(CouplingInput, of_bodies_and_parameters_is_checked) {
    const auto refuses = [&](const auto& spoil, const std::vector<std::string>& words) {
        Play play;
        spoil(play);
        Host host;
        State<float> state;
        expect_error(
            [&] {
                Solver<float>().advance(state, play.scene, play.inputs, play.params, frame, host);
            },
            words);
    };
    refuses([](Play& p) { p.params.stiffness = -1; }, {"solver.stiffness"});
    refuses([](Play& p) { p.params.spacing = 0; }, {"solver.spacing"});
    refuses([](Play& p) { p.inputs.bodies[0].material.density = -5; }, {"density", "body 0"});
    refuses([](Play& p) { p.inputs.bodies[1].edges = {{0, 999}}; }, {"999", "body 1"});
    refuses([](Play& p) { p.inputs.bodies[1].points[1] = p.inputs.bodies[1].points[0]; },
            {"has no length", "body 1"});
    refuses([](Play& p) { p.inputs.muscles[0].keys[1].time = -1; }, {"do not rise"});
    refuses([](Play& p) { p.inputs.muscles[0].keys[1].length = 0; }, {"length", "muscle"});
    refuses([](Play& p) { p.inputs.taps[0].speed = 0; }, {"tap"});
}

} // namespace
} // namespace nendo::coupling::test
