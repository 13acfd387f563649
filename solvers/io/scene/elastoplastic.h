// SPDX-License-Identifier: Apache-2.0
// Scene files of the elastoplastic method: bodies with a material, sampled into masters and slaves.
#pragma once

#include "elastoplastic/params.h"
#include "elastoplastic/solver.h"
#include "io/scene/basic_scene.h"

namespace nendo {

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

namespace elastoplastic {

using MaterialSpec = PresetMaterial<Material, presets>;

struct BodySpec {
    static constexpr std::string_view help = "Bodies to simulate.";
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
struct SceneSpec : SceneWith<Method, BodySpec> {};

using BuiltScene = BuiltWith<Method>;

/// Throws if the file does not describe a complete scene.
void check_scene(const SceneSpec& spec, const JsonPlace& place);
BuiltScene build_scene(const SceneSpec& spec, const std::filesystem::path& file, Host& host);

} // namespace elastoplastic

template <> struct SceneOf<elastoplastic::Method> { using Spec = elastoplastic::SceneSpec; };
} // namespace nendo
