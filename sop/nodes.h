// SPDX-License-Identifier: Apache-2.0
// The geometry nodes as data: their parameters, declared once, and their descriptions.
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

// ---- Nendo Source ------------------------------------------------------------------------------

/// Whether matter joins by its kind, or by a number that the person gives.
enum class JoinRule { automatic, number };
/// The method whose particles are made.
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
        std::vector<std::string_view> presets;
        for (const auto& known : elastoplastic::presets()) presets.push_back(known.name);
        std::vector<std::string_view> coupling_presets;
        for (const auto& known : coupling::presets()) coupling_presets.push_back(known.name);
        std::vector<std::string_view> melt_presets;
        for (const auto& known : melt::presets()) melt_presets.push_back(known.name);
        visit(self.matter, field("matter")
                               .label("Matter")
                               .choices({"elastoplastic", "coupling", "melt"})
                               .help("The solver that it is for: Nendo Elastoplastic; Nendo "
                                     "Coupling, with its fluids and bodies of springs; or Nendo "
                                     "Melt."));
        visit(self.spacing,
              field("spacing").label("Spacing").unit("m").above(0).usual(0.01, 0.2).help(
                  "Distance of neighboring particles; the solver's must be the same, but for "
                  "bodies in fluid, which are best half as wide."));
        visit(self.preset, field("preset")
                               .label("Material")
                               .choices(std::move(presets))
                               .folder("Material")
                               .hide_when("{ matter == coupling } { matter == melt }")
                               .help("Where values that are not overridden come from."));
        visit(self.coupling_preset, field("coupling_preset")
                                        .label("Fluid or body")
                                        .choices(std::move(coupling_presets))
                                        .folder("Material")
                                        .hide_when("{ matter == elastoplastic } { matter == melt }")
                                        .help("Where values that are not overridden come from."));
        visit(self.melt_preset, field("melt_preset")
                                    .label("What melts")
                                    .choices(std::move(melt_presets))
                                    .folder("Material")
                                    .hide_when("{ matter == elastoplastic } { matter == coupling }")
                                    .help("Where values that are not overridden come from."));
        visit(self.temperature,
              field("temperature")
                  .label("Temperature")
                  .unit("degC")
                  .folder("Material")
                  .range(-273.15, infinite)
                  .usual(-20, 100)
                  .hide_when("{ matter == elastoplastic } { matter == coupling }")
                  .help("At the start; above its melting point matter is liquid."));
        visit(self.membrane,
              field("membrane")
                  .label("Membrane")
                  .folder("Body")
                  .hide_when("{ matter == elastoplastic } { matter == melt }")
                  .help("A particle at each point of the polygons instead of a filling: a skin of "
                        "one layer, whose triangles hold fluid. Its points should be a spacing "
                        "apart."));
        visit(self.first_id,
              field("first_id")
                  .label("First id")
                  .folder("Body")
                  .range(0, 2e9)
                  .usual(0, 1e6)
                  .hide_when("{ matter == elastoplastic } { matter == melt }")
                  .help("Ids go on from here, and tell springs their ends; sources that are merged "
                        "must not share any."));
        visit(self.use_attributes,
              field("use_attributes")
                  .label("Use point attributes")
                  .folder("Material")
                  .help("Point attributes of the input that are called as a material's values "
                        "(density, young, ...) come before all: each particle takes those of the "
                        "nearest point."));
        visit(
            self.velocity,
            field("velocity").label("Velocity").unit("m/s").folder("Motion").help("At the start."));
        visit(self.angular_velocity, field("angular_velocity")
                                         .label("Angular velocity")
                                         .unit("rad/s")
                                         .folder("Motion")
                                         .help("About the center of mass, at the start."));
        visit(self.body,
              field("body").label("Body").folder("Body").range(0, 1e9).usual(0, 100).help(
                  "Number of the body, for colors and for joining; give each "
                  "source its own."));
        visit(self.join_rule,
              field("join_rule")
                  .label("Join by")
                  .folder("Body")
                  .choices({"automatic", "number"})
                  .help("automatic: plastic bodies grow together where they meet, each elastic one "
                        "stays its own."));
        visit(self.join, field("join")
                             .label("Join number")
                             .folder("Body")
                             .range(0, 1e9)
                             .usual(0, 100)
                             .disable_when("{ join_rule == automatic }")
                             .help("Matter of equal value grows together where it meets."));
        visit(self.show, field("show")
                             .label("Show")
                             .choices({"particles", "slaves", "springs", "faces"})
                             .help("slaves: a look at the points at which the solver will compute "
                                   "stress; not to be simulated. springs, faces: what joins the "
                                   "particles of a body, for the solver's data of these names; "
                                   "with all other values as for the particles."));
    }
};

