// SPDX-License-Identifier: Apache-2.0
// External influence on matter: forces on its particles, and goals that guide them.
#include "core/error.h"
#include "core/hash.h"
#include "support/matter.h"

#include <gtest/gtest.h>

namespace nendo::elastoplastic::test::outside {
namespace {

constexpr double d = 0.0625;
const Material soft{1000, {1e5, 0.3, infinite, infinite, 0}};

State<double> block(const Params& p) {
    return start<double>({make_block({4, 4, 4}, Vec3d(0, 0, 0), soft, p.spacing)}, p);
}

TEST(ForcesAndGoals, a_force_on_every_particle_is_its_mass_times_acceleration) {
    Params p;
    State<double> s = block(p);
    const Vec3d acceleration(2, 5, -1);
    for (std::size_t m = 0; m < s.masters.id.size(); ++m)
        s.masters.force[m] = s.masters.mass[m] * acceleration;
    Host host;
    Solver<double>().advance(s, weightless(), {}, p, 0.1, host);
    for (const Vec3d& v : s.masters.v) EXPECT_LT((v - 0.1 * acceleration).norm(), 1e-9);
}

TEST(ForcesAndGoals, the_sum_of_forces_is_the_change_of_momentum) {
    Params p;
    State<double> s = block(p);
    s.masters.force[5] = Vec3d(0, 3, 0);
    s.masters.force[40] = Vec3d(-1, 0, 2);
    Host host;
    const Report r = Solver<double>().advance(s, weightless(), {}, p, 0.05, host);
    EXPECT_LT((r.momentum - 0.05 * Vec3d(-1, 3, 2)).norm(), 1e-6);
}

TEST(ForcesAndGoals, a_lone_particle_feels_its_force_too) {
    Params p;
    State<double> s = block(p);
    std::vector<std::uint8_t> others(s.masters.id.size(), 1);
    others[0] = 0;
    erase_marked(s.masters, others);
    resize_table(s.slaves, 0);
    s.masters.force[0] = s.masters.mass[0] * Vec3d(1, 0, 0);
    Host host;
    Solver<double>().advance(s, weightless(), {}, p, 0.1, host);
    EXPECT_NEAR(s.masters.v[0].x(), 0.1, 1e-12);
}

TEST(ForcesAndGoals, goals_are_reached_in_a_straight_line_by_the_end_of_the_call) {
    Params p;
    State<double> s = block(p);
    std::map<std::int64_t, Vec3d> begin, goal;
    for (std::size_t m = 0; m < s.masters.id.size(); ++m) {
        if (s.masters.x[m].x() > 2 * d) continue;
        s.masters.pin[m] = -1;
        s.masters.goal[m] = s.masters.x[m] + Vec3d(-0.05, 0.02, 0.1);
        begin[s.masters.id[m]] = s.masters.x[m];
        goal[s.masters.id[m]] = s.masters.goal[m];
    }
    ASSERT_EQ(goal.size(), 32u);
    Host host;
    Solver<double> solver;
    const Report r = solver.advance(s, Scene{}, {}, p, 0.1, host);
    EXPECT_GT(r.substeps, 10);
    double free = 0;
    for (std::size_t m = 0; m < s.masters.id.size(); ++m)
        if (s.masters.pin[m] < 0) {
            EXPECT_LT((s.masters.x[m] - goal[s.masters.id[m]]).norm(), 1e-12);
            EXPECT_LT((s.masters.v[m] - Vec3d(-0.5, 0.2, 1)).norm(), 1e-6);
        } else {
            free += s.masters.v[m].z() / 32;
        }
    EXPECT_GT(free, 0.3) << "the rest is not dragged along";
}

TEST(ForcesAndGoals, held_matter_stays_at_its_goal) {
    Params p;
    State<double> s = block(p);
    for (std::size_t m = 0; m < s.masters.id.size(); ++m) {
        s.masters.pin[m] = -1;
        s.masters.goal[m] = s.masters.x[m];
    }
    const std::vector<Vec3d> before = [&] {
        std::vector<Vec3d> x(64);
        for (std::size_t m = 0; m < 64; ++m)
            x[static_cast<std::size_t>(s.masters.id[m])] = s.masters.x[m];
        return x;
    }();
    Host host;
    Solver<double>().advance(s, Scene{}, {}, p, 0.2, host);
    for (std::size_t m = 0; m < 64; ++m)
        EXPECT_EQ(s.masters.x[m], before[static_cast<std::size_t>(s.masters.id[m])]);
}

TEST(ForcesAndGoals, a_missing_pin_is_an_error) {
    Params p;
    State<double> s = block(p);
    s.masters.pin[3] = 2;
    Host host;
    try {
        Solver<double>().advance(s, Scene{}, {}, p, 0.1, host);
        FAIL() << "a pin that does not exist was accepted";
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("pin is 2"), std::string::npos) << e.what();
        EXPECT_FALSE(e.remedy().empty());
    }
}

} // namespace
} // namespace nendo::elastoplastic::test::outside
