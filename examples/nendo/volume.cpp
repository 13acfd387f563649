// SPDX-License-Identifier: Apache-2.0
// nendo vdb: writes the surfaces of a run as files for renderers.
#include "command.h"
#include "run/console.h"
#include "run/failure.h"
#include "run/frames.h"
#include "run/particles.h"

#include "core/error.h"
#include "io/geo/geo.h"
#include "io/vdb_file.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <map>
#include <memory>

namespace nendo::cli {

namespace fs = std::filesystem;

namespace {

struct VdbOptions : FolderOptions {
    VolumeOptions volume;
};

/// Reads the temperatures of a frame; none if its method has no temperature.
void read_temperatures(const fs::path& particles, VolumeOptions& options) {
    const Geometry geometry = read_geometry(particles.string());
    const Attribute* temperature = find_attribute(geometry.point_attributes, "temperature");
    options.points.clear();
    options.temperatures.clear();
    if (temperature == nullptr) return;
    options.points = point_vectors(geometry, "P");
    options.temperatures = attribute_numbers(*temperature);
}

int run_vdb(const VdbOptions& options) {
    Console console(options.console_mode());
    const fs::path folder = options.folder;
    const fs::path out = options.out_folder();
    const std::vector<FrameFile> files = find_particles(folder, options.frames);
    VolumeOptions volume = options.volume;
    make_folder(out);
    int count = 0;
    console.begin_frames(files.front().frame, files.back().frame);
    for (const FrameFile& file : files) {
        if (console.interrupted()) return exit_code::interrupted;
        const fs::path surface = folder / frame_name("surface", file.frame, ".vdb");
        if (!fs::exists(surface)) continue;
        read_temperatures(file.path, volume);
        const fs::path path = out / frame_name("volume", file.frame, ".vdb");
        as_failure([&] { write_volume(surface, path, volume); });
        ++count;
        console.end_frame(file.frame, path.string(),
                          {{"frame", file.frame}, {"file", path.string()}});
    }
    if (count == 0)
        throw Error("has no surfaces (surface.*.vdb)", folder.string(),
                    "run nendo surface on it first");
    console.finish(fmt::format("done: {} volumes", count), {{"volumes", count}});
    return exit_code::ok;
}

} // namespace

void add_vdb(CLI::App& app, int& result) {
    auto options = std::make_shared<VdbOptions>();
    CLI::App* command = app.add_subcommand(
        "vdb", "Write surfaces for renderers, with the grids surface, vel, temperature, density.");
    add_folder_options(*command, *options);
    command->get_option("DIR")->description("Folder of a run with surfaces.");
    command->add_flag("--half", options->volume.half, "Store 16 bits per value instead of 32.");
    command->add_flag("--density", options->volume.density,
                      "Also write a fog volume that is 1 inside.");
    command->callback([options, &result] { result = run_vdb(*options); });
}

} // namespace nendo::cli
