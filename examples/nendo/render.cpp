// SPDX-License-Identifier: Apache-2.0
// nendo render: pictures of a run, from one camera, and a contact sheet.
#include "command.h"
#include "preview/preview.h"
#include "run/console.h"
#include "run/frames.h"
#include "run/particles.h"
#include "run/stage.h"

#include "surface/surface.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <tuple>

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

/// What a frame shows: its meshes, or the skin of its particles.
std::vector<Surface> surfaces_of(const Stage& stage, const fs::path& file,
                                 const SurfaceParams& params, const Box3& box) {
    std::vector<Surface> surfaces;
    const std::map<std::int32_t, TriMesh> meshes = read_skins(file.string());
    const double voxel = (box.max - box.min).norm() / 500;
    for (const auto& [body, mesh] : meshes) surfaces.push_back(surface_of_mesh(mesh, body, voxel));
    if (!meshes.empty()) return surfaces;
    const SurfaceInput particles = cut_away(stage, read_shaded(file.string()));
    // What is clear has a surface of its own, so that one sees what is in it.
    for (const bool clear : {false, true}) {
        const SurfaceInput part = pick_particles(particles, [&](std::size_t i) {
            const std::size_t body =
                i < particles.bodies.size() ? std::size_t(std::max(particles.bodies[i], 0)) : 0;
            const Shade& shade = stage.shades[std::min(body, stage.shades.size() - 1)];
            return (shade.look.transmission > 0) == clear;
        });
        if (!part.positions.empty()) surfaces.push_back(surface_particles(part, params));
    }
    return surfaces;
}

int run_render(const RenderOptions& options, Session& session) {
    Console console(options.json ? Talk::json : options.quiet ? Talk::quiet : Talk::normal);
    PreviewParams params = options.preview;
    if (!options.size.empty()) std::tie(params.width, params.height) = parse_size(options.size);
    read_object(params, write_object(params), {"render", ""});
    const fs::path folder = options.folder;
    const fs::path out = options.out.empty() ? folder : fs::path(options.out);
    std::vector<FrameFile> files = find_shown(folder, options.frames);
    const Stage stage = load_stage(folder, console);
    // Of all frames, so that pictures of some, made apart, are as those of all.
    const Box3 box = bounds_of_run(stage, find_shown(folder, ""));
    const Camera camera =
        place_camera(stage, box, static_cast<double>(params.width) / params.height);
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
