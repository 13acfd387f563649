// One simulation on several processes: the same bits as on one.
#include "core/hash.h"
#include "elastoplastic/distributed.h"
#include "support/matter.h"
#include "support/processes.h"

#include <gtest/gtest.h>

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

template <class Real, class AnySolver> Outcome run(AnySolver& solver, const Play& play, int frames) {
    State<Real> state;
    Host host;
    Outcome outcome;
    solver.advance(state, play.scene, play.bodies, play.params, 0, host);
    for (int k = 0; k < frames; ++k)
        outcome.report = solver.advance(state, play.scene, play.bodies, play.params, frame, host);
    outcome.hash = hash_state(state);
    return outcome;
}

template <class Real> Outcome run_shared(const Play& play, int frames, int processes) {
    Outcome outcome;
    nendo::test::as_processes(
        processes,
        [&](Exchange& others) {
            DistributedSolver<Real> solver(others, "play");
            outcome = run<Real>(solver, play, frames);
            dismiss(others);
        },
        [&](Exchange& others) {
            DistributedSolver<Real>(others, "play").serve(play.scene, play.bodies, play.params);
        });
    return outcome;
}

template <class Real> class Distributed : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(Distributed, Reals);

TYPED_TEST(Distributed, gives_the_bits_of_one_process) {
    const Play play = make_play();
    const int frames = 6;
    Solver<TypeParam> alone;
    const Outcome one = run<TypeParam>(alone, play, frames);
    EXPECT_GT(one.report.slaves_added, 0);
    for (const int processes : {1, 2, 3, 5}) {
        const Outcome shared = run_shared<TypeParam>(play, frames, processes);
        EXPECT_EQ(shared.report.masters, one.report.masters);
        EXPECT_EQ(shared.report.slaves, one.report.slaves);
        EXPECT_EQ(shared.report.slaves_added, one.report.slaves_added);
        EXPECT_EQ(shared.report.slaves_removed, one.report.slaves_removed);
        EXPECT_EQ(shared.hash, one.hash) << processes << " processes";
    }
}

} // namespace
} // namespace nendo::elastoplastic::test
