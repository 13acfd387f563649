// SPDX-License-Identifier: Apache-2.0
// Scene files of the melting method: bodies with a temperature, and what warms them.
#pragma once

#include "io/scene/scene_file.h"
#include "melt/solver.h"

namespace nendo::melt {

/// A preset's name, and what differs from it.
struct MaterialSpec {
    std::string preset;
    Material material;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        std::vector<std::string_view> names;
        for (const auto& known : presets()) names.push_back(known.name);
        visit(self.preset, field("preset")
                               .label("Preset")
                               .choices(std::move(names))
                               .help("Where values that are not given come from."));
        Material::fields(self.material, visit);
    }
};

struct BodySpec {
    BodyPlace place;
    MaterialSpec material;
    double temperature = 20; ///< [degC]
    bool liquid = false;
    Vec3d squash{1, 1, 1};
    std::optional<Vec3d> liquid_color; ///< Linear red, green, blue

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        BodyPlace::fields(self.place, visit);
        visit(self.material, field("material").label("Material").help("What it is made of."));
        visit(self.temperature, field("temperature")
                                    .label("Temperature")
                                    .unit("degC")
                                    .range(-273.15, infinite)
                                    .help("With which it enters; above the melting point it is "
                                          "liquid."));
        visit(self.liquid,
              field("liquid").label("Liquid").help("At the melting point itself: all melted."));
        visit(self.squash, field("squash").label("Squash").help(
                               "Scale with which it enters, about the middle of its foot; it goes "
                               "back to its shape."));
        visit(self.liquid_color, field("liquid_color")
                                     .label("Liquid color")
                                     .range(0, 1)
                                     .help("Of what is liquid, in pictures; else as what is "
                                           "solid."));
    }
};

struct HeatSourceSpec {
    ShapeSpec shape;
    std::optional<PlaneShape> plane;
    std::string collider;
    HeatSource source; ///< Name, temperature and so on
    std::vector<Keyframe> keys;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.plane, field("plane").label("Plane").help("All that lies behind a plane."));
        ShapeSpec::fields(self.shape, visit);
        visit(self.collider, field("collider")
                                 .label("Collider")
                                 .help("Name of the collider that is hot, in place of a shape."));
        HeatSource::fields(self.source, visit);
        visit(self.keys, field("keys").label("Keys").help("Its poses; straight between them."));
    }
};

/// A scene file as it was written.
struct SceneSpec {
    static constexpr std::string_view method = "melt";
    SceneCommon common;
    std::string method_name{method};
    Params solver;
    std::vector<BodySpec> bodies;
    std::vector<HeatSourceSpec> heat_sources;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        SceneCommon::fields(self.common, visit);
        visit(self.method_name, method_field<SceneSpec>());
        visit(self.solver, field("solver").label("Solver").help("Parameters of the solver."));
        visit(self.bodies, field("bodies").label("Bodies").help(
                               "Matter; what is liquid makes room for what is solid."));
        visit(self.heat_sources,
              field("heat_sources").label("Heat sources").help("What warms or cools matter."));
    }
};

/// What the solver is given.
struct BuiltScene {
    Scene scene;
    Params params;
    std::vector<Body> bodies; ///< Sampled, copies made, in order of their index
};

/// Throws when what was written makes no scene.
void check_scene(const SceneSpec& spec, const JsonPlace& place);
BuiltScene build_scene(const SceneSpec& spec, const std::filesystem::path& file, Host& host);

} // namespace nendo::melt

namespace nendo {

template <> struct JsonForm<melt::MaterialSpec> {
    using Spec = melt::MaterialSpec;
    static void read(Spec& spec, const Json& json, const Field&, const JsonPlace& place) {
        Spec named;
        if (json.is_object() && json.contains("preset")) {
            read_object(named, {{"preset", json["preset"]}}, place);
            spec.material = melt::preset(named.preset);
        }
        read_object(spec, json, place);
    }
    static Json write(const Spec& spec, const Field&) { return write_object(spec); }
    static Json schema(const Spec& spec, const Field&, Json& defs) {
        // Defaults are the preset's: the schema leaves them out.
        Json schema = describe_object(spec, defs);
        for (auto& [key, entry] : schema["properties"].items()) entry.erase("default");
        return schema;
    }
};

} // namespace nendo
