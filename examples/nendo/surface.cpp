// SPDX-License-Identifier: Apache-2.0
// nendo surface: reads particles; writes level sets and meshes.
#include "command.h"
#include "run/console.h"
#include "run/failure.h"
#include "run/frames.h"
#include "run/methods.h"
#include "run/particles.h"
#include "run/rest_mesh.h"
#include "run/run_scene.h"
#include "run/surfaces.h"

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

namespace nendo::cli {

namespace fs = std::filesystem;

namespace {

struct SurfaceOptions : CommonOptions {
    std::vector<std::string> inputs;
    std::string mesh;
    double spacing = 0;
    RestOptions rest;
    SurfaceParams params;
    bool section = false;
};

std::vector<FrameFile> list_inputs(const SurfaceOptions& options) {
    std::vector<FrameFile> files;
    for (const fs::path input : options.inputs) {
        if (fs::is_directory(input)) {
            const auto found = find_particles(input, options.frames);
            files.insert(files.end(), found.begin(), found.end());
        } else {
            files.push_back({frame_of_particles(input), input});
        }
    }
    return files;
}

/// "masters.0007.bgeo.sc" becomes "surface.0007" (for stem "surface"), "drop.bgeo" becomes "drop".
std::string surface_stem(const FrameFile& file, std::string_view stem) {
    if (file.frame >= 0) return frame_name(std::string(stem), file.frame, "");
    const std::string name = file.path.filename().string();
    return name.substr(0, name.find('.')) + (stem == skin_stem ? ".skin" : "");
}

/// The scene whose section cuts the particles, if --section is given.
std::optional<RunScene> read_scene_of_section(const SurfaceOptions& options, Host& host) {
    if (!options.section) return {};
    const fs::path input = options.inputs.front();
    return load_run_scene(fs::is_directory(input) ? input : input.parent_path(), host);
}

/// The mesh at rest, if one is given. The run's first frame is at rest unless --rest names another.
std::optional<RestMesh> read_rest(const SurfaceOptions& options) {
    if (!options.rest.any()) return {};
    fs::path first;
    for (const fs::path input : options.inputs)
        if (first.empty() && fs::is_directory(input)) first = find_particles(input, "")[0].path;
    return RestMesh(options.rest, first, options.spacing);
}

/// The attributes of the mesh, including `body`.
PointAttributes attributes_of(const Surface& surface) {
    PointAttributes attributes = surface.attributes;
    std::vector<std::int64_t> bodies(surface.bodies.begin(), surface.bodies.end());
    attributes.push_back({"body", 1, Meaning::value, std::move(bodies)});
    return attributes;
}

/// The files of a command that become surfaces, one at a time.
class Surfacing {
public:
    Surfacing(const SurfaceOptions& options, Console& console)
        : m_options(options), m_console(console), m_rest(read_rest(options)),
          m_scene(read_scene_of_section(options, console)) {}

    SurfaceInput read(const FrameFile& file) {
        SurfaceInput particles = read_particles(file.path.string(), m_options.spacing);
        if (m_scene) particles = apply_section(*m_scene, std::move(particles));
        if (m_rest && !particles.positions.empty())
            m_rest->set_rest_positions(particles, m_console);
        return particles;
    }

