// SPDX-License-Identifier: Apache-2.0
// Saida 2017, Fig 9 and 10: hard, soft and plastic cubes of 4096 masters fall on the ground.
#include "support/matter.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace nendo::elastoplastic::test::cubes {
namespace {

constexpr double d = 0.0625;

struct Fall {
    double rebound = 0; ///< Highest position of the bottom after the impact [m]
    double height = 0;  ///< Height of the cube at the end [m]
    double bottom = 0;  ///< Height of the lowest master at the end, in spacings
    double min_jacobian = 1;
    double speed = 0; ///< Speed of the fastest master at the end [m/s]
};

/// Starts with the cube as it is after falling 1 m, just before it touches the ground, and runs for
/// `seconds`.
Fall fall(const Material& material, double time_step, double fps, double seconds,
          double implicitness = 1) {
    Params p;
    p.implicitness = implicitness;
    p.spacing = d;
    p.time_step = time_step;
    Body body = make_block({16, 16, 16}, Vec3d(0, 1.6 * d, 0), material, d);
    body.velocity = Vec3d(0, -4.4294, 0);
    State<float> s;
    Solver<float> solver;
    Host host;
    Fall result;
    const int frames = static_cast<int>(seconds * fps + 0.5);
    for (int k = 0; k < frames; ++k) {
        const Report r = solver.advance(s, ground(), {body}, p, 1 / fps, host);
        result.min_jacobian = std::min(result.min_jacobian, r.min_jacobian);
        result.speed = r.max_speed;
        if (k > 2) result.rebound = std::max(result.rebound, lowest(s) - 0.5 * d);
    }
    result.height = height(s, d);
    result.bottom = lowest(s) / d;
    return result;
}

TEST(Fig9, the_hard_cube_rebounds_clearly_and_higher_than_the_soft_one) {
    const Fall hard = fall({1000, {6.9e7, 0.3, infinite, infinite, 0}}, 1e-3, 24, 0.36);
    const Fall soft = fall({1000, {1e6, 0.4, infinite, infinite, 0}}, 1e-3, 24, 0.42);
    std::printf("rebound of a fall of 1 m: hard %.3f m, soft %.3f m\n", hard.rebound, soft.rebound);
    EXPECT_GT(hard.rebound, 0.4);
    EXPECT_GT(hard.rebound, soft.rebound);
    EXPECT_GT(soft.rebound, 0.2);
    EXPECT_GT(hard.min_jacobian, 0.9);
    EXPECT_GT(soft.min_jacobian, 0.5);
    EXPECT_NEAR(soft.height, 1, 0.05); // it returns to its shape
}

class Fig10 : public ::testing::TestWithParam<int> {};

TEST_P(Fig10, plastic_cube_keeps_a_height_that_no_time_step_and_no_frame_rate_changes) {
    const bool left = GetParam() == 0;
    const Material material = left ? Material{1000, {1.4e5, 0.2, 4.5e-3, 1.5e-2, 10}}
                                   : Material{1000, {1.4e5, 0.2, 7.5e-4, 2.5e-3, 10}};
    const Fall usual = fall(material, 1e-3, 24, 0.5);
    const Fall halved = fall(material, 5e-4, 24, 0.5);
    const Fall sixty = fall(material, 1e-3, 60, 0.5);
    const Fall explicitly = fall(material, 1e-3, 24, 0.5, 0);
    std::printf("height at rest: %.4f at 1 ms, %.4f at 0.5 ms, %.4f at 60 fps, %.4f explicit; "
                "bottom %.2f d\n",
                usual.height, halved.height, sixty.height, explicitly.height, usual.bottom);
    EXPECT_NEAR(explicitly.height / usual.height, 1, 0.03);
    EXPECT_NEAR(halved.height / usual.height, 1, 0.02);
    EXPECT_NEAR(sixty.height / usual.height, 1, 0.02);
    EXPECT_GT(usual.min_jacobian, 0.5);
    EXPECT_LT(usual.speed, 0.1);
}

INSTANTIATE_TEST_SUITE_P(moderate_and_high, Fig10, ::testing::Values(0, 1));

} // namespace
} // namespace nendo::elastoplastic::test::cubes
