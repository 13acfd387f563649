// SPDX-License-Identifier: Apache-2.0
// Exact signed distances to a mesh, and the report on its defects.
#include "geometry/mesh_sdf.h"

#include "core/error.h"
#include "geometry/triangle_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace nendo {
namespace {

class MeshSdf final : public Sdf {
public:
    explicit MeshSdf(const TriMesh& mesh) : m_tree(mesh) {}

    double distance(const Vec3d& p) const override {
        const double d = m_tree.closest(p).distance;
        return inside(p) ? -d : d;
    }
    Vec3d normal(const Vec3d& p) const override {
        const Vec3d away = p - m_tree.closest(p).point;
        const double length = away.norm();
        if (length < 1e-9 * (bounds().max - bounds().min).norm()) return Sdf::normal(p);
        return away / (inside(p) ? -length : length);
    }
    bool inside(const Vec3d& p) const override { return m_tree.winding(p) > 0.5; }
    Box3 bounds() const override { return m_tree.bounds(); }

    const TriangleTree& tree() const { return m_tree; }

private:
    TriangleTree m_tree;
};

/// Returns, for each point, the first point at the same position.
std::vector<std::uint32_t> weld(const std::vector<Vec3d>& points) {
    std::vector<std::uint32_t> order(points.size()), first(points.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto less = [&](std::uint32_t i, std::uint32_t j) {
        const Vec3d &a = points[i], &b = points[j];
        for (int k = 0; k < 3; ++k)
            if (a[k] != b[k]) return a[k] < b[k];
        return i < j;
    };
    std::sort(order.begin(), order.end(), less);
    for (std::size_t i = 0; i < order.size(); ++i)
        first[order[i]] =
            i > 0 && points[order[i]] == points[order[i - 1]] ? first[order[i - 1]] : order[i];
    return first;
}

struct Edge {
    std::uint32_t low, high;
    int direction; ///< +1 if the triangle runs from low to high
};

void count_edges(const TriMesh& mesh, MeshReport& report) {
    const std::vector<std::uint32_t> first = weld(mesh.points);
    std::vector<Edge> edges;
    edges.reserve(3 * mesh.triangles.size());
    for (const auto& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t a = first[t[k]], b = first[t[(k + 1) % 3]];
            if (a != b) edges.push_back({std::min(a, b), std::max(a, b), a < b ? 1 : -1});
        }
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
        return std::make_pair(a.low, a.high) < std::make_pair(b.low, b.high);
    });
    for (std::size_t i = 0, end = 0; i < edges.size(); i = end) {
        int balance = 0;
        for (end = i; end < edges.size() && edges[end].low == edges[i].low &&
                      edges[end].high == edges[i].high;
             ++end)
            balance += edges[end].direction;
        ++report.edges;
        if (balance == 0) continue;
        if (end - i == 1) {
            ++report.open_edges;
            report.open_length += (mesh.points[edges[i].low] - mesh.points[edges[i].high]).norm();
        } else {
            ++report.twisted_edges;
        }
    }
}

/// True if the winding number is above 1/2 anywhere just behind a triangle. Behind a flat sheet it
/// is exactly 1/2.
bool has_inside(const TriMesh& mesh, const TriangleTree& tree) {
    const double depth = 1e-3 * (tree.bounds().max - tree.bounds().min).norm();
    const std::size_t stride = std::max<std::size_t>(1, mesh.triangles.size() / 2000);
    for (std::size_t i = 0; i < mesh.triangles.size(); i += stride) {
        const auto& t = mesh.triangles[i];
        const Vec3d &a = mesh.points[t[0]], &b = mesh.points[t[1]], &c = mesh.points[t[2]];
        const Vec3d normal = (b - a).cross(c - a);
        if (!(normal.norm() > 0)) continue;
        if (tree.winding((a + b + c) / 3 - depth * normal.normalized()) > 0.55) return true;
    }
    return false;
}

std::string with_commas(std::int64_t n) {
    std::string digits = std::to_string(n);
    for (auto k = std::ptrdiff_t(digits.size()) - 3; k > 0; k -= 3)
        digits.insert(std::size_t(k), ",");
    return digits;
}

} // namespace

double MeshReport::openness() const {
    return area > 0 ? open_length / std::sqrt(area) : 0;
}

std::string MeshReport::warning() const {
    std::vector<std::string> parts;
    if (open_edges > 0) {
        const auto percent = std::to_string(std::lround(100 * openness()));
        parts.push_back(with_commas(open_edges) + " of " + with_commas(edges) +
                        " edges are open (the rims of the holes are " + percent +
                        " % of the mesh's size long); the inside is a guess there");
    }
    if (twisted_edges > 0)
        parts.push_back(with_commas(twisted_edges) + " of " + with_commas(edges) +
                        " edges have faces that disagree on which side is outside");
    if (degenerate > 0)
        parts.push_back(with_commas(degenerate) + " of " + with_commas(triangles) +
                        " triangles have no area");
    if (flipped) parts.push_back("the mesh was inside out and has been reversed");
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
    return text;
}

MeshReport inspect_mesh(const TriMesh& mesh) {
    MeshReport report;
    report.triangles = std::int64_t(mesh.triangles.size());
    if (mesh.triangles.empty())
        throw Error("there are no triangles", "mesh", "use a mesh of faces, not of points");
    for (std::size_t i = 0; i < mesh.points.size(); ++i)
        if (!mesh.points[i].allFinite())
            throw Error("the position is not finite", "mesh point " + std::to_string(i),
                        "repair or remove the point");
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
        for (const std::uint32_t corner : mesh.triangles[i])
            if (corner >= mesh.points.size())
                throw Error("point " + std::to_string(corner) + " does not exist",
                            "mesh triangle " + std::to_string(i), "export the file again");
    count_edges(mesh, report);

    Vec3d center = Vec3d::Zero();
    for (const auto& t : mesh.triangles) {
        const Vec3d &a = mesh.points[t[0]], &b = mesh.points[t[1]], &c = mesh.points[t[2]];
        const double area = (b - a).cross(c - a).norm() / 2;
        report.area += area;
        report.degenerate += area > 0 ? 0 : 1;
        center += area * (a + b + c) / 3;
    }
    if (!(report.area > 0))
        throw Error("the mesh has no area", "mesh", "use triangles that are not degenerate");
    center /= report.area;
    for (const auto& t : mesh.triangles) {
        const Vec3d a = mesh.points[t[0]] - center, b = mesh.points[t[1]] - center,
                    c = mesh.points[t[2]] - center;
        report.volume += a.dot(b.cross(c)) / 6;
    }
    return report;
}

SdfPtr make_mesh(const TriMesh& mesh, MeshReport* report) {
    MeshReport found = inspect_mesh(mesh);
    TriMesh flipped;
    const TriMesh* outwards = &mesh;
    if (found.volume < 0) {
        found.flipped = true;
        flipped = mesh;
        for (auto& t : flipped.triangles) std::swap(t[1], t[2]);
        outwards = &flipped;
    }
    auto shape = std::make_shared<MeshSdf>(*outwards);
    if (std::abs(found.volume) < 1e-9 * std::pow(found.area, 1.5) ||
        !has_inside(*outwards, shape->tree()))
        throw Error("the mesh has no volume", "mesh", "use a closed surface, or thicken it");
    if (report != nullptr) *report = found;
    return shape;
}

} // namespace nendo
