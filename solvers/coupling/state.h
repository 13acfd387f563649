// SPDX-License-Identifier: Apache-2.0
// Everything that fluids and stretchy bodies must remember between two steps. Nothing else is kept.
#pragma once

#include "core/fields.h"
#include "core/table.h"

#include <array>
#include <cstdint>
#include <vector>

namespace nendo::coupling {

/// Values of the `phase` column.
inline constexpr std::int32_t fluid_phase = 0;
inline constexpr std::int32_t body_phase = 1;

template <class Real> struct Particles {
    std::vector<std::int64_t> id;
    std::vector<Vec3<Real>> x;       ///< Position [m]
    std::vector<Vec3<Real>> v;       ///< Velocity [m/s]
    std::vector<std::int32_t> phase; ///< fluid_phase or body_phase
    std::vector<std::int32_t> body;  ///< Index of the body or fluid it came from
    std::vector<std::int32_t> pin;   ///< 1 + index of the pin that holds it, 0, or -1: its goal
    std::vector<Real> mass;          ///< [kg]
    std::vector<Real> radius;        ///< Half the spacing that it started with [m]
    std::vector<Real> rest_density;  ///< rho0 without stretch [kg/m^3]
    std::vector<Real> viscosity;     ///< Kinematic [m^2/s]
    std::vector<Real> density;       ///< [kg/m^3]
    std::vector<Real> pressure;      ///< [Pa]
    std::vector<Real> stretch;       ///< 1 / L_leng, mean stretch of its springs [1]
    std::vector<Vec3<Real>> goal;    ///< Where it is at the end of the call, when its pin is -1
    std::vector<Vec3<Real>> force;   ///< From outside [N]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.id, field("id").help("Stable name of the particle."));
        visit(self.x, field("P").unit("m").meaning(Meaning::point).help("Position."));
        visit(self.v, field("v").unit("m/s").meaning(Meaning::vector).help("Velocity."));
        visit(self.phase, field("phase").range(0, 1).help("0: fluid, 1: part of a body."));
        visit(self.body, field("body").range(0, 1e9).help("Index of the body it came from."));
        visit(self.pin,
              field("pin").help("1 + index of the pin that holds it, -1: held by its goal, or 0."));
        visit(self.mass, field("mass").unit("kg").above(0).help("Mass."));
        visit(self.radius, field("pscale").unit("m").above(0).help("Half its spacing at rest."));
        visit(self.rest_density,
              field("rest_density").unit("kg/m^3").above(0).help("Density at rest."));
        visit(self.viscosity,
              field("viscosity").unit("m^2/s").range(0, infinite).help("Kinematic viscosity."));
        visit(self.density,
              field("density").unit("kg/m^3").optional().help("Density as last computed."));
        visit(self.pressure,
              field("pressure").unit("Pa").optional().help("Pressure as last computed."));
        visit(self.stretch, field("stretch").optional().help("Mean stretch of its springs."));
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

/// Between two particles of bodies.
template <class Real> struct Springs {
    std::vector<std::int64_t> id;
    std::vector<std::int64_t> a, b;   ///< Ids of its ends
    std::vector<Real> rest;           ///< r0 [m]
    std::vector<Real> stiffness;      ///< k [1/s^2]
    std::vector<Real> damping;        ///< d [1/s]
    std::vector<Real> break_strain;   ///< [1]
    std::vector<std::int32_t> muscle; ///< 1 + index of the muscle that works it, or 0
    std::vector<Real> contraction;    ///< Beside its muscle: shorter at rest by this share [1]
    std::vector<Real> push;           ///< Beside its muscle: of unit mass [m/s^2]

    /// The columns that name what a row joins.
    template <class Self> static auto corners(Self& self) { return std::array{&self.a, &self.b}; }

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.id, field("id").help("Stable name of the spring."));
        visit(self.a, field("a").help("Id of its first end."));
        visit(self.b, field("b").help("Id of its second end."));
        visit(self.rest, field("rest").unit("m").above(0).help("Length at rest."));
        visit(self.stiffness,
              field("stiffness").unit("1/s^2").range(0, infinite).help("Of unit mass."));
        visit(self.damping, field("damping").unit("1/s").range(0, infinite).help("Of unit mass."));
        visit(self.break_strain,
              field("break_strain").above(0).may_be_none().help("Strain at which it breaks."));
        visit(self.muscle, field("muscle").range(0, 1e9).help("1 + index of its muscle, or 0."));
        visit(self.contraction, field("contraction")
                                    .range(-10, 0.99)
                                    .optional()
                                    .help("Its length at rest is less by this share, now."));
        visit(self.push, field("push").unit("m/s^2").optional().help(
                             "With which it pushes its ends apart, or pulls below 0, now."));
    }
};

/// Triangles of a membrane that is one layer thick: no fluid passes through them.
struct Faces {
    std::vector<std::int64_t> id;
    std::vector<std::int64_t> a, b, c; ///< Ids of its corners

    template <class Self> static auto corners(Self& self) {
        return std::array{&self.a, &self.b, &self.c};
    }

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.id, field("id").help("Stable name of the face."));
        visit(self.a, field("a").help("Id of its first corner."));
        visit(self.b, field("b").help("Id of its second corner."));
        visit(self.c, field("c").help("Id of its third corner."));
    }
};

/// Single values of the state.
struct Details {
    double time = 0; ///< [s]
    std::int64_t next_particle = 0;
    std::int64_t next_spring = 0;
    std::int64_t next_face = 0;
    std::int64_t bodies_entered = 0; ///< In the order of their start
    std::int64_t springs_broken = 0;
    std::int64_t poured = 0;  ///< Particles that taps gave
    std::int64_t drained = 0; ///< Particles that drains took

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.time, field("time").unit("s").help("Simulated time."));
        visit(self.next_particle, field("next_particle").help("Next free id of a particle."));
        visit(self.next_spring, field("next_spring").help("Next free id of a spring."));
        visit(self.next_face, field("next_face").help("Next free id of a face."));
        visit(self.bodies_entered, field("bodies_entered").help("Bodies that are in by now."));
        visit(self.springs_broken, field("springs_broken").help("Springs that broke so far."));
        visit(self.poured, field("poured").help("Particles that taps gave so far."));
        visit(self.drained, field("drained").help("Particles that drains took so far."));
    }
};

template <class Real> struct State {
    Particles<Real> particles;
    Springs<Real> springs;
    Faces faces;
    Details details;

    /// visit(table, name) for each table: how files and hosts walk a state.
    template <class Self, class Visit> static void tables(Self& self, Visit&& visit) {
        visit(self.particles, "particles");
        visit(self.springs, "springs");
        visit(self.faces, "faces");
    }
};

} // namespace nendo::coupling
