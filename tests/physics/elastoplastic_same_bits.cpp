// SPDX-License-Identifier: Apache-2.0
// Elastoplastic matter: the same state gives the same bits.
#include "support/matter.h"
#include "support/same_bits.h"

#include <gtest/gtest.h>

namespace nendo::elastoplastic::test::same_bits {
namespace {

using namespace nendo::test;
using Play = nendo::test::Play<std::vector<Body>, Params>;

/// Everything at once: a plastic slab tears on a bar, an elastic and a plastic block touch, a pin
/// drags one end of a beam, a board pushes, and a body enters between frames.
Play make_play() {
    Play play{"tearing, touching and dragging", ground(), {}, {}};
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
        const auto index = static_cast<std::int32_t>(play.inputs.size());
        Body body = make_block(cells, corner, preset(material), p.spacing, index);
        body.velocity = velocity;
        body.start = start;
        play.inputs.push_back(body);
    };
    add({12, 3, 6}, {-0.6, 1.15, -0.3}, "clay", {0, -6, 0}, 0);
    add({5, 4, 5}, {1.62, 0, -0.25}, "jelly", {0, 0, 0}, 0);
    add({4, 4, 4}, {1.7, 0.42, -0.2}, "dough", {0, -0.5, 0}, 0);
    add({8, 2, 2}, {-2.2, 0.9, -0.1}, "jelly", {0, 0, 0}, 0);
    add({4, 4, 4}, {-0.2, 1.7, -0.2}, "gum", {0, -5, 0}, 2.6 * frame);
    return play;
}

template <class Real> struct Case {
    using State = elastoplastic::State<Real>;
    using Solver = elastoplastic::Solver<Real>;
    using Play = same_bits::Play;

    static constexpr const char* method = "elastoplastic";
    static constexpr Frames frames{6, 2, 4, 3};

    static std::vector<Play> plays() { return {make_play()}; }
    static State begin(const Play& play) { return start_play<Solver, State>(play); }
    static const auto& ids(const State& state) { return state.masters.id; }

    static void expect_eventful(const Play& play, const State&,
                                const std::vector<Report>& reports) {
        std::int64_t all = 0;
        for (const Body& body : play.inputs) all += static_cast<std::int64_t>(body.masters.size());
        EXPECT_EQ(reports.back().masters, all) << "a body did not enter";
        EXPECT_GT(reports.back().slaves_added, 20) << "nothing tore";
        EXPECT_GT(reports.back().slaves_removed, 0);
    }
    static void expect_ready_to_shuffle(const Play& play, const State& state) {
        Workspace<Real> w;
        prepare(w, state, play.params);
        EXPECT_FALSE(w.touches.empty()) << "no bodies touch";
        EXPECT_GT(std::count(state.masters.pin.begin(), state.masters.pin.end(), 1), 0);
    }
};
using Cases = testing::Types<Case<float>, Case<double>>;
INSTANTIATE_TYPED_TEST_SUITE_P(ElastoplasticSameBits, EveryMethod, Cases);

template <class Real> class ElastoplasticSameBits : public testing::Test {
protected:
    const Play play = make_play();
    State<Real> begin() const { return Case<Real>::begin(play); }
};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(ElastoplasticSameBits, Reals);

TYPED_TEST(ElastoplasticSameBits, when_close_slaves_are_searched_only_where_there_may_be_some) {
    const Scene& scene = this->play.scene;
    Params params = this->play.params;
    params.remove_distance = 0.4; // so that many are removed
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

TYPED_TEST(ElastoplasticSameBits, differ_when_one_bit_differs) {
    State<TypeParam> state = this->begin();
    State<TypeParam> other = state;
    TypeParam& x = other.masters.x[0].x();
    x = std::nextafter(x, TypeParam(1e3));
    advance_frames<Solver<TypeParam>>(state, this->play, 1);
    advance_frames<Solver<TypeParam>>(other, this->play, 1);
    EXPECT_NE(hash_state(state), hash_state(other));
}

// So many masters that they are stored in larger blocks.
TEST(ElastoplasticSameBitsOfMany, for_threads_and_for_any_order_of_the_rows) {
    Params params;
    Body body = make_block({41, 41, 41}, Vec3d(0, 0.03, 0), preset("clay"), params.spacing);
    body.velocity = Vec3d(0, -3, 0);
    const State<float> begin = start<float>({body}, params);
    const auto after = [&](int threads, State<float> state) {
        return with_threads(threads, [&] {
            Host host;
            Solver<float>().advance(state, ground(), {}, params, 2 * params.time_step, host);
            return hash_state(state);
        });
    };
    const std::uint64_t one = after(1, begin);
    EXPECT_NE(one, hash_state(begin));
    EXPECT_EQ(after(8, begin), one);
    EXPECT_EQ(after(2, shuffled(begin)), one);
}

} // namespace
} // namespace nendo::elastoplastic::test::same_bits
