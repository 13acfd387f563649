// SPDX-License-Identifier: Apache-2.0
// The complete state of melting matter. Nothing else is kept from one step to the next.
#pragma once

#include "core/fields.h"
#include "core/table.h"
#include "melt/material.h"

#include <cstdint>
#include <vector>

namespace nendo::melt {

/// Values of the `phase` column.
enum Phase : std::int32_t { solid = 0, liquid = 1 };

/// Particles of matter, solid or liquid. Every solid particle is the center of a cluster.
template <class Real> struct Particles : Strength<std::vector<Real>>, Melting<std::vector<Real>> {
    std::vector<std::int64_t> id;
    std::vector<Vec3<Real>> x;        ///< Position [m]
    std::vector<Vec3<Real>> v;        ///< Velocity [m/s]
    std::vector<Vec4<Real>> orient;   ///< Orientation; also the frame of its cluster
    std::vector<Vec3<Real>> spin;     ///< Angular velocity [rad/s]
    std::vector<Vec3<Real>> radii;    ///< Semi-axes of its ellipsoid, in its own frame [m]
    std::vector<Real> mass;           ///< [kg]
    std::vector<Real> volume;         ///< Volume at rest when solid [m^3]
    std::vector<Real> radius;         ///< Half the spacing, for display [m]
    std::vector<double> enthalpy;     ///< Heat relative to the solid at 0 degC [J/kg]
    std::vector<Real> temperature;    ///< [degC]
    std::vector<Real> melted;         ///< Share of the latent heat absorbed [1]
    std::vector<Real> pressure;       ///< Liquid pressure; the next solve starts from it [Pa]
    std::vector<std::int32_t> phase;  ///< A Phase
    std::vector<std::int32_t> body;   ///< Index of the body it came from
    std::vector<std::int32_t> pin;    ///< 1 + index of the pin that holds it, or 0 if free
    std::vector<std::int32_t> solved; ///< 1 if its cluster is solved, else 0
    std::vector<std::int32_t> color;  ///< Clusters of the same color share no particle

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.id, field("id").help("Unique id of the particle. It never changes."));
        visit(self.x, field("P").unit("m").meaning(Meaning::point).help("Position."));
        visit(self.v, field("v").unit("m/s").meaning(Meaning::vector).help("Velocity."));
        visit(self.orient, field("orient").help("Orientation of the particle, as a quaternion."));
        visit(self.spin,
              field("w").unit("rad/s").meaning(Meaning::vector).help("Angular velocity."));
        visit(self.radii, field("radii").unit("m").above(0).help(
                              "Semi-axes of the ellipsoid that stands for the particle."));
        visit(self.mass, field("mass").unit("kg").above(0).help("Mass of the particle."));
        visit(self.volume, field("volume").unit("m^3").above(0).help("Volume at rest when solid."));
        visit(self.radius,
              field("pscale").unit("m").above(0).help("Radius for display: half the spacing."));
        Strength<std::vector<Real>>::fields(self, visit);
        visit(self.enthalpy, field("enthalpy")
                                 .unit("J/kg")
                                 .help("Heat per kilogram, relative to the solid at 0 degrees."));
        visit(self.temperature,
              field("temperature").unit("degC").help("Temperature of the particle."));
        visit(self.melted,
              field("melted").range(0, 1).help(
                  "Share of the latent heat that the particle has absorbed. 1 is fully melted."));
        Melting<std::vector<Real>>::fields(self, visit);
        visit(self.pressure,
              field("pressure").unit("Pa").help("Pressure of the liquid at the particle."));
        visit(self.phase,
              field("phase").range(0, 1).help("Phase of the particle: 0 is solid, 1 is liquid."));
        visit(self.body, field("body").help("Index of the body that the particle came from."));
        visit(self.pin, field("pin").help(
                            "1 + index of the pin that holds the particle, or 0 if it is free."));
        visit(self.solved, field("solved").range(0, 1).help(
                               "1 if the cluster of the particle is solved, else 0."));
        visit(self.color, field("colour").help("Color of the cluster of the particle. Clusters of "
                                               "the same color share no particle."));
    }
};

/// Members of clusters. Membership is mutual: each pair has two rows, one per cluster.
template <class Real> struct Links {
    std::vector<std::int64_t> id;    ///< Particle at the center of the cluster
    std::vector<std::int64_t> other; ///< Particle that is a member of it
    std::vector<Vec3<Real>> rest;    ///< Rest offset of the member, in the center's frame [m]
    std::vector<Vec4<Real>> turn;    ///< Rest orientation of the member, in the same frame

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.id, field("id").help("Id of the particle at the center of the cluster."));
        visit(self.other,
              field("other").help("Id of the particle that is a member of the cluster."));
        visit(self.rest,
              field("rest").unit("m").help("Rest position of the member, relative to the center "
                                           "and in the frame of the cluster."));
        visit(self.turn,
              field("turn").help(
                  "Rest orientation of the member in the frame of the cluster, as a quaternion."));
    }
};

/// Single values of the state.
struct Details {
    double time = 0;                 ///< Simulated time [s]
    std::int64_t next_particle = 0;  ///< Next unused particle id
    std::int64_t bodies_entered = 0; ///< Number of bodies, in order of start time
    double sample_share = 1;         ///< Share of clusters that are solved [1]
    std::int64_t particles_melted = 0;
    std::int64_t particles_frozen = 0;
    double heat_taken = 0; ///< Heat received from air and sources so far [J]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.time, field("time").unit("s").help("Simulated time."));
        visit(self.next_particle, field("next_particle").help("Next unused particle id."));
        visit(self.bodies_entered,
              field("bodies_entered").help("Number of bodies that have entered so far."));
        visit(self.sample_share,
              field("sample_share").help("Share of the clusters that are solved."));
        visit(self.particles_melted,
              field("particles_melted").help("Number of times that a particle has melted so far."));
        visit(self.particles_frozen,
              field("particles_frozen").help("Number of times that a particle has frozen so far."));
        visit(
            self.heat_taken,
            field("heat_taken").unit("J").help("Heat received from air and heat sources so far."));
    }
};

template <class Real> struct State {
    Particles<Real> particles;
    Links<Real> links;
    Details details;

    /// Calls visit(table, name) for each table. Files and hosts walk a state this way.
    template <class Self, class Visit> static void tables(Self& self, Visit&& visit) {
        visit(self.particles, "particles");
        visit(self.links, "links");
    }
};

} // namespace nendo::melt
