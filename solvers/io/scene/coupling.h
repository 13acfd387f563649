// SPDX-License-Identifier: Apache-2.0
// Scene files of the coupling method: fluids and stretchy bodies, muscles, taps and drains.
#pragma once

#include "coupling/solver.h"
#include "io/scene/scene_file.h"

namespace nendo::coupling {

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
    std::optional<double> spacing; ///< [m]
    std::optional<double> shell;   ///< [m]
    std::optional<PlaneShape> cut;
    std::vector<ShapeSpec> parts;
    bool membrane = false;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        BodyPlace::fields(self.place, visit);
        visit(self.material, field("material").label("Material").help("What it is made of."));
        visit(self.spacing, field("spacing").label("Spacing").unit("m").above(0).help(
                                "Of its particles; not given: the fluid's, and half of it for "
                                "bodies, as Hirato has it."));
        visit(self.shell, field("shell").label("Shell").unit("m").above(0).help(
                              "Only what is this near to its surface; not given: all of it."));
        visit(self.cut,
              field("cut").label("Cut").help("Only what is on the free side of this plane."));
        visit(self.parts, field("parts").label("Parts").help(
                              "Further shapes of the same body, filled as a whole and joined to it "
                              "where they touch it."));
        visit(self.membrane,
              field("membrane")
                  .label("Membrane")
                  .help("One layer of particles whose faces hold fluid: the skin of a ball or "
                        "ellipsoid, the vertices of a mesh, or a box as thin as a spacing."));
    }
};

struct MuscleSpec {
    std::string name;
    std::optional<ShapeSpec> shape;
    std::optional<int> body;
    Vec3d axis{0, 0, 0};
    Vec3d center{0, 0, 0}; ///< [m]
    double period = 0;     ///< [s]
    std::vector<MuscleKey> keys;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.name, field("name").label("Name").help("How messages call it."));
        visit(self.shape,
              field("shape").label("Shape").help("It works the springs inside; not given: all."));
        visit(self.body, field("body").label("Body").range(0, 1e6).help(
                             "Index of the body that it works in; not given: all."));
        visit(self.axis, field("axis").label("Axis").help(
                             "Of a ring muscle, which works springs that go around it; zero: all "
                             "springs."));
        visit(self.center,
              field("center").label("Center").unit("m").help("Through which the axis goes."));
        visit(self.period, field("period")
                               .label("Period")
                               .unit("s")
                               .range(0, infinite)
                               .help("The keys repeat after this; 0: they don't."));
        visit(self.keys, field("keys").label("Keys").help("Length and force by time."));
    }
};

struct TapSpec {
    Tap tap;
    int fluid = 0;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        Tap::fields(self.tap, visit);
        visit(self.fluid, field("fluid").label("Fluid").range(0, 1e6).help(
                              "Index of the body whose material and color it pours."));
    }
};

struct DrainSpec {
    std::string name;
    std::optional<PlaneShape> plane;
    ShapeSpec shape;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.name, field("name").label("Name").help("How messages call it."));
        visit(self.plane, field("plane").label("Plane").help("Fluid behind it is gone."));
        ShapeSpec::fields(self.shape, visit);
    }
};

/// A scene file as it was written.
struct SceneSpec {
    static constexpr std::string_view method = "coupling";
    SceneCommon common;
    std::string method_name{method};
    Params solver;
    std::vector<BodySpec> bodies;
    std::vector<MuscleSpec> muscles;
    std::vector<TapSpec> taps;
    std::vector<DrainSpec> drains;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        SceneCommon::fields(self.common, visit);
        visit(self.method_name, method_field<SceneSpec>());
        visit(self.solver, field("solver").label("Solver").help("Parameters of the solver."));
        visit(self.bodies, field("bodies").label("Bodies").help(
                               "Fluids and bodies; fluid makes room for the bodies in it."));
        visit(self.muscles, field("muscles").label("Muscles").help("What works springs."));
        visit(self.taps, field("taps").label("Taps").help("Where fluid flows in."));
        visit(self.drains, field("drains").label("Drains").help("Where fluid flows out."));
    }
};

/// What the solver is given.
struct BuiltScene {
    Scene scene;
    Params params;
    Inputs bodies; ///< Sampled, copies made, in order of their index; and what works on them
};

/// Throws when what was written makes no scene.
void check_scene(const SceneSpec& spec, const JsonPlace& place);
BuiltScene build_scene(const SceneSpec& spec, const std::filesystem::path& file, Host& host);

} // namespace nendo::coupling

namespace nendo {

template <> struct JsonForm<coupling::MaterialSpec> {
    using Spec = coupling::MaterialSpec;
    static void read(Spec& spec, const Json& json, const Field&, const JsonPlace& place) {
        Spec named;
        if (json.is_object() && json.contains("preset")) {
            read_object(named, {{"preset", json["preset"]}}, place);
            spec.material = coupling::preset(named.preset);
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
