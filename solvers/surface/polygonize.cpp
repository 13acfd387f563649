// SPDX-License-Identifier: Apache-2.0
// Extracts a mesh with OpenVDB and relaxes its points along the surface.
#include "surface/polygonize.h"

#include "core/parallel.h"

#include <openvdb/tools/VolumeToMesh.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace nendo {
namespace {

void measure(Surface& surface) {
    for (const Vec3d& p : surface.mesh.points) surface.bounds = join_boxes(surface.bounds, {p, p});
    const Vec3d center = (surface.bounds.min + surface.bounds.max) / 2;
    for (const auto& t : surface.mesh.triangles) {
        const Vec3d a = surface.mesh.points[t[0]] - center, b = surface.mesh.points[t[1]] - center,
                    c = surface.mesh.points[t[2]] - center;
        surface.volume += a.dot(b.cross(c)) / 6;
        surface.area += (b - a).cross(c - a).norm() / 2;
    }
}

/// The neighbors of each point along the sides of faces, one list after another.
class Sides {
public:
    Sides(std::size_t points, const std::vector<openvdb::Vec3I>& triangles,
          const std::vector<openvdb::Vec4I>& quads)
        : m_start(points + 1, 0) {
        // A side belongs to two faces, which traverse it in opposite directions.
        each_side(triangles, quads,
                  [&](std::uint32_t from, std::uint32_t) { ++m_start[from + 1]; });
        for (std::size_t i = 0; i < points; ++i) m_start[i + 1] += m_start[i];
        m_ends.resize(m_start.back());
        std::vector<std::uint32_t> cursor(m_start.begin(), m_start.end() - 1);
        each_side(triangles, quads,
                  [&](std::uint32_t from, std::uint32_t to) { m_ends[cursor[from]++] = to; });
    }
    const std::uint32_t* begin(std::size_t point) const { return m_ends.data() + m_start[point]; }
    const std::uint32_t* end(std::size_t point) const { return m_ends.data() + m_start[point + 1]; }

private:
    template <class Use>
    static void each_side(const std::vector<openvdb::Vec3I>& triangles,
                          const std::vector<openvdb::Vec4I>& quads, const Use& use) {
        for (const auto& t : triangles)
            for (int k = 0; k < 3; ++k) use(t[k], t[(k + 1) % 3]);
        for (const auto& q : quads)
            for (int k = 0; k < 4; ++k) use(q[k], q[(k + 1) % 4]);
    }
    std::vector<std::uint32_t> m_start, m_ends;
};

/// Value and gradient of a field between eight voxels, in voxels.
struct Linear {
    double value;
    openvdb::Vec3d slope;
};

Linear linear_at(openvdb::FloatGrid::ConstAccessor& reader, const openvdb::Vec3d& at,
                 double voxel) {
    const openvdb::Coord low = openvdb::Coord::floor(at);
    const openvdb::Vec3d t = at - low.asVec3d();
    double f[2][2][2];
    for (int x = 0; x < 2; ++x)
        for (int y = 0; y < 2; ++y)
            for (int z = 0; z < 2; ++z) f[x][y][z] = double(reader.getValue(low.offsetBy(x, y, z)));
    const auto mix = [](double a, double b, double s) { return a + s * (b - a); };
    double fz[2][2], dz[2][2];
    for (int x = 0; x < 2; ++x)
        for (int y = 0; y < 2; ++y) {
            fz[x][y] = mix(f[x][y][0], f[x][y][1], t.z());
            dz[x][y] = f[x][y][1] - f[x][y][0];
        }
    const double y0 = mix(fz[0][0], fz[0][1], t.y()), y1 = mix(fz[1][0], fz[1][1], t.y());
    Linear here;
    here.value = mix(y0, y1, t.x()) / voxel;
    here.slope =
        openvdb::Vec3d(y1 - y0, mix(fz[0][1] - fz[0][0], fz[1][1] - fz[1][0], t.x()),
                       mix(mix(dz[0][0], dz[0][1], t.y()), mix(dz[1][0], dz[1][1], t.y()), t.x())) /
        voxel;
    return here;
}

/// Moves points toward the center of their neighbors and back onto the surface, so that faces have
/// similar sizes and the field is zero at each point.
void relax(const openvdb::FloatGrid& grid, const Sides& sides,
           std::vector<openvdb::Vec3s>& points) {
    constexpr int rounds = 3;
    const auto voxel = grid.voxelSize()[0];
    std::vector<openvdb::Vec3s> next(points.size());
    for (int round = 0; round < rounds; ++round) {
        parallel_blocks(points.size(), [&](std::size_t begin, std::size_t end) {
            openvdb::FloatGrid::ConstAccessor reader = grid.getConstAccessor();
            for (std::size_t i = begin; i < end; ++i) {
                openvdb::Vec3s middle(0);
                for (const std::uint32_t* to = sides.begin(i); to != sides.end(i); ++to)
                    middle += points[*to];
                const auto count = float(sides.end(i) - sides.begin(i));
                next[i] = points[i];
                if (count == 0) continue;
                const openvdb::Vec3d old = grid.worldToIndex(openvdb::Vec3d(points[i]));
                openvdb::Vec3d p = grid.worldToIndex(openvdb::Vec3d(middle / count));
                p = old + 0.7 * (p - old);
                const Linear here = linear_at(reader, p, voxel);
                const double length2 = here.slope.lengthSqr();
                if (!(length2 > 0.09)) continue; // in the middle of a thin part
                p -= std::clamp(here.value, -0.5, 0.5) / length2 * here.slope;
                // A point stays within its cell, so that faces keep their sides.
                if ((p - old).lengthSqr() > 0.5) continue;
                next[i] = openvdb::Vec3s(grid.indexToWorld(p));
            }
        });
        points.swap(next);
    }
}

} // namespace

Surface extract_mesh(std::shared_ptr<const LevelSet> level_set, double adaptivity) {
    Surface surface;
    std::vector<openvdb::Vec3s> points;
    std::vector<openvdb::Vec3I> triangles;
    std::vector<openvdb::Vec4I> quads;
    openvdb::tools::volumeToMesh(*level_set->distance, points, triangles, quads, 0, adaptivity);
    if (adaptivity == 0)
        relax(*level_set->distance, Sides(points.size(), triangles, quads), points);
    surface.mesh.points.reserve(points.size());
    for (const openvdb::Vec3s& p : points)
        surface.mesh.points.emplace_back(double(p.x()), double(p.y()), double(p.z()));
    // OpenVDB's faces are clockwise seen from outside. Quads are split along the shorter diagonal.
    auto& out = surface.mesh.triangles;
    out.reserve(triangles.size() + 2 * quads.size());
    for (const openvdb::Vec3I& t : triangles) out.push_back({t[0], t[2], t[1]});
    const auto& p = surface.mesh.points;
    for (const openvdb::Vec4I& q : quads) {
        const bool first = (p[q[0]] - p[q[2]]).squaredNorm() <= (p[q[1]] - p[q[3]]).squaredNorm();
        if (first) {
            out.push_back({q[0], q[2], q[1]});
            out.push_back({q[0], q[3], q[2]});
        } else {
            out.push_back({q[0], q[3], q[1]});
            out.push_back({q[1], q[3], q[2]});
        }
    }
    surface.voxel_size = level_set->distance->voxelSize()[0];
    surface.level_set = std::move(level_set);
    measure(surface);
    return surface;
}

} // namespace nendo
