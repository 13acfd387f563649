// SPDX-License-Identifier: Apache-2.0
// Scene files of the coupling method: fluids and elastic bodies, muscles, taps and drains.
#pragma once

#include "coupling/solver.h"
#include "io/scene/basic_scene.h"

namespace nendo::coupling {

using MaterialSpec = PresetMaterial<Material, presets>;

struct BodySpec {
    static constexpr std::string_view help =
        "Fluids and elastic bodies. Fluid is left out where a body is.";
    BodyPlace place;
    MaterialSpec material;
    std::optional<double> spacing; ///< [m]
    std::optional<double> shell;   ///< [m]
    std::optional<PlaneShape> cut;
    std::vector<ShapeSpec> parts;
    bool membrane = false;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        BodyPlace::fields(self.place, visit);
        visit(self.material, field("material").label("Material").help("Material of the body."));
        visit(self.spacing, field("spacing").label("Spacing").unit("m").above(0).help(
                                "Distance between the body's particles. If not given, fluids use "
                                "the solver's spacing and bodies half of it (Hirato)."));
        visit(self.shell, field("shell").label("Shell").unit("m").above(0).help(
                              "Keep only particles within this depth below the surface. If not "
                              "given, the body is solid."));
        visit(self.cut,
              field("cut").label("Cut").help(
                  "Keep only the part on the side of this plane that its normal points to."));
        visit(self.parts, field("parts").label("Parts").help(
                              "More shapes of the same body. They are filled completely and joined "
                              "to the body where they touch it."));
        visit(self.membrane, field("membrane")
                                 .label("Membrane")
                                 .help("Make the body a single layer of particles with faces that "
                                       "hold fluid: the skin of a sphere or ellipsoid, the "
                                       "vertices of a mesh, or a box as thin as one spacing."));
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
        visit(self.name, field("name").label("Name").help("Name used in messages."));
        visit(self.shape,
              field("shape").label("Shape").help("The muscle acts on the springs inside this "
                                                 "shape. If not given, it acts everywhere."));
        visit(self.body,
              field("body").label("Body").range(0, 1e6).help(
                  "Index of the body the muscle acts on. If not given, it acts on all bodies."));
        visit(self.axis, field("axis").label("Axis").help(
                             "Axis of a ring muscle, which acts on the springs that run around it. "
                             "Zero: the muscle acts on all springs."));
        visit(self.center, field("center").label("Center").unit("m").help(
                               "A point on the axis of a ring muscle."));
        visit(self.period, field("period")
                               .label("Period")
                               .unit("s")
                               .range(0, infinite)
                               .help("Time after which the keys repeat. At 0 they do not repeat."));
        visit(self.keys, field("keys").label("Keys").help("Spring length and force over time."));
    }
};

struct TapSpec {
    Tap tap;
    int fluid = 0;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        Tap::fields(self.tap, visit);
        visit(self.fluid, field("fluid").label("Fluid").range(0, 1e6).help(
                              "Index of the body whose material and color the tap pours."));
    }
};

struct DrainSpec {
    std::string name;
    std::optional<PlaneShape> plane;
    ShapeSpec shape;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.name, field("name").label("Name").help("Name used in messages."));
        visit(self.plane,
              field("plane").label("Plane").help("Removes the fluid behind this plane."));
        ShapeSpec::fields(self.shape, visit);
    }
};

/// A scene file as it was written.
struct SceneSpec : SceneWith<Method, BodySpec> {
    std::vector<MuscleSpec> muscles;
    std::vector<TapSpec> taps;
    std::vector<DrainSpec> drains;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        SceneWith::fields(self, visit);
        visit(self.muscles, field("muscles").label("Muscles").help(
                                "Muscles that contract and stretch springs over time."));
        visit(self.taps, field("taps").label("Taps").help("Taps, where fluid flows in."));
        visit(self.drains, field("drains").label("Drains").help("Drains, where fluid is removed."));
    }
};

using BuiltScene = BuiltWith<Method>;

/// Throws if the file does not describe a complete scene.
void check_scene(const SceneSpec& spec, const JsonPlace& place);
BuiltScene build_scene(const SceneSpec& spec, const std::filesystem::path& file, Host& host);

} // namespace nendo::coupling

namespace nendo {
template <> struct SceneOf<coupling::Method> { using Spec = coupling::SceneSpec; };
} // namespace nendo
