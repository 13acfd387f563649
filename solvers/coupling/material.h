// SPDX-License-Identifier: Apache-2.0
// Materials of fluids and stretchy bodies, and the presets that artists start from.
#pragma once

#include "core/fields.h"
#include "method/preset.h"

namespace nendo::coupling {

enum class Phase { fluid, body };

/// Material of one particle. Springs get their stiffness, damping and strength from it.
struct Material {
    Phase phase = Phase::fluid;
    double density = 1000;          ///< Density at rest [kg/m^3]
    double viscosity = 0.01;        ///< Kinematic viscosity [m^2/s]
    double stiffness = 120;         ///< k, spring stiffness per unit mass [1/s^2]
    double damping = 4;             ///< d, spring damping per unit mass [1/s]
    double connection = 2.1;        ///< h_spr, in spacings of the body [1]
    double break_strain = infinite; ///< Strain at which springs break [1]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.phase,
              field("phase")
                  .label("Phase")
                  .choices({"fluid", "body"})
                  .help("fluid: matter that flows. body: matter held together by springs."));
        visit(self.density, field("density")
                                .label("Density")
                                .usual(100, 10000)
                                .unit("kg/m^3")
                                .above(0)
                                .help("Mass per cubic meter at rest."));
        visit(self.viscosity,
              field("viscosity")
                  .label("Viscosity")
                  .usual(0, 1)
                  .unit("m^2/s")
                  .range(0, infinite)
                  .help("Kinematic viscosity. Raise it for thicker fluid. For a body, it sets how "
                        "strongly fluid drags along its surface."));
        visit(self.stiffness, field("spring_stiffness")
                                  .label("Spring stiffness")
                                  .usual(1, 10000)
                                  .unit("1/s^2")
                                  .range(0, infinite)
                                  .help("Spring force per meter of stretch and per kilogram of "
                                        "particle mass. Raise it for a body that stretches less."));
        visit(self.damping, field("spring_damping")
                                .label("Spring damping")
                                .usual(0, 100)
                                .unit("1/s")
                                .range(0, infinite)
                                .help("Damping force per m/s of stretching speed and per kilogram "
                                      "of particle mass. Raise it to stop a body from jiggling."));
        visit(self.connection, field("connection")
                                   .label("Connection radius")
                                   .range(1, 6)
                                   .help("Springs join particles within this many spacings of each "
                                         "other. Use 1.5 or more."));
        visit(self.break_strain,
              field("break_strain")
                  .label("Break strain")
                  .usual(0.1, 5)
                  .above(0)
                  .may_be_none()
                  .help("A spring breaks when it is stretched by more than this share of its rest "
                        "length. Without a limit it never breaks."));
    }
};

const std::vector<Preset<Material>>& presets();
/// Throws an Error that suggests the closest known name.
const Material& preset(std::string_view name);

} // namespace nendo::coupling
