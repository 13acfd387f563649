// SPDX-License-Identifier: Apache-2.0
// The geometry nodes: their parameters, declared once, and their descriptions.
#pragma once

#include "coupling/material.h"
#include "dop/bridge/node_info.h"
#include "elastoplastic/inspect.h"
#include "elastoplastic/material.h"
#include "math/ramp.h"
#include "melt/material.h"
#include "rheology/material.h"
#include "skinning/skeleton.h"
#include "skinning/skin.h"
#include "surface/surface.h"

#include <cstdint>
#include <string>
#include <vector>

namespace nendo::houdini {

template <class Preset>
Field material_field(std::string_view name, std::string_view label,
                     const std::vector<Preset>& presets) {
    return preset_field(name, label, presets)
        .help("Material that supplies the values that are not overridden.");
}

// ---- Nendo Source ------------------------------------------------------------------------------

/// Whether bodies join by their kind or by a number that the artist sets.
enum class JoinRule { automatic, number };
/// Method that the particles are made for.
enum class SourceMatter { elastoplastic, coupling, melt };
enum class SourceShow { particles, slaves, springs, faces };

struct SourceParams {
    SourceMatter matter = SourceMatter::elastoplastic;
    double spacing = 0.0625; ///< [m]
    std::string preset = "dough";
    std::string coupling_preset = "water";
    std::string melt_preset = "wax";
    double temperature = 20; ///< [degC]
    bool membrane = false;
    std::int32_t first_id = 0;
    bool use_attributes = true;
    Vec3d velocity{0, 0, 0};         ///< [m/s]
    Vec3d angular_velocity{0, 0, 0}; ///< [rad/s]
    std::int32_t body = 0;
    JoinRule join_rule = JoinRule::automatic;
    std::int32_t join = 0;
    SourceShow show = SourceShow::particles;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.matter,
              field("matter")
                  .label("Matter")
                  .choices({"elastoplastic", "coupling", "melt"})
                  .help("Solver that the particles are made for: Nendo Elastoplastic; Nendo "
                        "Coupling, with fluids and bodies of springs; or Nendo Melt."));
        visit(self.spacing,
              field("spacing").label("Spacing").unit("m").above(0).usual(0.01, 0.2).help(
                  "Distance between neighboring particles. It must equal the Spacing of the "
                  "solver, except for bodies in fluid, which work best at half of it. A smaller "
                  "spacing makes more particles."));
        visit(self.preset, material_field("preset", "Material", elastoplastic::presets())
                               .hide_when("{ matter == coupling } { matter == melt }"));
        visit(self.coupling_preset,
              material_field("coupling_preset", "Fluid or body", coupling::presets())
                  .hide_when("{ matter == elastoplastic } { matter == melt }"));
        visit(self.melt_preset,
              material_field("melt_preset", "Melting material", melt::presets())
                  .hide_when("{ matter == elastoplastic } { matter == coupling }"));
        visit(self.temperature,
              field("temperature")
                  .label("Temperature")
                  .unit("degC")
                  .folder("Material")
                  .range(-273.15, infinite)
                  .usual(-20, 100)
                  .hide_when("{ matter == elastoplastic } { matter == coupling }")
                  .help("Temperature at the start. Matter above its melting point is liquid."));
        visit(self.membrane, field("membrane")
                                 .label("Membrane")
                                 .folder("Body")
                                 .hide_when("{ matter == elastoplastic } { matter == melt }")
                                 .help("Puts a particle at each point of the polygons instead of "
                                       "filling them: a skin of one layer, whose triangles stop "
                                       "fluid. Its points should be about one spacing apart."));
        visit(self.first_id,
              field("first_id")
                  .label("First id")
                  .folder("Body")
                  .range(0, 2e9)
                  .usual(0, 1e6)
                  .hide_when("{ matter == elastoplastic } { matter == melt }")
                  .help("Id of the first particle; the others count up from it. Springs find their "
                        "ends by these ids, so merged sources must not share any."));
        visit(
            self.use_attributes,
            field("use_attributes")
                .label("Use point attributes")
                .folder("Material")
                .help("Point attributes of the input that have the name of a material value "
                      "(density, young, ...) replace it. Each particle reads the nearest point."));
        visit(self.velocity, field("velocity")
                                 .label("Velocity")
                                 .unit("m/s")
                                 .folder("Motion")
                                 .help("Velocity at the start."));
        visit(self.angular_velocity,
              field("angular_velocity")
                  .label("Angular velocity")
                  .unit("rad/s")
                  .folder("Motion")
                  .help("Angular velocity about the center of mass at the start."));
        visit(
            self.body,
            field("body").label("Body").folder("Body").range(0, 1e9).usual(0, 100).help(
                "Number of the body, used for colors and for joining. Give each source its own."));
        visit(self.join_rule, field("join_rule")
                                  .label("Join by")
                                  .folder("Body")
                                  .choices({"automatic", "number"})
                                  .help("How bodies grow together. automatic: plastic bodies join "
                                        "where they meet, and every elastic body stays separate. "
                                        "number: bodies with equal Join number join."));
        visit(self.join, field("join")
                             .label("Join number")
                             .folder("Body")
                             .range(0, 1e9)
                             .usual(0, 100)
                             .disable_when("{ join_rule == automatic }")
                             .help("Bodies with equal values grow together where they meet."));
        visit(self.show,
              field("show")
                  .label("Show")
                  .choices({"particles", "slaves", "springs", "faces"})
                  .help("What the node outputs. particles: the matter. slaves: the points at which "
                        "the solver will compute stress, only to look at. springs, faces: the "
                        "links between the particles of a body, for the data of these names in the "
                        "solver; set all other parameters as for the particles."));
    }
};

