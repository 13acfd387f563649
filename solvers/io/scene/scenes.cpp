// SPDX-License-Identifier: Apache-2.0
// Reads scene documents of any method and writes their JSON schema.
#include "io/scene/scenes.h"

#include <tuple>

namespace nendo {

namespace {

std::vector<std::string_view> method_names() {
    std::vector<std::string_view> names;
    for_each_scene_type([&](auto type) { names.push_back(decltype(type)::type::method); });
    return names;
}

} // namespace

std::string method_of(const Json& document, const std::string& file) {
    const std::vector<std::string_view> names = method_names();
    if (!document.is_object() || !document.contains("method")) return std::string(names.front());
    const Field f = field("method").choices(names);
    return std::string(names[read_choice(document["method"], f, JsonPlace{file, "method"})]);
}

template <class Spec> Spec read_scene(const Json& document, const std::string& file) {
    Spec spec;
    const JsonPlace place{file, ""};
    read_object(spec, document, place);
    check_scene(spec, place);
    return spec;
}

namespace {

template <class... Types> struct Readers {
    explicit constexpr Readers(TypeList<Types...>) {}
    std::tuple<decltype(&read_scene<typename SceneOf<Types>::Spec>)...> all{
        &read_scene<typename SceneOf<Types>::Spec>...};
};

/// Makes the compiler emit read_scene() for every method.
[[gnu::used]] const Readers readers(Methods{});

} // namespace

Json scene_schema() {
    Json defs = Json::object();
    Json choices = Json::array();
    for_each_scene_type([&](auto type) {
        using Spec = typename decltype(type)::type;
        Json scene = describe_object(Spec{}, defs);
        scene["required"] = Spec::method == method_names().front() ? Json::array({"bodies"})
                                                                   : Json::array({"method"});
        const std::string name = std::string(Spec::method) + "_scene";
        defs[name] = std::move(scene);
        choices.push_back({{"$ref", "#/$defs/" + name}});
    });
    return {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
            {"title", "Nendo scene"},
            {"anyOf", choices},
            {"$defs", defs}};
}

} // namespace nendo
