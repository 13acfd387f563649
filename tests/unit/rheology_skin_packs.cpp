// The loops of a skin give the same bits on every kind of machine.
#include "math/vectors.h"
#include "rheology/skin_packs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

namespace nendo::rheology {
namespace {

/// Three packs, of which the middle one's vertices are not in order, and random motions.
struct Play {
    explicit Play(int bones) : influences(bones) {
        std::mt19937 random(static_cast<unsigned>(influences));
        std::uniform_real_distribution<float> number(-1, 1);
        rest.resize(first.size() * (rest_rows + static_cast<std::size_t>(influences - 1)) *
                    pack_lanes);
        for (float& value : rest) value = number(random);
        order.resize(first.size() * pack_lanes);
        std::iota(order.begin(), order.end(), 0u);
        std::reverse(order.begin() + pack_lanes, order.begin() + 2 * pack_lanes);
        std::vector<float> motions(max_influences * 12);
        for (float& value : motions) value = number(random);
        matrices.take(influences,
                      [&](int k) { return &motions[static_cast<std::size_t>(12 * k)]; });
        duals.take(influences, [&](int k) { return &motions[static_cast<std::size_t>(8 * k)]; });
    }

    /// Places, then normals.
    template <class Motions>
    std::vector<float> moved(void (*move)(const Packs&, const Motions&),
                             const Motions& motions) const {
        std::vector<float> out(6 * order.size());
        move({first.size(), influences, rest.data(), first.data(), order.data(), out.data(),
              out.data() + 3 * order.size()},
             motions);
        return out;
    }

    /// A lane's number at rest.
    float at(std::size_t pack, std::size_t row, std::size_t lane) const {
        const std::size_t rows = rest_rows + static_cast<std::size_t>(influences - 1);
        return rest[(pack * rows + row) * pack_lanes + lane];
    }

    int influences;
    std::vector<std::uint32_t> first{0, scattered, 2 * pack_lanes};
    std::vector<float> rest;
    std::vector<std::uint32_t> order;
    Blended<12> matrices;
    Blended<8> duals;
};

/// The same by matrices, one vertex after the other.
std::vector<float> moved_plainly(const Play& play) {
    const std::size_t vertices = play.order.size();
    std::vector<float> out(6 * vertices);
    for (std::size_t i = 0; i < vertices; ++i) {
        const std::size_t pack = i / pack_lanes, lane = i % pack_lanes;
        float m[12], x[3], n[3];
        for (int e = 0; e < 12; ++e) {
            m[e] = play.matrices.first[e];
            for (int k = 0; k + 1 < play.influences; ++k)
                m[e] += play.at(pack, rest_rows + static_cast<std::size_t>(k), lane) *
                        play.matrices.more[k][e];
        }
        const auto rest = [&](std::size_t row) { return play.at(pack, row, lane); };
        for (int r = 0; r < 3; ++r) {
            const float* row = m + 4 * r;
            x[r] = row[0] * rest(0) + row[1] * rest(1) + row[2] * rest(2) + row[3];
            n[r] = row[0] * rest(3) + row[1] * rest(4) + row[2] * rest(5);
        }
        const float scale = 1 / std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (std::size_t r = 0; r < 3; ++r) {
            out[3 * play.order[i] + r] = x[r];
            out[3 * (vertices + play.order[i]) + r] = n[r] * scale;
        }
    }
    return out;
}

void expect_same_bits(const std::vector<float>& a, const std::vector<float>& b) {
    ASSERT_EQ(a.size(), b.size());
    EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(float)), 0);
}

TEST(SkinPacks, move_as_single_vertices_do) {
    for (int influences = 1; influences <= max_influences; ++influences) {
        const Play play(influences);
        const std::vector<float> expected = moved_plainly(play);
        expect_same_bits(play.moved(move_packs.linear, play.matrices), expected);
        if (wide_vectors())
            expect_same_bits(play.moved(move_wide_packs.linear, play.matrices), expected);
    }
}

TEST(SkinPacks, are_moved_by_dual_quaternions_as_wide_ones_are) {
    if (!wide_vectors()) GTEST_SKIP() << "this machine has no AVX-512";
    for (int influences = 1; influences <= max_influences; ++influences) {
        const Play play(influences);
        expect_same_bits(play.moved(move_packs.dual, play.duals),
                         play.moved(move_wide_packs.dual, play.duals));
    }
}

} // namespace
} // namespace nendo::rheology
