// SPDX-License-Identifier: Apache-2.0
// Moves the artist's mesh with the particles, tears and fades it, and finds the bare surface.
#include "surface/render_skin.h"

#include "core/error.h"
#include "core/parallel.h"
#include "geometry/nearest.h"
#include "geometry/triangle_tree.h"
#include "math/svd3.h"
#include "neighbors/grid.h"
#include "surface/rest_uv.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>

namespace nendo {
namespace {

/// Search radius for the particles that move a point, in spacings.
constexpr double blend_reach = 2;
/// Neighbors that are stretched apart by more than this factor have separated.
constexpr double separation_stretch = 2;
/// Sides of triangles that are stretched by more than this factor have torn.
constexpr double tearing_stretch = 3;

const Vec3d gone = Vec3d::Constant(std::numeric_limits<double>::quiet_NaN());

bool is_present(const Vec3d& x) {
    return x.allFinite();
}

Vec3d normal_of(const TriMesh& mesh, std::uint32_t triangle) {
    const auto& t = mesh.triangles[triangle];
    return (mesh.points[t[1]] - mesh.points[t[0]])
        .cross(mesh.points[t[2]] - mesh.points[t[0]])
        .normalized();
}

/// Returns the kept rows of a column.
template <class T>
std::vector<T> gather(const std::vector<T>& column, const std::vector<std::uint32_t>& kept,
                      std::size_t width = 1) {
    std::vector<T> some;
    if (column.empty()) return some;
    some.reserve(kept.size() * width);
    for (const std::uint32_t i : kept)
        for (std::size_t k = 0; k < width; ++k) some.push_back(column[i * width + k]);
    return some;
}

} // namespace

SkinCarriers match_carriers(const SurfaceInput& rest, const SurfaceInput& now) {
    const std::vector<std::int64_t>& ids = ids_of(now);
    std::unordered_map<std::int64_t, std::size_t> place;
    for (std::size_t i = 0; i < ids.size(); ++i) place.emplace(ids[i], i);
    SkinCarriers sorted;
    for (const std::int64_t id : ids_of(rest)) {
        const auto found = place.find(id);
        const bool here = found != place.end();
        sorted.positions.push_back(here ? now.positions[found->second] : gone);
        if (!now.melted.empty()) sorted.melted.push_back(here ? now.melted[found->second] : 1.0f);
    }
    return sorted;
}

RenderSkin::RenderSkin(const TriMesh& mesh, const std::vector<Vec3d>& particles, double spacing)
    : m_mesh(mesh), m_spacing(spacing), m_rest(particles), m_bonds(mesh.points.size()) {
    if (particles.empty() || !(spacing > 0))
        throw Error("there are no particles to move the skin", "render skin",
                    "pass the particles of the first frame and their spacing");
    const std::vector<std::uint32_t> nearest = nearest_points(particles, mesh.points);
    Grid<double> grid;
    grid.build(particles, blend_reach * spacing);
    parallel_for(mesh.points.size(), [&](std::size_t i) {
        const Vec3d& x = mesh.points[i];
        std::vector<std::pair<double, std::uint32_t>> near;
        grid.visit(x, blend_reach * spacing,
                   [&](std::uint32_t p, double r2) { near.emplace_back(r2, p); });
        if (near.empty()) near.emplace_back(0, nearest[i]); // far away: use the nearest only
        std::sort(near.begin(), near.end());
        Bond& bond = m_bonds[i];
        bond.count = static_cast<std::uint32_t>(std::min(near.size(), max_bonds));
        for (std::uint32_t k = 0; k < bond.count; ++k) {
            const double s = 1 - near[k].first / (blend_reach * blend_reach * spacing * spacing);
            bond.particle[k] = near[k].second;
            bond.weight[k] = static_cast<float>(s * s * s);
        }
    });
}

/// Returns the new position by the affine motion of the particles that move the point and have not
/// separated from the nearest one. Not a number if all are gone.
Vec3d RenderSkin::place(std::size_t point, const std::vector<Vec3d>& now) const {
    const Bond& bond = m_bonds[point];
    const std::uint32_t* const last = bond.particle.data() + bond.count;
    const std::uint32_t* const nearest = std::find_if(
        bond.particle.data(), last, [&](std::uint32_t p) { return is_present(now[p]); });
    if (nearest == last) return gone;
    const std::uint32_t first = *nearest;
    double sum = 0;
    Vec3d rest = Vec3d::Zero(), moved = Vec3d::Zero();
    std::array<double, max_bonds> weight{};
    for (std::uint32_t k = 0; k < bond.count; ++k) {
        const std::uint32_t p = bond.particle[k];
        if (!is_present(now[p])) continue;
        const double apart = (m_rest[p] - m_rest[first]).norm();
        const double stretch = apart > 0 ? (now[p] - now[first]).norm() / apart : 1;
        // The weight falls off gradually, so that nothing jumps when matter separates.
        weight[k] =
            double(bond.weight[k]) * std::clamp(2 * (separation_stretch - stretch), 0.0, 1.0);
        sum += weight[k];
        rest += weight[k] * m_rest[p];
        moved += weight[k] * now[p];
    }
    rest /= sum;
    moved /= sum;
    Mat3d from = Mat3d::Zero(), to = Mat3d::Zero();
    for (std::uint32_t k = 0; k < bond.count; ++k) {
        if (weight[k] == 0) continue;
        const Vec3d a = m_rest[bond.particle[k]] - rest, b = now[bond.particle[k]] - moved;
        from += weight[k] / sum * a * a.transpose();
        to += weight[k] / sum * b * a.transpose();
    }
    // The affine motion in the directions that the particles span, and a rotation in all others.
    const Svd3<double> spread = svd3<double>(from);
    std::array<Vec3d, 3> image;
    int known = 0;
    // Smaller values are rounding: a single particle stands for all.
    const double least = std::max(0.02 * spread.sigma[0], 1e-6 * m_spacing * m_spacing);
    while (known < 3 && spread.sigma[known] > least) {
        image[std::size_t(known)] = to * spread.V.col(known) / spread.sigma[known];
        ++known;
    }
    Mat3d rotation = Mat3d::Identity();
    if (known == 1)
        rotation = Eigen::Quaterniond::FromTwoVectors(spread.V.col(0), image[0]).toRotationMatrix();
    if (known == 2) {
        const Vec3d across = image[0].cross(image[1]);
        if (across.norm() > 0)
            rotation = across.normalized() *
                       Vec3d(spread.V.col(0)).cross(Vec3d(spread.V.col(1))).transpose();
    }
    const Vec3d offset = m_mesh.points[point] - rest;
    Vec3d place = moved;
    for (int k = 0; k < 3; ++k) {
        const Vec3d axis = spread.V.col(k);
        place += axis.dot(offset) * (k < known ? image[std::size_t(k)] : Vec3d(rotation * axis));
    }
    return place;
}

CarriedSkin RenderSkin::carry(const SkinCarriers& now) const {
    if (now.positions.size() != m_rest.size() ||
        (!now.melted.empty() && now.melted.size() != m_rest.size()))
        throw Error("got " + std::to_string(now.positions.size()) + " particles, but there were " +
                        std::to_string(m_rest.size()) + " at rest",
                    "render skin", "pass the particles of the first frame, matched by id");
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
        if (!is_present(skin.points[i])) skin.fade[i] = 1;
    });
    for (std::uint32_t t = 0; t < m_mesh.triangles.size(); ++t) {
        bool left = false, whole = true;
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t a = m_mesh.triangles[t][k], b = m_mesh.triangles[t][(k + 1) % 3];
            left = left || skin.fade[a] < 1;
            whole = whole && (skin.points[a] - skin.points[b]).norm() <=
                                 tearing_stretch * (m_mesh.points[a] - m_mesh.points[b]).norm();
        }
        if (left && whole) skin.triangles.push_back(t);
    }
    for (std::size_t i = 0; i < n; ++i) // no triangle uses it
        if (!is_present(skin.points[i])) skin.points[i] = m_mesh.points[i];
    return skin;
}

