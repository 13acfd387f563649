// Columns of point attributes, by the points' order, and the shapes that primitives make.
#pragma once

#include "core/types.h"
#include "geometry/mesh.h"
#include "geometry/sdf.h"

#include <GU/GU_Detail.h>

#include <optional>
#include <string>
#include <vector>

namespace nendo::houdini {

/// Where the points are, in the order in which columns list them.
std::vector<GA_Offset> point_offsets(const GU_Detail& geometry);

/// The numbers of a point attribute, `width` a point; none when there is no such attribute. Throws
/// when it is of another type or size.
std::optional<std::vector<double>> read_numbers(const GU_Detail& geometry, const std::string& name,
                                                int width);
std::optional<std::vector<std::int32_t>> read_integers(const GU_Detail& geometry,
                                                       const std::string& name);
std::optional<std::vector<Vec3d>> read_vectors(const GU_Detail& geometry, const std::string& name);
/// P of all points; throws when one is not finite.
std::vector<Vec3d> read_positions(const GU_Detail& geometry);

/// Adds points, and says where they are.
std::vector<GA_Offset> append_points(GU_Detail& geometry, std::size_t count);

/// Sets an attribute of some points, `width` numbers each, making it when it is not there.
void write_numbers(GU_Detail& geometry, const std::string& name, int width, GA_TypeInfo type,
                   const std::vector<GA_Offset>& points, const std::vector<double>& numbers);
void write_integers(GU_Detail& geometry, const std::string& name,
                    const std::vector<GA_Offset>& points, const std::vector<std::int32_t>& numbers);
void write_vectors(GU_Detail& geometry, const std::string& name, GA_TypeInfo type,
                   const std::vector<GA_Offset>& points, const std::vector<Vec3d>& vectors);
/// Sets an attribute of the whole geometry.
void write_detail(GU_Detail& geometry, const std::string& name, const std::vector<double>& numbers);

/// All polygons, as triangles that are counter-clockwise seen from outside.
TriMesh read_polygons(const GU_Detail& geometry);
/// Each triangle as a polygon, on points that are added and given back.
std::vector<GA_Offset> write_polygons(GU_Detail& geometry, const TriMesh& mesh);

/// The inside of polygons and of level sets together; what is doubtful is said in `warnings`.
SdfPtr read_shape(const GU_Detail& geometry, std::vector<std::string>& warnings);

} // namespace nendo::houdini