    /// `number` counts the files from 1.
    void write(const FrameFile& file, const SurfaceInput& particles, int number) {
        Surface surface = surface_particles(particles, m_options.params);
        if (m_rest) m_rest->texture(surface);
        const fs::path folder =
            m_options.out.empty() ? file.path.parent_path() : fs::path(m_options.out);
        if (!folder.empty()) make_folder(folder);
        const std::string path = (folder / surface_stem(file, surface_file_stem)).string();
        VdbMetadata notes{{"source", file.path.filename().string()}};
        if (m_scene) notes.emplace_back(section_key, section_text(*m_scene));
        write_vdb(path + ".vdb", surface, notes);
        if (!m_options.mesh.empty())
            write_mesh(path + "." + m_options.mesh, surface.mesh, attributes_of(surface));
        if (m_rest) write_skin(folder, file, particles, surface);
        m_console.end_frame(number,
                            fmt::format("{}.vdb, {} triangles, {:.4g} m^3", path,
                                        surface.mesh.triangles.size(), surface.volume),
                            {{"frame", file.frame},
                             {"file", path + ".vdb"},
                             {"triangles", surface.mesh.triangles.size()},
                             {"volume", surface.volume},
                             {"area", surface.area}});
    }

private:
    void write_skin(const fs::path& folder, const FrameFile& file, const SurfaceInput& particles,
                    const Surface& surface) const {
        const auto skin = m_rest->add_skin(particles, m_options.params, surface);
        const std::string format = m_options.mesh.empty() ? "bgeo.sc" : m_options.mesh;
        if (skin)
            write_mesh((folder / surface_stem(file, skin_stem)).string() + "." + format, skin->mesh,
                       attributes_of(*skin));
    }

    const SurfaceOptions& m_options;
    Console& m_console;
    std::optional<RestMesh> m_rest;
    std::optional<RunScene> m_scene;
};

int run_surface(const SurfaceOptions& options) {
    Console console(options.console_mode());
    SurfaceParams checked;
    read_object(checked, write_object(options.params), {"surface", ""});
    const std::vector<FrameFile> files = list_inputs(options);
    Surfacing surfacing(options, console);
    const int last = static_cast<int>(files.size());
    console.begin_frames(1, last);
    for (int i = 1; i <= last; ++i) {
        if (console.interrupted()) return exit_code::interrupted;
        const FrameFile& file = files[static_cast<std::size_t>(i - 1)];
        const SurfaceInput particles = surfacing.read(file);
        if (particles.positions.empty())
            console.log(Severity::info, file.path.string() + " has no particles: no surface");
        else
            as_failure([&] { surfacing.write(file, particles, i); });
    }
    console.finish(fmt::format("done: {} surfaces", last), {{"surfaces", last}});
    return exit_code::ok;
}

} // namespace

void add_surface(CLI::App& app, int& result) {
    auto options = std::make_shared<SurfaceOptions>();
    CLI::App* command = app.add_subcommand("surface", "Turn particles into level sets and meshes.");
    command->add_option("INPUT", options->inputs, "Folder of a run, or geometry files.")
        ->required();
    add_common_options(*command, *options);
    command->get_option("--out")->description(
        "Folder for the results (default: beside the input).");
    command->add_option("--mesh", options->mesh, "Also write a mesh in this format.")
        ->check(CLI::IsMember({"bgeo.sc", "bgeo", "geo", "ply", "obj"}));
    command->add_option("--skin", options->rest.skin,
                        "Mesh (.obj or .ply) around the particles at rest. The particles carry it; "
                        "it is written as skin.*, tears where they tear, and gives way to the "
                        "surface where they melt.");
    command->add_option("--uv", options->rest.uv,
                        "Mesh at rest with UVs (.obj or .ply). Each point of the surface gets the "
                        "UV of the closest point at rest (default: the mesh of --skin).");
    command->add_option("--rest", options->rest.rest,
                        "Particles at rest, with ids (default: the run's first frame). Surfaces "
                        "get the attribute `rest`.");
    command->add_flag("--section", options->section,
                      "Leave out the particles that the section of the scene's camera cuts away, "
                      "as pictures do.");
    command->add_option("--spacing", options->spacing,
                        "Spacing of the particles [m] (default: twice their pscale).");
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
            const std::string unit = f.unit_ == "1" ? "" : fmt::format(" [{}]", f.unit_);
            command->add_option(name, member, std::string(f.help_) + unit);
        }
    });
    command->callback([options, &result] { result = run_surface(*options); });
}

} // namespace nendo::cli
