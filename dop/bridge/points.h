// SPDX-License-Identifier: Apache-2.0
// Point attributes as columns, and the primitives of a geometry as meshes and shapes.
#pragma once

#include "dop/bridge/geometry.h"
#include "geometry/mesh.h"
#include "geometry/sdf.h"

#include <optional>
#include <string>
#include <vector>

namespace nendo::houdini {

/// A point attribute as a column, in the order of the points; none if there is no such attribute.
/// Throws if it has another type or size.
template <class T>
std::optional<std::vector<T>> read_column(const GU_Detail& geometry, const Field& f,
                                          const std::string& where) {
    const std::vector<GA_Offset> points = point_offsets(geometry);
    std::vector<T> column(points.size());
    const bool found = detail::read_attribute<T>(geometry, GA_ATTRIB_POINT, points, f, where,
                                                 [&](std::size_t i) -> T& { return column[i]; });
    if (!found) return {};
    return column;
}

/// Writes a column to an attribute of the points, which is created if it does not exist.
template <class T>
void write_column(GU_Detail& geometry, const std::vector<GA_Offset>& points, const Field& f,
                  const std::vector<T>& column) {
    detail::write_attribute<T>(geometry, GA_ATTRIB_POINT, points, f, "output",
                               [&](std::size_t i) -> const T& { return column[i]; });
}

/// P of all points; throws if one is not finite.
std::vector<Vec3d> read_positions(const GU_Detail& geometry, const std::string& where);

/// Adds points at these positions, and returns them.
std::vector<GA_Offset> append_points(GU_Detail& geometry, const std::vector<Vec3d>& positions);

/// All polygons, as triangles that are counterclockwise, seen from outside.
TriMesh read_polygons(const GU_Detail& geometry, const std::string& where);
/// Adds a polygon for each triangle, and returns the points that it added.
std::vector<GA_Offset> write_polygons(GU_Detail& geometry, const TriMesh& mesh);

/// The union of the insides of polygons and level sets; doubts are added to `warnings`.
SdfPtr read_shape(const GU_Detail& geometry, const std::string& where,
                  std::vector<std::string>& warnings);

template <class To, class From> std::vector<Vec3<To>> cast(const std::vector<Vec3<From>>& vectors) {
    std::vector<Vec3<To>> result(vectors.size());
    for (std::size_t i = 0; i < vectors.size(); ++i) result[i] = vectors[i].template cast<To>();
    return result;
}

} // namespace nendo::houdini
