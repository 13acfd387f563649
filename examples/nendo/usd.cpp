// SPDX-License-Identifier: Apache-2.0
// nendo usd: a run as a scene for renderers, of the caches and surfaces that are in its folder.
#include "command.h"
#include "run/console.h"
#include "run/frames.h"
#include "run/methods.h"
#include "run/particles.h"
#include "run/stage.h"
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

namespace nendo {

namespace fs = std::filesystem;

namespace {

struct UsdOptions {
    std::string folder;
    std::string out;
    std::string frames;
    std::string size;
    std::string layout = "auto";
    PrimvarNames primvars{"Cd", "temperature", "density", "body", "phase", "rest", "fade"};
    bool json = false;
    bool quiet = false;
};

/// The files of one frame; empty paths where there are none.
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

/// The shades of a mesh's points, from the particles that they are nearest to.
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
    return part_mesh("surface", mesh, shades, palette);
}

/// What is seen first stands first.
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
        add(part_mesh("skin", read_usd_mesh(skin, names), shades_of_points(skin), palette));
    }
    if (!files.surface.empty()) add(surface_prims(files.surface, particles, names, palette));
    add(part_points("particles", read_usd_points(particles, names), shades_of_points(particles),
                    palette));
    return prims;
}

/// As a layer in `folder` names a file.
std::string seen_from(const fs::path& folder, const fs::path& file) {
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
        volume.files.emplace_back(frame, seen_from(out, files.volume));
        volume.bounds.emplace_back(frame, box);
    }
    return volume;
}

std::vector<UsdCollider> colliders_of(const Stage& stage, const fs::path& scene_file,
                                      const std::map<int, Sources>& sources, Host& host) {
    const Workshop workshop{scene_file.parent_path(), host};
    std::vector<UsdCollider> colliders;
    std::set<std::string> names;
    for (std::size_t k = 0; k < stage.world.colliders.size(); ++k) {
        const ColliderSpec& spec = stage.common.colliders[k];
        if (!spec.shown) continue;
        UsdCollider collider;
        collider.name = stage.world.colliders[k].name;
        if (!names.insert(collider.name).second) collider.name += fmt::format("_{}", k);
        collider.shape = spec.shape;
        collider.plane = spec.plane;
        const JsonPlace place = JsonPlace{scene_file.string(), ""}.below("colliders").below(k);
        if (!spec.shape.mesh.empty()) collider.mesh = workshop.load_mesh(spec.shape, place);
        for (const auto& [frame, files] : sources)
            collider.frames.emplace_back(
                frame, stage.world.colliders[k].motion.at(frame / stage.common.fps));
        colliders.push_back(std::move(collider));
    }
    return colliders;
}

UsdLayout layout_of(const std::string& name) {
    if (name == "samples") return UsdLayout::samples;
    return name == "clips" ? UsdLayout::clips : UsdLayout::by_size;
}

/// Frame layers of an earlier run of this command would stay beside the new ones.
void remove_old_clips(const fs::path& out) {
    for (const auto& [frame, path] : list_frames(out, "geometry")) fs::remove(path);
    fs::remove(out / "geometry.manifest.usda");
}

int run_usd(const UsdOptions& options, Session& session) {
    Console console(options.json ? Talk::json : options.quiet ? Talk::quiet : Talk::normal);
    const fs::path folder = options.folder;
    const fs::path out = options.out.empty() ? folder : fs::path(options.out);
    PreviewParams picture;
    if (!options.size.empty()) std::tie(picture.width, picture.height) = parse_size(options.size);
    read_object(picture, write_object(picture), {"usd", ""});
    const std::map<int, Sources> sources = list_sources(folder, options.frames);
    const Stage stage = load_stage(folder, console);
    const Palette palette(stage.shades);

    make_folder(out);
    remove_old_clips(out);
    UsdSequence sequence(out.string(), stage.common.fps, layout_of(options.layout));
    console.begin_frames(sources.begin()->first, sources.rbegin()->first);
    for (const auto& [frame, files] : sources) {
        if (console.interrupted()) return exit_code::interrupted;
        session.error_code = exit_code::bad_input;
        std::vector<UsdPrim> prims = frame_prims(files, options.primvars, palette);
        session.error_code = exit_code::failure;
        sequence.add(frame, std::move(prims));
        console.end_frame(frame, fmt::format("frame {}", frame), {{"frame", frame}});
    }
    sequence.finish();

    UsdScene scene;
    scene.title = stage.common.title;
    scene.timing = sequence.timing();
    std::vector<FrameFile> seen;
    for (const auto& [frame, files] : sources)
        seen.push_back({frame, files.skin.empty() ? files.particles : files.skin});
    scene.box = bounds_of_run(stage, seen);
    const Camera camera =
        place_camera(stage, scene.box, static_cast<double>(picture.width) / picture.height);
    std::tie(scene.eye, scene.target, scene.fov) = std::tie(camera.eye, camera.target, camera.fov);
    std::tie(scene.width, scene.height) = std::tie(picture.width, picture.height);
    std::tie(scene.sun, scene.sun_width) = std::tie(picture.sun, picture.sun_width);
    if (!stage.has_ground) scene.ground = scene.box.min.y();
    scene.materials = palette.materials;
    scene.colliders = colliders_of(stage, folder / "scene.json", sources, console);
    scene.volume = volume_of(sources, out);
    scene.groups = sequence.groups();
    std::vector<std::string> skipped;
    write_file_atomically((out / "scene.usda").string(), format_usd_scene(scene, skipped));
    for (const std::string& name : skipped)
        console.log(Severity::warning,
                    "collider " + name + " has no form in USD and is left out of scene.usda");
    console.finish(fmt::format("done: {} frames as {} in {}", sources.size(),
                               sequence.clips() ? "value clips" : "time samples",
                               (out / "scene.usda").string()),
                   {{"frames", sources.size()},
                    {"layout", sequence.clips() ? "clips" : "samples"},
                    {"file", (out / "scene.usda").string()}});
    return exit_code::ok;
}

} // namespace

void add_usd(CLI::App& app, Session& session) {
    auto options = std::make_shared<UsdOptions>();
    CLI::App* command = app.add_subcommand("usd", "Write a run as a USD scene for renderers");
    command->add_option("DIR", options->folder, "A run's folder")->required();
    command->add_option("--out", options->out, "Folder for the layers (default: DIR)");
    command->add_option("--frames", options->frames, "A-B (default: all)");
    command->add_option("--size", options->size,
                        "WIDTHxHEIGHT of pictures in pixels (default: 960x540)");
    command
        ->add_option("--layout", options->layout,
                     "samples: one layer; clips: a layer a frame; auto (default): by size")
        ->check(CLI::IsMember({"auto", "samples", "clips"}));
    command
        ->add_option("--primvars", options->primvars,
                     "Attributes that become primvars, or all (default: Cd,temperature,density,"
                     "body,phase,rest,fade)")
        ->delimiter(',');
    command->add_flag("--json", options->json, "Progress as one JSON object a line");
    command->add_flag("--quiet", options->quiet, "Warnings and errors only");
    command->callback([options, &session] { session.result = run_usd(*options, session); });
}

} // namespace nendo
