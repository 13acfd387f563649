// SPDX-License-Identifier: Apache-2.0
// nendo render: makes pictures of a run from one camera, and a contact sheet.
#include "command.h"
#include "preview/preview.h"
#include "run/console.h"
#include "run/failure.h"
#include "run/frames.h"
#include "run/particles.h"
#include "run/run_scene.h"
#include "run/surfaces.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <tuple>

namespace nendo::cli {

namespace fs = std::filesystem;

namespace {

struct RenderOptions : FolderOptions {
    std::string size;
    int sheet = 0;
    bool only_sheet = false;
    PreviewParams preview;
};

/// Frames of `count` files, evenly spaced from the first to the last.
std::set<int> pick_frames(const std::vector<FrameFile>& files, int count) {
    std::set<int> picked;
    const double last = static_cast<double>(files.size()) - 1;
    for (int k = 0; k < count; ++k) {
        const double at = count > 1 ? last * k / (count - 1) : last;
        picked.insert(files[static_cast<std::size_t>(std::lround(at))].frame);
    }
    return picked;
}

int run_render(const RenderOptions& options) {
    Console console(options.console_mode());
    PreviewParams params = options.preview;
    if (!options.size.empty()) std::tie(params.width, params.height) = parse_size(options.size);
    read_object(params, write_object(params), {"render", ""});
    const fs::path out = options.out_folder();
    std::vector<FrameFile> files = find_drawn(options.folder, options.frames);
    const RunScene scene = load_run_scene(options.folder, console);
    // The box of all frames, so that the camera is the same whichever frames are rendered.
    const Box3 box = bounds_of_run(scene, find_drawn(options.folder, ""));
    const Camera camera =
        place_camera(scene, box, static_cast<double>(params.width) / params.height);
    const std::set<int> on_sheet = pick_frames(files, options.sheet);
    if (options.only_sheet)
        files.erase(
            std::remove_if(files.begin(), files.end(),
                           [&](const FrameFile& f) { return on_sheet.count(f.frame) == 0; }),
            files.end());

    std::vector<Image> images;
    std::vector<std::string> labels;
    as_failure([&] { make_folder(out); });
    console.begin_frames(files.front().frame, files.back().frame);
    for (const FrameFile& file : files) {
        if (console.interrupted()) return exit_code::interrupted;
        const std::vector<Surface> surfaces = surfaces_of_frame(scene, file, box);
        PreviewScene picture = colliders_at(scene, file.frame);
        if (!scene.has_ground) picture.ground = box.min.y();
        for (const Surface& surface : surfaces) picture.surfaces.push_back(&surface);
        const Image image = render_preview(picture, camera, params);
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

void add_render(CLI::App& app, int& result) {
    auto options = std::make_shared<RenderOptions>();
    CLI::App* command = app.add_subcommand(
        "render", "Make pictures of a run, from its surfaces if nendo surface has made them.");
    add_folder_options(*command, *options);
    command->add_option("--size", options->size,
                        "Size of the pictures in pixels, as WIDTHxHEIGHT (default: 960x540).");
    auto* sheet =
        command
            ->add_option("--sheet", options->sheet,
                         "Also write sheet.png, with this many of the frames side by side.")
            ->check(CLI::Range(1, 1000));
    command->add_flag("--only-sheet", options->only_sheet, "Render only the frames of the sheet.")
        ->needs(sheet);
    command->add_option("--samples", options->preview.samples,
                        "Rays per pixel along each of its sides, 1 to 8 (default: 2).");
    command->callback([options, &result] { result = run_render(*options); });
}

} // namespace nendo::cli
