#include "geometry/render_skin.h"

#include "core/error.h"
#include "core/parallel.h"
#include "geometry/nearest.h"
#include "math/svd3.h"
#include "neighbours/grid.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace nendo {
namespace {

/// How far a point looks for what carries it, in spacings.
constexpr double reach = 2;
/// Neighbours that are this much farther from each other than at rest have parted.
constexpr double parted = 2;
/// Sides of triangles that are this much longer than at rest have torn.
constexpr double torn = 3;

} // namespace

RenderSkin::RenderSkin(const TriMesh& mesh, const std::vector<Vec3d>& particles, double spacing)
    : m_mesh(mesh), m_rest(particles), m_bonds(mesh.points.size()) {
    if (particles.empty() || !(spacing > 0))
        throw Error("there are no particles to carry it", "render skin",
                    "give the first frame's particles, and their spacing");
    const std::vector<std::uint32_t> nearest = nearest_points(particles, mesh.points);
    Grid<double> grid;
    grid.build(particles, reach * spacing);
    parallel_for(mesh.points.size(), [&](std::size_t i) {
        const Vec3d& x = mesh.points[i];
        std::vector<std::pair<double, std::uint32_t>> near;
        grid.visit(x, reach * spacing,
                   [&](std::uint32_t p, double r2) { near.emplace_back(r2, p); });
        if (near.empty()) near.emplace_back(0, nearest[i]); // far off: by the nearest alone
        std::sort(near.begin(), near.end());
        Bond& bond = m_bonds[i];
        bond.count = static_cast<std::uint32_t>(std::min(near.size(), room));
        for (std::uint32_t k = 0; k < bond.count; ++k) {
            const double s = 1 - near[k].first / (reach * reach * spacing * spacing);
            bond.particle[k] = near[k].second;
            bond.weight[k] = static_cast<float>(s * s * s);
        }
    });
}

/// By the affine motion of those that carry the point and have not parted from the nearest of them.
Vec3d RenderSkin::place(std::size_t point, const std::vector<Vec3d>& now) const {
    const Bond& bond = m_bonds[point];
    const std::uint32_t first = bond.particle[0];
    double sum = 0;
    Vec3d rest = Vec3d::Zero(), moved = Vec3d::Zero();
    std::array<double, room> weight{};
    for (std::uint32_t k = 0; k < bond.count; ++k) {
        const std::uint32_t p = bond.particle[k];
        const double apart = (m_rest[p] - m_rest[first]).norm();
        const double stretch = apart > 0 ? (now[p] - now[first]).norm() / apart : 1;
        // Less and less, so that nothing jumps when matter parts.
        weight[k] = double(bond.weight[k]) * std::clamp(2 * (parted - stretch), 0.0, 1.0);
        sum += weight[k];
        rest += weight[k] * m_rest[p];
        moved += weight[k] * now[p];
    }
    rest /= sum;
    moved /= sum;
    Mat3d from = Mat3d::Zero(), to = Mat3d::Zero();
    for (std::uint32_t k = 0; k < bond.count; ++k) {
        const Vec3d a = m_rest[bond.particle[k]] - rest, b = now[bond.particle[k]] - moved;
        from += weight[k] / sum * a * a.transpose();
        to += weight[k] / sum * b * a.transpose();
    }
    // Where carriers span all directions, the affine motion; else the nearest rotation.
    const Svd3<double> turn = svd3<double>(to);
    const Mat3d R = turn.U * turn.V.transpose();
    const Svd3<double> spread = svd3<double>(from);
    const Vec3d arm = m_mesh.points[point] - rest;
    Vec3d place = moved;
    for (int k = 0; k < 3; ++k) {
        const Vec3d axis = spread.U.col(k);
        const bool known = spread.sigma[k] > 0.02 * spread.sigma[0] && spread.sigma[0] > 0;
        const Vec3d image = known ? Vec3d(to * axis / spread.sigma[k]) : Vec3d(R * axis);
        place += axis.dot(arm) * image;
    }
    return place;
}

CarriedSkin RenderSkin::carry(const SkinCarriers& now) const {
    if (now.positions.size() != m_rest.size() ||
        (!now.melted.empty() && now.melted.size() != m_rest.size()))
        throw Error("there are " + std::to_string(now.positions.size()) + " particles, and were " +
                        std::to_string(m_rest.size()) + " at rest",
                    "render skin", "give those of the first frame, by id");
    const std::size_t n = m_mesh.points.size();
    CarriedSkin skin;
    skin.points.resize(n);
    skin.fade.assign(n, 0.0f);
    parallel_for(n, [&](std::size_t i) {
        skin.points[i] = place(i, now.positions);
        const Bond& bond = m_bonds[i];
        float sum = 0, melted = 0;
        for (std::uint32_t k = 0; k < bond.count && !now.melted.empty(); ++k) {
            sum += bond.weight[k];
            melted += bond.weight[k] * now.melted[bond.particle[k]];
        }
        if (sum > 0) skin.fade[i] = melted / sum;
    });
    for (std::uint32_t t = 0; t < m_mesh.triangles.size(); ++t) {
        bool left = false, whole = true;
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t a = m_mesh.triangles[t][k], b = m_mesh.triangles[t][(k + 1) % 3];
            left = left || skin.fade[a] < 1;
            whole = whole && (skin.points[a] - skin.points[b]).norm() <=
                                 torn * (m_mesh.points[a] - m_mesh.points[b]).norm();
        }
        if (left && whole) skin.triangles.push_back(t);
    }
    return skin;
}

} // namespace nendo
