// SPDX-License-Identifier: Apache-2.0
// What fluids and stretchy bodies are made of, and the presets that artists start from.
#pragma once

#include "core/fields.h"

#include <string>
#include <vector>

namespace nendo::coupling {

enum class Phase { fluid, body };

/// Of one particle; springs take stiffness, damping and strength from it.
struct Material {
    Phase phase = Phase::fluid;
    double density = 1000;          ///< At rest [kg/m^3]
    double viscosity = 0.01;        ///< Kinematic [m^2/s]
    double stiffness = 120;         ///< k, of a spring of unit mass [1/s^2]
    double damping = 4;             ///< d, likewise [1/s]
    double connection = 2.1;        ///< h_spr, in spacings of the body [1]
    double break_strain = infinite; ///< [1]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.phase, field("phase")
                              .label("Phase")
                              .choices({"fluid", "body"})
                              .help("fluid flows; body is held together by springs."));
        visit(self.density, field("density")
                                .label("Density")
                                .usual(100, 10000)
                                .unit("kg/m^3")
                                .above(0)
                                .help("Mass of a cubic meter at rest."));
        visit(self.viscosity, field("viscosity")
                                  .label("Viscosity")
                                  .usual(0, 1)
                                  .unit("m^2/s")
                                  .range(0, infinite)
                                  .help("Kinematic; of a body: how much fluid drags along it."));
        visit(self.stiffness,
              field("spring_stiffness")
                  .label("Spring stiffness")
                  .usual(1, 10000)
                  .unit("1/s^2")
                  .range(0, infinite)
                  .help("Pull for each meter of stretch and kilogram of a particle."));
        visit(self.damping, field("spring_damping")
                                .label("Spring damping")
                                .usual(0, 100)
                                .unit("1/s")
                                .range(0, infinite)
                                .help("Pull for each m/s of stretching and kilogram."));
        visit(self.connection,
              field("connection")
                  .label("Connection radius")
                  .range(1, 6)
                  .help("Particles within this many spacings are joined; 1.5 or more."));
        visit(self.break_strain, field("break_strain")
                                     .label("Break strain")
                                     .usual(0.1, 5)
                                     .above(0)
                                     .may_be_none()
                                     .help("A spring stretched by more than this part of its "
                                           "length breaks; no limit: never."));
    }
};

struct Preset {
    std::string_view name;
    std::string_view source; ///< Where its numbers come from.
    Material material;
};

const std::vector<Preset>& presets();
/// Throws with the nearest known name.
const Material& preset(std::string_view name);

} // namespace nendo::coupling