/// Values of a melting material, with a prefix: some have the name of another method's value but a
/// different unit.
struct MeltSourceMaterial {
    melt::Material material;

    /// Prefix of their names.
    static constexpr std::string_view prefix = "melt_";

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        melt::Material::fields(self.material, [&](auto& value, Field f) {
            f.name_ = prefixed(f.name_);
            visit(value, f.hide_when("{ matter == elastoplastic } { matter == coupling }"));
        });
    }

private:
    /// The name with the prefix; the text lives as long as the plugin.
    static std::string_view prefixed(std::string_view name);
};

const NodeInfo& source_node();

// ---- Nendo Surface -----------------------------------------------------------------------------

enum class SurfaceOutput { mesh, vdb, both };
/// Use of the mesh at rest.
enum class RestMeshUse { skin, uv };

struct SurfaceNodeParams {
    SurfaceOutput output = SurfaceOutput::mesh;
    bool from_pscale = true;
    double spacing = 0.0625; ///< [m]
    RestMeshUse rest_mesh = RestMeshUse::skin;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.output,
              field("output")
                  .label("Output")
                  .choices({"mesh", "vdb", "both"})
                  .help("Triangles with attributes, a level set with its velocity, or both."));
        visit(
            self.rest_mesh,
            field("rest_mesh")
                .label("Mesh at rest")
                .folder("Data")
                .choices({"skin", "uv"})
                .disable_when("{ output == vdb }")
                .help("Use of the mesh at the second input. skin: the particles carry it, it tears "
                      "where they tear, and it fades into their surface where they melt. uv: the "
                      "surface takes the texture coordinates of the closest rest point."));
        visit(self.from_pscale,
              field("from_pscale")
                  .label("Spacing from pscale")
                  .help("Uses twice the largest pscale of the particles as the spacing."));
        visit(self.spacing, field("spacing")
                                .label("Spacing")
                                .unit("m")
                                .above(0)
                                .usual(0.01, 0.2)
                                .disable_when("{ from_pscale == 1 }")
                                .help("Distance between neighboring particles."));
    }
};

const NodeInfo& surface_node();

// ---- Nendo Visualize ---------------------------------------------------------------------------

/// Method that simulated the particles.
enum class ShownMatter { elastoplastic, coupling, melt };
enum class FluidQuantity { density, pressure, stretch, speed };
enum class MeltQuantity { temperature, melted, phase, pressure, speed, strain, orientation };

