// SPDX-License-Identifier: Apache-2.0
// The contact shape of a bone: a box with rounded edges, which is a capsule if only one side has a
// length and a ball if none has.
#pragma once

#include "core/types.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace nendo::rheology {

/// A bone's box in the world, and the radius of its rounding.
struct Core {
    Vec3d center;
    Mat3d rotation;
    Vec3d half;
    double radius;

    double reach() const { return half.norm() + radius; }
};

/// An edge of the box: its ends, its axis, and the two sides that it lies between.
struct Edge {
    Vec3d begin, end;
    int axis;
    std::int32_t feature; ///< Axis, and the signs of the other two sides
};

struct Corner {
    Vec3d place;
    std::int32_t feature; ///< Signs of the sides, one bit each
};

/// Features of edges start at this number.
inline constexpr std::int32_t first_edge = 8;

/// Calls visit(corner) for each distinct corner. A side without length has only one end.
template <class Visit> void for_each_corner(const Core& core, const Visit& visit) {
    for (std::int32_t bits = 0; bits < 8; ++bits) {
        Vec3d local;
        bool twice = false;
        for (int k = 0; k < 3; ++k) {
            const bool high = (bits >> k & 1) != 0;
            twice = twice || (high && core.half[k] == 0);
            local[k] = high ? core.half[k] : -core.half[k];
        }
        if (!twice) visit(Corner{core.center + core.rotation * local, bits});
    }
}

/// Calls visit(edge) for each edge that has a length.
template <class Visit> void for_each_edge(const Core& core, const Visit& visit) {
    for (int axis = 0; axis < 3; ++axis) {
        if (core.half[axis] == 0) continue;
        const int i = (axis + 1) % 3, j = (axis + 2) % 3;
        for (std::int32_t bits = 0; bits < 4; ++bits) {
            const bool high_i = (bits & 1) != 0, high_j = (bits & 2) != 0;
            if ((high_i && core.half[i] == 0) || (high_j && core.half[j] == 0)) continue;
            Vec3d local;
            local[i] = high_i ? core.half[i] : -core.half[i];
            local[j] = high_j ? core.half[j] : -core.half[j];
            local[axis] = -core.half[axis];
            const Vec3d begin = core.center + core.rotation * local;
            local[axis] = core.half[axis];
            visit(Edge{begin, core.center + core.rotation * local, axis,
                       first_edge + 4 * axis + bits});
        }
    }
}

/// True if a direction leaves the box at this edge.
inline bool leaves_at(const Core& core, const Edge& edge, const Vec3d& direction) {
    const std::int32_t bits = (edge.feature - first_edge) % 4;
    for (int side = 0; side < 2; ++side) {
        const int k = (edge.axis + 1 + side) % 3;
        if (core.half[k] == 0) continue;
        const double outwards = (bits >> side & 1) != 0 ? 1 : -1;
        if (outwards * core.rotation.col(k).dot(direction) < -1e-9) return false;
    }
    return true;
}

/// The point of the box nearest to x, and the unit direction from there to x. Inside the box it is
/// the nearest point of the surface, the outward normal there, and a negative distance.
struct Nearest {
    Vec3d point;
    Vec3d direction;
    double distance; ///< [m]
};

inline Nearest nearest_in_core(const Core& core, const Vec3d& x) {
    const Vec3d local = core.rotation.transpose() * (x - core.center);
    const Vec3d held = local.cwiseMax(-core.half).cwiseMin(core.half);
    const Vec3d away = local - held;
    const double distance = away.norm();
    if (distance > 0)
        return {core.center + core.rotation * held, core.rotation * (away / distance), distance};
    int side = 0;
    const Vec3d depth = core.half - local.cwiseAbs();
    for (int k = 1; k < 3; ++k)
        if (depth[k] < depth[side]) side = k;
    const double sign = local[side] < 0 ? -1 : 1;
    Vec3d surface = local;
    surface[side] = sign * core.half[side];
    return {core.center + core.rotation * surface, sign * core.rotation.col(side), -depth[side]};
}

/// Finds where two segments come nearest, as fractions s and t of their lengths. Returns false if
/// they are parallel.
inline bool nearest_of_edges(const Edge& a, const Edge& b, double& s, double& t) {
    const Vec3d da = a.end - a.begin, db = b.end - b.begin, r = a.begin - b.begin;
    const double aa = da.dot(da), bb = db.dot(db), ab = da.dot(db);
    const double det = aa * bb - ab * ab;
    if (det <= 1e-6 * aa * bb) return false;
    s = (ab * db.dot(r) - bb * da.dot(r)) / det;
    t = (aa * db.dot(r) - ab * da.dot(r)) / det;
    return true;
}

} // namespace nendo::rheology
