// SPDX-License-Identifier: Apache-2.0
// Builds the tree of triangles, and finds closest points and winding numbers with it.
#include "geometry/triangle_tree.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace nendo {
namespace {

constexpr std::uint32_t leaf_size = 8;
/// From this many of its radii away, a node is approximated by its expansion. The error of the
/// winding number is then below 4e-2, which is enough to compare it with 1/2.
constexpr double far_away = 3.0;
constexpr double four_pi = 12.566370614359172;

double distance2(const Box3& box, const Vec3d& x) {
    return (box.min - x).cwiseMax(x - box.max).cwiseMax(0.0).squaredNorm();
}

/// Closest point by the region of the triangle's plane that x projects to [Ericson 2005, §5.1.5].
Vec3d closest_on_triangle(const Vec3d& x, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const Vec3d ab = b - a, ac = c - a, ax = x - a;
    const double d1 = ab.dot(ax), d2 = ac.dot(ax);
    if (d1 <= 0 && d2 <= 0) return a;
    const Vec3d bx = x - b;
    const double d3 = ab.dot(bx), d4 = ac.dot(bx);
    if (d3 >= 0 && d4 <= d3) return b;
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return a + d1 / (d1 - d3) * ab;
    const Vec3d cx = x - c;
    const double d5 = ab.dot(cx), d6 = ac.dot(cx);
    if (d6 >= 0 && d5 <= d6) return c;
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return a + d2 / (d2 - d6) * ac;
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
        return b + (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b);
    const double sum = va + vb + vc;
    return a + vb / sum * ab + vc / sum * ac;
}

/// Signed solid angle of a triangle over 4 pi [Van Oosterom and Strackee 1983].
double triangle_winding(const Vec3d& x, const Vec3d& corner_a, const Vec3d& corner_b,
                        const Vec3d& corner_c) {
    const Vec3d a = corner_a - x, b = corner_b - x, c = corner_c - x;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    const double numerator = a.dot(b.cross(c));
    const double denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    return 2 * std::atan2(numerator, denominator) / four_pi;
}

} // namespace

TriangleTree::TriangleTree(const TriMesh& mesh) {
    m_corners.reserve(mesh.triangles.size());
    for (std::uint32_t k = 0; k < mesh.triangles.size(); ++k) {
        const auto& t = mesh.triangles[k];
        const Corners corners{mesh.points[t[0]], mesh.points[t[1]], mesh.points[t[2]], k};
        if ((corners.b - corners.a).cross(corners.c - corners.a).norm() > 0)
            m_corners.push_back(corners);
    }
    if (m_corners.empty()) return;
    m_nodes.reserve(m_corners.size() / 2);
    build(0, std::uint32_t(m_corners.size()));
}

std::uint32_t TriangleTree::build(std::uint32_t begin, std::uint32_t end) {
    const auto index = std::uint32_t(m_nodes.size());
    m_nodes.emplace_back();
    {
        Node& node = m_nodes.back();
        node.begin = begin;
        node.end = end;
        expand(node);
    }
    if (end - begin <= leaf_size) return index;

    Box3 middles;
    const auto middle = [](const Corners& t) -> Vec3d { return t.a + t.b + t.c; };
    for (std::uint32_t i = begin; i < end; ++i) {
        const Vec3d m = middle(m_corners[i]);
        middles = join_boxes(middles, {m, m});
    }
    int axis = 0;
    (middles.max - middles.min).maxCoeff(&axis);
    const std::uint32_t half = begin + (end - begin) / 2;
    std::nth_element(
        m_corners.begin() + begin, m_corners.begin() + half, m_corners.begin() + end,
        [&](const Corners& s, const Corners& t) { return middle(s)[axis] < middle(t)[axis]; });
    build(begin, half);
    const std::uint32_t second = build(half, end);
    m_nodes[index].second = second;
    return index;
}

void TriangleTree::expand(Node& node) const {
    double area = 0;
    for (std::uint32_t i = node.begin; i < node.end; ++i) {
        const Corners& t = m_corners[i];
        node.box = join_boxes(node.box,
                              {t.a.cwiseMin(t.b).cwiseMin(t.c), t.a.cwiseMax(t.b).cwiseMax(t.c)});
        const Vec3d area_normal = (t.b - t.a).cross(t.c - t.a) / 2;
        area += area_normal.norm();
        node.center += area_normal.norm() * (t.a + t.b + t.c) / 3;
        node.dipole += area_normal;
    }
    node.center /= area;
    for (std::uint32_t i = node.begin; i < node.end; ++i) {
        const Corners& t = m_corners[i];
        for (const Vec3d& corner : {t.a, t.b, t.c})
            node.radius = std::max(node.radius, (corner - node.center).norm());
        node.quadrupole +=
            (t.b - t.a).cross(t.c - t.a) / 2 * ((t.a + t.b + t.c) / 3 - node.center).transpose();
    }
}

TriangleTree::Closest TriangleTree::closest(const Vec3d& x) const {
    Closest best;
    if (m_nodes.empty()) return best;
    double best2 = infinite;
    std::array<std::uint32_t, 64> stack{};
    int depth = 0;
    stack[std::size_t(depth++)] = 0;
    while (depth > 0) {
        const std::uint32_t index = stack[std::size_t(--depth)];
        const Node& node = m_nodes[index];
        if (distance2(node.box, x) >= best2) continue;
        if (node.second != 0) {
            const bool first_nearer =
                distance2(m_nodes[index + 1].box, x) < distance2(m_nodes[node.second].box, x);
            stack[std::size_t(depth++)] = first_nearer ? node.second : index + 1;
            stack[std::size_t(depth++)] = first_nearer ? index + 1 : node.second;
            continue;
        }
        for (std::uint32_t i = node.begin; i < node.end; ++i) {
            const Corners& t = m_corners[i];
            const Vec3d p = closest_on_triangle(x, t.a, t.b, t.c);
            const double d2 = (p - x).squaredNorm();
            if (d2 < best2) {
                best2 = d2;
                best.point = p;
                best.triangle = t.triangle;
            }
        }
    }
    best.distance = std::sqrt(best2);
    return best;
}

double TriangleTree::winding(const Vec3d& x) const {
    double sum = 0;
    if (m_nodes.empty()) return sum;
    std::array<std::uint32_t, 64> stack{};
    int depth = 0;
    stack[std::size_t(depth++)] = 0;
    while (depth > 0) {
        const std::uint32_t index = stack[std::size_t(--depth)];
        const Node& node = m_nodes[index];
        const Vec3d r = node.center - x;
        const double length = r.norm();
        if (length > far_away * node.radius) {
            const double inverse3 = 1 / (length * length * length);
            sum += (node.dipole.dot(r) + node.quadrupole.trace() -
                    3 * r.dot(node.quadrupole * r) / (length * length)) *
                   inverse3 / four_pi;
        } else if (node.second != 0) {
            stack[std::size_t(depth++)] = node.second;
            stack[std::size_t(depth++)] = index + 1;
        } else {
            for (std::uint32_t i = node.begin; i < node.end; ++i)
                sum += triangle_winding(x, m_corners[i].a, m_corners[i].b, m_corners[i].c);
        }
    }
    return sum;
}

} // namespace nendo
