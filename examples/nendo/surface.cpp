// SPDX-License-Identifier: Apache-2.0
// nendo surface: particles in; level sets and meshes out.
#include "command.h"
#include "run/console.h"
#include "run/frames.h"
#include "run/methods.h"
#include "run/particles.h"
#include "run/rest_mesh.h"
#include "run/stage.h"

#include "io/mesh/mesh_file.h"
#include "io/vdb_file.h"
#include "surface/surface.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <map>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace nendo {

namespace fs = std::filesystem;

namespace {

struct SurfaceOptions {
    std::vector<std::string> inputs;
    std::string out;
    std::string frames;
    std::string mesh;
    double spacing = 0;
    RestOptions rest;
    SurfaceParams params;
    bool section = false;
    bool json = false;
    bool quiet = false;
};

std::vector<FrameFile> list_inputs(const SurfaceOptions& options) {
    std::vector<FrameFile> files;
    for (const fs::path input : options.inputs) {
        if (fs::is_directory(input)) {
            const auto found = find_particles(input, options.frames);
            files.insert(files.end(), found.begin(), found.end());
        } else {
            files.push_back({shown_frame(input), input});
        }
    }
    return files;
}

/// "masters.0007.bgeo.sc" becomes "surface.0007" or what `stem` is, "drop.bgeo" becomes "drop".
std::string surface_stem(const FrameFile& file, std::string_view stem) {
    if (file.frame >= 0) return frame_name(std::string(stem), file.frame, "");
    const std::string name = file.path.filename().string();
    return name.substr(0, name.find('.')) + (stem == skin_stem ? ".skin" : "");
}

/// The scene whose section cuts the matter, when that is asked for.
std::optional<Stage> read_stage(const SurfaceOptions& options, Host& host) {
    if (!options.section) return {};
    const fs::path input = options.inputs.front();
    return load_stage(fs::is_directory(input) ? input : input.parent_path(), host);
}

/// The mesh at rest that is asked for; the run's first frame is at rest unless another is given.
std::optional<RestMesh> read_rest(const SurfaceOptions& options) {
    if (!options.rest.any()) return {};
    fs::path first;
    for (const fs::path input : options.inputs)
        if (first.empty() && fs::is_directory(input)) first = find_particles(input, "")[0].path;
    return RestMesh(options.rest, first, options.spacing);
}

/// The attributes of the mesh, its bodies among them.
PointAttributes attributes_of(const Surface& surface) {
    PointAttributes attributes = surface.attributes;
    std::vector<std::int64_t> bodies(surface.bodies.begin(), surface.bodies.end());
    attributes.push_back({"body", 1, Meaning::value, std::move(bodies)});
    return attributes;
}

int run_surface(const SurfaceOptions& options, Session& session) {
    Console console(options.json ? Talk::json : options.quiet ? Talk::quiet : Talk::normal);
    SurfaceParams params;
    read_object(params, write_object(options.params), {"surface", ""});
    const std::vector<FrameFile> files = list_inputs(options);
    session.error_code = exit_code::bad_input;
    std::optional<RestMesh> rest = read_rest(options);
    const std::optional<Stage> stage = read_stage(options, console);
    const int last = static_cast<int>(files.size());
    console.begin_frames(1, last);
    for (int i = 1; i <= last; ++i) {
        if (console.interrupted()) return exit_code::interrupted;
        const FrameFile& file = files[static_cast<std::size_t>(i - 1)];
        session.error_code = exit_code::bad_input;
        SurfaceInput particles = read_particles(file.path.string(), options.spacing);
        if (stage) particles = cut_away(*stage, std::move(particles));
        if (particles.positions.empty()) {
            console.log(Severity::info, file.path.string() + " has no particles: no surface");
            continue;
        }
        if (rest) rest->set_places(particles, console);
        Surface surface = surface_particles(particles, params);
        if (rest) rest->texture(surface);
        session.error_code = exit_code::failure;
        const fs::path folder =
            options.out.empty() ? file.path.parent_path() : fs::path(options.out);
        if (!folder.empty()) make_folder(folder);
        const std::string path = (folder / surface_stem(file, "surface")).string();
        write_vdb(path + ".vdb", surface, {{"source", file.path.filename().string()}});
        if (!options.mesh.empty())
            write_mesh(path + "." + options.mesh, surface.mesh, attributes_of(surface));
        if (rest)
            if (const auto skin = rest->dress_surface(particles, params, surface))
                write_mesh((folder / surface_stem(file, skin_stem)).string() + "." +
                               (options.mesh.empty() ? "bgeo.sc" : options.mesh),
                           skin->mesh, attributes_of(*skin));
        console.end_frame(i,
                          fmt::format("{}.vdb, {} triangles, {:.4g} m^3", path,
                                      surface.mesh.triangles.size(), surface.volume),
                          {{"frame", file.frame},
                           {"file", path + ".vdb"},
                           {"triangles", surface.mesh.triangles.size()},
                           {"volume", surface.volume},
                           {"area", surface.area}});
    }
    console.finish(fmt::format("done: {} surfaces", last), {{"surfaces", last}});
    return exit_code::ok;
}

} // namespace

void add_surface(CLI::App& app, Session& session) {
    auto options = std::make_shared<SurfaceOptions>();
    CLI::App* command = app.add_subcommand("surface", "Make level sets and meshes of particles");
    command->add_option("INPUT", options->inputs, "A run's folder, or geometry files")->required();
    command->add_option("--out", options->out,
                        "Folder for the results (default: beside the input)");
    command->add_option("--frames", options->frames, "A-B of a folder (default: all)");
    command->add_option("--mesh", options->mesh, "Write a mesh too: bgeo.sc, ply or obj")
        ->check(CLI::IsMember({"bgeo.sc", "bgeo", "geo", "ply", "obj"}));
    command->add_option("--skin", options->rest.skin,
                        "An artist's mesh (.obj or .ply) around the particles at rest: carried by "
                        "them and written as skin.*, torn where they tear, and gone over into the "
                        "surface where they melt");
    command->add_option("--uv", options->rest.uv,
                        "A mesh at rest with UVs (.obj or .ply): the surface has those of the "
                        "closest rest point (default: those of --skin)");
    command->add_option("--rest", options->rest.rest,
                        "Particles at rest, with ids (default: the run's first frame); surfaces "
                        "get the attribute rest");
    command->add_flag("--section", options->section,
                      "Leave out what the section of the scene's camera cuts away, as pictures do");
    command->add_option("--spacing", options->spacing,
                        "Spacing of the particles [m] (default: twice their pscale)");
    for_each_field(options->params, [&](auto& member, const Field& f) {
        const std::string name = "--" + std::string(f.name_);
        using Chosen = std::decay_t<decltype(member)>;
        if constexpr (std::is_enum_v<Chosen>) {
            std::map<std::string, Chosen> choices;
            for (std::size_t k = 0; k < f.choices_.size(); ++k)
                choices.emplace(f.choices_[k], static_cast<Chosen>(k));
            command->add_option(name, member, std::string(f.help_))
                ->transform(CLI::CheckedTransformer(choices));
        } else {
            command->add_option(name, member, fmt::format("{} [{}]", f.help_, f.unit_));
        }
    });
    command->add_flag("--json", options->json, "Progress as one JSON object a line");
    command->add_flag("--quiet", options->quiet, "Warnings and errors only");
    command->callback([options, &session] { session.result = run_surface(*options, session); });
}

} // namespace nendo
