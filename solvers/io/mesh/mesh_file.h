// SPDX-License-Identifier: Apache-2.0
// Triangle meshes as files: OBJ and PLY, in and out; Houdini's formats, out.
#pragma once

#include "geometry/mesh.h"
#include "geometry/point_attribute.h"
#include "surface/rest_uv.h"

#include <string>
#include <string_view>

namespace nendo {

/// Reads .obj or .ply by the name's ending. Polygons become fans of triangles; PLY properties
/// vx, vy and vz become velocities. An Error names the line or byte of what is wrong: coordinates
/// that are not finite, indices without a point, no faces, broken syntax.
TriMesh read_mesh(const std::string& path);
TriMesh parse_obj(std::string_view text, const std::string& path);
TriMesh parse_ply(std::string_view bytes, const std::string& path);

/// The same with texture coordinates: `vt` of an OBJ, the properties s and t, u and v or texture_u
/// and texture_v of a PLY's points. No uv when the file, or one of its faces, has none.
TexturedMesh read_textured_mesh(const std::string& path);
TexturedMesh parse_textured_obj(std::string_view text, const std::string& path);
TexturedMesh parse_textured_ply(std::string_view bytes, const std::string& path);

/// Writes .obj, .ply (binary, little-endian, positions in double precision), .bgeo.sc, .bgeo or .geo
/// by the name's ending, atomically. Attributes of the points come along: in PLY as properties, Cd as
/// red, green and blue of 0 to 255, uv as s and t; in OBJ there is room for uv alone.
void write_mesh(const std::string& path, const TriMesh& mesh,
                const PointAttributes& attributes = {});
std::string format_obj(const TriMesh& mesh, const PointAttributes& attributes = {});
std::string format_ply(const TriMesh& mesh, const PointAttributes& attributes = {});

} // namespace nendo
