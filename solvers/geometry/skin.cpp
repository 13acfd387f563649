// SPDX-License-Identifier: Apache-2.0
// Subdivides an icosahedron into the skin of a sphere or ellipsoid.
#include "geometry/skin.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace nendo {

TriMesh make_skin(const Vec3d& center, const Vec3d& radii, double spacing) {
    const double g = (1 + std::sqrt(5.0)) / 2;
    const std::array<Vec3d, 12> corners{Vec3d(-1, g, 0),  Vec3d(1, g, 0),   Vec3d(-1, -g, 0),
                                        Vec3d(1, -g, 0),  Vec3d(0, -1, g),  Vec3d(0, 1, g),
                                        Vec3d(0, -1, -g), Vec3d(0, 1, -g),  Vec3d(g, 0, -1),
                                        Vec3d(g, 0, 1),   Vec3d(-g, 0, -1), Vec3d(-g, 0, 1)};
    const std::array<std::array<std::uint32_t, 3>, 20> sides{
        {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
         {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
         {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}}};
    const double edge = radii.mean() * 1.0515; // of the icosahedron in the sphere
    const int cuts = std::max(1, static_cast<int>(std::lround(1.12 * edge / spacing)));
    TriMesh skin;
    // Points on edges belong to two sides. Duplicates are found by their rounded positions.
    std::map<std::array<std::int64_t, 3>, std::uint32_t> known;
    const auto point = [&](const Vec3d& on_side) {
        const Vec3d unit = on_side.normalized();
        std::array<std::int64_t, 3> key{};
        for (int axis = 0; axis < 3; ++axis)
            key[static_cast<std::size_t>(axis)] = std::llround(unit[axis] * 1e6);
        const auto [entry, is_new] =
            known.emplace(key, static_cast<std::uint32_t>(skin.points.size()));
        if (is_new) skin.points.push_back(center + radii.cwiseProduct(unit));
        return entry->second;
    };
    for (const auto& side : sides) {
        const Vec3d &a = corners[side[0]], &b = corners[side[1]], &c = corners[side[2]];
        const auto at = [&](int i, int j) {
            return point(a + (i * (b - a) + j * (c - a)) / static_cast<double>(cuts));
        };
        for (int i = 0; i < cuts; ++i)
            for (int j = 0; i + j < cuts; ++j) {
                skin.triangles.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
                if (i + j + 1 < cuts)
                    skin.triangles.push_back({at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
            }
    }
    return skin;
}

} // namespace nendo
