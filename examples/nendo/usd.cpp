// SPDX-License-Identifier: Apache-2.0
// nendo usd: writes a run as a scene for renderers, from the caches and surfaces in its folder.
#include "command.h"
#include "run/console.h"
#include "run/failure.h"
#include "run/frames.h"
#include "run/methods.h"
#include "run/particles.h"
#include "run/run_scene.h"
#include "usd/frames.h"

#include "geometry/nearest.h"
#include "io/file.h"
#include "io/mesh/mesh_file.h"
#include "io/usd/scene.h"
#include "io/usd/sequence.h"
#include "io/vdb_file.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>

namespace nendo::cli {

namespace fs = std::filesystem;

namespace {

struct UsdOptions : FolderOptions {
    std::string size;
    std::string layout = "auto";
    PrimvarNames primvars{"Cd", "temperature", "density", "body", "phase", "rest", "fade"};
};

/// The files of one frame. A path is empty if the file is missing.
struct Sources {
    fs::path particles, skin, surface, volume;
};

std::map<int, Sources> list_sources(const fs::path& folder, const std::string& range) {
    std::map<int, Sources> sources;
    for (const FrameFile& file : find_particles(folder, range)) {
        Sources& s = sources[file.frame];
        s.particles = file.path;
        const auto find = [&](const std::string& stem, const std::vector<const char*>& suffixes) {
            for (const char* suffix : suffixes) {
                const fs::path path = folder / frame_name(stem, file.frame, suffix);
                if (fs::exists(path)) return path;
            }
            return fs::path();
        };
        s.skin = find(std::string(skin_stem), {".bgeo.sc", ".bgeo", ".geo"});
        s.surface = find("surface", {".bgeo.sc", ".bgeo", ".geo", ".ply", ".obj", ".vdb"});
        s.volume = find("volume", {".vdb"});
        if (s.volume.empty()) s.volume = find("surface", {".vdb"});
    }
    return sources;
}

/// The shades of a mesh's points: those of the nearest particles.
std::vector<std::int64_t> shades_from(const Geometry& particles, const std::vector<Vec3d>& places) {
    const std::vector<std::int64_t> shades = shades_of_points(particles);
    const std::vector<Vec3d> points = read_usd_points(particles, {}).positions;
    std::vector<std::int64_t> result;
    if (shades.empty() || points.empty() || places.empty()) return result;
    for (const std::uint32_t i : nearest_points(points, places)) result.push_back(shades[i]);
    return result;
}

std::vector<UsdPrim> surface_prims(const fs::path& file, const Geometry& particles,
                                   const PrimvarNames& names, const Palette& palette) {
    UsdMesh mesh;
    std::vector<std::int64_t> shades;
    if (has_suffix(file.string(), ".vdb")) {
        mesh = usd_mesh_of(read_vdb_surface(file).mesh);
    } else if (has_suffix(file.string(), ".ply") || has_suffix(file.string(), ".obj")) {
        mesh = usd_mesh_of(read_mesh(file.string()));
    } else {
        const Geometry geometry = read_geometry(file.string());
        mesh = read_usd_mesh(geometry, names);
        if (find_attribute(geometry.point_attributes, "shade") != nullptr)
            shades = shades_of_points(geometry);
    }
    if (shades.empty() && palette.shades.size() > 1) shades = shades_from(particles, mesh.points);
    return split_mesh("surface", mesh, shades, palette);
}

/// Prims of a frame in the order of preference for display: skin, surface, particles.
std::vector<UsdPrim> frame_prims(const Sources& files, const PrimvarNames& names,
                                 const Palette& palette) {
    const Geometry particles = read_geometry(files.particles.string());
    std::vector<UsdPrim> prims;
    const auto add = [&](std::vector<UsdPrim> more) {
        prims.insert(prims.end(), std::make_move_iterator(more.begin()),
                     std::make_move_iterator(more.end()));
    };
    if (!files.skin.empty()) {
        const Geometry skin = read_geometry(files.skin.string());
        add(split_mesh("skin", read_usd_mesh(skin, names), shades_of_points(skin), palette));
    }
    if (!files.surface.empty()) add(surface_prims(files.surface, particles, names, palette));
    add(split_points("particles", read_usd_points(particles, names), shades_of_points(particles),
                     palette));
    return prims;
}

/// Path of a file relative to a layer in `folder`.
std::string relative_to(const fs::path& folder, const fs::path& file) {
    const std::string path =
        fs::relative(fs::absolute(file), fs::absolute(folder)).generic_string();
    return path.rfind("..", 0) == 0 ? path : "./" + path;
}

UsdVolume volume_of(const std::map<int, Sources>& sources, const fs::path& out) {
    static const std::map<std::string, std::string> types{
        {"float", "float"}, {"vec3s", "float3"}, {"int32", "int"}};
    UsdVolume volume;
    std::set<std::string> known;
    for (const auto& [frame, files] : sources) {
        if (files.volume.empty()) continue;
        Box3 box;
        for (const VdbGridInfo& grid : read_vdb_info(files.volume).grids) {
            if (is_finite(grid.bounds)) box = join_boxes(box, grid.bounds);
            const auto type = types.find(grid.type);
            if (type == types.end() || !known.insert(grid.name).second) continue;
            const std::string kind = grid.grid_class == "Level Set"    ? "levelSet"
                                     : grid.grid_class == "Fog Volume" ? "fogVolume"
                                                                       : "";
            volume.grids.push_back({grid.name, type->second, kind});
        }
        volume.files.emplace_back(frame, relative_to(out, files.volume));
        volume.bounds.emplace_back(frame, box);
    }
    return volume;
}

std::vector<UsdCollider> colliders_of(const RunScene& scene, const fs::path& scene_file,
                                      const std::map<int, Sources>& sources, Host& host) {
    const ShapeBuilder builder{scene_file.parent_path(), host};
    std::vector<UsdCollider> colliders;
    std::set<std::string> names;
    for (std::size_t k = 0; k < scene.world.colliders.size(); ++k) {
        const ColliderSpec& spec = scene.common.colliders[k];
        if (!spec.shown) continue;
        UsdCollider collider;
        collider.name = scene.world.colliders[k].name;
        if (!names.insert(collider.name).second) collider.name += fmt::format("_{}", k);
        collider.shape = spec.shape;
        collider.plane = spec.plane;
        const JsonPlace place = JsonPlace{scene_file.string(), ""}.below("colliders").below(k);
        if (!spec.shape.mesh.empty()) collider.mesh = builder.load_mesh(spec.shape, place);
        for (const auto& [frame, files] : sources)
            collider.frames.emplace_back(
                frame, scene.world.colliders[k].motion.at(frame / scene.common.fps));
        colliders.push_back(std::move(collider));
    }
    return colliders;
}

UsdLayout layout_of(const std::string& name) {
    if (name == "samples") return UsdLayout::samples;
    return name == "clips" ? UsdLayout::clips : UsdLayout::by_size;
}

/// Removes the frame layers of an earlier call, which would stay beside the new ones.
void remove_old_clips(const fs::path& out) {
    for (const auto& [frame, path] : list_frames(out, "geometry")) fs::remove(path);
    fs::remove(out / "geometry.manifest.usda");
}

UsdScene describe_scene(const RunScene& scene, const std::map<int, Sources>& sources,
                        const UsdSequence& sequence, const Palette& palette,
                        const PreviewParams& picture) {
    UsdScene usd;
    usd.title = scene.common.title;
    usd.timing = sequence.timing();
    std::vector<FrameFile> shown;
    for (const auto& [frame, files] : sources)
        shown.push_back({frame, files.skin.empty() ? files.particles : files.skin});
    usd.box = bounds_of_run(scene, shown);
    const Camera camera =
        place_camera(scene, usd.box, static_cast<double>(picture.width) / picture.height);
    std::tie(usd.eye, usd.target, usd.fov) = std::tie(camera.eye, camera.target, camera.fov);
    std::tie(usd.width, usd.height) = std::tie(picture.width, picture.height);
    std::tie(usd.sun, usd.sun_width) = std::tie(picture.sun, picture.sun_width);
    if (!scene.has_ground) usd.ground = usd.box.min.y();
    usd.materials = palette.materials;
    usd.groups = sequence.groups();
    return usd;
}

int run_usd(const UsdOptions& options) {
    Console console(options.console_mode());
    const fs::path folder = options.folder;
    const fs::path out = options.out_folder();
    PreviewParams picture;
    if (!options.size.empty()) std::tie(picture.width, picture.height) = parse_size(options.size);
    read_object(picture, write_object(picture), {"usd", ""});
    const std::map<int, Sources> sources = list_sources(folder, options.frames);
    const RunScene scene = load_run_scene(folder, console);
    const Palette palette(scene.shades);

    make_folder(out);
    remove_old_clips(out);
    UsdSequence sequence(out.string(), scene.common.fps, layout_of(options.layout));
    console.begin_frames(sources.begin()->first, sources.rbegin()->first);
    for (const auto& [frame, files] : sources) {
        if (console.interrupted()) return exit_code::interrupted;
        std::vector<UsdPrim> prims = frame_prims(files, options.primvars, palette);
        as_failure([&, frame = frame] { sequence.add(frame, std::move(prims)); });
        console.end_frame(frame, fmt::format("frame {}", frame), {{"frame", frame}});
    }
    return as_failure([&] {
        sequence.finish();
        UsdScene usd = describe_scene(scene, sources, sequence, palette, picture);
        usd.colliders = colliders_of(scene, folder / "scene.json", sources, console);
        usd.volume = volume_of(sources, out);
        std::vector<std::string> skipped;
        const std::string file = (out / "scene.usda").string();
        write_file_atomically(file, format_usd_scene(usd, skipped));
        for (const std::string& name : skipped)
            console.log(Severity::warning,
                        "collider " + name + " has no form in USD and is left out of scene.usda");
        console.finish(fmt::format("done: {} frames as {} in {}", sources.size(),
                                   sequence.clips() ? "value clips" : "time samples", file),
                       {{"frames", sources.size()},
                        {"layout", sequence.clips() ? "clips" : "samples"},
                        {"file", file}});
        return exit_code::ok;
    });
}

} // namespace

void add_usd(CLI::App& app, int& result) {
    auto options = std::make_shared<UsdOptions>();
    CLI::App* command = app.add_subcommand("usd", "Write a run as a USD scene for renderers.");
    add_folder_options(*command, *options);
    command->add_option("--size", options->size,
                        "Size of pictures in pixels, as WIDTHxHEIGHT (default: 960x540).");
    command
        ->add_option("--layout", options->layout,
                     "samples: one layer; clips: one layer per frame; auto (default): by size.")
        ->check(CLI::IsMember({"auto", "samples", "clips"}));
    command
        ->add_option("--primvars", options->primvars,
                     "Attributes to write as primvars, or `all` (default: Cd,temperature,density,"
                     "body,phase,rest,fade).")
        ->delimiter(',');
    command->callback([options, &result] { result = run_usd(*options); });
}

} // namespace nendo::cli
