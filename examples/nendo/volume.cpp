// SPDX-License-Identifier: Apache-2.0
// nendo vdb: the surfaces of a run as files for renderers.
#include "command.h"
#include "run/console.h"
#include "run/frames.h"
#include "run/particles.h"

#include "core/error.h"
#include "io/geo/geo.h"
#include "io/vdb_file.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <map>
#include <memory>

namespace nendo {

namespace fs = std::filesystem;

namespace {

struct VdbOptions {
    std::string folder;
    std::string out;
    std::string frames;
    VolumeOptions volume;
    bool json = false;
    bool quiet = false;
};

/// The temperatures of a frame, where its method knows any.
void take_temperatures(const fs::path& particles, VolumeOptions& options) {
    const Geometry geometry = read_geometry(particles.string());
    const Attribute* place = find_attribute(geometry.point_attributes, "P");
    const Attribute* warmth = find_attribute(geometry.point_attributes, "temperature");
    options.points.clear();
    options.temperatures.clear();
    if (place == nullptr || warmth == nullptr) return;
    const std::vector<double> numbers = attribute_numbers(*place);
    for (std::size_t i = 0; i + 2 < numbers.size(); i += 3)
        options.points.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2]);
    options.temperatures = attribute_numbers(*warmth);
}

int run_vdb(const VdbOptions& options, Session& session) {
    Console console(options.json ? Talk::json : options.quiet ? Talk::quiet : Talk::normal);
    const fs::path folder = options.folder;
    const fs::path out = options.out.empty() ? folder : fs::path(options.out);
    const std::vector<FrameFile> files = find_particles(folder, options.frames);
    VolumeOptions volume = options.volume;
    make_folder(out);
    int count = 0;
    console.begin_frames(files.front().frame, files.back().frame);
    for (const FrameFile& file : files) {
        if (console.interrupted()) return exit_code::interrupted;
        const fs::path surface = folder / frame_name("surface", file.frame, ".vdb");
        if (!fs::exists(surface)) continue;
        session.error_code = exit_code::bad_input;
        take_temperatures(file.path, volume);
        session.error_code = exit_code::failure;
        const fs::path path = out / frame_name("volume", file.frame, ".vdb");
        write_volume(surface, path, volume);
        ++count;
        console.end_frame(file.frame, path.string(),
                          {{"frame", file.frame}, {"file", path.string()}});
    }
    session.error_code = exit_code::bad_input;
    if (count == 0)
        throw Error("has no surfaces (surface.*.vdb)", folder.string(),
                    "run nendo surface on it first");
    console.finish(fmt::format("done: {} volumes", count), {{"volumes", count}});
    return exit_code::ok;
}

} // namespace

void add_vdb(CLI::App& app, Session& session) {
    auto options = std::make_shared<VdbOptions>();
    CLI::App* command = app.add_subcommand(
        "vdb", "Write surfaces for renderers: grids surface, vel, temperature, density");
    command->add_option("DIR", options->folder, "A run's folder, with surfaces")->required();
    command->add_option("--out", options->out, "Folder for the files (default: DIR)");
    command->add_option("--frames", options->frames, "A-B (default: all)");
    command->add_flag("--half", options->volume.half, "16 bits a value instead of 32");
    command->add_flag("--density", options->volume.density, "A fog volume too, 1 inside");
    command->add_flag("--json", options->json, "Progress as one JSON object a line");
    command->add_flag("--quiet", options->quiet, "Warnings and errors only");
    command->callback([options, &session] { session.result = run_vdb(*options, session); });
}

} // namespace nendo
