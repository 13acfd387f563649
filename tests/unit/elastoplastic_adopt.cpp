// SPDX-License-Identifier: Apache-2.0
// Masters made by another program become matter, by the same rule as bodies.
#include "core/error.h"
#include "core/hash.h"
#include "elastoplastic/adopt.h"
#include "support/matter.h"

#include <gtest/gtest.h>

namespace nendo::elastoplastic::test {
namespace {

constexpr double d = 0.125; // Its multiples are exact in float.

/// Positions as an emitter leaves them; nothing else is set.
State<float> bare_points(const std::vector<Vec3d>& places) {
    State<float> state;
    resize_table(state.masters, places.size());
    for (std::size_t k = 0; k < places.size(); ++k) {
        state.masters.id[k] = -1;
        state.masters.x[k] = places[k].cast<float>();
        state.masters.join[k] = join_by_rule;
    }
    return state;
}

void append_bare(State<float>& state, const std::vector<Vec3d>& places) {
    const State<float> more = bare_points(places);
    const std::size_t before = state.masters.id.size();
    resize_table(state.masters, before + places.size());
    for (std::size_t k = 0; k < places.size(); ++k) {
        state.masters.id[before + k] = -1;
        state.masters.x[before + k] = more.masters.x[k];
        state.masters.join[before + k] = join_by_rule;
    }
}

Params make_params() {
    Params p;
    p.spacing = d;
    return p;
}

TEST(Adopt, bare_points_become_the_body_that_sampling_makes) {
    const Params p = make_params();
    for (const char* material : {"jelly", "clay"}) {
        const Body body = make_block({4, 3, 2}, Vec3d(0.5, 1, -0.25), preset(material), d);
        State<float> sampled;
        add_body(sampled, body, p);
        State<float> adopted = bare_points(body.masters);
        const Adoption adoption = adopt(adopted, p, preset(material));
        EXPECT_EQ(adoption.first, 0u);
        EXPECT_EQ(adoption.count(), body.masters.size());
        EXPECT_EQ(hash_state(adopted), hash_state(sampled)) << material;
    }
}

TEST(Adopt, known_matter_is_left_alone) {
    const Params p = make_params();
    State<float> state = start<float>({make_block({3, 3, 3}, {0, 0, 0}, preset("clay"), d)}, p);
    const std::uint64_t before = hash_state(state);
    const Adoption adoption = adopt(state, p, preset("jelly"));
    EXPECT_EQ(adoption.count(), 0u);
    EXPECT_EQ(adoption.rows.size(), 27u);
    EXPECT_EQ(hash_state(state), before);
}

TEST(Adopt, foreign_ids_are_replaced_and_deformation_is_reset) {
    const Params p = make_params();
    State<float> state = start<float>({make_block({2, 2, 2}, {0, 0, 0}, preset("clay"), d)}, p);
    const std::int64_t next = state.details.next_master;
    const std::size_t slaves = state.slaves.id.size();
    // A copy of a row, a foreign id, and a row that was never matter.
    const auto copy_row = [&](const Vec3d& place) {
        const std::size_t m = state.masters.id.size();
        std::vector<std::uint32_t> order(m + 1);
        std::iota(order.begin(), order.end(), 0u);
        order[m] = 0;
        gather_table(state.masters, order);
        state.masters.x[m] = place.cast<float>();
        state.masters.F_E[m] *= 1.5f;
        return m;
    };
    copy_row({3, 0, 0});
    state.masters.id[copy_row({6, 0, 0})] = next + 1000;
    state.masters.J_P[copy_row({9, 0, 0})] = 0;
    state.masters.id.back() = 3;
    const Adoption adoption = adopt(state, p, preset("jelly"));
    ASSERT_EQ(adoption.first, 8u);
    ASSERT_EQ(adoption.count(), 3u);
    for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t m = 8 + k;
        EXPECT_EQ(adoption.rows[m], m);
        EXPECT_EQ(state.masters.id[m], next + static_cast<std::int64_t>(k));
        EXPECT_EQ(state.masters.F_E[m], Mat3<float>::Identity());
        EXPECT_EQ(state.masters.J_P[m], 1.0f);
        EXPECT_EQ(state.masters.C[m].norm(), 0.0f);
        EXPECT_EQ(state.masters.young[m], state.masters.young[0]) << "it lost its own material";
    }
    // Eight corners and their surroundings for each of the three masters.
    EXPECT_GE(state.slaves.id.size(), slaves + 3 * 8);
}

TEST(Adopt, matter_emitted_onto_other_matter_joins_it) {
    const Params p = make_params();
    const Body whole = make_block({4, 4, 4}, {0, 0, 0}, preset("clay"), d);
    std::vector<Vec3d> lower, upper;
    for (const Vec3d& x : whole.masters) (x.y() < 2 * d ? lower : upper).push_back(x);
    State<float> state = bare_points(lower);
    adopt(state, p, preset("clay"));
    append_bare(state, upper);
    EXPECT_EQ(adopt(state, p, preset("clay")).first, lower.size());

    // The lattices match, so the halves make the whole, slave by slave and pair by pair.
    State<float> expected;
    add_body(expected, whole, p);
    EXPECT_EQ(state.slaves.id.size(), expected.slaves.id.size());
    EXPECT_EQ(state.neighbors.id.size(), expected.neighbors.id.size());
    EXPECT_EQ(pieces(state, p), std::vector<int>{64});
}

TEST(Adopt, elastic_bodies_stay_apart_and_plastic_matter_joins) {
    const Params p = make_params();
    State<float> state = bare_points({{0, 0, 0}, {5, 0, 0}, {10, 0, 0}});
    state.masters.body = {0, 4, 2};
    state.masters.young[2] = 1e5f;
    state.masters.yield_stretch[2] = 0.01f;
    adopt(state, p, preset("jelly"));
    std::map<std::int32_t, std::int32_t> join_of_body;
    for (std::size_t m = 0; m < 3; ++m) join_of_body[state.masters.body[m]] = state.masters.join[m];
    EXPECT_EQ(join_of_body, (std::map<std::int32_t, std::int32_t>{{0, 1}, {2, 0}, {4, 5}}));
}

TEST(Adopt, a_position_that_is_not_a_number_is_refused_and_nothing_is_lost) {
    State<float> state = bare_points({{0, 0, 0}, {1, 0, 0}});
    state.masters.x[1].y() = std::nanf("");
    try {
        adopt(state, make_params(), preset("jelly"));
        FAIL() << "a position that is not a number was accepted";
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("new particle 1"), std::string::npos) << e.what();
    }
    EXPECT_EQ(state.masters.id.size(), 2u);
}

} // namespace
} // namespace nendo::elastoplastic::test
