// SPDX-License-Identifier: Apache-2.0
#include "run/surfaces.h"

#include "run/failure.h"

#include "geometry/level_set.h"
#include "geometry/nearest.h"
#include "io/file.h"
#include "io/json_fields.h"
#include "io/mesh/mesh_file.h"
#include "io/vdb_file.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace nendo::cli {

namespace fs = std::filesystem;

namespace {

/// Whether a surface file shows the particles as they are now, cut as the camera cuts them.
bool is_current(const fs::path& surface, const fs::path& particles, const std::string& section) {
    std::error_code missing;
    const auto written = fs::last_write_time(surface, missing);
    if (missing || written < fs::last_write_time(particles)) return false;
    if (!has_suffix(surface.string(), ".vdb")) return section.empty();
    std::string cut_by;
    for (const auto& [key, value] : read_vdb_info(surface).metadata)
        if (key == section_key) cut_by = value;
    return cut_by == section;
}

/// The surface file of a frame that pictures can show; empty if there is none.
fs::path find_surface(const RunScene& scene, const FrameFile& file) {
    for (const char* suffix : {".vdb", ".ply", ".obj"}) {
        const fs::path path = file.path.parent_path() /
                              frame_name(std::string(surface_file_stem), file.frame, suffix);
        if (is_current(path, file.path, section_text(scene))) return path;
    }
    return {};
}

/// Gives the surface the bodies of the nearest particles.
void set_bodies(Surface& surface, const SurfaceInput& particles) {
    auto level_set = std::make_shared<LevelSet>(*surface.level_set);
    const openvdb::FloatGrid& distance = *level_set->distance;
    std::vector<Vec3d> voxels;
    for (auto it = distance.cbeginValueOn(); it; ++it)
        voxels.push_back(from_vdb(distance.indexToWorld(it.getCoord())));
    const std::vector<std::uint32_t> nearest = nearest_points(particles.positions, voxels);
    level_set->body = openvdb::Int32Grid::create(-1);
    level_set->body->setTree(
        std::make_shared<openvdb::Int32Tree>(distance.tree(), -1, openvdb::TopologyCopy()));
    level_set->body->setTransform(distance.transform().copy());
    std::size_t k = 0;
    for (auto it = level_set->body->beginValueOn(); it; ++it)
        it.setValue(particles.bodies[nearest[k++]]);
    surface.level_set = level_set;
    surface.bodies.clear();
    for (const std::uint32_t i : nearest_points(particles.positions, surface.mesh.points))
        surface.bodies.push_back(particles.bodies[i]);
}

Surface read_surface(const fs::path& path, const ShadedParticles& shown, double voxel) {
    const bool is_vdb = has_suffix(path.string(), ".vdb");
    Surface surface =
        is_vdb ? read_vdb_surface(path) : surface_of_mesh(read_mesh(path.string()), 0, voxel);
    const bool has_bodies = surface.level_set->body && shown.by_body;
    if (!has_bodies && !shown.particles.bodies.empty()) set_bodies(surface, shown.particles);
    return surface;
}

} // namespace

std::string section_text(const RunScene& scene) {
    if (!scene.common.camera || !scene.common.camera->section) return "";
    return write_object(*scene.common.camera->section).dump();
}

std::vector<Surface> surfaces_of_frame(const RunScene& scene, const FrameFile& file,
                                       const Box3& box) {
    std::vector<Surface> surfaces;
    const double voxel = (box.max - box.min).norm() / 500;
    for (const auto& [body, mesh] : read_skins(file.path.string()))
        surfaces.push_back(surface_of_mesh(mesh, body, voxel));
    if (!surfaces.empty()) return surfaces;

    ShadedParticles shown = read_shaded(file.path.string());
    SurfaceInput& particles = shown.particles;
    particles = apply_section(scene, std::move(particles));
    const auto is_clear = [&](std::size_t i) {
        const std::size_t body =
            i < particles.bodies.size() ? std::size_t(std::max(particles.bodies[i], 0)) : 0;
        return scene.shades[std::min(body, scene.shades.size() - 1)].look.transmission > 0;
    };
    std::vector<SurfaceInput> parts;
    for (const bool clear : {false, true}) {
        SurfaceInput part =
            pick_particles(particles, [&](std::size_t i) { return is_clear(i) == clear; });
        if (!part.positions.empty()) parts.push_back(std::move(part));
    }
    const fs::path made = parts.size() == 1 ? find_surface(scene, file) : fs::path();
    if (!made.empty()) return {read_surface(made, shown, voxel)};
    return as_failure([&] {
        for (const SurfaceInput& part : parts)
            surfaces.push_back(surface_particles(part, SurfaceParams()));
        return surfaces;
    });
}

} // namespace nendo::cli
