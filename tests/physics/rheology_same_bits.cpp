// SPDX-License-Identifier: Apache-2.0
// Bones: the same state gives the same bits, a call that fails changes nothing, and bad input is
// refused.
#include "support/bones.h"
#include "support/same_bits.h"

#include <gtest/gtest.h>

namespace nendo::rheology::test::same_bits {
namespace {

using namespace nendo::test;
using Play = nendo::test::Play<std::vector<Body>, Params>;

/// Wires that yield, a ring, boxes that fall on them, a pin, a moving board, a late body.
Play make_play() {
    Play play{"wires and boxes", {}, {}, {}};
    play.scene.colliders.push_back(ground_plane());
    Collider board = make_collider(make_box(Vec3d(0, 0.2, 0), Vec3d(0.1, 0.4, 1)), 0.3);
    board.motion = Motion({{0, {-1, 0, 0}, {0, 0, 0}}, {0.25, {-0.6, 0, 0}, {0, 20, 0}}});
    play.scene.colliders.push_back(board);
    Pin pin;
    pin.name = "hand";
    pin.shape = make_sphere(Vec3d(0, 0.5, 0), 0.06);
    pin.motion = Motion({{0, {0, 0, 0}, {0, 0, 0}}, {0.2, {0, 0.1, 0}, {0, 0, 40}}});
    pin.end = 0.2;
    play.scene.pins.push_back(pin);
    Material material = preset("aluminium");
    const auto add = [&](Body body, double start) {
        body.index = static_cast<std::int32_t>(play.inputs.size());
        body.name = "body " + std::to_string(body.index);
        body.start = start;
        play.inputs.push_back(std::move(body));
    };
    for (int k = 0; k < 8; ++k) {
        std::vector<Vec3d> points;
        for (int i = 0; i <= 10; ++i)
            points.emplace_back(0.08 * i - 0.3, 0.03 + 0.05 * k + 0.01 * (i % 2), 0.04 * k - 0.1);
        add(make_skeleton(
                segments_of_line(points, Section::ellipse(0.01, 0.01), Vec3d::UnitY(), material),
                material, Clamp::none),
            0);
    }
    Body held = make_skeleton(straight(6, 0.6, Section::ellipse(0.01, 0.01), material), material,
                              Clamp::none);
    for (Bone& bone : held.bones) bone.pose.translation() += Vec3d(0, 0.5, 0);
    for (Joint& joint : held.joints) joint.frame.translation() += Vec3d(0, 0.5, 0);
    held.loads = {constant_load(-1, Vec3d(0, 0, 0), {0, 0, 0.2})};
    add(held, 0);
    Body box;
    box.bones = {make_box_bone(Vec3d(0, 1, 0), Vec3d(0.2, 0.1, 0.2), 2000, 0.01)};
    box.velocity = Vec3d(0, -3, 0);
    add(box, 2.6 * frame);
    return play;
}

template <class Real> struct Case {
    using State = rheology::State<Real>;
    using Solver = rheology::Solver<Real>;
    using Play = same_bits::Play;

    static constexpr const char* method = "rheology";
    static constexpr Frames frames{6, 3, 3, 3};

    static std::vector<Play> plays() { return {make_play()}; }
    static State begin(const Play&) { return {}; }
    static const auto& ids(const State& state) { return state.bones.id; }

    static void expect_eventful(const Play&, const State&, const std::vector<Report>& reports) {
        std::int64_t contacts = 0;
        for (const Report& report : reports) contacts += report.contacts;
        EXPECT_GT(contacts, 50) << "nothing touched";
        EXPECT_EQ(reports.back().bones, 8 * 10 + 6 + 1) << "a body did not enter";
    }
    static void expect_ready_to_shuffle(const Play&, const State& state) {
        EXPECT_FALSE(state.contacts.id.empty());
    }
};
using Cases = testing::Types<Case<float>, Case<double>>;
INSTANTIATE_TYPED_TEST_SUITE_P(RheologySameBits, EveryMethod, Cases);

TEST(RheologyFailure, leaves_the_state_as_it_was) {
    const Play play = make_play();
    State<double> state;
    advance_frames<Solver<double>>(state, play, 1);
    State<double> broken = state;
    broken.bones.force[3] = Vec3d(1e308, 1e308, 0);
    expect_commit_or_nothing<Solver<double>>(state, broken, play, 3);
}

/// The message of the Error that is caused by a change to a good state.
template <class Change> std::string message(const Change& change) {
    Material material;
    Body body = make_skeleton(straight(4, 0.4, Section::ellipse(0.01, 0.01), material), material,
                              Clamp::first);
    State<double> state;
    add_body(state, body);
    Params params;
    change(state, params);
    Host host;
    try {
        Solver<double>().advance(state, Scene(), {}, params, frame, host);
    } catch (const Error& e) {
        return e.what();
    }
    return "";
}

TEST(BadInput, is_named_in_the_error) {
    const auto has = [](const std::string& text, const char* part) {
        EXPECT_NE(text.find(part), std::string::npos)
            << "'" << text << "' without '" << part << "'";
    };
    using S = State<double>;
    EXPECT_EQ(message([](S&, Params&) {}), "");
    has(message([](S& s, Params&) { s.bones.mass[2] = 0; }), "mass");
    has(message([](S& s, Params&) { s.bones.mass[2] = -1; }), "mass");
    has(message([](S& s, Params&) { s.bones.x[1].x() = std::nan(""); }), "id 1");
    has(message([](S& s, Params&) { s.bones.inertia[1].setZero(); }), "inertia");
    has(message([](S& s, Params&) { s.bones.orient[1].setZero(); }), "orient");
    has(message([](S& s, Params&) { s.bones.id[1] = s.bones.id[0]; }), "two bones");
    has(message([](S& s, Params&) { s.bones.pin[1] = 4; }), "pin");
    has(message([](S& s, Params&) { s.joints.child[2] = 77; }), "bone id 77");
    has(message([](S& s, Params&) { s.joints.parent[2] = 77; }), "parent");
    has(message([](S& s, Params&) { s.joints.parent[2] = s.joints.child[2]; }), "itself");
    has(message([](S& s, Params&) { s.joints.flow[1] = 0; }), "flow");
    has(message([](S& s, Params&) { s.joints.stiffness[1].y() = -5; }), "stiffness");
    has(message([](S& s, Params&) { s.bones.x[3] += Vec3d(0, 0.2, 0); }), "apart");
    has(message([](S&, Params& p) { p.time_step = 0; }), "time_step");
    has(message([](S& s, Params&) { s.bones.v.pop_back(); }), "entries");
    // A loop of joints that cannot close: the last bone would have to meet the first.
    has(message([](S& s, Params&) {
            resize_table(s.joints, 5);
            s.joints.id[4] = 4;
            s.joints.parent[4] = 3;
            s.joints.child[4] = 0;
            s.joints.frame_parent[4] = s.joints.frame_child[4] = s.joints.frame_child[1];
            s.joints.anchor_parent[4] = Vec3d(0.05, 0, 0);
            s.joints.anchor_child[4] = Vec3d(-0.05, 0, 0);
            s.joints.stiffness[4] = s.joints.stiffness[1];
            s.joints.first_stiffness[4].setConstant(infinite);
            s.joints.flow[4] = s.joints.limit[4] = infinite;
        }),
        "apart");
    Body body;
    body.name = "thing";
    body.bones.resize(1);
    body.bones[0].mass = 0;
    State<double> state;
    EXPECT_THROW(add_body(state, body), Error);
    body.bones[0].mass = 1;
    body.joints.resize(1);
    body.joints[0].child = 3;
    EXPECT_THROW(add_body(state, body), Error);
}

} // namespace
} // namespace nendo::rheology::test::same_bits
