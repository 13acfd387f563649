// SPDX-License-Identifier: Apache-2.0
// The simulation nodes: their parameters, declared once, and their descriptions.
#pragma once

#include "coupling/material.h"
#include "dop/bridge/node_info.h"
#include "elastoplastic/material.h"
#include "melt/material.h"

#include <string>
#include <vector>

namespace nendo::houdini {

/// Parameters that every microsolver has besides those of its solver.
struct MicrosolverParams {
    std::string geometry = "Geometry";
    std::string collider_geometry = "NendoColliders";
    Vec3d gravity{0, -9.81, 0}; ///< [m/s^2]
    double collider_friction = 0.5;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.gravity, field("gravity").label("Gravity").unit("m/s^2").help(
                                "Acceleration of gravity. The default points down -Y. A gravity "
                                "force attached to the object replaces it."));
        visit(
            self.collider_friction,
            field("collider_friction")
                .label("Collider friction")
                .folder("Contact")
                .range(0, 100)
                .usual(0, 2)
                .help("Coulomb friction coefficient of colliders that have no physical parameters, "
                      "and of the field `collision`. Higher values slow sliding more."));
        visit(self.geometry, field("geometry")
                                 .label("Geometry")
                                 .folder("Data")
                                 .help("Name of the data whose points are the matter."));
        visit(self.collider_geometry, field("collider_geometry")
                                          .label("Collider memory")
                                          .folder("Data")
                                          .help("Name of the data that keeps the colliders of the "
                                                "last step. The solver creates it."));
    }
};

template <class Preset> Field material_field(const std::vector<Preset>& presets) {
    return preset_field("preset", "Material", presets)
        .help("Material of points that come without their own.");
}

struct ElastoplasticNodeParams {
    MicrosolverParams common;
    std::string slave_geometry = "Slaves";
    std::string preset = "clay";

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        MicrosolverParams::fields(self.common, visit);
        visit(self.preset, material_field(elastoplastic::presets()));
        visit(self.slave_geometry,
              field("slave_geometry")
                  .label("Slaves")
                  .folder("Data")
                  .help("Name of the data that keeps the slaves. The solver creates it."));
    }
};

struct CouplingNodeParams {
    MicrosolverParams common;
    std::string preset = "water";
    double muscle_length = 1; ///< [1]
    double muscle_force = 0;  ///< [m/s^2]
    std::string spring_geometry = "Springs";
    std::string face_geometry = "Faces";

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        MicrosolverParams::fields(self.common, visit);
        visit(self.preset, material_field(coupling::presets()));
        visit(self.muscle_length,
              field("muscle_length")
                  .label("Muscle length")
                  .folder("Bodies")
                  .above(0)
                  .usual(0.5, 1.5)
                  .help("Rest length of the springs whose attribute muscle is above 0, relative to "
                        "their own. Animate it to contract or stretch them."));
        visit(self.muscle_force,
              field("muscle_force")
                  .label("Muscle force")
                  .folder("Bodies")
                  .unit("m/s^2")
                  .usual(-50, 50)
                  .help("Force per unit mass with which the springs whose attribute muscle is "
                        "above 0 push. Negative values pull. Animate it."));
        visit(self.spring_geometry,
              field("spring_geometry")
                  .label("Springs")
                  .folder("Data")
                  .help("Name of the data whose two-corner polygons are the springs."));
        visit(self.face_geometry,
              field("face_geometry")
                  .label("Faces")
                  .folder("Data")
                  .help("Name of the data whose triangles are the faces of membranes."));
    }
};

