// SPDX-License-Identifier: Apache-2.0
// The state of elastoplastic matter: everything that is kept from one step to the next.
#pragma once

#include "core/fields.h"
#include "core/table.h"
#include "elastoplastic/material.h"

#include <cstdint>
#include <vector>

namespace nendo::elastoplastic {

/// The particles that carry mass, deformation and material.
template <class Real> struct Masters : Strength<std::vector<Real>> {
    std::vector<std::int64_t> id;
    std::vector<Vec3<Real>> x;      ///< Position [m]
    std::vector<Vec3<Real>> v;      ///< Velocity [m/s]
    std::vector<Mat3<Real>> C;      ///< Affine velocity [1/s]
    std::vector<Mat3<Real>> F_E;    ///< Elastic deformation gradient [1]
    std::vector<Mat3<Real>> F_P;    ///< Plastic deformation gradient [1]
    std::vector<Real> J_P;          ///< det F_P, stored because rounding spoils it in a sheared F_P
    std::vector<Real> mass;         ///< [kg]
    std::vector<Real> volume;       ///< V0, volume at rest [m^3]
    std::vector<Real> radius;       ///< Half the spacing, for display [m]
    std::vector<std::int32_t> body; ///< Index of the body it came from
    std::vector<std::int32_t> join; ///< Cohesion group: matter of equal value fuses on contact
    std::vector<std::int32_t> pin;  ///< 0: free; k + 1: held by pin k; -1: led to its goal
    std::vector<Vec3<Real>> goal;   ///< Position at the end of the call, if its pin is -1 [m]
    std::vector<Vec3<Real>> force;  ///< External force, in addition to gravity [N]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.id, field("id").help("Number that identifies the particle in every frame."));
        visit(self.x,
              field("P").unit("m").meaning(Meaning::point).help("Position of the particle."));
        visit(self.v,
              field("v").unit("m/s").meaning(Meaning::vector).help("Velocity of the particle."));
        visit(self.C, field("C")
                          .unit("1/s")
                          .meaning(Meaning::matrix)
                          .help("Velocity gradient around the particle (affine velocity)."));
        visit(self.F_E,
              field("F_E").meaning(Meaning::matrix).help("Elastic deformation gradient."));
        visit(self.F_P,
              field("F_P").meaning(Meaning::matrix).help("Plastic deformation gradient."));
        visit(self.J_P,
              field("J_P").above(0).help("Plastic change of volume, the determinant of F_P."));
        visit(self.mass, field("mass").unit("kg").above(0).help("Mass of the particle."));
        visit(self.volume,
              field("volume").unit("m^3").above(0).help("Volume of the particle at rest."));
        visit(self.radius, field("pscale").unit("m").above(0).help(
                               "Radius at which the particle is displayed."));
        Strength<std::vector<Real>>::fields(self, visit);
        visit(self.body, field("body").help("Index of the body that the particle came from."));
        visit(self.join, field("join").help("Group of matter that fuses where it touches. "
                                            "Particles with different values stay separate."));
        visit(self.pin, field("pin").help("0 for a free particle, k + 1 for one held by pin k, -1 "
                                          "for one led to its goal."));
        visit(self.goal, field("goal")
                             .unit("m")
                             .meaning(Meaning::point)
                             .optional()
                             .help("Position at the end of this frame of a particle whose pin is "
                                   "-1."));
        visit(self.force, field("force")
                              .unit("N")
                              .meaning(Meaning::vector)
                              .optional()
                              .help("External force on the particle, in addition to gravity."));
    }
};

/// The moving points at which velocity and stress are computed.
template <class Real> struct Slaves {
    std::vector<std::int64_t> id;
    std::vector<Vec3<Real>> x;      ///< Position [m]
    std::vector<std::int32_t> join; ///< Cohesion group of the masters that it serves

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.id, field("id").help("Number that identifies the slave in every frame."));
        visit(self.x, field("P").unit("m").meaning(Meaning::point).help("Position of the slave."));
        visit(self.join,
              field("join").help("The slave serves only masters with the same value of join."));
    }
};

/// Pairs of masters that started as neighbors and have not separated since (Saida 2017, §4.2).
struct Neighbors {
    std::vector<std::int64_t> id;    ///< Id of the first master
    std::vector<std::int64_t> other; ///< Id of the second master

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.id, field("id").help("Id of the first master of the pair."));
        visit(self.other, field("other").help("Id of the second master of the pair."));
    }
};

/// The values of the state that are not per particle.
struct Details {
    double time = 0;                 ///< Simulated time [s]
    std::int64_t next_master = 0;    ///< Next free id of a master
    std::int64_t next_slave = 0;     ///< Next free id of a slave
    double slave_density_max = 0;    ///< Highest slave density when bodies entered [slaves per d^3]
    std::int64_t bodies_entered = 0; ///< Bodies enter in the order of their start times
    std::int64_t slaves_added = 0;
    std::int64_t slaves_removed = 0;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.time, field("time").unit("s").help("Simulated time."));
        visit(self.next_master, field("next_master").help("Next free id of a master."));
        visit(self.next_slave, field("next_slave").help("Next free id of a slave."));
        visit(self.slave_density_max,
              field("slave_density_max")
                  .help("Highest density of slaves at the time their bodies entered, in slaves per "
                        "cubed spacing."));
        visit(self.bodies_entered,
              field("bodies_entered").help("Number of bodies that have entered so far."));
        visit(self.slaves_added, field("slaves_added").help("Number of slaves added so far."));
        visit(self.slaves_removed,
              field("slaves_removed").help("Number of slaves removed so far."));
    }
};

template <class Real> struct State {
    Masters<Real> masters;
    Slaves<Real> slaves;
    Neighbors neighbors;
    Details details;

    /// Calls visit(table, name) for each table. Files and hosts walk a state this way.
    template <class Self, class Visit> static void tables(Self& self, Visit&& visit) {
        visit(self.masters, "masters");
        visit(self.slaves, "slaves");
        visit(self.neighbors, "neighbours");
    }
};

} // namespace nendo::elastoplastic
