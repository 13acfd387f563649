// SPDX-License-Identifier: Apache-2.0
// Tubes along a line: meshes to skin and to fill.
#pragma once

#include "core/types.h"
#include "geometry/mesh.h"

#include <cmath>
#include <vector>

namespace nendo::rheology::test {

/// A closed tube along a line, with `rings` + 1 rings of `corners` points each and caps. The first
/// and the last ring lie at the ends of the line.
inline TriMesh make_tube(const std::vector<Vec3d>& line, double radius, int rings, int corners) {
    TriMesh mesh;
    const double circle = 2 * std::acos(-1.0);
    const auto at = [&](double s) {
        const double place = s * static_cast<double>(line.size() - 1);
        const auto k = std::min(static_cast<std::size_t>(place), line.size() - 2);
        const double t = place - static_cast<double>(k);
        return Vec3d((1 - t) * line[k] + t * line[k + 1]);
    };
    for (int r = 0; r <= rings; ++r) {
        const double s = double(r) / rings, step = 0.5 / rings;
        const Vec3d along =
            (at(std::min(1.0, s + step)) - at(std::max(0.0, s - step))).normalized();
        const Vec3d side =
            along.cross(std::abs(along.z()) < 0.9 ? Vec3d::UnitZ() : Vec3d::UnitX()).normalized();
        const Vec3d up = along.cross(side);
        for (int c = 0; c < corners; ++c) {
            const double a = circle * c / corners;
            mesh.points.push_back(at(s) + radius * (std::cos(a) * side + std::sin(a) * up));
        }
    }
    const auto index = [&](int r, int c) {
        return static_cast<std::uint32_t>(r * corners + (c % corners));
    };
    for (int r = 0; r < rings; ++r)
        for (int c = 0; c < corners; ++c) {
            mesh.triangles.push_back({index(r, c), index(r, c + 1), index(r + 1, c)});
            mesh.triangles.push_back({index(r, c + 1), index(r + 1, c + 1), index(r + 1, c)});
        }
    const auto first = static_cast<std::uint32_t>(mesh.points.size());
    mesh.points.push_back(line.front());
    mesh.points.push_back(line.back());
    for (int c = 0; c < corners; ++c) {
        mesh.triangles.push_back({first, index(0, c + 1), index(0, c)});
        mesh.triangles.push_back({first + 1, index(rings, c), index(rings, c + 1)});
    }
    return mesh;
}

} // namespace nendo::rheology::test
