// nendo scene: the schema of scene files, the materials, and whether a file is right.
#include "command.h"
#include "console.h"
#include "methods.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <iostream>
#include <memory>

namespace nendo {

namespace {

struct SceneOptions {
    std::string file;
    std::vector<std::string> set;
    bool schema = false;
    bool presets = false;
    bool check = false;
};

void print_presets() {
    std::cout << fmt::format("{:10} {:>8} {:>9} {:>8} {:>9} {:>9} {:>9}  {}\n", "preset", "density",
                             "young", "poisson", "stretch", "compress", "hardening", "source");
    for (const auto& p : elastoplastic::presets()) {
        const auto& m = p.material;
        std::cout << fmt::format("{:10} {:8} {:9.2g} {:8} {:9} {:9} {:9}  {}\n", p.name, m.density,
                                 m.young, m.poisson, m.yield_stretch, m.yield_compress, m.hardening,
                                 p.source);
    }
    std::cout << fmt::format("\n{:12} {:6} {:>8} {:>9} {:>9} {:>8}  {}\n", "coupling", "phase",
                             "density", "viscosity", "stiffness", "damping", "source");
    for (const auto& p : coupling::presets()) {
        const auto& m = p.material;
        std::cout << fmt::format("{:12} {:6} {:8} {:9} {:9} {:8}  {}\n", p.name,
                                 m.phase == coupling::Phase::fluid ? "fluid" : "body", m.density,
                                 m.viscosity, m.stiffness, m.damping, p.source);
    }
}

void check_file(const SceneOptions& options) {
    Console console(Talk::normal);
    Json document = load_scene_json(options.file);
    for (const std::string& assignment : options.set)
        set_in_json(document, assignment, options.file);
    with_scene(document, options.file, [&](const auto& spec) {
        using Method = MethodOf<std::decay_t<decltype(spec)>>;
        const auto built = build_scene(spec, options.file, console);
        const Json numbers = Method::counts(built);
        std::string counts;
        for (const auto& [name, count] : numbers.items())
            counts += fmt::format("{} {}, ", count.template get<std::size_t>(), name);
        std::cout << fmt::format("{}: right: {}{} colliders, {} pins, {} frames at {} fps\n",
                                 options.file, counts, built.scene.colliders.size(),
                                 built.scene.pins.size(), spec.common.frames, spec.common.fps);
    });
}

} // namespace

void add_scene(CLI::App& app, Session&) {
    auto options = std::make_shared<SceneOptions>();
    CLI::App* command = app.add_subcommand("scene", "About scene files: schema, presets, check");
    auto* schema = command->add_flag("--schema", options->schema, "Print the JSON schema");
    auto* presets = command->add_flag("--presets", options->presets, "List the materials");
    auto* check = command->add_flag("--check", options->check, "Read FILE and sample its bodies");
    auto* file = command->add_option("FILE", options->file, "A scene file");
    command->add_option("--set", options->set, "PATH=VALUE in place of what FILE says")
        ->allow_extra_args(false);
    check->needs(file)->excludes(schema)->excludes(presets);
    file->excludes(schema)->excludes(presets);
    command->callback([options, command] {
        if (options->schema)
            std::cout << scene_schema().dump(2) << '\n';
        else if (options->presets)
            print_presets();
        else if (!options->file.empty())
            check_file(*options);
        else
            throw CLI::RequiredError(command->get_name() + ": --schema, --presets or a FILE");
    });
}

} // namespace nendo
