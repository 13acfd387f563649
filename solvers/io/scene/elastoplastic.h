// SPDX-License-Identifier: Apache-2.0
// Scene files of the elastoplastic method: bodies with a material, sampled into masters and slaves.
#pragma once

#include "elastoplastic/params.h"
#include "elastoplastic/solver.h"
#include "io/scene/scene_file.h"

namespace nendo {

/// The name of a preset, and the values that differ from it.
struct MaterialSpec {
    std::string preset;
    elastoplastic::Material material;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        std::vector<std::string_view> names;
        for (const auto& known : elastoplastic::presets()) names.push_back(known.name);
        visit(self.preset, field("preset")
                               .label("Preset")
                               .choices(std::move(names))
                               .help("Named material that supplies every value not given here."));
        elastoplastic::Material::fields(self.material, visit);
    }
};

/// Value of the `join` column. If none, plastic bodies join and each elastic body stays separate.
struct JoinSpec {
    std::optional<std::int32_t> value;
};

template <> struct JsonForm<JoinSpec> {
    static void read(JoinSpec& join, const Json& json, const Field& f, const JsonPlace& place) {
        if (json == "auto") {
            join.value.reset();
            return;
        }
        if (!json.is_number_integer()) throw_wrong_type(json, place, "a whole number or \"auto\"");
        read_json(join.value, json, f, place);
    }
    static Json write(const JoinSpec& join, const Field&) {
        return join.value ? Json(*join.value) : Json("auto");
    }
    static Json schema(const JoinSpec&, const Field&, Json&) {
        return {{"anyOf", {{{"const", "auto"}}, {{"type", "integer"}}}}, {"default", "auto"}};
    }
};

template <> struct JsonForm<MaterialSpec> {
    static void read(MaterialSpec& spec, const Json& json, const Field&, const JsonPlace& place) {
        MaterialSpec named;
        if (json.is_object() && json.contains("preset")) {
            read_object(named, {{"preset", json["preset"]}}, place);
            spec.material = elastoplastic::preset(named.preset);
        }
        read_object(spec, json, place);
    }
    static Json write(const MaterialSpec& spec, const Field&) { return write_object(spec); }
    static Json schema(const MaterialSpec& spec, const Field&, Json& defs) {
        // The defaults come from the preset, so the schema omits them.
        Json schema = describe_object(spec, defs);
        for (auto& [key, entry] : schema["properties"].items()) entry.erase("default");
        return schema;
    }
};

namespace elastoplastic {

struct BodySpec {
    BodyPlace place;
    MaterialSpec material;
    JoinSpec join;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        BodyPlace::fields(self.place, visit);
        visit(self.material, field("material").label("Material").help("Material of the body."));
        visit(self.join, field("join").label("Join").help(
                             "Bodies with the same value merge where they meet. With auto, plastic "
                             "bodies merge (value 0) and each elastic body stays separate."));
    }
};

/// A scene file as it was written.
struct SceneSpec {
    static constexpr std::string_view method = "elastoplastic";
    SceneCommon common;
    std::string method_name{method};
    Params solver;
    std::vector<BodySpec> bodies;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        SceneCommon::fields(self.common, visit);
        visit(self.method_name, method_field<SceneSpec>());
        visit(self.solver, field("solver").label("Solver").help("Parameters of the solver."));
        visit(self.bodies, field("bodies").label("Bodies").help("Bodies to simulate."));
    }
};

/// The input of the solver.
struct BuiltScene {
    Scene scene;
    Params params;
    std::vector<Body> bodies; ///< Sampled bodies with their copies, in order of index
};

/// Throws if the file does not describe a complete scene.
void check_scene(const SceneSpec& spec, const JsonPlace& place);
BuiltScene build_scene(const SceneSpec& spec, const std::filesystem::path& file, Host& host);

} // namespace elastoplastic

} // namespace nendo
