// SPDX-License-Identifier: Apache-2.0
// Fluids and bodies: the same state gives the same bits, a call that fails changes nothing, and bad
// input is refused.
#include "support/flow.h"
#include "support/same_bits.h"

#include <gtest/gtest.h>

namespace nendo::coupling::test::same_bits {
namespace {

using namespace nendo::test;
using Play = nendo::test::Play<Inputs, Params>;

/// Everything at once: a block falls into a tank and tears, a muscle drives a second one, a
/// membrane of one layer holds fluid, a tap pours, a drain removes fluid, a board pushes.
Play make_play(sph::Pressure pressure = sph::Pressure::state_equation) {
    Play play{"", make_tank(8, 8, 6, 0.3), {}, {}};
    play.params.spacing = 1;
    play.params.time_step = 0.02;
    play.params.pressure = pressure;
    Collider board;
    board.name = "board";
    board.shape = make_box({0, 1, 4}, {0.5, 2, 8});
    board.motion = Motion({{0, {-0.5, 0, 0}, {0, 0, 0}}, {0.3, {0.8, 0, 0}, {0, 5, 0}}});
    play.scene.colliders.push_back(board);
    Pin pin;
    pin.name = "rim";
    pin.shape = make_box({0, 6, 4}, {3, 1, 9});
    play.scene.pins.push_back(pin);
    Material weak = preset("membrane");
    weak.break_strain = 0.02;
    play.inputs.bodies.push_back(make_block({8, 3, 8}, {0, 0, 0}, preset("large_water"), 1, 0));
    play.inputs.bodies.push_back(make_block({4, 4, 4}, {5, 3.1, 5}, weak, 0.5, 1));
    play.inputs.bodies.back().velocity = Vec3d(0, -5, 0);
    play.inputs.bodies.push_back(make_block({5, 4, 4}, {4, 3.2, 1}, preset("telescopic"), 0.5, 2));
    play.inputs.bodies.push_back(
        make_block({10, 1, 10}, {0, 5.8, 1.5}, preset("membrane"), 0.5, 3));
    play.inputs.bodies.back().membrane = true;
    play.inputs.bodies.push_back(make_block({2, 2, 2}, {2, 6.5, 3}, preset("honey"), 1, 4));
    play.inputs.bodies.back().start = 2.6 * frame;
    Muscle muscle;
    muscle.body = 2;
    muscle.keys = {{0, 1, 0}, {0.1, 0.8, 0}};
    play.inputs.muscles.push_back(muscle);
    Tap tap;
    tap.center = Vec3d(6, 9, 2);
    tap.speed = 10;
    tap.radius = 1;
    tap.material = preset("large_water");
    play.inputs.taps.push_back(tap);
    Drain drain;
    drain.shape = make_box({8, 0, 8}, {3, 2, 3});
    play.inputs.drains.push_back(drain);
    return play;
}

template <class Real> struct Case {
    using State = coupling::State<Real>;
    using Solver = coupling::Solver<Real>;
    using Play = same_bits::Play;

    static constexpr const char* method = "coupling";
    static constexpr Frames frames{6, 3, 3, 3};

    static std::vector<Play> plays() {
        std::vector<Play> plays = {make_play(), make_play(sph::Pressure::implicit)};
        plays[0].name = "pressure by the state equation";
        plays[1].name = "implicit pressure";
        return plays;
    }
    static State begin(const Play&) { return {}; }
    static const auto& ids(const State& state) { return state.particles.id; }

    static void expect_eventful(const Play&, const State&, const std::vector<Report>& reports) {
        EXPECT_GT(reports.back().springs_broken, 0);
        EXPECT_GT(reports.back().poured, 0);
        EXPECT_GT(reports.back().drained, 0);
    }
    static void expect_ready_to_shuffle(const Play&, const State&) {}
};
using Cases = testing::Types<Case<float>, Case<double>>;
INSTANTIATE_TYPED_TEST_SUITE_P(CouplingSameBits, EveryMethod, Cases);

TEST(CouplingFailure, leaves_the_state_as_it_was) {
    const Play play = make_play();
    State<float> state;
    advance_frames<Solver<float>>(state, play, 2);
    State<float> broken = state;
    broken.particles.v[3].x() = std::numeric_limits<float>::max();
    expect_commit_or_nothing<Solver<float>>(state, broken, play, 2);
}

/// Expects an error whose text contains all of `words`.
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

TEST(CouplingInput, is_refused_when_a_state_makes_no_sense) {
    const Play play = make_play();
    State<float> good;
    advance_frames<Solver<float>>(good, play, 1);
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
        Play play = make_play();
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
} // namespace nendo::coupling::test::same_bits
