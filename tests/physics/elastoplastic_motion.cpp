// SPDX-License-Identifier: Apache-2.0
// Matter that moves freely conserves its momentum.
#include "support/matter.h"

#include <gtest/gtest.h>

namespace nendo::elastoplastic::test {
namespace {

constexpr double d = 0.0625;

/// A block with a smooth internal motion that is not rigid.
State<double> wobbling_block(const Params& p, const Material& material) {
    State<double> s =
        start<double>({make_block({8, 8, 8}, Vec3d(-0.25, 1, -0.25), material, p.spacing)}, p);
    for (std::size_t m = 0; m < s.masters.id.size(); ++m) {
        const Vec3d& x = s.masters.x[m];
        s.masters.v[m] = Vec3d(3, -1, 0.5) +
                         Vec3d(0.5 * std::sin(9 * x.y()), 0.4 * x.x(), 0.6 * std::cos(7 * x.x()));
    }
    return s;
}

struct Drift {
    double linear;
    double angular;
};

Drift drift_over(int steps, const Params& p) {
    State<double> s = wobbling_block(p, {1000, {1e6, 0.3, infinite, infinite, 0}});
    Solver<double> solver;
    Host host;
    // The affine part of the motion carries angular momentum too, so let it settle for one step.
    Report before = solver.advance(s, weightless(), {}, p, p.time_step, host);
    double size = 0;
    for (std::size_t m = 0; m < s.masters.id.size(); ++m)
        size += s.masters.mass[m] * s.masters.v[m].norm();
    const Report after = solver.advance(s, weightless(), {}, p, steps * p.time_step, host);
    EXPECT_EQ(after.substeps, steps);
    return {(after.momentum - before.momentum).norm() / size,
            (after.angular_momentum - before.angular_momentum).norm() / size};
}

TEST(Motion, momentum_is_conserved_over_800_explicit_steps) {
    Params p;
    p.implicitness = 0;
    p.time_step = 5e-4;
    EXPECT_LT(drift_over(800, p).linear, 1e-12);
}

TEST(Motion, momentum_is_conserved_over_800_implicit_steps) {
    Params p;
    p.time_step = 1e-3;
    EXPECT_LT(drift_over(800, p).linear, 1e-9);
}

TEST(Motion, free_fall_has_no_drag_and_no_stress) {
    Params p;
    State<double> s;
    Solver<double> solver;
    Host host;
    const std::vector<Body> bodies = {
        make_block({8, 8, 8}, Vec3d(0, 0, 0), {1000, {1e6, 0.35, infinite, infinite, 0}}, d)};
    solver.advance(s, Scene{}, bodies, p, 0.4, host);
    double stress = 0;
    for (std::size_t m = 0; m < s.masters.id.size(); ++m) {
        EXPECT_NEAR(s.masters.v[m].y(), -9.81 * 0.4, 1e-5);
        EXPECT_NEAR(s.masters.v[m].x(), 0, 1e-5);
        const Svd3<double> svd = svd3(s.masters.F_E[m]);
        const Vec3d tau = energy_slope(lame(1e6, 0.35), svd.sigma).cwiseProduct(svd.sigma);
        stress = std::max(stress, tau.cwiseAbs().maxCoeff());
    }
    EXPECT_LT(stress, 1e-6);
}

TEST(Motion, one_full_turn_keeps_angular_momentum_and_the_slaves_in_place) {
    Params p;
    Body body = make_block({8, 8, 8}, Vec3d(-0.25, -0.25, -0.25),
                           {1000, {1e6, 0.3, infinite, infinite, 0}}, d);
    const double turn = 2 * 3.14159265358979;
    body.angular_velocity = Vec3d(0, 0, turn); // one rotation per second
    State<double> s = start<double>({body}, p);
    Solver<double> solver;
    Host host;
    const Report before = solver.advance(s, weightless(), {}, p, p.time_step, host);
    const Report after = solver.advance(s, weightless(), {}, p, 1.0, host);
    EXPECT_GT(after.angular_momentum.z() / before.angular_momentum.z(), 0.95);
    EXPECT_LT(after.angular_momentum.z() / before.angular_momentum.z(), 1.001);

    Workspace<double> w;
    prepare(w, s, p);
    double least = infinite;
    for (std::size_t m = 0; m < s.masters.id.size(); ++m)
        least = std::min(least, 1 / svd3(w.D_inv[m]).sigma[0]);
    EXPECT_GT(least / (0.30088 * d * d), 0.95);
}

TEST(Motion, an_alternating_velocity_is_gone_after_one_step) {
    Params p;
    State<double> s = start<double>(
        {make_block({8, 8, 8}, Vec3d(0, 0, 0), {1000, {1e6, 0.3, infinite, infinite, 0}}, d)}, p);
    double before = 0;
    for (std::size_t m = 0; m < s.masters.id.size(); ++m) {
        const Vec3d cell = (s.masters.x[m] / d - Vec3d::Constant(0.5)).array().round();
        const int parity = static_cast<int>(cell.sum()) % 2;
        s.masters.v[m] = Vec3d(parity == 0 ? 1 : -1, 0, 0);
        before += 0.5 * s.masters.mass[m];
    }
    Solver<double> solver;
    Host host;
    const Report r = solver.advance(s, weightless(), {}, p, p.time_step, host);
    EXPECT_EQ(r.substeps, 1);
    EXPECT_LT(r.kinetic_energy, 0.05 * before);
}

TEST(Motion, a_failed_or_interrupted_step_leaves_the_state_as_it_was) {
    struct Impatient : Host {
        int asked = 0;
        bool interrupted() override { return ++asked > 5; }
    };
    Params p;
    State<double> s = wobbling_block(p, preset("jelly"));
    const State<double> before = s;
    Impatient host;
    EXPECT_THROW(Solver<double>().advance(s, weightless(), {}, p, 0.1, host), Interrupted);
    EXPECT_EQ(s.masters.x, before.masters.x);
    EXPECT_EQ(s.details.time, before.details.time);

    State<double> broken = s;
    broken.masters.v[17].x() = std::nan("");
    const State<double> broken_before = broken;
    Host patient;
    try {
        Solver<double>().advance(broken, weightless(), {}, p, 0.1, patient);
        FAIL() << "a velocity that is not a number was accepted";
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("particle id"), std::string::npos) << e.what();
        EXPECT_FALSE(e.remedy().empty());
    }
    EXPECT_EQ(broken.masters.x, broken_before.masters.x);
}

} // namespace
} // namespace nendo::elastoplastic::test
