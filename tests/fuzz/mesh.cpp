// SPDX-License-Identifier: Apache-2.0
// OBJ and PLY: a mesh that is read is written and reads back to the same mesh; with texture
// coordinates it has the same triangles.
#include "fuzz.h"

#include "io/mesh/mesh_file.h"

using namespace nendo;

namespace {

void check_mesh(const TriMesh& mesh) {
    for (const auto& triangle : mesh.triangles)
        for (const std::uint32_t corner : triangle)
            fuzz::require(corner < mesh.points.size(), "corners are points");
    for (const Vec3d& x : mesh.points) fuzz::require(x.allFinite(), "points are finite");
}

template <class Parse, class ParseTextured, class Format>
void check(std::string_view bytes, const Parse& parse, const ParseTextured& parse_textured,
           const Format& format) {
    TriMesh mesh;
    if (!fuzz::accepted([&] { mesh = parse(bytes); })) return;
    check_mesh(mesh);
    TexturedMesh textured;
    if (fuzz::accepted([&] { textured = parse_textured(bytes); })) {
        check_mesh(textured.mesh);
        fuzz::require(textured.mesh.triangles.size() == mesh.triangles.size(),
                      "a texture changes no triangles");
        fuzz::require(textured.uv.empty() || textured.uv.size() == textured.mesh.points.size(),
                      "all points have a uv, or none");
    }
    TriMesh again;
    fuzz::require(fuzz::accepted([&] { again = parse(format(mesh)); }),
                  "what was written can be read");
    fuzz::require(again.points == mesh.points && again.triangles == mesh.triangles,
                  "a mesh survives writing and reading");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = fuzz::text_of(data, size);
    if (bytes.substr(0, 3) == "ply")
        check(
            bytes, [](std::string_view b) { return parse_ply(b, "in.ply"); },
            [](std::string_view b) { return parse_textured_ply(b, "in.ply"); },
            [](const TriMesh& mesh) { return format_ply(mesh); });
    else
        check(
            bytes, [](std::string_view b) { return parse_obj(b, "in.obj"); },
            [](std::string_view b) { return parse_textured_obj(b, "in.obj"); },
            [](const TriMesh& mesh) { return format_obj(mesh); });
    return 0;
}
