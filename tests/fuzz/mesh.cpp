// OBJ and PLY: what is read is written and read back to the same mesh.
#include "fuzz.h"

#include "io/mesh_file.h"

using namespace nendo;

namespace {

template <class Parse, class Format>
void check(std::string_view bytes, const Parse& parse, const Format& format) {
    TriMesh mesh;
    if (!fuzz::accepted([&] { mesh = parse(bytes); })) return;
    for (const auto& triangle : mesh.triangles)
        for (const std::uint32_t corner : triangle)
            fuzz::require(corner < mesh.points.size(), "corners are points");
    for (const Vec3d& x : mesh.points) fuzz::require(x.allFinite(), "points are finite");
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
            [](const TriMesh& mesh) { return format_ply(mesh); });
    else
        check(
            bytes, [](std::string_view b) { return parse_obj(b, "in.obj"); },
            [](const TriMesh& mesh) { return format_obj(mesh); });
    return 0;
}
