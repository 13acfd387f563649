// SPDX-License-Identifier: Apache-2.0
// The scenes of the rheology paper, and more: bent matter stays bent.
#include "io/scene/scenes.h"
#include "support/source_dir.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace nendo::rheology {
namespace {

/// A scene file, simulated frame by frame in double precision.
struct Film {
    explicit Film(const std::string& name) {
        const std::string file =
            (nendo::test::source_dir() / "examples/scenes" / (name + ".json")).string();
        spec = read_scene<SceneSpec>(load_scene_json(file), file);
        built = build_scene(spec, file, host);
        advance(0);
    }
    void advance(int frames) {
        for (int k = 0; k < std::max(frames, 1); ++k) {
            const double duration = frames == 0 ? 0 : 1 / spec.common.fps;
            report = solver.advance(state, built.scene, built.bodies, built.params, duration, host);
            complementarity = std::max(complementarity, report.complementarity);
            overlap = std::max(overlap, report.overlap);
            gap = std::max(gap, report.joint_gap);
            unsettled += report.yield_unconverged;
        }
    }
    int frame_of(double time) const { return static_cast<int>(time * spec.common.fps + 0.5); }
    Vec3d last() const { return state.bones.x.back(); }

    Host host;
    SceneSpec spec;
    BuiltScene built;
    State<double> state;
    Solver<double> solver;
    Report report;
    double complementarity = 0, overlap = 0, gap = 0;
    int unsettled = 0;
};

TEST(Bending, fig_2_one_body_keeps_a_bend_of_impulse_over_flow) {
    Film film("creep_one_body");
    film.advance(50);
    EXPECT_NEAR(film.last().x(), 0.150, 0.002);
    film.advance(film.spec.common.frames - 50);
    EXPECT_NEAR(film.last().x(), 0.050, 1e-4);
}

TEST(Bending, fig_3_the_spoon_stays_bent) {
    Film film("spoon_bent");
    const double start = film.last().y();
    film.advance(film.frame_of(1.2));
    const double bent = film.last().y() - start;
    film.advance(film.spec.common.frames - film.frame_of(1.2));
    const double stays = film.last().y() - start;
    std::printf("spoon: tip goes %.1f mm, %.1f mm stay; gap %.1e m\n", 1e3 * bent, 1e3 * stays,
                film.gap);
    EXPECT_GT(bent, 0.02);
    EXPECT_GT(stays, 0.5 * bent);
    EXPECT_LT(stays, bent) << "nothing springs back";
    EXPECT_LT(film.report.max_speed, 0.05) << "it does not come to rest";
    EXPECT_LT(film.gap, 1e-5);
}

TEST(Bending, a_spoon_pressed_on_a_table_bends_and_does_not_sink) {
    Film film("spoon_on_table");
    film.advance(film.spec.common.frames);
    std::printf("table: complementarity %.1e m/s, overlap %.1e m, bend %.3f rad\n",
                film.complementarity, film.overlap, film.report.max_bend);
    EXPECT_LT(film.complementarity, 1e-8);
    EXPECT_EQ(film.unsettled, 0);
    EXPECT_LT(film.overlap, 1e-6);
    EXPECT_GT(film.report.max_bend, 0.02);
}

TEST(Bending, candles_sag_and_do_not_come_back) {
    Film film("sagging_candle");
    double before = film.last().y();
    const double start = before;
    for (int k = 0; k < 4; ++k) {
        film.advance(film.spec.common.frames / 4);
        EXPECT_LT(film.last().y(), before + 1e-6);
        before = film.last().y();
    }
    EXPECT_LT(before, start - 0.02);
}

TEST(Bending, a_bumper_keeps_its_dent) {
    Film film("bumper_dent");
    film.advance(film.spec.common.frames);
    EXPECT_GT(film.report.max_bend, 0.03);
    EXPECT_EQ(film.report.contacts, 0) << "the post is still in contact";
    EXPECT_LT(film.complementarity, 1e-8);
    EXPECT_EQ(film.unsettled, 0);
}

TEST(Bending, a_figure_of_wire_keeps_its_pose) {
    Film film("wire_figure");
    const Vec3d start = film.last();
    film.advance(film.spec.common.frames);
    EXPECT_GT((film.last() - start).norm(), 0.05);
    EXPECT_LT(film.report.max_speed, 0.2);
    EXPECT_GT(film.report.max_bend, 0.05);
    EXPECT_LT(film.complementarity, 1e-8);
    EXPECT_EQ(film.unsettled, 0);
    EXPECT_LT(film.gap, 1e-5) << "a limb is not joined";
    // One body whose bones are all connected: each has one joint, except for the clamped one.
    EXPECT_EQ(film.built.bodies.size(), 1u);
    EXPECT_EQ(film.report.joints, film.report.bones);
}

} // namespace
} // namespace nendo::rheology
