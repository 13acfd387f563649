// SPDX-License-Identifier: Apache-2.0
// Parameters of the fluid solve, each declared once. Methods that contain fluids list these along
// with their own.
#pragma once

#include "core/fields.h"

namespace nendo::sph {

/// How pressure is computed from density.
enum class Pressure { state_equation, implicit };

struct Params {
    double spacing = 0.1;    ///< Distance between fluid particles at rest [m]
    double support = 2;      ///< Kernel support, in spacings [1]
    double stiffness = 2200; ///< k_press = c^2, squared speed of sound [m^2/s^2]
    Pressure pressure = Pressure::state_equation;
    bool tension = false;
    double surface_tension = 0;       ///< [N/m]
    double pressure_tolerance = 1e-3; ///< Mean compression an implicit solve may leave [1]
    int pressure_iterations = 100;
    double courant = 0.3; ///< [1]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.spacing,
              field("spacing").label("Spacing").usual(0.01, 1).unit("m").above(0).help(
                  "Distance between neighboring fluid particles. It sets the finest detail that "
                  "the fluid can show; smaller values need more particles and shorter substeps."));
        visit(self.support, field("support").label("Support").folder("Fluid").range(1.3, 4).help(
                                "How far a particle reaches, in spacings. Larger values are "
                                "smoother and slower; 1.5, as in Hirato, is coarse."));
        visit(self.pressure,
              field("pressure")
                  .label("Pressure")
                  .folder("Fluid")
                  .choices({"state_equation", "implicit"})
                  .help("How pressure is computed. state_equation: the fluid is slightly "
                        "compressible, and its speed of sound limits the substep. implicit: the "
                        "fluid is incompressible, and its motion limits the substep."));
        visit(self.stiffness,
              field("stiffness")
                  .label("Stiffness")
                  .usual(100, 10000)
                  .unit("m^2/s^2")
                  .folder("Fluid")
                  .disable_when("{ pressure == implicit }")
                  .above(0)
                  .help("Speed of sound squared. Raise it to make the fluid less compressible, at "
                        "the cost of shorter substeps: fluid at rest is compressed by gravity "
                        "times depth divided by this value. The 2.2 printed in Hirato is too soft "
                        "to hold up a column of fluid."));
        visit(self.tension, field("tension")
                                .label("Tension")
                                .folder("Fluid")
                                .disable_when("{ pressure == implicit }")
                                .help("Lets pressure drop below zero, so that fluid that is pulled "
                                      "apart pulls back. This makes particles clump."));
        visit(self.surface_tension, field("surface_tension")
                                        .label("Surface tension")
                                        .usual(0, 1)
                                        .unit("N/m")
                                        .folder("Fluid")
                                        .range(0, infinite)
                                        .help("Surface tension of the fluid. Water has 0.07; "
                                              "larger values hold larger drops together."));
        visit(
            self.pressure_tolerance,
            field("pressure_tolerance")
                .label("Pressure tolerance")
                .usual(1e-4, 1e-2)
                .folder("Steps")
                .disable_when("{ pressure == state_equation }")
                .range(1e-8, 0.1)
                .help(
                    "The implicit solve stops once the mean compression falls below this value."));
        visit(self.pressure_iterations,
              field("pressure_iterations")
                  .label("Pressure iterations")
                  .usual(10, 200)
                  .folder("Steps")
                  .disable_when("{ pressure == state_equation }")
                  .range(1, 100000)
                  .help("Maximum number of iterations of the implicit solve. If it has not "
                        "converged by then, it stops with a warning."));
        visit(
            self.courant,
            field("courant")
                .label("Courant number")
                .folder("Steps")
                .range(0.01, 1)
                .help("Largest share of the support that sound may cross, and of the spacing that "
                      "matter may cross, in one substep. Lower values take shorter substeps."));
    }

    double support_radius() const { return support * spacing; } ///< r_e [m]
};

} // namespace nendo::sph