/// The values of a material that melts, under names that no other method's values have: some are
/// called alike and have other units.
struct MeltSourceMaterial {
    melt::Material material;

    /// What stands before their names.
    static constexpr std::string_view prefix = "melt_";

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        melt::Material::fields(self.material, [&](auto& value, Field f) {
            f.name_ = prefixed(f.name_);
            visit(value, f.hide_when("{ matter == elastoplastic } { matter == coupling }"));
        });
    }

private:
    /// With the prefix; the text lives on.
    static std::string_view prefixed(std::string_view name);
};

const NodeInfo& source_node();

// ---- Nendo Surface -----------------------------------------------------------------------------

enum class SurfaceOutput { mesh, vdb, both };
/// What the mesh at rest is for.
enum class RestMeshUse { skin, uv };

struct SurfaceNodeParams {
    SurfaceOutput output = SurfaceOutput::mesh;
    bool from_pscale = true;
    double spacing = 0.0625; ///< [m]
    RestMeshUse rest_mesh = RestMeshUse::skin;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.output, field("output")
                               .label("Output")
                               .choices({"mesh", "vdb", "both"})
                               .help("Triangles with attributes, a level set with its velocity, "
                                     "or both."));
        visit(self.rest_mesh,
              field("rest_mesh")
                  .label("Mesh at rest")
                  .folder("Data")
                  .choices({"skin", "uv"})
                  .disable_when("{ output == vdb }")
                  .help("What the second input is for. skin: it is carried by the particles, torn "
                        "where they tear, and goes over into their surface where they melt. uv: "
                        "the surface has the texture coordinates of its closest rest point."));
        visit(self.from_pscale, field("from_pscale")
                                    .label("Spacing from pscale")
                                    .help("Twice the largest pscale of the particles."));
        visit(self.spacing, field("spacing")
                                .label("Spacing")
                                .unit("m")
                                .above(0)
                                .usual(0.01, 0.2)
                                .disable_when("{ from_pscale == 1 }")
                                .help("Distance of neighboring particles."));
    }
};

const NodeInfo& surface_node();

// ---- Nendo Visualize ---------------------------------------------------------------------------

