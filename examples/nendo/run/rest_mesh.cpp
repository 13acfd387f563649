// SPDX-License-Identifier: Apache-2.0
#include "run/rest_mesh.h"

#include "core/error.h"
#include "io/mesh/mesh_file.h"

#include <algorithm>

namespace nendo::cli {
namespace {

/// Throws unless the mesh is near the particles at rest.
void check_place(const TriMesh& mesh, const SurfaceInput& rest, const std::string& path) {
    Box3 matter, skin;
    for (const Vec3d& x : rest.positions) matter = join_boxes(matter, {x, x});
    for (const Vec3d& x : mesh.points) skin = join_boxes(skin, {x, x});
    const Vec3d reach = Vec3d::Constant(2 * rest.spacing);
    if (((skin.min - reach).array() > matter.max.array()).any() ||
        ((skin.max + reach).array() < matter.min.array()).any())
        throw Error("the mesh is not where the particles are at rest", path,
                    "move and scale it to match the body");
}

} // namespace

RestMesh::RestMesh(const RestOptions& options, const std::filesystem::path& first, double spacing) {
    if (options.rest.empty() && first.empty())
        throw Error("the particles at rest are not known", "--rest",
                    "give a file with them, or the folder of a run as input");
    const std::string path = options.rest.empty() ? first.string() : options.rest;
    m_rest = read_particles(path, spacing);
    if (m_rest.positions.empty())
        throw Error("has no particles", path, "choose a frame with particles for --rest");
    ids_of(m_rest);
    if (!options.uv.empty()) {
        m_texture = read_textured_mesh(options.uv);
        if (m_texture->uv.empty())
            throw Error("the mesh has no texture coordinates", options.uv,
                        "export it with UVs (vt in OBJ, s and t in PLY)");
        check_place(m_texture->mesh, m_rest, options.uv);
    }
    if (!options.skin.empty()) {
        m_mesh = read_textured_mesh(options.skin);
        check_place(m_mesh.mesh, m_rest, options.skin);
        m_skin = std::make_unique<RenderSkin>(m_mesh.mesh, m_rest.positions, m_rest.spacing);
        if (!m_texture && !m_mesh.uv.empty()) m_texture = m_mesh;
    }
}

void RestMesh::set_rest_positions(SurfaceInput& now, Host& host) {
    const std::size_t without = set_rest(now, m_rest);
    if (without == 0 || m_warned) return;
    m_warned = true;
    host.log(Severity::warning,
             std::to_string(without) +
                 " particles are not among those at rest; their current positions "
                 "are used as positions at rest");
}

void RestMesh::texture(Surface& surface) const {
    if (m_texture) carry_uv(surface, *m_texture);
}

std::optional<Surface> RestMesh::add_skin(const SurfaceInput& now, const SurfaceParams& params,
                                          const Surface& surface) const {
    if (!m_skin) return {};
    Dressed dressed = dress(*m_skin, m_rest, now, params, surface);
    if (m_texture)
        set_attribute(dressed.skin.attributes, "uv", Meaning::value,
                      m_mesh.uv.empty() ? uv_by_closest_point(*m_texture, m_mesh.mesh.points)
                                        : m_mesh.uv);
    return join_surfaces(dressed.skin, dressed.bare);
}

} // namespace nendo::cli