CarriedSkin RenderSkin::carry(const SkinCarriers& now, const Surface& surface) const {
    CarriedSkin skin = carry(now);
    if (std::all_of(skin.fade.begin(), skin.fade.end(), [](float fade) { return fade == 0; }))
        return skin;
    const TriangleTree tree(surface.mesh);
    if (tree.empty()) return skin;
    parallel_for(skin.points.size(), [&](std::size_t i) {
        const double fade = double(skin.fade[i]);
        if (fade > 0)
            skin.points[i] += fade * (tree.closest(skin.points[i]).point - skin.points[i]);
    });
    return skin;
}

TriMesh RenderSkin::mesh_of(const CarriedSkin& carried) const {
    TriMesh mesh;
    mesh.points = carried.points;
    for (const std::uint32_t t : carried.triangles) mesh.triangles.push_back(m_mesh.triangles[t]);
    return mesh;
}

Surface RenderSkin::bare_part(const CarriedSkin& carried, const Surface& surface) const {
    const TriMesh skin = mesh_of(carried);
    const TriangleTree tree(skin);
    // Points on a rim of the skin that was not there at rest.
    std::vector<char> rim(skin.points.size(), 0);
    auto left = carried.triangles.begin();
    for (std::uint32_t t = 0; t < m_mesh.triangles.size(); ++t) {
        if (left != carried.triangles.end() && *left == t)
            ++left;
        else
            for (const std::uint32_t corner : m_mesh.triangles[t]) rim[corner] = 1;
    }
    const auto at_rim = [&](std::uint32_t triangle) {
        const auto& t = skin.triangles[triangle];
        return std::any_of(t.begin(), t.end(), [&](std::uint32_t corner) { return rim[corner]; });
    };
    const TriMesh& mesh = surface.mesh;
    std::vector<TriangleTree::Closest> closest(mesh.points.size());
    parallel_for(closest.size(), [&](std::size_t i) {
        if (!tree.empty()) closest[i] = tree.closest(mesh.points[i]);
    });
    constexpr std::uint32_t none = UINT32_MAX;
    std::vector<std::uint32_t> number(mesh.points.size(), none), kept;
    Surface bare;
    bare.voxel_size = surface.voxel_size;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        const Vec3d normal = normal_of(mesh, t);
        const auto& corners = mesh.triangles[t];
        const bool covered = std::all_of(corners.begin(), corners.end(), [&](std::uint32_t corner) {
            const TriangleTree::Closest& near = closest[corner];
            return near.distance <= m_spacing && !at_rim(near.triangle) &&
                   normal.dot(normal_of(skin, near.triangle)) > 0;
        });
        if (covered) continue;
        std::array<std::uint32_t, 3> triangle{};
        for (std::size_t k = 0; k < 3; ++k) {
            std::uint32_t& name = number[corners[k]];
            if (name == none) {
                name = static_cast<std::uint32_t>(kept.size());
                kept.push_back(corners[k]);
            }
            triangle[k] = name;
        }
        bare.mesh.triangles.push_back(triangle);
    }
    bare.mesh.points = gather(mesh.points, kept);
    bare.mesh.velocities = gather(mesh.velocities, kept);
    bare.bodies = gather(surface.bodies, kept);
    for (const PointAttribute& a : surface.attributes) {
        PointAttribute some{a.name, a.width, a.meaning, {}};
        std::visit(
            [&](const auto& values) { some.values = gather(values, kept, std::size_t(a.width)); },
            a.values);
        bare.attributes.push_back(std::move(some));
    }
    return bare;
}

