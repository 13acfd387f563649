// SPDX-License-Identifier: Apache-2.0
// Measures of meshes for tests: connected parts, angles, curvature, distance.
#pragma once

#include "geometry/mesh.h"
#include "geometry/triangle_tree.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace nendo::test {

/// Number of connected parts of a mesh.
inline std::size_t count_parts(const TriMesh& mesh) {
    std::vector<std::uint32_t> parent(mesh.points.size());
    std::iota(parent.begin(), parent.end(), 0u);
    const auto root = [&](std::uint32_t i) {
        while (parent[i] != i) i = parent[i] = parent[parent[i]];
        return i;
    };
    for (const auto& t : mesh.triangles) {
        parent[root(t[1])] = root(t[0]);
        parent[root(t[2])] = root(t[0]);
    }
    std::size_t parts = 0;
    for (std::uint32_t i = 0; i < parent.size(); ++i) parts += root(i) == i;
    return parts;
}

/// True if each side of each triangle belongs to exactly one other triangle, in the other
/// direction.
inline bool is_closed_manifold(const TriMesh& mesh) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> sides;
    for (const auto& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k) ++sides[{t[k], t[(k + 1) % 3]}];
    return std::all_of(sides.begin(), sides.end(), [&](const auto& side) {
        const auto back = sides.find({side.first.second, side.first.first});
        return side.second == 1 && back != sides.end() && back->second == 1;
    });
}

/// Euler number: points minus edges plus triangles. A ball has 2; each handle or hole through it
/// subtracts 2.
inline std::int64_t euler_number(const TriMesh& mesh) {
    const auto triangles = static_cast<std::int64_t>(mesh.triangles.size());
    return static_cast<std::int64_t>(mesh.points.size()) - triangles / 2; // 3/2 edges per triangle
}

/// The smallest angle of a triangle [degrees].
inline double smallest_angle(const TriMesh& mesh, const std::array<std::uint32_t, 3>& t) {
    double least = 180;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3d a = mesh.points[t[(k + 1) % 3]] - mesh.points[t[k]];
        const Vec3d b = mesh.points[t[(k + 2) % 3]] - mesh.points[t[k]];
        least = std::min(least, std::atan2(a.cross(b).norm(), a.dot(b)) * 180 / M_PI);
    }
    return least;
}

/// The smallest angle of all triangles [degrees].
inline double smallest_angle(const TriMesh& mesh) {
    double least = 180;
    for (const auto& t : mesh.triangles) least = std::min(least, smallest_angle(mesh, t));
    return least;
}

/// The share of triangles with an angle below `angle` [degrees].
inline double share_below(const TriMesh& mesh, double angle) {
    const auto sharp =
        std::count_if(mesh.triangles.begin(), mesh.triangles.end(),
                      [&](const auto& t) { return smallest_angle(mesh, t) < angle; });
    return static_cast<double>(sharp) / static_cast<double>(mesh.triangles.size());
}

/// Mean curvature over the area, and its variance [1/m, 1/m^2].
struct Curvature {
    double mean = 0, variance = 0;
};
inline Curvature mean_curvature(const TriMesh& mesh) {
    std::vector<Vec3d> pull(mesh.points.size(), Vec3d::Zero()), normal = pull;
    std::vector<double> area(mesh.points.size(), 0);
    for (const auto& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3];
            const Vec3d u = mesh.points[b] - mesh.points[a], v = mesh.points[c] - mesh.points[a];
            const Vec3d across = u.cross(v);
            const double cotangent = u.dot(v) / across.norm();
            pull[b] += cotangent * (mesh.points[c] - mesh.points[b]);
            pull[c] -= cotangent * (mesh.points[c] - mesh.points[b]);
            area[a] += across.norm() / 6;
            normal[a] += across;
        }
    double sum = 0, squares = 0, whole = 0;
    for (std::size_t i = 0; i < pull.size(); ++i) {
        const double h = -pull[i].dot(normal[i].normalized()) / (4 * area[i]);
        sum += h * area[i];
        squares += h * h * area[i];
        whole += area[i];
    }
    const double mean = sum / whole;
    return {mean, squares / whole - mean * mean};
}

/// Distances of points from a mesh [m].
struct Distances {
    double rms = 0, largest = 0;
};
inline Distances distances_to(const TriMesh& mesh, const std::vector<Vec3d>& points) {
    const TriangleTree tree(mesh);
    Distances d;
    for (const Vec3d& p : points) {
        const double r = tree.closest(p).distance;
        d.rms += r * r;
        d.largest = std::max(d.largest, r);
    }
    d.rms = std::sqrt(d.rms / static_cast<double>(points.size()));
    return d;
}

} // namespace nendo::test
