// SPDX-License-Identifier: Apache-2.0
// nendo scene: prints the schema of scene files and the materials, and checks scene files.
#include "command.h"
#include "run/console.h"
#include "run/methods.h"

#include "core/range.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <memory>

namespace nendo::cli {

namespace {

struct SceneOptions {
    std::string file;
    std::vector<std::string> set;
    bool schema = false;
    bool presets = false;
    bool check = false;
};

std::string value_text(double value, const Field&) {
    return std::isfinite(value) ? format_number(value) : "none";
}
template <class Enum> std::string value_text(Enum value, const Field& f) {
    return std::string(f.choices_.at(static_cast<std::size_t>(value)));
}

/// Prints two lines per preset: name and source, and values.
template <class Presets> void print_method(std::string_view method, const Presets& presets) {
    for (const auto& preset : presets) {
        std::cout << fmt::format("{} {}: {}\n   ", method, preset.name, preset.source);
        for_each_field(preset.material, [&](const auto& value, const Field& f) {
            std::cout << fmt::format(" {} {};", f.name_, value_text(value, f));
        });
        std::cout << "\n";
    }
}

void print_presets() {
    print_method("elastoplastic", elastoplastic::presets());
    print_method("coupling", coupling::presets());
    print_method("melt", melt::presets());
    print_method("rheology", rheology::presets());
}

void check_file(const SceneOptions& options) {
    Console console(ConsoleMode::text);
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
        std::cout << fmt::format("{}: valid: {}{} colliders, {} pins, {} frames at {} fps\n",
                                 options.file, counts, built.scene.colliders.size(),
                                 built.scene.pins.size(), spec.common.frames, spec.common.fps);
    });
}

} // namespace

void add_scene(CLI::App& app) {
    auto options = std::make_shared<SceneOptions>();
    CLI::App* command =
        app.add_subcommand("scene", "Print the schema or the presets, or check a scene file.");
    auto* schema =
        command->add_flag("--schema", options->schema, "Print the JSON schema of scene files.");
    auto* presets =
        command->add_flag("--presets", options->presets, "List the materials and their values.");
    auto* check = command->add_flag("--check", options->check,
                                    "Read FILE and sample its bodies (the default for a FILE).");
    auto* file = command->add_option("FILE", options->file, "Scene file.");
    command
        ->add_option("--set", options->set, "PATH=VALUE: replace a value of FILE. May be repeated.")
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

} // namespace nendo::cli