Dressed dress(const RenderSkin& skin, const SurfaceInput& rest, const SurfaceInput& now,
              const SurfaceParams& params, const Surface& surface) {
    Dressed dressed;
    dressed.carried = skin.carry(match_carriers(rest, now), surface);
    dressed.skin.mesh = skin.mesh_of(dressed.carried);
    dressed.bare = skin.bare_part(dressed.carried, surface);
    carry_to_mesh(now, params, dressed.skin);
    std::vector<Vec3<float>> places;
    for (const Vec3d& x : skin.mesh().points) places.push_back(x.cast<float>());
    set_attribute(dressed.skin.attributes, "rest", Meaning::point, places);
    const auto add_fade = [](Surface& part, std::vector<float> fade) {
        part.attributes.push_back({"fade", 1, Meaning::value, std::move(fade)});
    };
    add_fade(dressed.skin, dressed.carried.fade);
    add_fade(dressed.bare, std::vector<float>(dressed.bare.mesh.points.size(), 1.0f));
    return dressed;
}

Surface join_surfaces(const Surface& first, const Surface& second) {
    Surface joined = first;
    const auto append = [](auto& to, const auto& from) {
        to.insert(to.end(), from.begin(), from.end());
    };
    const auto start = static_cast<std::uint32_t>(first.mesh.points.size());
    append(joined.mesh.points, second.mesh.points);
    append(joined.mesh.velocities, second.mesh.velocities);
    append(joined.bodies, second.bodies);
    for (const auto& t : second.mesh.triangles)
        joined.mesh.triangles.push_back({t[0] + start, t[1] + start, t[2] + start});
    for (PointAttribute& a : joined.attributes) {
        const auto same = std::find_if(second.attributes.begin(), second.attributes.end(),
                                       [&](const PointAttribute& other) {
                                           return other.name == a.name && other.width == a.width &&
                                                  other.values.index() == a.values.index();
                                       });
        if (same == second.attributes.end())
            throw Error("only one surface has the attribute '" + a.name + "'", "surfaces",
                        "give both surfaces the same attributes");
        std::visit(
            [&](auto& values) {
                append(values, std::get<std::decay_t<decltype(values)>>(same->values));
            },
            a.values);
    }
    return joined;
}

} // namespace nendo
