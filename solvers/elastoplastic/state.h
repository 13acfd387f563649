// SPDX-License-Identifier: Apache-2.0
// Everything that elastoplastic matter must remember between two steps. Nothing else is kept.
#pragma once

#include "core/fields.h"
#include "core/table.h"

#include <cstdint>
#include <vector>

namespace nendo::elastoplastic {

/// The particles that carry matter.
template <class Real> struct Masters {
    std::vector<std::int64_t> id;
    std::vector<Vec3<Real>> x;   ///< Position [m]
    std::vector<Vec3<Real>> v;   ///< Velocity [m/s]
    std::vector<Mat3<Real>> C;   ///< Affine velocity [1/s]
    std::vector<Mat3<Real>> F_E; ///< Elastic deformation gradient [1]
    std::vector<Mat3<Real>> F_P; ///< Plastic deformation gradient [1]
    std::vector<Real> J_P;       ///< det F_P, kept apart: in a sheared F_P it drowns in rounding
    std::vector<Real> mass;      ///< [kg]
    std::vector<Real> volume;    ///< V0, volume at rest [m^3]
    std::vector<Real> radius;    ///< Half the spacing, for display [m]
    std::vector<Real> young;     ///< [Pa]
    std::vector<Real> poisson;
    std::vector<Real> yield_stretch;
    std::vector<Real> yield_compress;
    std::vector<Real> hardening;
    std::vector<std::int32_t> body; ///< Index of the body it came from
    std::vector<std::int32_t> join; ///< Matter of equal value grows together
    std::vector<std::int32_t> pin;  ///< 1 + index of the pin that holds it, 0, or -1: its goal does
    std::vector<Vec3<Real>> goal;   ///< Where it is at the end of the call, when its pin is -1 [m]
    std::vector<Vec3<Real>> force;  ///< From outside [N]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.id, field("id").help("Stable name of the particle."));
        visit(self.x, field("P").unit("m").meaning(Meaning::point).help("Position."));
        visit(self.v, field("v").unit("m/s").meaning(Meaning::vector).help("Velocity."));
        visit(self.C, field("C").unit("1/s").meaning(Meaning::matrix).help("Affine velocity."));
        visit(self.F_E, field("F_E").meaning(Meaning::matrix).help("Elastic deformation."));
        visit(self.F_P, field("F_P").meaning(Meaning::matrix).help("Plastic deformation."));
        visit(self.J_P, field("J_P").above(0).help("Plastic change of volume, det F_P."));
        visit(self.mass, field("mass").unit("kg").above(0).help("Mass."));
        visit(self.volume, field("volume").unit("m^3").above(0).help("Volume at rest."));
        visit(self.radius, field("pscale").unit("m").above(0).help("Radius for display."));
        visit(self.young, field("young").unit("Pa").above(0).help("Young's modulus."));
        visit(self.poisson, field("poisson").range(-0.95, 0.499).help("Poisson's ratio."));
        visit(self.yield_stretch, field("yield_stretch")
                                      .range(0, infinite)
                                      .may_be_none()
                                      .help("Strain above which a stretch stays."));
        visit(self.yield_compress, field("yield_compress")
                                       .range(0, infinite)
                                       .may_be_none()
                                       .help("Strain above which a squeeze stays."));
        visit(self.hardening, field("hardening").range(0, 100).help("Stiffening by squeeze."));
        visit(self.body, field("body").help("Index of the body that it came from."));
        visit(self.join, field("join").help("Matter of equal value grows together."));
        visit(self.pin,
              field("pin").help("1 + index of the pin that holds it, -1: held by its goal, or 0."));
        visit(self.goal, field("goal")
                             .unit("m")
                             .meaning(Meaning::point)
                             .optional()
                             .help("Where it is led to in this frame, when its pin is -1."));
        visit(self.force, field("force")
                              .unit("N")
                              .meaning(Meaning::vector)
                              .optional()
                              .help("From outside, beside gravity."));
    }
};

/// The moving points at which velocity and stress are computed.
template <class Real> struct Slaves {
    std::vector<std::int64_t> id;
    std::vector<Vec3<Real>> x;      ///< Position [m]
    std::vector<std::int32_t> join; ///< Serves masters of this value only

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.id, field("id").help("Stable name of the slave."));
        visit(self.x, field("P").unit("m").meaning(Meaning::point).help("Position."));
        visit(self.join, field("join").help("Serves masters of this value only."));
    }
};

/// Pairs of masters that began as neighbors and have not parted (Saida 2017, §4.2).
struct Neighbors {
    std::vector<std::int64_t> id;    ///< Of the first master
    std::vector<std::int64_t> other; ///< Of the second one

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.id, field("id").help("First master."));
        visit(self.other, field("other").help("Second master."));
    }
};

/// Single values of the state.
struct Details {
    double time = 0;              ///< [s]
    std::int64_t next_master = 0; ///< Next free id
    std::int64_t next_slave = 0;
    double slave_density_max = 0;    ///< Densest place at the start, in slaves per d^3
    std::int64_t bodies_entered = 0; ///< In the order of their start
    std::int64_t slaves_added = 0;
    std::int64_t slaves_removed = 0;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.time, field("time").unit("s").help("Simulated time."));
        visit(self.next_master, field("next_master").help("Next free id of a master."));
        visit(self.next_slave, field("next_slave").help("Next free id of a slave."));
        visit(self.slave_density_max,
              field("slave_density_max").help("Densest place of slaves at the start."));
        visit(self.bodies_entered, field("bodies_entered").help("Bodies that are in by now."));
        visit(self.slaves_added, field("slaves_added").help("Slaves added so far."));
        visit(self.slaves_removed, field("slaves_removed").help("Slaves removed so far."));
    }
};

template <class Real> struct State {
    Masters<Real> masters;
    Slaves<Real> slaves;
    Neighbors neighbors;
    Details details;

    /// visit(table, name) for each table: how files and hosts walk a state.
    template <class Self, class Visit> static void tables(Self& self, Visit&& visit) {
        visit(self.masters, "masters");
        visit(self.slaves, "slaves");
        visit(self.neighbors, "neighbours");
    }
};

} // namespace nendo::elastoplastic
