// SPDX-License-Identifier: Apache-2.0
// Bones give the same bits for any number of threads, any order of rows, and after a stop; what is
// wrong is said, and the state is as it was.
#include "core/hash.h"
#include "io/checkpoint.h"
#include "support/bones.h"
#include "support/threads.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include <unistd.h>

namespace nendo::rheology::test {
namespace {

constexpr double frame = 1.0 / 24;

/// Wires that yield, a ring, boxes that fall on them, a pin, a moving board, a late body.
struct Play {
    Scene scene;
    Params params;
    std::vector<Body> bodies;
};

Play make_play() {
    Play play;
    play.scene.colliders.push_back(make_collider(make_plane(Vec3d(0, 0, 0), Vec3d(0, 1, 0)), 0.5));
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
        body.index = static_cast<std::int32_t>(play.bodies.size());
        body.name = "body " + std::to_string(body.index);
        body.start = start;
        play.bodies.push_back(std::move(body));
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

struct Outcome {
    std::uint64_t hash = 0;
    Report report;
    std::int64_t contacts = 0;
};

template <class Real> Outcome run(State<Real>& state, const Play& play, int frames) {
    Solver<Real> solver;
    Host host;
    Outcome outcome;
    for (int k = 0; k < frames; ++k) {
        outcome.report = solver.advance(state, play.scene, play.bodies, play.params, frame, host);
        outcome.contacts += outcome.report.contacts;
    }
    outcome.hash = hash_state(state);
    return outcome;
}

template <class Real> class BoneBits : public testing::Test {
protected:
    static constexpr int frames = 6;
    const Play play = make_play();
};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(BoneBits, Reals);

TYPED_TEST(BoneBits, are_the_same_for_1_2_and_8_threads) {
    const auto on = [&](int threads) {
        return nendo::test::with_threads(threads, [&] {
            State<TypeParam> state;
            return run(state, this->play, this->frames);
        });
    };
    const Outcome one = on(1);
    EXPECT_EQ(on(2).hash, one.hash);
    EXPECT_EQ(on(8).hash, one.hash);
    EXPECT_GT(one.contacts, 50) << "nothing touched";
    EXPECT_EQ(one.report.bones, 8 * 10 + 6 + 1) << "a body did not enter";
}

TYPED_TEST(BoneBits, are_the_same_for_any_order_of_the_rows) {
    State<TypeParam> state;
    run(state, this->play, 3);
    EXPECT_FALSE(state.contacts.id.empty());
    State<TypeParam> mixed = state;
    State<TypeParam>::tables(mixed, [](auto& table, std::string_view) {
        std::vector<std::uint32_t> order(table_size(table));
        std::iota(order.begin(), order.end(), 0u);
        std::shuffle(order.begin(), order.end(), std::mt19937(7));
        gather_table(table, order);
    });
    ASSERT_NE(mixed.bones.id, state.bones.id);
    ASSERT_EQ(hash_state(mixed), hash_state(state));
    EXPECT_EQ(run(mixed, this->play, 3).hash, run(state, this->play, 3).hash);
}

TYPED_TEST(BoneBits, are_the_same_for_a_run_that_was_stopped_and_resumed) {
    const std::string name = "nendo-bones-" + std::to_string(::getpid()) + ".nendo";
    const std::string path = (std::filesystem::temp_directory_path() / name).string();
    State<TypeParam> straight_on;
    const Outcome expected = run(straight_on, this->play, this->frames);
    State<TypeParam> first, second;
    run(first, this->play, 3);
    write_checkpoint(path, first, "rheology", "");
    read_checkpoint(path, second, "rheology");
    std::filesystem::remove(path);
    EXPECT_EQ(run(second, this->play, 3).hash, expected.hash);
}

class Stopper : public Host {
public:
    bool interrupted() override { return ++m_asked > 3; }

private:
    int m_asked = 0;
};

TEST(Commit, or_nothing) {
    const Play play = make_play();
    State<double> state;
    run(state, play, 1);
    const std::uint64_t before = hash_state(state);
    Stopper host;
    Solver<double> solver;
    EXPECT_THROW(solver.advance(state, play.scene, play.bodies, play.params, frame, host),
                 Interrupted);
    EXPECT_EQ(hash_state(state), before);
    State<double> broken = state;
    broken.bones.force[3] = Vec3d(1e308, 1e308, 0);
    const std::uint64_t broken_before = hash_state(broken);
    Host silent;
    EXPECT_THROW(solver.advance(broken, play.scene, play.bodies, play.params, frame, silent),
                 Error);
    EXPECT_EQ(hash_state(broken), broken_before);
    Host again; // and the solver object is none the worse
    State<double> other = state;
    Solver<double> fresh;
    solver.advance(state, play.scene, play.bodies, play.params, frame, again);
    fresh.advance(other, play.scene, play.bodies, play.params, frame, again);
    EXPECT_EQ(hash_state(state), hash_state(other));
}

/// The message of the Error that a change to a good state leads to.
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

TEST(BadInput, is_named) {
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
    // A loop of joints that can't close: the last bone is to meet the first.
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
} // namespace nendo::rheology::test
