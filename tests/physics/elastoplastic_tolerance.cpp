// SPDX-License-Identifier: Apache-2.0
// The error of the velocity solve, compared with the error of the substep's length.
#include "support/matter.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace nendo::elastoplastic::test {
namespace {

struct Fall {
    std::map<std::int64_t, Vec3d> x;
    double energy = 0;
};

/// A cube that has hit the ground at 3 m/s and is moving up again, or flattened.
Fall fall(const char* material, const Params& p) {
    Body body = make_block({8, 8, 8}, Vec3d(0, p.spacing, 0), preset(material), p.spacing);
    body.velocity = Vec3d(0, -3, 0);
    State<double> s;
    Solver<double> solver;
    Host host;
    const Report report = solver.advance(s, ground(), {body}, p, 0.1, host);
    Fall result;
    for (std::size_t m = 0; m < s.masters.id.size(); ++m)
        result.x[s.masters.id[m]] = s.masters.x[m];
    result.energy = report.kinetic_energy + report.elastic_energy + report.gravity_energy;
    return result;
}

/// Root mean square distance between positions [m].
double apart(const Fall& a, const Fall& b) {
    double sum = 0;
    for (const auto& [id, x] : a.x) sum += (x - b.x.at(id)).squaredNorm();
    return std::sqrt(sum / static_cast<double>(a.x.size()));
}

class Tolerance : public testing::TestWithParam<const char*> {};

TEST_P(Tolerance, of_the_solve_changes_far_less_than_half_the_substep_does) {
    Params usual;
    Params exact = usual;
    exact.cg_tolerance = 1e-9;
    exact.cg_iterations = 1000;
    Params shorter = exact;
    shorter.time_step /= 2;
    const Fall reference = fall(GetParam(), exact);
    const Fall solved = fall(GetParam(), usual);
    const Fall stepped = fall(GetParam(), shorter);
    std::printf("%s: solve %.2e spacings, %.1e of energy; substep %.2e, %.1e\n", GetParam(),
                apart(solved, reference) / usual.spacing, solved.energy / reference.energy - 1,
                apart(stepped, reference) / usual.spacing, stepped.energy / reference.energy - 1);
    EXPECT_LT(apart(solved, reference), 0.05 * apart(stepped, reference));
    EXPECT_LT(std::abs(solved.energy - reference.energy), 1e-3 * reference.energy);
}

INSTANTIATE_TEST_SUITE_P(Materials, Tolerance, testing::Values("jelly", "gum", "clay"),
                         [](const auto& material) { return std::string(material.param); });

} // namespace
} // namespace nendo::elastoplastic::test
