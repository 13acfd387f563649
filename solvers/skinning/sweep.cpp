// SPDX-License-Identifier: Apache-2.0
// Resamples lines with cross sections, cuts them into segments and sweeps them into meshes.
#include "skinning/sweep.h"

#include "core/error.h"
#include "math/kernels.h"

#include <algorithm>
#include <cmath>

namespace nendo::rheology {
namespace {

/// Catmull-Rom spline between b and c.
template <class T> T smooth(const T& a, const T& b, const T& c, const T& d, double s) {
    return b + 0.5 * s * ((c - a) + s * ((2 * a - 5 * b + 4 * c - d) + s * (3 * (b - c) + d - a)));
}

LinePoint point_at(const std::vector<LinePoint>& p, double place) {
    const auto last = p.size() - 1;
    const auto k = std::min(static_cast<std::size_t>(std::max(0.0, place)), last - 1);
    const double s = place - static_cast<double>(k);
    const LinePoint &a = p[k > 0 ? k - 1 : 0], &b = p[k], &c = p[k + 1],
                    &d = p[std::min(k + 2, last)];
    LinePoint result;
    result.at = smooth<Vec3d>(a.at, b.at, c.at, d.at, s);
    // Sections are interpolated linearly: a spline could become negative.
    result.width = (1 - s) * b.width + s * c.width;
    result.height = (1 - s) * b.height + s * c.height;
    result.dish = (1 - s) * b.dish + s * c.dish;
    return result;
}

Vec3d side_of(const Vec3d& along, const Vec3d& up) {
    Vec3d side = up.cross(along);
    if (side.norm() < 1e-6 * up.norm())
        side = (std::abs(along.x()) < 0.6 ? Vec3d::UnitX() : Vec3d::UnitZ()).cross(along);
    return side.normalized();
}

} // namespace

std::vector<LinePoint> resample(const std::vector<LinePoint>& points, int count) {
    if (points.size() < 2)
        throw Error("a line of " + std::to_string(points.size()) + " points has no segment",
                    "points", "use two points or more");
    const int fine = 64 * static_cast<int>(points.size() - 1);
    std::vector<double> arc_length(1, 0.0);
    for (int k = 1; k <= fine; ++k)
        arc_length.push_back(
            arc_length.back() +
            (point_at(points, k / 64.0).at - point_at(points, (k - 1) / 64.0).at).norm());
    std::vector<LinePoint> result;
    for (int k = 0; k <= count; ++k) {
        const double wanted = arc_length.back() * k / count;
        const auto after = std::upper_bound(arc_length.begin(), arc_length.end(), wanted);
        const auto i = std::clamp<std::ptrdiff_t>(after - arc_length.begin(), 1, fine);
        const double from = arc_length[static_cast<std::size_t>(i - 1)];
        const double to = arc_length[static_cast<std::size_t>(i)];
        const double s = to > from ? (wanted - from) / (to - from) : 0;
        result.push_back(point_at(points, (static_cast<double>(i - 1) + s) / 64));
    }
    return result;
}

std::vector<Segment> segments_of_line(const std::vector<LinePoint>& points, const Vec3d& up,
                                      const Material& material) {
    std::vector<Segment> segments;
    for (std::size_t k = 0; k + 1 < points.size(); ++k) {
        const LinePoint &a = points[k], &b = points[k + 1];
        const double dish = 0.5 * std::abs(a.dish + b.dish);
        // A dished strip is stiffer than a flat one: its edges are higher.
        Section section = Section::ellipse(0.5 * (a.width + b.width), 0.5 * (a.height + b.height));
        section.about_y += section.area * dish * dish / 12;
        segments.push_back(segments_of_line({a.at, b.at}, section, up, material).front());
    }
    return segments;
}

TriMesh sweep_mesh(const std::vector<LinePoint>& points, const Vec3d& up, int rings, int corners) {
    TriMesh mesh;
    const std::vector<LinePoint> line = resample(points, rings);
    const auto count = static_cast<std::size_t>(rings) + 1;
    const auto ring = [&](const LinePoint& p, const Vec3d& along, double scale, double shift) {
        const Vec3d side = side_of(along, up), top = along.cross(side);
        for (int c = 0; c < corners; ++c) {
            const double a = 2 * pi * c / corners;
            const double y = std::cos(a), z = std::sin(a);
            mesh.points.push_back(p.at + shift * along + scale * 0.5 * p.width * y * side +
                                  scale * (0.5 * p.height * z + p.dish * (y * y - 0.5)) * top);
        }
    };
    constexpr int cap = 5; // rings of each rounded end
    int all = 0;
    const auto add_end = [&](const LinePoint& p, const Vec3d& along, bool first) {
        const double depth = 0.5 * std::min(p.width, p.height);
        for (int k = 1; k <= cap; ++k) {
            const double angle = 0.5 * pi * (first ? cap + 1 - k : k) / (cap + 1);
            ring(p, along, std::cos(angle), (first ? -1 : 1) * depth * std::sin(angle));
            ++all;
        }
    };
    const auto along_at = [&](std::size_t k) {
        return Vec3d(
            (line[std::min(k + 1, count - 1)].at - line[k > 0 ? k - 1 : 0].at).normalized());
    };
    add_end(line.front(), along_at(0), true);
    for (std::size_t k = 0; k < count; ++k, ++all) ring(line[k], along_at(k), 1, 0);
    add_end(line.back(), along_at(count - 1), false);
    const auto index = [&](int r, int c) {
        return static_cast<std::uint32_t>(r * corners + c % corners);
    };
    for (int r = 0; r + 1 < all; ++r)
        for (int c = 0; c < corners; ++c) {
            mesh.triangles.push_back({index(r, c), index(r, c + 1), index(r + 1, c)});
            mesh.triangles.push_back({index(r, c + 1), index(r + 1, c + 1), index(r + 1, c)});
        }
    const auto close = [&](int r, const LinePoint& p, const Vec3d& along, double sign) {
        const auto tip = static_cast<std::uint32_t>(mesh.points.size());
        mesh.points.push_back(p.at + sign * 0.5 * std::min(p.width, p.height) * along);
        for (int c = 0; c < corners; ++c) {
            if (sign < 0)
                mesh.triangles.push_back({tip, index(r, c + 1), index(r, c)});
            else
                mesh.triangles.push_back({tip, index(r, c), index(r, c + 1)});
        }
    };
    close(0, line.front(), along_at(0), -1);
    close(all - 1, line.back(), along_at(count - 1), 1);
    return mesh;
}

} // namespace nendo::rheology
