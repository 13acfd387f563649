// SPDX-License-Identifier: Apache-2.0
// Triangle meshes as files: reads OBJ and PLY; writes these and Houdini's formats.
#pragma once

#include "geometry/mesh.h"
#include "geometry/point_attribute.h"
#include "surface/rest_uv.h"

#include <string>
#include <string_view>

namespace nendo {

/// Reads .obj or .ply, depending on the file extension. Polygons become fans of triangles; the PLY
/// properties vx, vy and vz become velocities. An Error names the line or byte of any problem:
/// coordinates that are not finite, indices without a point, no faces, invalid syntax.
TriMesh read_mesh(const std::string& path);
TriMesh parse_obj(std::string_view text, const std::string& path);
TriMesh parse_ply(std::string_view bytes, const std::string& path);

/// Reads a mesh with texture coordinates: `vt` of an OBJ; the properties s and t, u and v, or
/// texture_u and texture_v of a PLY's points. There are no uvs if the file, or any of its faces,
/// has none.
TexturedMesh read_textured_mesh(const std::string& path);
TexturedMesh parse_textured_obj(std::string_view text, const std::string& path);
TexturedMesh parse_textured_ply(std::string_view bytes, const std::string& path);

/// Writes .obj, .ply (binary, little-endian, positions in double precision), .bgeo.sc, .bgeo or
/// .geo, depending on the file extension, atomically. Attributes of the points are included: in PLY
/// as properties, with Cd as red, green and blue from 0 to 255 and uv as s and t. OBJ can store
/// only uv.
void write_mesh(const std::string& path, const TriMesh& mesh,
                const PointAttributes& attributes = {});
std::string format_obj(const TriMesh& mesh, const PointAttributes& attributes = {});
std::string format_ply(const TriMesh& mesh, const PointAttributes& attributes = {});

} // namespace nendo
