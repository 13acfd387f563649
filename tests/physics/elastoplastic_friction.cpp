// SPDX-License-Identifier: Apache-2.0
// A block that slides on the ground, against Coulomb's law: soft matter, whose friction acts after
// the velocity solve, and hard matter in long steps, whose friction is part of the solve.
#include "support/matter.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace nendo::elastoplastic::test {
namespace {

struct Block {
    const char* name;
    Material material;
    double time_step; ///< [s]
};

std::ostream& operator<<(std::ostream& out, const Block& block) {
    return out << block.name;
}

class Sliding : public testing::TestWithParam<Block> {
protected:
    static constexpr double friction = 0.3;
    static constexpr double speed = 2;

    Sliding() {
        m_params.spacing = 0.05;
        m_params.time_step = GetParam().time_step;
        m_bodies = {make_block({8, 3, 8}, Vec3d(0, 0, 0), GetParam().material, m_params.spacing)};
        m_bodies[0].velocity = Vec3d(speed, 0, 0);
    }

    void advance(double seconds) {
        const int frames = static_cast<int>(std::lround(seconds / 0.02));
        for (int k = 0; k < frames; ++k)
            m_solver.advance(m_state, ground(friction), m_bodies, m_params, 0.02, m_host);
    }
    Vec3d velocity() const {
        Vec3d sum = Vec3d::Zero();
        for (const Vec3d& v : m_state.masters.v) sum += v;
        return sum / static_cast<double>(m_state.masters.v.size());
    }

    Params m_params;
    std::vector<Body> m_bodies;
    State<double> m_state;
    Solver<double> m_solver;
    Host m_host;
};

TEST_P(Sliding, slows_as_coulomb_predicts_and_comes_to_rest) {
    advance(0.1); // until the landing has died away
    const double before = velocity().x();
    advance(0.3);
    const double slowed = before - velocity().x();
    advance(0.6);
    const Vec3d end = velocity();
    std::printf("%s: slows by %.3f m/s in 0.3 s, Coulomb %.3f m/s; at the end %.4f m/s\n",
                GetParam().name, slowed, friction * 9.81 * 0.3, end.norm());
    EXPECT_NEAR(slowed, friction * 9.81 * 0.3, 0.05 * friction * 9.81 * 0.3);
    EXPECT_LT(end.norm(), 0.01);
}

INSTANTIATE_TEST_SUITE_P(
    soft_and_hard, Sliding,
    testing::Values(Block{"soft", {1000, {5e5, 0.3, infinite, infinite, 0}}, 1e-3},
                    Block{"hard_plastic", {1000, {2e8, 0.3, 0.05, 0.05, 10}}, 4e-3}),
    [](const testing::TestParamInfo<Block>& block) { return std::string(block.param.name); });

} // namespace
} // namespace nendo::elastoplastic::test
