// SPDX-License-Identifier: Apache-2.0
// Scene files of the melting method: bodies with a temperature, and the heat sources that warm or
// cool them.
#pragma once

#include "io/scene/basic_scene.h"
#include "melt/solver.h"

namespace nendo::melt {

using MaterialSpec = PresetMaterial<Material, presets>;

struct BodySpec {
    static constexpr std::string_view help =
        "Bodies to simulate. Liquid is left out where a solid body is.";
    BodyPlace place;
    MaterialSpec material;
    double temperature = 20; ///< [degC]
    bool liquid = false;
    Vec3d squash{1, 1, 1};
    std::optional<Vec3d> liquid_color; ///< Linear red, green, blue

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        BodyPlace::fields(self.place, visit);
        visit(self.material, field("material").label("Material").help("Material of the body."));
        visit(self.temperature, field("temperature")
                                    .label("Temperature")
                                    .unit("degC")
                                    .range(-273.15, infinite)
                                    .help("Temperature of the body when it appears. Above the "
                                          "melting point it starts as liquid."));
        visit(self.liquid, field("liquid").label("Liquid").help(
                               "Start as liquid if the temperature equals the melting point."));
        visit(self.squash, field("squash").label("Squash").help(
                               "Scale of the body when it appears, about the center of its base. "
                               "It then springs back to its shape."));
        visit(self.liquid_color, field("liquid_color")
                                     .label("Liquid color")
                                     .range(0, 1)
                                     .help("Color of the liquid part in pictures. If not given, it "
                                           "is the color of the body."));
    }
};

struct HeatSourceSpec {
    ShapeSpec shape;
    std::optional<PlaneShape> plane;
    std::string collider;
    HeatSource source; ///< Name, temperature and the other values of the source
    std::vector<Keyframe> keys;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.plane, field("plane").label("Plane").help("The half space behind a plane."));
        ShapeSpec::fields(self.shape, visit);
        visit(self.collider, field("collider")
                                 .label("Collider")
                                 .help("Name of the collider to heat, instead of a shape."));
        HeatSource::fields(self.source, visit);
        visit(self.keys,
              field("keys").label("Keys").help("Poses over time, interpolated linearly."));
    }
};

/// A scene file as it was written.
struct SceneSpec : SceneWith<Method, BodySpec> {
    std::vector<HeatSourceSpec> heat_sources;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        SceneWith::fields(self, visit);
        visit(
            self.heat_sources,
            field("heat_sources").label("Heat sources").help("Sources that warm or cool matter."));
    }
};

using BuiltScene = BuiltWith<Method>;

/// Throws if the file does not describe a complete scene.
void check_scene(const SceneSpec& spec, const JsonPlace& place);
BuiltScene build_scene(const SceneSpec& spec, const std::filesystem::path& file, Host& host);

} // namespace nendo::melt

namespace nendo {
template <> struct SceneOf<melt::Method> { using Spec = melt::SceneSpec; };
} // namespace nendo