/// The method whose particles are looked at.
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
                               .help("The solver that made the points."));
        visit(self.quantity,
              field("quantity")
                  .label("Quantity")
                  .hide_when("{ matter == coupling } { matter == melt }")
                  .choices({"stress", "pressure", "yield", "plastic_strain", "energy", "slaves"})
                  .help("Von Mises' stress [Pa]; pressure [Pa]; how near it is to yielding, 0 to "
                        "1; plastic strain; elastic energy [J/m^3]; slaves within a spacing."));
        visit(self.fluid_quantity,
              field("fluid_quantity")
                  .label("Quantity")
                  .hide_when("{ matter == elastoplastic } { matter == melt }")
                  .choices({"density", "pressure", "stretch", "speed"})
                  .help("Density [kg/m^3]; pressure [Pa]; mean stretch of a particle's springs, 1 "
                        "at rest; speed [m/s]."));
        visit(self.melt_quantity,
              field("melt_quantity")
                  .label("Quantity")
                  .hide_when("{ matter == elastoplastic } { matter == coupling }")
                  .choices({"temperature", "melted", "phase", "pressure", "speed", "strain",
                            "orientation"})
                  .help("Temperature [degC]; share of the latent heat that is in, 0 to 1; 0 solid, "
                        "1 liquid; pressure of the liquid around it [Pa]; speed [m/s]; strain: how "
                        "far a particle's cluster is from its shape, over the shape's size; "
                        "orientation: mean angle of its cluster's members to their rest [deg]. The "
                        "last two need the clusters."));
        visit(self.fit_range,
              field("fit_range").label("Fit range").help("From the lowest to the highest value."));
        visit(self.low, field("low")
                            .label("Low")
                            .usual(0, 1)
                            .disable_when("{ fit_range == 1 }")
                            .help("Has the ramp's first color."));
        visit(self.high, field("high")
                             .label("High")
                             .usual(0, 1)
                             .disable_when("{ fit_range == 1 }")
                             .help("Has the ramp's last color."));
        visit(self.ramp, field("ramp")
                             .label("Ramp")
                             .choices({"heat", "blue_to_red", "grey"})
                             .help("The colors; the quantity is an attribute too, for ramps of "
                                   "your own."));
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
        std::vector<std::string_view> presets;
        for (const auto& known : rheology::presets()) presets.push_back(known.name);
        visit(
            self.output,
            field("output")
                .label("Output")
                .choices({"skin", "bones", "joints"})
                .help("The mesh as the simulated bones move it; or the bones, or the joints, that "
                      "are made of it, for Nendo Rheology."));
        visit(self.bones, field("bones")
                              .label("Bones")
                              .folder("Skeleton")
                              .range(1, 1000)
                              .usual(1, 50)
                              .disable_when("{ output == skin }")
                              .help("Along the line in the middle of the mesh."));
        visit(self.clamp, field("clamp")
                              .label("Clamp")
                              .folder("Skeleton")
                              .choices({"none", "first", "both"})
                              .disable_when("{ output == skin }")
                              .help("Ends that the world holds."));
        visit(self.line_radius, field("line_radius")
                                    .label("Line radius")
                                    .unit("m")
                                    .folder("Skeleton")
                                    .above(0)
                                    .usual(0.001, 0.1)
                                    .disable_when("{ output == skin }")
                                    .help("Of a wire: a bone for each piece of a line that is "
                                          "wired in place of a mesh."));
        visit(self.body, field("body").label("Body").range(0, 1e9).usual(0, 100).help(
                             "Number of the body: which of the bones move this mesh."));
        visit(self.preset, field("preset")
                               .label("Material")
                               .choices(std::move(presets))
                               .folder("Material")
                               .disable_when("{ output == skin }")
                               .help("Where values that are not overridden come from."));
        visit(self.blend,
              field("blend")
                  .label("Blend")
                  .folder("Skin")
                  .choices({"linear", "dual_quaternion"})
                  .help("linear: rheology paper, eq 1; dual_quaternion keeps thickness."));
        visit(self.weights,
              field("weights")
                  .label("Weights")
                  .folder("Skin")
                  .choices({"distance", "heat", "painted"})
                  .help("By distance to the bones, by heat that flows over the mesh, or painted: "
                        "point attributes weight0, weight1, ... one a bone."));
        visit(self.influences, field("influences")
                                   .label("Influences")
                                   .folder("Skin")
                                   .range(1, rheology::max_influences)
                                   .help("Bones that move a point, at most."));
        visit(self.detail,
              field("detail").label("Detail").folder("Skin").range(0, 10000).usual(0, 100).help(
                  "Sweeps of elastic correction of the skin's own shape."));
    }
};

const NodeInfo& skin_node();

} // namespace nendo::houdini