struct MeltNodeParams {
    MicrosolverParams common;
    std::string preset = "wax";
    double temperature = 20; ///< [degC]
    bool heat_ball = false;
    Vec3d heat_center{0, 1, 0};        ///< [m]
    double heat_radius = 0.1;          ///< [m]
    double heat_reach = 0.5;           ///< [m]
    double heat_temperature = 200;     ///< [degC]
    double heat_transfer = 500;        ///< [W/(m^2 K)]
    double collider_temperature = 100; ///< [degC]
    double collider_transfer = 0;      ///< [W/(m^2 K)]
    std::string cluster_geometry = "Clusters";

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        MicrosolverParams::fields(self.common, visit);
        visit(self.preset, material_field(melt::presets()));
        visit(self.temperature,
              field("start_temperature")
                  .label("Start temperature")
                  .folder("Heat")
                  .unit("degC")
                  .range(-273.15, infinite)
                  .usual(-20, 100)
                  .help("Temperature of new points. Above the melting point they are liquid."));
        visit(self.heat_ball, field("heat_ball")
                                  .label("Heat ball")
                                  .folder("Heat")
                                  .help("Adds a hot ball, which may be animated."));
        visit(self.heat_center, field("heat_center")
                                    .label("Ball center")
                                    .folder("Heat")
                                    .disable_when("{ heat_ball == 0 }")
                                    .unit("m")
                                    .help("Position of the center of the ball."));
        visit(self.heat_radius, field("heat_radius")
                                    .label("Ball radius")
                                    .folder("Heat")
                                    .disable_when("{ heat_ball == 0 }")
                                    .unit("m")
                                    .above(0)
                                    .usual(0.01, 1)
                                    .help("Radius of the ball."));
        visit(self.heat_reach, field("heat_reach")
                                   .label("Ball reach")
                                   .folder("Heat")
                                   .disable_when("{ heat_ball == 0 }")
                                   .unit("m")
                                   .range(0, infinite)
                                   .usual(0, 2)
                                   .help("Distance from the surface of the ball within which it "
                                         "warms matter. 0: only by contact."));
        visit(self.heat_temperature, field("heat_temperature")
                                         .label("Ball temperature")
                                         .folder("Heat")
                                         .disable_when("{ heat_ball == 0 }")
                                         .unit("degC")
                                         .range(-273.15, infinite)
                                         .usual(0, 1000)
                                         .help("Temperature of the ball."));
        visit(
            self.heat_transfer,
            field("heat_transfer")
                .label("Ball transfer")
                .folder("Heat")
                .disable_when("{ heat_ball == 0 }")
                .unit("W/(m^2 K)")
                .range(0, infinite)
                .usual(0, 5000)
                .help("Heat transfer coefficient of the ball. Higher values warm matter faster."));
        visit(self.collider_temperature,
              field("collider_temperature")
                  .label("Collider temperature")
                  .folder("Heat")
                  .unit("degC")
                  .range(-273.15, infinite)
                  .usual(0, 500)
                  .help("Temperature of all colliders. They warm or cool matter by contact."));
        visit(self.collider_transfer,
              field("collider_transfer")
                  .label("Collider transfer")
                  .folder("Heat")
                  .unit("W/(m^2 K)")
                  .range(0, infinite)
                  .usual(0, 5000)
                  .help("Heat transfer coefficient of the colliders. Higher values warm matter "
                        "faster; 0 transfers no heat."));
        visit(self.cluster_geometry, field("cluster_geometry")
                                         .label("Clusters")
                                         .folder("Data")
                                         .help("Name of the data that keeps the members of the "
                                               "clusters, one point each. The solver creates it."));
    }
};

/// What happens to the plastic bend before a step.
enum class BendAction { keep, blend, bake };

struct RheologyNodeParams {
    MicrosolverParams common;
    BendAction bend = BendAction::keep;
    double bend_share = 0; ///< [1]
    std::string joint_geometry = "Joints";
    std::string contact_geometry = "NendoContacts";

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        MicrosolverParams::fields(self.common, visit);
        visit(
            self.bend,
            field("bend")
                .label("Plastic bend")
                .folder("Bend")
                .choices({"keep", "blend", "bake"})
                .help("What happens to the plastic bend at the beginning of each step. keep: "
                      "nothing. blend: only the share below is left, and no bone moves. bake: the "
                      "bend becomes the shape at rest. Key blend and bake for a single frame."));
        visit(
            self.bend_share,
            field("bend_share")
                .label("Share")
                .folder("Bend")
                .range(0, 1)
                .disable_when("{ bend == keep } { bend == bake }")
                .help("Share of the plastic bend that is left. 0 goes back to the shape at rest."));
        visit(self.joint_geometry, field("joint_geometry")
                                       .label("Joints")
                                       .folder("Data")
                                       .help("Name of the data whose points are the joints."));
        visit(
            self.contact_geometry,
            field("contact_geometry")
                .label("Contact memory")
                .folder("Data")
                .help("Name of the data that keeps the contact impulses. The solver creates it."));
    }
};

const NodeInfo& elastoplastic_node();
const NodeInfo& coupling_node();
const NodeInfo& rheology_node();
const NodeInfo& melt_node();

/// The microsolvers of all methods, in the order of registry/methods.h. A method without a
/// description of its own is described by its fields.
std::vector<const NodeInfo*> microsolver_nodes();

} // namespace nendo::houdini
