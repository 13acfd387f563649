// SPDX-License-Identifier: Apache-2.0
// The simulation nodes as data: their parameters, declared once, and their descriptions.
#pragma once

#include "coupling/material.h"
#include "dop/bridge/node_info.h"
#include "elastoplastic/material.h"
#include "melt/material.h"

#include <string>
#include <utility>
#include <vector>

namespace nendo::houdini {

/// What every microsolver asks beside its solver's own parameters.
struct MicrosolverParams {
    std::string geometry = "Geometry";
    std::string collider_geometry = "NendoColliders";
    Vec3d gravity{0, -9.81, 0}; ///< [m/s^2]
    double collider_friction = 0.5;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.gravity, field("gravity").label("Gravity").unit("m/s^2").help(
                                "Downwards. Gravity that is attached to the object replaces it."));
        visit(self.collider_friction,
              field("collider_friction")
                  .label("Collider friction")
                  .folder("Contact")
                  .range(0, 100)
                  .usual(0, 2)
                  .help("Coulomb's coefficient of colliders that have no physical parameters, and "
                        "of the field `collision`."));
        visit(self.geometry, field("geometry")
                                 .label("Geometry")
                                 .folder("Data")
                                 .help("Data whose points are the matter."));
        visit(self.collider_geometry, field("collider_geometry")
                                          .label("Collider memory")
                                          .folder("Data")
                                          .help("Data that keeps how colliders were in the last "
                                                "step; the solver makes it."));
    }
};

struct ElastoplasticNodeParams {
    MicrosolverParams common;
    std::string slave_geometry = "Slaves";
    std::string preset = "clay";

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        MicrosolverParams::fields(self.common, visit);
        std::vector<std::string_view> names;
        for (const auto& known : elastoplastic::presets()) names.push_back(known.name);
        visit(self.preset, field("preset")
                               .label("Material")
                               .folder("Material")
                               .choices(std::move(names))
                               .help("Of points that come without a material of their own."));
        visit(self.slave_geometry, field("slave_geometry")
                                       .label("Slaves")
                                       .folder("Data")
                                       .help("Data that keeps the slaves; the solver makes it."));
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
        std::vector<std::string_view> names;
        for (const auto& known : coupling::presets()) names.push_back(known.name);
        visit(self.preset, field("preset")
                               .label("Material")
                               .folder("Material")
                               .choices(std::move(names))
                               .help("Of points that come without a material of their own."));
        visit(self.muscle_length,
              field("muscle_length")
                  .label("Muscle length")
                  .folder("Bodies")
                  .above(0)
                  .usual(0.5, 1.5)
                  .help("Of springs whose attribute muscle is above 0, over their own; animate "
                        "it."));
        visit(self.muscle_force, field("muscle_force")
                                     .label("Muscle force")
                                     .folder("Bodies")
                                     .unit("m/s^2")
                                     .usual(-50, 50)
                                     .help("With which those springs push, or pull below 0, a "
                                           "kilogram; animate it."));
        visit(self.spring_geometry,
              field("spring_geometry")
                  .label("Springs")
                  .folder("Data")
                  .help("Data whose polygons of two corners are the springs."));
        visit(self.face_geometry, field("face_geometry")
                                      .label("Faces")
                                      .folder("Data")
                                      .help("Data whose triangles are the faces of membranes."));
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
        std::vector<std::string_view> names;
        for (const auto& known : melt::presets()) names.push_back(known.name);
        visit(self.preset, field("preset")
                               .label("Material")
                               .folder("Material")
                               .choices(std::move(names))
                               .help("Of points that come without a material of their own."));
        visit(self.temperature,
              field("start_temperature")
                  .label("Start temperature")
                  .folder("Heat")
                  .unit("degC")
                  .range(-273.15, infinite)
                  .usual(-20, 100)
                  .help("With which new points enter; above the melting point they are liquid."));
        visit(self.heat_ball, field("heat_ball")
                                  .label("Heat ball")
                                  .folder("Heat")
                                  .help("A hot ball that may be animated."));
        visit(self.heat_center, field("heat_center")
                                    .label("Ball center")
                                    .folder("Heat")
                                    .disable_when("{ heat_ball == 0 }")
                                    .unit("m")
                                    .help("Where the ball is."));
        visit(self.heat_radius, field("heat_radius")
                                    .label("Ball radius")
                                    .folder("Heat")
                                    .disable_when("{ heat_ball == 0 }")
                                    .unit("m")
                                    .above(0)
                                    .usual(0.01, 1)
                                    .help("How large it is."));
        visit(self.heat_reach, field("heat_reach")
                                   .label("Ball reach")
                                   .folder("Heat")
                                   .disable_when("{ heat_ball == 0 }")
                                   .unit("m")
                                   .range(0, infinite)
                                   .usual(0, 2)
                                   .help("How far from it the ball is felt; 0: by contact only."));
        visit(self.heat_temperature, field("heat_temperature")
                                         .label("Ball temperature")
                                         .folder("Heat")
                                         .disable_when("{ heat_ball == 0 }")
                                         .unit("degC")
                                         .range(-273.15, infinite)
                                         .usual(0, 1000)
                                         .help("How hot it is."));
        visit(self.heat_transfer, field("heat_transfer")
                                      .label("Ball transfer")
                                      .folder("Heat")
                                      .disable_when("{ heat_ball == 0 }")
                                      .unit("W/(m^2 K)")
                                      .range(0, infinite)
                                      .usual(0, 5000)
                                      .help("How fast it warms."));
        visit(self.collider_temperature, field("collider_temperature")
                                             .label("Collider temperature")
                                             .folder("Heat")
                                             .unit("degC")
                                             .range(-273.15, infinite)
                                             .usual(0, 500)
                                             .help("Of all colliders, felt by contact."));
        visit(self.collider_transfer, field("collider_transfer")
                                          .label("Collider transfer")
                                          .folder("Heat")
                                          .unit("W/(m^2 K)")
                                          .range(0, infinite)
                                          .usual(0, 5000)
                                          .help("How fast they warm; 0: not at all."));
        visit(self.cluster_geometry,
              field("cluster_geometry")
                  .label("Clusters")
                  .folder("Data")
                  .help("Data that keeps who is in whose cluster, a point each; the solver makes "
                        "it."));
    }
};

