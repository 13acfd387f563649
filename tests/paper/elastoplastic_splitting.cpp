// SPDX-License-Identifier: Apache-2.0
// Saida 2017, Fig 13: a body that falls on a bar splits in two, and nothing crumbles off.
#include "support/matter.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace nendo::elastoplastic::test {
namespace {

struct Split {
    std::vector<int> pieces;
    std::int64_t added = 0;
    std::int64_t removed = 0;
};

/// A body of 2240 masters on a smooth bar of radius 1.2 d, along the last of its edges.
Split split(const Eigen::Vector3i& cells, const Material& material, double speed, AddSlaves add) {
    const double d = 0.0625;
    Params p;
    p.spacing = d;
    p.time_step = 5e-4;
    p.add_slaves = add;
    Scene scene;
    Collider bar;
    bar.name = "bar";
    bar.shape = make_capsule(Vec3d(0, 0, -30 * d), Vec3d(0, 0, 30 * d), 1.2 * d);
    bar.friction = 0;
    scene.colliders.push_back(bar);
    Body body = make_block(cells, d * Vec3d(-0.5 * cells.x(), 2.7, -0.5 * cells.z()), material, d);
    body.velocity = Vec3d(0, -speed, 0);
    State<double> s;
    Solver<double> solver;
    Host host;
    Report r;
    for (int k = 0; k < 16; ++k) r = solver.advance(s, scene, {body}, p, 1.0 / 24, host);
    return {pieces(s, p), r.slaves_added, r.slaves_removed};
}

void print(const char* what, const Split& s) {
    std::printf("%s: slaves +%lld -%lld, %zu pieces:", what, static_cast<long long>(s.added),
                static_cast<long long>(s.removed), s.pieces.size());
    for (std::size_t k = 0; k < std::min<std::size_t>(s.pieces.size(), 8); ++k)
        std::printf(" %d", s.pieces[k]);
    std::printf("\n");
}

const std::vector<int> halves = {1120, 1120};

TEST(Fig13, low_plasticity_splits_into_two_equal_halves) {
    const Material low{1000, {1.2e6, 0.25, 0.1, 0.75, 10}};
    const Split two = split({20, 8, 14}, low, 8, AddSlaves::two);
    print("low plasticity, 8 m/s", two);
    EXPECT_EQ(two.pieces, halves);
    EXPECT_GT(two.added, 0);
}

TEST(Fig13, high_plasticity_splits_into_two_equal_halves) {
    const Material high{1000, {2e5, 0.45, 0.05, 0.2, 10}};
    const Split two = split({16, 10, 14}, high, 2, AddSlaves::two);
    print("high plasticity, 2 m/s", two);
    EXPECT_EQ(two.pieces, halves);
    EXPECT_GT(two.added, 0);
    // Saida 2017, §6 asks whether one added slave would be enough, and what the added slaves are
    // for.
    print("  one slave instead of two", split({16, 10, 14}, high, 2, AddSlaves::one));
    const Split none = split({16, 10, 14}, high, 2, AddSlaves::none);
    print("  none", none);
    EXPECT_NE(none.pieces, halves);
}

} // namespace
} // namespace nendo::elastoplastic::test
