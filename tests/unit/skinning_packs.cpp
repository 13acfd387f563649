// SPDX-License-Identifier: Apache-2.0
// The vectorized loops of a skin give the same bits on every kind of machine.
#include "math/vectors.h"
#include "skinning/skin_packs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <numeric>
#include <random>
#include <vector>

namespace nendo::rheology {
namespace {

/// Three packs with random motions; the vertices of the middle one are not in order.
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
        matrices.fill(influences,
                      [&](int k) { return &motions[static_cast<std::size_t>(12 * k)]; });
        duals.fill(influences, [&](int k) { return &motions[static_cast<std::size_t>(8 * k)]; });
    }

    /// Positions, then normals.
    template <class Motions>
    std::vector<float> moved(void (*move)(const Packs&, const Motions&),
                             const Motions& motions) const {
        std::vector<float> out(6 * order.size());
        move({first.size(), influences, rest.data(), first.data(), order.data(), out.data(),
              out.data() + 3 * order.size()},
             motions);
        return out;
    }

    /// A number of one lane at rest.
    float at(std::size_t pack, std::size_t row, std::size_t lane) const {
        const std::size_t rows = rest_rows + static_cast<std::size_t>(influences - 1);
        return rest[(pack * rows + row) * pack_lanes + lane];
    }

    template <int Numbers>
    void blend(std::size_t pack, std::size_t lane, const Blended<Numbers>& motions,
               float (&sum)[Numbers]) const {
        for (int e = 0; e < Numbers; ++e) {
            sum[e] = motions.first[e];
            for (int k = 0; k + 1 < influences; ++k)
                sum[e] +=
                    at(pack, rest_rows + static_cast<std::size_t>(k), lane) * motions.more[k][e];
        }
    }

    int influences;
    std::vector<std::uint32_t> first{0, scattered, 2 * pack_lanes};
    std::vector<float> rest;
    std::vector<std::uint32_t> order;
    Blended<12> matrices;
    Blended<8> duals;
};

/// The motion of one lane as a matrix by rows: from blended matrices and blended dual quaternions.
void blend(const Play& play, std::size_t pack, std::size_t lane, const Blended<12>& motions,
           float (&m)[12]) {
    play.blend(pack, lane, motions, m);
}
void blend(const Play& play, std::size_t pack, std::size_t lane, const Blended<8>& motions,
           float (&m)[12]) {
    float q[8];
    play.blend(pack, lane, motions, q);
    const auto [x, y, z, w, a, b, c, d] = q;
    const float two = 2 / (x * x + y * y + z * z + w * w);
    const float rows[12] = {1 - two * (y * y + z * z), two * (x * y - w * z),
                            two * (x * z + w * y),     two * (w * a - d * x + y * c - z * b),
                            two * (x * y + w * z),     1 - two * (x * x + z * z),
                            two * (y * z - w * x),     two * (w * b - d * y + z * a - x * c),
                            two * (x * z - w * y),     two * (y * z + w * x),
                            1 - two * (x * x + y * y), two * (w * c - d * z + x * b - y * a)};
    std::copy(std::begin(rows), std::end(rows), m);
}

/// The same motion, one vertex after the other.
template <class Motions>
std::vector<float> moved_plainly(const Play& play, const Motions& motions) {
    const std::size_t vertices = play.order.size();
    std::vector<float> out(6 * vertices);
    for (std::size_t i = 0; i < vertices; ++i) {
        const std::size_t pack = i / pack_lanes, lane = i % pack_lanes;
        float m[12], x[3], n[3];
        blend(play, pack, lane, motions, m);
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

template <class Motions>
void expect_moved_as_plainly(const Play& play,
                             void (*PackMover::*move)(const Packs&, const Motions&),
                             const Motions& motions) {
    const std::vector<float> expected = moved_plainly(play, motions);
    expect_same_bits(play.moved(move_packs.*move, motions), expected);
    if (wide_vectors()) expect_same_bits(play.moved(move_wide_packs.*move, motions), expected);
}

TEST(SkinPacks, move_as_single_vertices_do) {
    for (int influences = 1; influences <= max_influences; ++influences) {
        const Play play(influences);
        expect_moved_as_plainly(play, &PackMover::linear, play.matrices);
        expect_moved_as_plainly(play, &PackMover::dual, play.duals);
    }
}

} // namespace
} // namespace nendo::rheology