const NodeInfo& melt_node();
const NodeInfo& elastoplastic_node();
const NodeInfo& coupling_node();

/// What is done with the bend that stays before a step.
enum class BendAction { keep, blend, bake };

struct RheologyNodeParams {
    MicrosolverParams common;
    BendAction bend = BendAction::keep;
    double bend_share = 0; ///< [1]
    std::string joint_geometry = "Joints";
    std::string contact_geometry = "NendoContacts";

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        MicrosolverParams::fields(self.common, visit);
        visit(self.bend,
              field("bend")
                  .label("Bend that stays")
                  .folder("Bend")
                  .choices({"keep", "blend", "bake"})
                  .help("blend: a share of it is left, and nothing moves; bake: it becomes the "
                        "shape at rest. Both act at the begin of each step, so key them for one "
                        "frame."));
        visit(self.bend_share, field("bend_share")
                                   .label("Share")
                                   .folder("Bend")
                                   .range(0, 1)
                                   .disable_when("{ bend == keep } { bend == bake }")
                                   .help("0 goes back to the shape at rest."));
        visit(self.joint_geometry, field("joint_geometry")
                                       .label("Joints")
                                       .folder("Data")
                                       .help("Data whose points are the joints."));
        visit(self.contact_geometry,
              field("contact_geometry")
                  .label("Contact memory")
                  .folder("Data")
                  .help("Data that keeps the impulses of contacts; the solver makes it."));
    }
};

const NodeInfo& rheology_node();

} // namespace nendo::houdini
