// SPDX-License-Identifier: Apache-2.0
// The complete state of fluids and stretchy bodies. Nothing else is kept from one step to the next.
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
    std::vector<std::int32_t> body;  ///< Index of the body, fluid or tap it came from
    std::vector<std::int32_t> pin;   ///< 1 + index of its pin; 0: free; -1: moves to its goal
    std::vector<Real> mass;          ///< [kg]
    std::vector<Real> radius;        ///< Half its initial spacing [m]
    std::vector<Real> rest_density;  ///< rho0 of unstretched matter [kg/m^3]
    std::vector<Real> viscosity;     ///< Kinematic viscosity [m^2/s]
    std::vector<Real> density;       ///< [kg/m^3]
    std::vector<Real> pressure;      ///< [Pa]
    std::vector<Real> stretch;       ///< 1 / L_leng, mean stretch of its springs [1]
    std::vector<Vec3<Real>> goal;    ///< Position at the end of the call if pin is -1 [m]
    std::vector<Vec3<Real>> force;   ///< External force besides gravity [N]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.id, field("id").help("Unique id of the particle. It never changes."));
        visit(self.x, field("P").unit("m").meaning(Meaning::point).help("Position."));
        visit(self.v, field("v").unit("m/s").meaning(Meaning::vector).help("Velocity."));
        visit(self.phase,
              field("phase").range(0, 1).help("Kind of matter: 0 is fluid, 1 is part of a body."));
        visit(self.body,
              field("body").range(0, 1e9).help("Index of the body that the particle came from."));
        visit(self.pin, field("pin").help("1 + index of the pin that holds the particle, 0 if it "
                                          "is free, or -1 if it moves to its goal."));
        visit(self.mass, field("mass").unit("kg").above(0).help("Mass of the particle."));
        visit(self.radius, field("pscale").unit("m").above(0).help(
                               "Radius of the particle: half the spacing at rest."));
        visit(self.rest_density, field("rest_density")
                                     .unit("kg/m^3")
                                     .above(0)
                                     .help("Density at rest, without stretch."));
        visit(self.viscosity,
              field("viscosity").unit("m^2/s").range(0, infinite).help("Kinematic viscosity."));
        visit(self.density,
              field("density").unit("kg/m^3").optional().help("Density at the last substep."));
        visit(self.pressure,
              field("pressure").unit("Pa").optional().help("Pressure at the last substep."));
        visit(self.stretch, field("stretch").optional().help(
                                "Mean stretch of the springs at this particle. 1 is unstretched."));
        visit(self.goal, field("goal")
                             .unit("m")
                             .meaning(Meaning::point)
                             .optional()
                             .help("Position that the particle reaches by the end of this frame if "
                                   "its pin is -1."));
        visit(self.force, field("force")
                              .unit("N")
                              .meaning(Meaning::vector)
                              .optional()
                              .help("External force on the particle, in addition to gravity."));
    }
};

/// Springs, each between two particles of bodies.
template <class Real> struct Springs {
    std::vector<std::int64_t> id;
    std::vector<std::int64_t> a, b;   ///< Ids of the particles at its ends
    std::vector<Real> rest;           ///< r0, rest length [m]
    std::vector<Real> stiffness;      ///< k, per unit mass [1/s^2]
    std::vector<Real> damping;        ///< d, per unit mass [1/s]
    std::vector<Real> break_strain;   ///< Strain at which it breaks [1]
    std::vector<std::int32_t> muscle; ///< 1 + index of the muscle that drives it, or 0
    std::vector<Real> contraction;    ///< Rest length shrinks by this share, besides the muscle [1]
    std::vector<Real> push;           ///< Push per unit mass, besides the muscle [m/s^2]

    /// The columns with the ids of the particles that a row connects.
    template <class Self> static auto corners(Self& self) { return std::array{&self.a, &self.b}; }

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.id, field("id").help("Unique id of the spring. It never changes."));
        visit(self.a, field("a").help("Id of the particle at the first end."));
        visit(self.b, field("b").help("Id of the particle at the second end."));
        visit(self.rest, field("rest").unit("m").above(0).help("Rest length of the spring."));
        visit(self.stiffness, field("stiffness")
                                  .unit("1/s^2")
                                  .range(0, infinite)
                                  .help("Spring stiffness per unit mass."));
        visit(
            self.damping,
            field("damping").unit("1/s").range(0, infinite).help("Spring damping per unit mass."));
        visit(self.break_strain, field("break_strain")
                                     .above(0)
                                     .may_be_none()
                                     .help("Strain at which the spring breaks."));
        visit(self.muscle, field("muscle").range(0, 1e9).help(
                               "1 + index of the muscle that drives the spring, or 0."));
        visit(self.contraction, field("contraction")
                                    .range(-10, 0.99)
                                    .optional()
                                    .help("Share by which the rest length is currently shortened. "
                                          "Negative values lengthen it."));
        visit(self.push, field("push").unit("m/s^2").optional().help(
                             "Force per unit mass with which the spring currently pushes its ends "
                             "apart. Negative values pull them together."));
    }
};

/// Triangles of a membrane one particle thick. Fluid cannot pass through them.
struct Faces {
    std::vector<std::int64_t> id;
    std::vector<std::int64_t> a, b, c; ///< Ids of the particles at its corners

    template <class Self> static auto corners(Self& self) {
        return std::array{&self.a, &self.b, &self.c};
    }

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.id, field("id").help("Unique id of the face. It never changes."));
        visit(self.a, field("a").help("Id of the particle at the first corner."));
        visit(self.b, field("b").help("Id of the particle at the second corner."));
        visit(self.c, field("c").help("Id of the particle at the third corner."));
    }
};

/// Single values of the state.
struct Details {
    double time = 0; ///< Simulated time [s]
    std::int64_t next_particle = 0;
    std::int64_t next_spring = 0;
    std::int64_t next_face = 0;
    std::int64_t bodies_entered = 0; ///< Number of bodies, in order of start time
    std::int64_t springs_broken = 0;
    std::int64_t poured = 0;  ///< Particles added by taps
    std::int64_t drained = 0; ///< Particles removed by drains
    std::int64_t settled = 0; ///< Particles with lower ids have been settled

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.time, field("time").unit("s").help("Simulated time."));
        visit(self.next_particle, field("next_particle").help("Next unused particle id."));
        visit(self.next_spring, field("next_spring").help("Next unused spring id."));
        visit(self.next_face, field("next_face").help("Next unused face id."));
        visit(self.bodies_entered,
              field("bodies_entered").help("Number of bodies that have entered so far."));
        visit(self.springs_broken,
              field("springs_broken").help("Number of springs that have broken so far."));
        visit(self.poured, field("poured").help("Number of particles added by taps so far."));
        visit(self.drained, field("drained").help("Number of particles removed by drains so far."));
        visit(self.settled, field("settled").help("Particles with ids below this have been moved "
                                                  "clear of walls and other matter."));
    }
};

template <class Real> struct State {
    Particles<Real> particles;
    Springs<Real> springs;
    Faces faces;
    Details details;

    /// Calls visit(table, name) for each table. Files and hosts walk a state this way.
    template <class Self, class Visit> static void tables(Self& self, Visit&& visit) {
        visit(self.particles, "particles");
        visit(self.springs, "springs");
        visit(self.faces, "faces");
    }
};

} // namespace nendo::coupling
