// SPDX-License-Identifier: Apache-2.0
// Melting matter: the same state gives the same bits, a call that fails changes nothing, and bad
// input is refused.
#include "support/melting.h"
#include "support/same_bits.h"

#include <gtest/gtest.h>

namespace nendo::melt::test::same_bits {
namespace {

using namespace nendo::test;
using Play = nendo::test::Play<std::vector<Body>, Params>;

/// Everything at once: ice melts on a hot floor and in warm water, a lump of wax flows, cold water
/// freezes, a pin drags, and a body enters between frames.
Play make_play(const Pairing& pairing) {
    Play play{pairing.name, ground(), {}, {}};
    Params& p = play.params;
    p.spacing = 0.05;
    p.time_step = 0.01;
    p.iterations = 6;
    p.samples = 0.4;
    p.heat.speed = 200;
    p.heat.air_transfer = 100;
    p.fluid.surface_tension = 0.1;
    pairing.apply(p);
    HeatSource plate;
    plate.shape = make_plane({0, 0, 0}, {0, 1, 0});
    plate.temperature = 300;
    plate.transfer = 3000;
    play.scene.heat_sources.push_back(plate);
    HeatSource frost; // around the water on the ice
    frost.shape = make_box({0.1, 0.3, 0.1}, {0.24, 0.24, 0.24});
    frost.temperature = -60;
    frost.transfer = 3000;
    play.scene.heat_sources.push_back(frost);
    Pin pin;
    pin.name = "clamp";
    pin.shape = make_box({0.6, 0.5, 0}, {0.12, 1, 1});
    pin.motion = Motion({{0, {0, 0, 0}, {0, 0, 0}}, {0.2, {0, 0.1, 0}, {0, 0, 30}}});
    pin.end = 0.15;
    play.scene.pins.push_back(pin);
    const auto add = [&](const Eigen::Vector3i& cells, const Vec3d& corner, const char* material,
                         double temperature, double begin) {
        const auto index = static_cast<std::int32_t>(play.inputs.size());
        Body body = make_block(cells, corner, preset(material), p.spacing, index);
        body.material.latent_heat = 5000; // so that much happens in a few frames
        body.temperature = temperature;
        body.start = begin;
        play.inputs.push_back(body);
    };
    add({5, 4, 5}, {0, 0.01, 0}, "ice", -20, 0);
    add({4, 3, 4}, {-0.4, 0.01, 0}, "wax", 54, 0);
    add({4, 2, 4}, {0, 0.22, 0}, "ice", 0.5, 0);
    add({6, 2, 2}, {0.3, 0.5, -0.05}, "gelatin", 20, 0);
    add({3, 3, 3}, {-0.4, 0.4, 0}, "ice", -40, 2.6 * frame);
    return play;
}

/// Links between particles of different bodies: frozen liquid has joined them.
template <class Real> int links_between_bodies(const State<Real>& state) {
    const RowsById rows(state);
    const auto body_of = [&](std::int64_t id) {
        return state.particles.body[static_cast<std::size_t>(rows[id])];
    };
    int count = 0;
    for (std::size_t k = 0; k < state.links.id.size(); ++k)
        count += body_of(state.links.id[k]) != body_of(state.links.other[k]) ? 1 : 0;
    return count;
}

template <class Real> struct Case {
    using State = melt::State<Real>;
    using Solver = melt::Solver<Real>;
    using Play = same_bits::Play;

    static constexpr const char* method = "melt";
    static constexpr Frames frames{5, 2, 3, 2};

    static std::vector<Play> plays() {
        return {make_play(pairings()[4]), make_play(pairings()[6]), make_play(pairings()[8])};
    }
    static State begin(const Play& play) { return start_play<Solver, State>(play); }
    static const auto& ids(const State& state) { return state.particles.id; }

    static void expect_eventful(const Play&, const State& state,
                                const std::vector<Report>& reports) {
        EXPECT_GT(reports.back().particles_melted, 0);
        EXPECT_GT(reports.back().particles_frozen, 0);
        EXPECT_GT(links_between_bodies(state), 0);
        EXPECT_EQ(reports.back().particles, 100 + 48 + 32 + 24 + 27);
    }
    static void expect_ready_to_shuffle(const Play&, const State&) {}
};
using Cases = testing::Types<Case<float>, Case<double>>;
INSTANTIATE_TYPED_TEST_SUITE_P(MeltSameBits, EveryMethod, Cases);

TEST(MeltFailure, leaves_the_state_as_it_was) {
    const Play play = make_play(pairings()[4]);
    State<float> state = Case<float>::begin(play);
    advance_frames<Solver<float>>(state, play, 1);
    State<float> broken = state;
    broken.particles.v[3] = Vec3<float>(1e38f, 0, 0);
    expect_commit_or_nothing<Solver<float>>(state, broken, play, 2, 1, 1e-3);
}

TEST(MeltCommit, bad_input_is_reported) {
    const Play play = make_play(pairings()[4]);
    const State<float> good = Case<float>::begin(play);
    const auto told = [&](const char* what, const auto& spoil) {
        State<float> state = good;
        Params params = play.params;
        double duration = frame;
        spoil(state, params, duration);
        Solver<float> solver;
        Host host;
        try {
            solver.advance(state, play.scene, play.inputs, params, duration, host);
            ADD_FAILURE() << what << " was accepted";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
            EXPECT_FALSE(error.remedy().empty());
        }
    };
    told("spacing", [](auto&, Params& p, double&) { p.spacing = 0; });
    told("cluster_radius", [](auto&, Params& p, double&) { p.cluster_radius = 9; });
    told("air_transfer", [](auto&, Params& p, double&) { p.heat.air_transfer = -1; });
    told("advance by", [](auto&, Params&, double& t) { t = -1; });
    told("orient", [](auto& s, Params&, double&) { s.particles.orient[5].setZero(); });
    told("mass", [](auto& s, Params&, double&) { s.particles.mass[5] = 0; });
    told("not finite", [](auto& s, Params&, double&) { s.particles.x[5].x() = NAN; });
    told("pin", [](auto& s, Params&, double&) { s.particles.pin[5] = 9; });
    told("one-sided", [](auto& s, Params&, double&) {
        gather_table(s.links, std::vector<std::uint32_t>{0, 1, 2});
    });
    told("does not exist", [](auto& s, Params&, double&) { s.links.other[0] = 100000; });
    told("two particles", [](auto& s, Params&, double&) { s.particles.id[1] = s.particles.id[0]; });
    EXPECT_THROW(preset("icee"), Error);
}

} // namespace
} // namespace nendo::melt::test::same_bits
