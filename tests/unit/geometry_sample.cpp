// SPDX-License-Identifier: Apache-2.0
// Placement of masters and slaves: the counts of the papers, and rules that hold for any shape.
#include "core/error.h"
#include "geometry/sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace nendo {
namespace {

struct Lattice {
    int nx, ny, nz;
    std::size_t slaves;
};

class PaperPlacement : public testing::TestWithParam<Lattice> {};

TEST_P(PaperPlacement, counts_match_the_tables) {
    const auto [nx, ny, nz, slaves] = GetParam();
    // Spacings and corners that have no exact binary representation.
    for (const double d : {1.0 / 16, 0.1, 0.023, 1.0 / 87}) {
        const Vec3d size(nx * d, ny * d, nz * d);
        for (const Vec3d& corner : {Vec3d(0, 0, 0), Vec3d(-0.7, 0.1, 3.3), Vec3d(1e3, -77.7, 5)}) {
            const Samples s = sample(*make_box(corner + size / 2, size), d);
            ASSERT_EQ(s.masters.size(), std::size_t(nx) * std::size_t(ny) * std::size_t(nz));
            ASSERT_EQ(s.slaves.size(), slaves);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Papers, PaperPlacement,
                         testing::Values(Lattice{16, 16, 16, 6647}, Lattice{87, 1, 87, 31680},
                                         Lattice{87, 87, 1, 31680}, Lattice{43, 3, 43, 12320},
                                         Lattice{18, 20, 42, 21395}));

TEST(Placement, masters_are_cell_centers) {
    const Samples s = sample(*make_box({0.5, 0.5, 0.5}, {1, 1, 1}), 0.25);
    EXPECT_NEAR((s.masters.front() - Vec3d(0.125, 0.125, 0.125)).norm(), 0, 1e-15);
    EXPECT_NEAR((s.masters.back() - Vec3d(0.875, 0.875, 0.875)).norm(), 0, 1e-15);
}

TEST(Placement, an_interior_master_sees_32_slaves) {
    const double d = 0.1;
    const Samples s = sample(*make_box({0, 0, 0}, {0.7, 0.7, 0.7}), d);
    const auto near_center = [&](const Vec3d& x) { return x.norm() <= 2 * d; };
    EXPECT_EQ(std::count_if(s.slaves.begin(), s.slaves.end(), near_center), 32);
}

TEST(Placement, a_sphere_has_its_volume) {
    const double d = 0.05, r = 1;
    const auto masters = place_masters(*make_sphere({0.3, 0.2, 0.1}, r), d);
    EXPECT_NEAR(double(masters.size()) * d * d * d, 4.0 / 3 * std::acos(-1.0) * r * r * r, 0.04);
}

bool less(const Vec3d& a, const Vec3d& b) {
    return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
}

TEST(Placement, arbitrary_masters_have_the_same_slaves_in_any_order) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<Vec3d> masters(500);
    for (Vec3d& x : masters) x = Vec3d(uniform(random), uniform(random), uniform(random));
    const double d = 0.15;
    const std::vector<Vec3d> slaves = place_slaves(masters, d);
    EXPECT_TRUE(std::is_sorted(slaves.begin(), slaves.end(), less));
    std::shuffle(masters.begin(), masters.end(), random);
    EXPECT_EQ(place_slaves(masters, d), slaves);

    // Brute force over the dense lattice.
    Vec3d anchor = masters.front();
    for (const Vec3d& x : masters) anchor = anchor.cwiseMin(x);
    std::size_t expected = 0;
    for (int i = -4; i < 20; ++i)
        for (int j = -4; j < 20; ++j)
            for (int k = -4; k < 20; ++k) {
                const Vec3d s = anchor + d * Vec3d(i + 0.5, j + 0.5, k + 0.5);
                expected += std::any_of(masters.begin(), masters.end(),
                                        [&](const Vec3d& x) { return (x - s).norm() <= 2 * d; });
            }
    EXPECT_EQ(slaves.size(), expected);
}

TEST(Placement, bodies_far_apart_cost_no_memory) {
    const std::vector<Vec3d> masters{{0, 0, 0}, {1e6, 1e6, 1e6}};
    EXPECT_EQ(place_slaves(masters, 0.01).size(), 2 * 32u);
}

TEST(Placement, bad_input_is_an_error_with_a_remedy) {
    const SdfPtr box = make_box({0, 0, 0}, {1, 1, 1});
    EXPECT_THROW(sample(*box, 0), Error);
    EXPECT_THROW(sample(*box, -1), Error);
    EXPECT_THROW(sample(*box, std::nan("")), Error);
    EXPECT_THROW(sample(*box, 1e-4), Error);
    EXPECT_THROW(sample(*make_plane({0, 0, 0}, {0, 1, 0}), 0.1), Error);
    EXPECT_THROW(place_slaves({{0, std::nan(""), 0}}, 0.1), Error);
    try {
        sample(*make_capsule({0, 0, 0}, {0.9, 0.2, 0}, 0.01), 1);
        FAIL();
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("empty body"), std::string::npos);
        EXPECT_FALSE(e.remedy().empty());
    }
}

} // namespace
} // namespace nendo
