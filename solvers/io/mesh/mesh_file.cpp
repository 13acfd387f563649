// SPDX-License-Identifier: Apache-2.0
// Chooses the mesh format by the file extension.
#include "io/mesh/mesh_file.h"

#include "core/error.h"
#include "io/file.h"
#include "io/geo/mesh.h"

namespace nendo {
namespace {

bool is_ply(const std::string& path) {
    if (has_suffix(path, ".ply")) return true;
    if (has_suffix(path, ".obj")) return false;
    throw Error("the file name does not show the format of the mesh", path,
                "end it in .obj or .ply");
}

} // namespace

TriMesh read_mesh(const std::string& path) {
    const bool ply = is_ply(path);
    const std::string bytes = read_file(path);
    return ply ? parse_ply(bytes, path) : parse_obj(bytes, path);
}

TexturedMesh read_textured_mesh(const std::string& path) {
    const bool ply = is_ply(path);
    const std::string bytes = read_file(path);
    return ply ? parse_textured_ply(bytes, path) : parse_textured_obj(bytes, path);
}

void write_mesh(const std::string& path, const TriMesh& mesh, const PointAttributes& attributes) {
    for (const char* suffix : {".bgeo.sc", ".bgeo", ".geo"})
        if (has_suffix(path, suffix)) return write_geometry(path, mesh_geometry(mesh, attributes));
    write_file_atomically(path, is_ply(path) ? format_ply(mesh, attributes)
                                             : format_obj(mesh, attributes));
}

} // namespace nendo
