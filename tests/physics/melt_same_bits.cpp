// SPDX-License-Identifier: Apache-2.0
// The same state gives the same bits, a failed call leaves it as it was, and bad input is told.
#include "core/error.h"
#include "core/hash.h"
#include "io/checkpoint.h"
#include "support/melting.h"
#include "support/threads.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include <unistd.h>

namespace nendo::melt::test {
namespace {

constexpr double frame = 1.0 / 24;

/// All that happens to matter, at once: ice melts on a hot floor and in warm water, a lump of wax
/// flows, what is cold freezes, a pin drags, and a body enters between frames.
struct Play {
    Scene scene = ground();
    Params params;
    std::vector<Body> bodies;
};

Play make_play(const Pairing& pairing) {
    Play play;
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
    HeatSource frost; // where the water on the ice is
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
        const auto index = static_cast<std::int32_t>(play.bodies.size());
        Body body = make_block(cells, corner, preset(material), p.spacing, index);
        body.material.latent_heat = 5000; // so that much happens in a few frames
        body.temperature = temperature;
        body.start = begin;
        play.bodies.push_back(body);
    };
    add({5, 4, 5}, {0, 0.01, 0}, "ice", -20, 0);
    add({4, 3, 4}, {-0.4, 0.01, 0}, "wax", 54, 0);
    add({4, 2, 4}, {0, 0.22, 0}, "ice", 0.5, 0);
    add({6, 2, 2}, {0.3, 0.5, -0.05}, "gelatin", 20, 0);
    add({3, 3, 3}, {-0.4, 0.4, 0}, "ice", -40, 2.6 * frame);
    return play;
}

template <class Real> Report advance(State<Real>& state, const Play& play, int frames) {
    Solver<Real> solver;
    Host host;
    Report report;
    for (int k = 0; k < frames; ++k)
        report = solver.advance(state, play.scene, play.bodies, play.params, frame, host);
    return report;
}

template <class Real> State<Real> begin(const Play& play) {
    State<Real> state;
    Host host;
    Solver<Real>().advance(state, play.scene, play.bodies, play.params, 0, host);
    return state;
}

/// Links between particles that came from different bodies: what froze has grown on.
template <class Real> int links_between_bodies(const State<Real>& state) {
    const std::vector<std::int64_t> rows = rows_by_id(state);
    const auto body_of = [&](std::int64_t id) {
        return state.particles.body[static_cast<std::size_t>(rows[static_cast<std::size_t>(id)])];
    };
    int count = 0;
    for (std::size_t k = 0; k < state.links.id.size(); ++k)
        count += body_of(state.links.id[k]) != body_of(state.links.other[k]) ? 1 : 0;
    return count;
}

template <class Real> class MeltSameBits : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(MeltSameBits, Reals);

TYPED_TEST(MeltSameBits, for_1_2_and_8_threads) {
    for (const std::size_t k : {4u, 6u, 8u}) {
        const Play play = make_play(pairings()[k]);
        Report report;
        int grown_together = 0;
        const auto on = [&](int threads) {
            return nendo::test::with_threads(threads, [&] {
                State<TypeParam> state = begin<TypeParam>(play);
                report = advance(state, play, 5);
                grown_together = links_between_bodies(state);
                return hash_state(state);
            });
        };
        const std::uint64_t one = on(1);
        EXPECT_EQ(on(2), one) << pairings()[k].name;
        EXPECT_EQ(on(8), one) << pairings()[k].name;
        EXPECT_GT(report.particles_melted, 0);
        EXPECT_GT(report.particles_frozen, 0);
        EXPECT_GT(grown_together, 0);
        EXPECT_EQ(report.particles, 100 + 48 + 32 + 24 + 27);
    }
}

TYPED_TEST(MeltSameBits, for_any_order_of_the_rows) {
    const Play play = make_play(pairings()[4]);
    State<TypeParam> state = begin<TypeParam>(play);
    advance(state, play, 2);
    State<TypeParam> mixed = state;
    State<TypeParam>::tables(mixed, [](auto& table, std::string_view) {
        std::vector<std::uint32_t> order(table_size(table));
        for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
        std::shuffle(order.begin(), order.end(), std::mt19937(7));
        gather_table(table, order);
    });
    ASSERT_NE(mixed.particles.id, state.particles.id);
    ASSERT_EQ(hash_state(mixed), hash_state(state));
    advance(state, play, 3);
    advance(mixed, play, 3);
    EXPECT_EQ(hash_state(mixed), hash_state(state));
}

TYPED_TEST(MeltSameBits, for_a_run_that_was_stopped_and_resumed) {
    const Play play = make_play(pairings()[4]);
    const std::string name = "nendo-melt-bits-" + std::to_string(::getpid()) + ".nendo";
    const std::filesystem::path path = std::filesystem::temp_directory_path() / name;
    State<TypeParam> straight = begin<TypeParam>(play);
    advance(straight, play, 4);
    State<TypeParam> first = begin<TypeParam>(play), second;
    advance(first, play, 2);
    write_checkpoint(path.string(), first, "melt", "");
    read_checkpoint(path.string(), second, "melt");
    std::filesystem::remove(path);
    advance(second, play, 2);
    EXPECT_EQ(hash_state(second), hash_state(straight));
}

class Impatient : public Host {
public:
    explicit Impatient(int patience) : m_patience(patience) {}
    bool interrupted() override { return m_patience-- <= 0; }

private:
    int m_patience;
};

TEST(MeltCommit, or_nothing) {
    const Play play = make_play(pairings()[4]);
    State<float> state = begin<float>(play);
    advance(state, play, 1);
    const std::uint64_t before = hash_state(state);
    Solver<float> solver;
    Impatient host(2);
    EXPECT_THROW(solver.advance(state, play.scene, play.bodies, play.params, 1, host), Interrupted);
    EXPECT_EQ(hash_state(state), before);
    // Values that no step survives.
    State<float> broken = state;
    broken.particles.v[3] = Vec3<float>(1e38f, 0, 0);
    const std::uint64_t hash = hash_state(broken);
    Host patient;
    EXPECT_THROW(solver.advance(broken, play.scene, play.bodies, play.params, 1e-3, patient),
                 Error);
    EXPECT_EQ(hash_state(broken), hash);
}

TEST(MeltCommit, bad_input_is_told) {
    const Play play = make_play(pairings()[4]);
    const State<float> good = begin<float>(play);
    const auto told = [&](const char* what, const auto& spoil) {
        State<float> state = good;
        Params params = play.params;
        double duration = frame;
        spoil(state, params, duration);
        Solver<float> solver;
        Host host;
        try {
            solver.advance(state, play.scene, play.bodies, params, duration, host);
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
    told("not there", [](auto& s, Params&, double&) { s.links.other[0] = 100000; });
    told("two particles", [](auto& s, Params&, double&) { s.particles.id[1] = s.particles.id[0]; });
    EXPECT_THROW(preset("icee"), Error);
}

} // namespace
} // namespace nendo::melt::test
