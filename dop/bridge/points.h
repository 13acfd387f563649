// SPDX-License-Identifier: Apache-2.0
// Columns of point attributes, and the shapes that primitives make.
#pragma once

#include "dop/bridge/geometry.h"
#include "geometry/mesh.h"
#include "geometry/sdf.h"

#include <optional>
#include <string>
#include <vector>

namespace nendo::houdini {

/// A column of a point attribute, by the points' order; none when there is no such attribute. Throws
/// when it is of another type or size.
template <class T>
std::optional<std::vector<T>> read_column(const GU_Detail& geometry, const Field& f,
                                          const std::string& where) {
    const std::vector<GA_Offset> points = point_offsets(geometry);
    std::vector<T> column(points.size());
    const bool found = detail::take_attribute<T>(geometry, GA_ATTRIB_POINT, points, f, where,
                                                 [&](std::size_t i) -> T& { return column[i]; });
    if (!found) return {};
    return column;
}

/// Sets an attribute of the points, one entry each, making it when it is not there.
template <class T>
void write_column(GU_Detail& geometry, const std::vector<GA_Offset>& points, const Field& f,
                  const std::vector<T>& column) {
    detail::give_attribute<T>(geometry, GA_ATTRIB_POINT, points, f, "output",
                              [&](std::size_t i) -> const T& { return column[i]; });
}

/// P of all points; throws when one is not finite.
std::vector<Vec3d> read_positions(const GU_Detail& geometry, const std::string& where);

/// Adds points at these places, and says where in the geometry they are.
std::vector<GA_Offset> append_points(GU_Detail& geometry, const std::vector<Vec3d>& positions);

/// All polygons, as triangles that are counter-clockwise seen from outside.
TriMesh read_polygons(const GU_Detail& geometry, const std::string& where);
/// Each triangle as a polygon, on points that are added and given back.
std::vector<GA_Offset> write_polygons(GU_Detail& geometry, const TriMesh& mesh);

/// The inside of polygons and of level sets together; what is doubtful is said in `warnings`.
SdfPtr read_shape(const GU_Detail& geometry, const std::string& where,
                  std::vector<std::string>& warnings);

template <class To, class From> std::vector<Vec3<To>> cast(const std::vector<Vec3<From>>& vectors) {
    std::vector<Vec3<To>> result(vectors.size());
    for (std::size_t i = 0; i < vectors.size(); ++i) result[i] = vectors[i].template cast<To>();
    return result;
}

} // namespace nendo::houdini
