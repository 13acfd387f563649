// SPDX-License-Identifier: Apache-2.0
// The parameters of a fluid solve, declared once; methods that have fluids list them with theirs.
#pragma once

#include "core/fields.h"

namespace nendo::sph {

/// How pressure comes about.
enum class Pressure { state_equation, implicit };

struct Params {
    double spacing = 0.1;    ///< Of fluid particles at rest [m]
    double support = 2;      ///< Of the kernels, in spacings [1]
    double stiffness = 2200; ///< k_press = c^2, squared speed of sound [m^2/s^2]
    Pressure pressure = Pressure::state_equation;
    bool tension = false;
    double surface_tension = 0;       ///< [N/m]
    double pressure_tolerance = 1e-3; ///< Mean compression that an implicit solve leaves [1]
    int pressure_iterations = 100;
    double courant = 0.3; ///< [1]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.spacing,
              field("spacing").label("Spacing").usual(0.01, 1).unit("m").above(0).help(
                  "Distance of neighboring fluid particles; all detail is larger."));
        visit(self.support, field("support").label("Support").folder("Fluid").range(1.3, 4).help(
                                "Reach of a particle in spacings; 1.5 is Hirato's and coarse."));
        visit(self.pressure,
              field("pressure")
                  .label("Pressure")
                  .folder("Fluid")
                  .choices({"state_equation", "implicit"})
                  .help("state_equation: fluid is a little soft, steps follow its sound; implicit: "
                        "incompressible, steps follow its motion."));
        visit(self.stiffness,
              field("stiffness")
                  .label("Stiffness")
                  .usual(100, 10000)
                  .unit("m^2/s^2")
                  .folder("Fluid")
                  .disable_when("{ pressure == implicit }")
                  .above(0)
                  .help("Squared speed of sound. A fluid at rest is compressed by gravity times "
                        "depth over this; 2.2 is printed in Hirato and holds no column."));
        visit(self.tension, field("tension")
                                .label("Tension")
                                .folder("Fluid")
                                .disable_when("{ pressure == implicit }")
                                .help("Fluid that is pulled apart pulls back; particles clump."));
        visit(self.surface_tension,
              field("surface_tension")
                  .label("Surface tension")
                  .usual(0, 1)
                  .unit("N/m")
                  .folder("Fluid")
                  .range(0, infinite)
                  .help("Water has 0.07; larger values hold larger drops together."));
        visit(self.pressure_tolerance,
              field("pressure_tolerance")
                  .label("Pressure tolerance")
                  .usual(1e-4, 1e-2)
                  .folder("Steps")
                  .disable_when("{ pressure == state_equation }")
                  .range(1e-8, 0.1)
                  .help("Mean compression at which the implicit solve ends."));
        visit(self.pressure_iterations,
              field("pressure_iterations")
                  .label("Pressure iterations")
                  .usual(10, 200)
                  .folder("Steps")
                  .disable_when("{ pressure == state_equation }")
                  .range(1, 100000)
                  .help("The implicit solve ends here even when it has not converged; a warning "
                        "says so."));
        visit(self.courant, field("courant")
                                .label("Courant number")
                                .folder("Steps")
                                .range(0.01, 1)
                                .help("Share of the support that sound, or of the spacing that "
                                      "matter, may cross in one substep."));
    }

    double support_radius() const { return support * spacing; } ///< r_e [m]
};

} // namespace nendo::sph