struct VisualizeParams {
    ShownMatter matter = ShownMatter::elastoplastic;
    elastoplastic::Quantity quantity = elastoplastic::Quantity::stress;
    FluidQuantity fluid_quantity = FluidQuantity::pressure;
    MeltQuantity melt_quantity = MeltQuantity::temperature;
    bool fit_range = true;
    double low = 0;
    double high = 1;
    Ramp ramp = Ramp::blue_to_red;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.matter, field("matter")
                               .label("Matter")
                               .choices({"elastoplastic", "coupling", "melt"})
                               .help("Solver that made the points."));
        visit(
            self.quantity,
            field("quantity")
                .label("Quantity")
                .hide_when("{ matter == coupling } { matter == melt }")
                .choices({"stress", "pressure", "yield", "plastic_strain", "energy", "slaves"})
                .help("Quantity that is shown. stress: von Mises stress [Pa]. pressure [Pa]. "
                      "yield: how close the matter is to yielding, 0 to 1. plastic_strain. energy: "
                      "elastic energy [J/m^3]. slaves: number of slaves within one spacing."));
        visit(self.fluid_quantity,
              field("fluid_quantity")
                  .label("Quantity")
                  .hide_when("{ matter == elastoplastic } { matter == melt }")
                  .choices({"density", "pressure", "stretch", "speed"})
                  .help("Quantity that is shown. density [kg/m^3]. pressure [Pa]. stretch: mean "
                        "stretch of the springs of the particle, 1 at rest. speed [m/s]."));
        visit(self.melt_quantity,
              field("melt_quantity")
                  .label("Quantity")
                  .hide_when("{ matter == elastoplastic } { matter == coupling }")
                  .choices({"temperature", "melted", "phase", "pressure", "speed", "strain",
                            "orientation"})
                  .help("Quantity that is shown. temperature [degC]. melted: share of the latent "
                        "heat taken up, 0 to 1. phase: 0 solid, 1 liquid. pressure: of the liquid "
                        "around the particle [Pa]. speed [m/s]. strain: distance of the cluster "
                        "from its shape, relative to the size of the shape. orientation: mean "
                        "angle between the members of the cluster and their rest [deg]. The last "
                        "two need the clusters at the second input."));
        visit(self.fit_range, field("fit_range")
                                  .label("Fit range")
                                  .help("Fits the ramp to the lowest and the highest value."));
        visit(self.low, field("low")
                            .label("Low")
                            .usual(0, 1)
                            .disable_when("{ fit_range == 1 }")
                            .help("Value shown in the first color of the ramp."));
        visit(self.high, field("high")
                             .label("High")
                             .usual(0, 1)
                             .disable_when("{ fit_range == 1 }")
                             .help("Value shown in the last color of the ramp."));
        visit(self.ramp, field("ramp")
                             .label("Ramp")
                             .choices({"heat", "blue_to_red", "grey"})
                             .help("Colors of the ramp. The quantity is also written as an "
                                   "attribute, for your own ramps."));
    }
};

const NodeInfo& visualize_node();

// ---- Nendo Skin --------------------------------------------------------------------------------

enum class SkinOutput { skin, bones, joints };
enum class SkinWeights { distance, heat, painted };

struct SkinParams {
    SkinOutput output = SkinOutput::skin;
    int bones = 12;
    rheology::Clamp clamp = rheology::Clamp::none;
    double line_radius = 0.01; ///< [m]
    std::int32_t body = 0;
    std::string preset = "aluminium";
    rheology::Blend blend = rheology::Blend::dual_quaternion;
    SkinWeights weights = SkinWeights::distance;
    int influences = 4;
    int detail = 0;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(
            self.output,
            field("output")
                .label("Output")
                .choices({"skin", "bones", "joints"})
                .help("What the node outputs. skin: the mesh, moved by the simulated bones. bones, "
                      "joints: the bones or the joints made from the mesh, for Nendo Rheology."));
        visit(self.bones, field("bones")
                              .label("Bones")
                              .folder("Skeleton")
                              .range(1, 1000)
                              .usual(1, 50)
                              .disable_when("{ output == skin }")
                              .help("Number of bones along the center line of the mesh."));
        visit(self.clamp, field("clamp")
                              .label("Clamp")
                              .folder("Skeleton")
                              .choices({"none", "first", "both"})
                              .disable_when("{ output == skin }")
                              .help("Ends of the skeleton that are fixed to the world."));
        visit(self.line_radius,
              field("line_radius")
                  .label("Line radius")
                  .unit("m")
                  .folder("Skeleton")
                  .above(0)
                  .usual(0.001, 0.1)
                  .disable_when("{ output == skin }")
                  .help("Radius of a wire. It is used when a line is connected instead of a mesh; "
                        "each piece of the line becomes one bone."));
        visit(self.body, field("body").label("Body").range(0, 1e9).usual(0, 100).help(
                             "Number of the body. Only its bones move this mesh."));
        visit(self.preset, material_field("preset", "Material", rheology::presets())
                               .disable_when("{ output == skin }"));
        visit(self.blend, field("blend")
                              .label("Blend")
                              .folder("Skin")
                              .choices({"linear", "dual_quaternion"})
                              .help("How the rotations of several bones are blended. linear: "
                                    "rheology paper, eq 1. dual_quaternion: keeps the thickness."));
        visit(self.weights,
              field("weights")
                  .label("Weights")
                  .folder("Skin")
                  .choices({"distance", "heat", "painted"})
                  .help("How much each bone moves each point. distance: by the distance to the "
                        "bones. heat: by heat that flows over the mesh. painted: point attributes "
                        "weight0, weight1, ..., one per bone."));
        visit(self.influences, field("influences")
                                   .label("Influences")
                                   .folder("Skin")
                                   .range(1, rheology::max_influences)
                                   .help("Largest number of bones that move one point."));
        visit(self.detail,
              field("detail").label("Detail").folder("Skin").range(0, 10000).usual(0, 100).help(
                  "Number of sweeps that restore the shape of the skin elastically. More sweeps "
                  "keep more of its detail."));
    }
};

const NodeInfo& skin_node();

} // namespace nendo::houdini
