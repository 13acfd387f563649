// nendo render: pictures of a run, from one camera, and a contact sheet.
#include "command.h"
#include "console.h"
#include "frames.h"
#include "particles.h"
#include "preview.h"

#include "geometry/surface.h"
#include "io/scenes.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>

namespace nendo {

namespace fs = std::filesystem;

namespace {

struct RenderOptions {
    std::string folder;
    std::string out;
    std::string frames;
    std::string size;
    int sheet = 0;
    bool only_sheet = false;
    PreviewParams preview;
    SurfaceParams surface;
    bool json = false;
    bool quiet = false;
};

/// Sets width and height from "960x540".
void parse_size(const std::string& text, PreviewParams& params) {
    int width = 0, height = 0;
    char end = 0;
    if (std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &end) != 2)
        throw Error("is not a size in pixels", "--size " + text, "write it as --size 960x540");
    params.width = width;
    params.height = height;
}

/// `count` of the files, from the first to the last, evenly.
std::set<int> pick_frames(const std::vector<FrameFile>& files, int count) {
    std::set<int> picked;
    const double last = static_cast<double>(files.size()) - 1;
    for (int k = 0; k < count; ++k) {
        const double at = count > 1 ? last * k / (count - 1) : last;
        picked.insert(files[static_cast<std::size_t>(std::lround(at))].frame);
    }
    return picked;
}

/// The run's scene: what is drawn beside the particles.
struct Stage {
    SceneCommon common;
    Scene world;
    std::vector<Vec3d> colors;
    bool has_ground = false;
};

/// The colour of each shade: of each body, or of what is solid and what is liquid of each.
template <class Spec> std::vector<Vec3d> shade_colors(const Spec& spec) {
    std::vector<Vec3d> colors;
    for (const auto& color : body_colors(spec.bodies))
        colors.push_back(color.value_or(default_color(colors.size())));
    return colors;
}
std::vector<Vec3d> shade_colors(const melt::SceneSpec& spec) {
    std::vector<Vec3d> colors;
    for (const melt::BodySpec& body : spec.bodies)
        for (int k = 0; k < body.place.count(); ++k) {
            const Vec3d solid = body.place.color.value_or(default_color(colors.size() / 2));
            colors.push_back(solid);
            colors.push_back(body.liquid_color.value_or(solid));
        }
    return colors;
}

Stage load_stage(const fs::path& folder, Host& host) {
    const fs::path file = folder / "scene.json";
    if (!fs::exists(file))
        throw Error("has no scene.json", folder.string(), "run nendo sim into it first");
    Stage stage;
    with_scene(load_scene_json(file), file.string(), [&](const auto& spec) {
        stage.common = spec.common;
        stage.world = build_world(spec.common, collider_spacing(spec), file, host);
        stage.colors = shade_colors(spec);
    });
    for (std::size_t k = 0; k < stage.world.colliders.size(); ++k)
        stage.has_ground =
            stage.has_ground || (stage.common.colliders[k].shown &&
                                 !is_finite(stage.world.colliders[k].shape->bounds()));
    return stage;
}

PreviewScene colliders_at(const Stage& stage, int frame) {
    PreviewScene scene;
    scene.colors = stage.colors;
    for (std::size_t k = 0; k < stage.world.colliders.size(); ++k) {
        if (!stage.common.colliders[k].shown) continue;
        const Collider& collider = stage.world.colliders[k];
        PreviewCollider drawn;
        drawn.shape = collider.shape;
        drawn.pose = collider.motion.at(frame / stage.common.fps);
        scene.colliders.push_back(std::move(drawn));
    }
    return scene;
}

/// The particles of a frame that the camera's section leaves.
SurfaceInput cut_away(const Stage& stage, SurfaceInput all) {
    if (!stage.common.camera || !stage.common.camera->section) return all;
    const PlaneShape& plane = *stage.common.camera->section;
    SurfaceInput left;
    left.spacing = all.spacing;
    for (std::size_t i = 0; i < all.positions.size(); ++i) {
        const bool cut = i < all.groups.size() && all.groups[i] == 0;
        if (cut && plane.normal.dot(all.positions[i] - plane.point) > 0) continue;
        left.positions.push_back(all.positions[i]);
        if (i < all.velocities.size()) left.velocities.push_back(all.velocities[i]);
        if (i < all.bodies.size()) left.bodies.push_back(all.bodies[i]);
        if (i < all.groups.size()) left.groups.push_back(all.groups[i]);
    }
    return left;
}

/// All that any of the frames shows.
Box3 bounds_of_run(const Stage& stage, const std::vector<FrameFile>& files) {
    Box3 box;
    for (const FrameFile& file : files) {
        const SurfaceInput particles = cut_away(stage, read_shown(file.path.string()));
        const Vec3d margin = Vec3d::Constant(particles.spacing);
        for (const Vec3d& x : particles.positions) {
            box.min = box.min.cwiseMin(x - margin);
            box.max = box.max.cwiseMax(x + margin);
        }
        box = join_boxes(box, scene_bounds(colliders_at(stage, file.frame)));
    }
    if (!is_finite(box)) box = {Vec3d(-1, 0, -1), Vec3d(1, 2, 1)};
    return box;
}

/// What a frame shows: its meshes, or the skin of its particles.
std::vector<Surface> surfaces_of(const Stage& stage, const fs::path& file,
                                 const SurfaceParams& params, const Box3& box) {
    std::vector<Surface> surfaces;
    const std::map<std::int32_t, TriMesh> meshes = read_skins(file.string());
    const double voxel = (box.max - box.min).norm() / 500;
    for (const auto& [body, mesh] : meshes) surfaces.push_back(surface_of_mesh(mesh, body, voxel));
    if (!meshes.empty()) return surfaces;
    const SurfaceInput particles = cut_away(stage, read_shaded(file.string()));
    if (!particles.positions.empty()) surfaces.push_back(surface_particles(particles, params));
    return surfaces;
}

Camera place_camera(const Stage& stage, const Box3& box, const PreviewParams& params) {
    if (const auto& given = stage.common.camera) return {given->eye, given->target, given->fov};
    return frame_box(box, static_cast<double>(params.width) / params.height);
}

int run_render(const RenderOptions& options, Session& session) {
    Console console(options.json ? Talk::json : options.quiet ? Talk::quiet : Talk::normal);
    PreviewParams params = options.preview;
    if (!options.size.empty()) parse_size(options.size, params);
    read_object(params, write_object(params), {"render", ""});
    const fs::path folder = options.folder;
    const fs::path out = options.out.empty() ? folder : fs::path(options.out);
    std::vector<FrameFile> files = find_shown(folder, options.frames);
    const Stage stage = load_stage(folder, console);
    // Of all frames, so that pictures of some, made apart, are as those of all.
    const Box3 box = bounds_of_run(stage, find_shown(folder, ""));
    const Camera camera = place_camera(stage, box, params);
    const std::set<int> on_sheet = pick_frames(files, options.sheet);
    if (options.only_sheet)
        files.erase(
            std::remove_if(files.begin(), files.end(),
                           [&](const FrameFile& f) { return on_sheet.count(f.frame) == 0; }),
            files.end());

    std::vector<Image> images;
    std::vector<std::string> labels;
    session.error_code = exit_code::failure;
    make_folder(out);
    console.begin_frames(files.front().frame, files.back().frame);
    for (const FrameFile& file : files) {
        if (console.interrupted()) return exit_code::interrupted;
        session.error_code = exit_code::bad_input;
        const std::vector<Surface> surfaces = surfaces_of(stage, file.path, options.surface, box);
        session.error_code = exit_code::failure;
        PreviewScene scene = colliders_at(stage, file.frame);
        if (!stage.has_ground) scene.ground = box.min.y();
        for (const Surface& surface : surfaces) scene.surfaces.push_back(&surface);
        const Image image = render_preview(scene, camera, params);
        const fs::path path = out / frame_name("render", file.frame, ".png");
        write_png(path, image);
        if (on_sheet.count(file.frame) > 0) {
            images.push_back(image);
            labels.push_back(std::to_string(file.frame));
        }
        console.end_frame(file.frame, path.string(),
                          {{"frame", file.frame}, {"file", path.string()}});
    }
    if (!images.empty()) {
        const int columns = std::min(4, static_cast<int>(images.size()));
        const int cell_width = std::min(480, params.width);
        write_png(out / "sheet.png", contact_sheet(images, columns, labels, cell_width));
    }
    console.finish(fmt::format("done: {} pictures in {}", files.size(), out.string()),
                   {{"pictures", files.size()}});
    return exit_code::ok;
}

} // namespace

void add_render(CLI::App& app, Session& session) {
    auto options = std::make_shared<RenderOptions>();
    CLI::App* command = app.add_subcommand("render", "Make pictures of a run");
    command->add_option("DIR", options->folder, "A run's folder")->required();
    command->add_option("--out", options->out, "Folder for the pictures (default: DIR)");
    command->add_option("--frames", options->frames, "A-B (default: all)");
    command->add_option("--size", options->size, "WIDTHxHEIGHT in pixels (default: 960x540)");
    auto* sheet = command
                      ->add_option("--sheet", options->sheet,
                                   "Write sheet.png with this many of the frames side by side")
                      ->check(CLI::Range(1, 1000));
    command->add_flag("--only-sheet", options->only_sheet, "Render the sheet's frames only")
        ->needs(sheet);
    command->add_option("--samples", options->preview.samples,
                        "Rays a pixel, along each side of it (1 to 8)");
    command->add_flag("--json", options->json, "Progress as one JSON object a line");
    command->add_flag("--quiet", options->quiet, "Warnings and errors only");
    command->callback([options, &session] { session.result = run_render(*options, session); });
}

} // namespace nendo
