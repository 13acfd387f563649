// Triangle meshes as files: OBJ and PLY, in and out.
#pragma once

#include "geometry/mesh.h"

#include <string>
#include <string_view>

namespace nendo {

/// Reads .obj or .ply by the name's ending. Polygons become fans of triangles; PLY properties
/// vx, vy and vz become velocities. An Error names the line or byte of what is wrong: coordinates
/// that are not finite, indices without a point, no faces, broken syntax.
TriMesh read_mesh(const std::string& path);
TriMesh parse_obj(std::string_view text, const std::string& path);
TriMesh parse_ply(std::string_view bytes, const std::string& path);

/// Writes .obj or .ply (binary, little-endian, double precision) by the name's ending, atomically.
/// OBJ has no place for velocities and leaves them out.
void write_mesh(const std::string& path, const TriMesh& mesh);
std::string format_obj(const TriMesh& mesh);
std::string format_ply(const TriMesh& mesh);

} // namespace nendo
