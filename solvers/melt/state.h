// SPDX-License-Identifier: Apache-2.0
// Everything that melting matter must remember between two steps. Nothing else is kept.
#pragma once

#include "core/fields.h"
#include "core/table.h"

#include <cstdint>
#include <vector>

namespace nendo::melt {

/// The `phase` column.
enum Phase : std::int32_t { solid = 0, liquid = 1 };

/// Matter, solid or liquid. A solid particle is the center of a cluster.
template <class Real> struct Particles {
    std::vector<std::int64_t> id;
    std::vector<Vec3<Real>> x;        ///< Position [m]
    std::vector<Vec3<Real>> v;        ///< Velocity [m/s]
    std::vector<Vec4<Real>> orient;   ///< Orientation, and the frame of its cluster
    std::vector<Vec3<Real>> spin;     ///< Angular velocity [rad/s]
    std::vector<Vec3<Real>> radii;    ///< Half axes of the ellipsoid, in its own frame [m]
    std::vector<Real> mass;           ///< [kg]
    std::vector<Real> volume;         ///< Volume at rest, as a solid [m^3]
    std::vector<Real> radius;         ///< Half the spacing, for display [m]
    std::vector<Real> young;          ///< Stiffness when cold [Pa]
    std::vector<Real> yield;          ///< Strain above which the rest shape flows [1]
    std::vector<Real> creep;          ///< How fast it does [1/s]
    std::vector<double> enthalpy;     ///< Heat since 0 degrees, solid [J/kg]
    std::vector<Real> temperature;    ///< [degC]
    std::vector<Real> melted;         ///< Share of the latent heat that is in [1]
    std::vector<Real> melting_point;  ///< [degC]
    std::vector<Real> latent_heat;    ///< [J/kg]
    std::vector<Real> heat_capacity;  ///< [J/(kg K)]
    std::vector<Real> conductivity;   ///< [W/(m K)]
    std::vector<Real> softening;      ///< Temperatures below melting over which it softens [K]
    std::vector<Real> soft_young;     ///< Stiffness when half soft [Pa]
    std::vector<Real> blend;          ///< How much it flows while it melts; 0: ice [1]
    std::vector<Real> flow;           ///< How fast it does when half melted [1/s]
    std::vector<Real> viscosity;      ///< As a liquid, at the melting point [Pa s]
    std::vector<Real> thinning;       ///< Warming that divides the viscosity by e [K]
    std::vector<Real> liquid_density; ///< [kg/m^3]
    std::vector<Real> pressure;       ///< Of the liquid around it, where the next solve starts [Pa]
    std::vector<std::int32_t> phase;  ///< A Phase
    std::vector<std::int32_t> body;   ///< Index of the body it came from
    std::vector<std::int32_t> pin;    ///< 1 + index of the pin that holds it, or 0
    std::vector<std::int32_t> solved; ///< Whether its cluster is among those that are solved
    std::vector<std::int32_t> color;  ///< Clusters of a color share no particle

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.id, field("id").help("Stable name of the particle."));
        visit(self.x, field("P").unit("m").meaning(Meaning::point).help("Position."));
        visit(self.v, field("v").unit("m/s").meaning(Meaning::vector).help("Velocity."));
        visit(self.orient, field("orient").help("Orientation as a quaternion."));
        visit(self.spin, field("w").unit("rad/s").meaning(Meaning::vector).help("Spin."));
        visit(self.radii, field("radii").unit("m").above(0).help("Half axes of its ellipsoid."));
        visit(self.mass, field("mass").unit("kg").above(0).help("Mass."));
        visit(self.volume, field("volume").unit("m^3").above(0).help("Volume at rest, solid."));
        visit(self.radius, field("pscale").unit("m").above(0).help("Radius for display."));
        visit(self.young, field("young").unit("Pa").above(0).may_be_none().help(
                              "Stiffness when cold; no limit: as hard as the solver gets it."));
        visit(self.yield, field("yield")
                              .range(0, infinite)
                              .may_be_none()
                              .help("Strain above which the rest shape flows."));
        visit(self.creep, field("creep").unit("1/s").range(0, infinite).help("How fast it flows."));
        visit(self.enthalpy, field("enthalpy").unit("J/kg").help("Heat since 0 degrees, solid."));
        visit(self.temperature, field("temperature").unit("degC").help("Temperature."));
        visit(self.melted, field("melted").range(0, 1).help("Share of the latent heat in it."));
        visit(self.melting_point, field("melting_point").unit("degC").help("Where it melts."));
        visit(
            self.latent_heat,
            field("latent_heat").unit("J/kg").range(0, infinite).help("Heat that melting takes."));
        visit(self.heat_capacity,
              field("heat_capacity").unit("J/(kg K)").above(0).help("Heat that warming takes."));
        visit(self.conductivity, field("conductivity")
                                     .unit("W/(m K)")
                                     .range(0, infinite)
                                     .help("How well it conducts heat."));
        visit(self.softening,
              field("softening")
                  .unit("K")
                  .range(0, infinite)
                  .help("It softens over so many degrees below the melting point."));
        visit(self.soft_young,
              field("soft_young").unit("Pa").above(0).help("Stiffness when half soft."));
        visit(self.blend,
              field("blend").range(0, 1).help("How much it flows while it melts: 0 ice, 1 wax."));
        visit(self.flow, field("flow")
                             .unit("1/s")
                             .range(0, infinite)
                             .help("How fast the rest shape flows when half melted."));
        visit(self.viscosity, field("viscosity")
                                  .unit("Pa s")
                                  .range(0, infinite)
                                  .help("As a liquid, at the melting point."));
        visit(self.thinning, field("thinning")
                                 .unit("K")
                                 .above(0)
                                 .may_be_none()
                                 .help("Warming that divides the viscosity by e."));
        visit(self.liquid_density,
              field("liquid_density").unit("kg/m^3").above(0).help("Density as a liquid."));
        visit(self.pressure, field("pressure").unit("Pa").help("Of the liquid around it."));
        visit(self.phase, field("phase").range(0, 1).help("0 solid, 1 liquid."));
        visit(self.body, field("body").help("Index of the body that it came from."));
        visit(self.pin, field("pin").help("1 + index of the pin that holds it, or 0."));
        visit(self.solved, field("solved").range(0, 1).help("Whether its cluster is solved."));
        visit(self.color, field("colour").help("Clusters of a color share no particle."));
    }
};

/// Who is in whose cluster. Each pair has a row for either cluster.
template <class Real> struct Links {
    std::vector<std::int64_t> id;    ///< The particle whose cluster it is
    std::vector<std::int64_t> other; ///< The particle that is in it
    std::vector<Vec3<Real>> rest;    ///< From the first to the second, in the first one's frame [m]
    std::vector<Vec4<Real>> turn;    ///< Orientation of the second at rest, in the same frame

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.id, field("id").help("The particle whose cluster it is."));
        visit(self.other, field("other").help("The particle that is in it."));
        visit(self.rest, field("rest").unit("m").help("Where it is at rest, in the cluster."));
        visit(self.turn, field("turn").help("Its orientation at rest, in the cluster."));
    }
};

/// Single values of the state.
struct Details {
    double time = 0;                 ///< [s]
    std::int64_t next_particle = 0;  ///< Next free id
    std::int64_t bodies_entered = 0; ///< In the order of their start
    double sample_share = 1;         ///< Share of the clusters that is solved
    std::int64_t particles_melted = 0;
    std::int64_t particles_frozen = 0;
    double heat_taken = 0; ///< From air and sources so far [J]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.time, field("time").unit("s").help("Simulated time."));
        visit(self.next_particle, field("next_particle").help("Next free id."));
        visit(self.bodies_entered, field("bodies_entered").help("Bodies that are in by now."));
        visit(self.sample_share, field("sample_share").help("Share of the clusters solved."));
        visit(self.particles_melted, field("particles_melted").help("Particles melted so far."));
        visit(self.particles_frozen, field("particles_frozen").help("Particles frozen so far."));
        visit(self.heat_taken, field("heat_taken").unit("J").help("From air and sources so far."));
    }
};

template <class Real> struct State {
    Particles<Real> particles;
    Links<Real> links;
    Details details;

    /// visit(table, name) for each table: how files and hosts walk a state.
    template <class Self, class Visit> static void tables(Self& self, Visit&& visit) {
        visit(self.particles, "particles");
        visit(self.links, "links");
    }
};

} // namespace nendo::melt
