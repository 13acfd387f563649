// SPDX-License-Identifier: Apache-2.0
// Parameters of the coupling solver, each declared once.
#pragma once

#include "sph/params.h"

namespace nendo::coupling {

/// How springs are integrated in time.
enum class SpringSolve { implicit, explicit_ };

struct Params : sph::Params {
    double time_step = 0.01;    ///< Longest substep [s]
    bool density_change = true; ///< Rest density follows stretch (Hirato, eq 8-10)
    SpringSolve springs = SpringSolve::implicit;
    double cg_tolerance = 1e-5; ///< Relative residual [1]
    int cg_iterations = 200;
    bool collisions = true;
    int collision_sweeps = 16;
    double collision_tolerance = 1e-3; ///< Overlap, in particle diameters [1]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.time_step, field("time_step")
                                  .label("Time step")
                                  .usual(1e-3, 0.05)
                                  .unit("s")
                                  .above(0)
                                  .help("Longest substep. Sound waves and fast motion shorten "
                                        "substeps automatically."));
        sph::Params::fields(self, visit);
        visit(self.density_change,
              field("density_change")
                  .label("Density follows stretch")
                  .folder("Bodies")
                  .help("Lets the rest density of a body follow its stretch (Hirato, eq 8-10). A "
                        "stretched body still fills its space, so that fluid does not slip through "
                        "it; a contracted body becomes denser and tends to sink."));
        visit(self.springs,
              field("springs")
                  .label("Spring solve")
                  .folder("Bodies")
                  .choices({"implicit", "explicit"})
                  .help("How springs are integrated. implicit: stable at any stiffness. explicit: "
                        "stiff springs or dampers need short substeps."));
        visit(self.cg_tolerance, field("cg_tolerance")
                                     .label("Solver tolerance")
                                     .usual(1e-7, 1e-2)
                                     .folder("Steps")
                                     .disable_when("{ springs == explicit }")
                                     .range(1e-14, 0.1)
                                     .help("The spring solve stops once its residual, relative to "
                                           "the right-hand side, falls below this value."));
        visit(self.cg_iterations,
              field("cg_iterations")
                  .label("Solver iterations")
                  .usual(10, 1000)
                  .folder("Steps")
                  .disable_when("{ springs == explicit }")
                  .range(1, 100000)
                  .help("Maximum number of iterations of the spring solve. If it has not converged "
                        "by then, it stops with a warning."));
        visit(self.collisions, field("collisions")
                                   .label("Collisions of bodies")
                                   .folder("Bodies")
                                   .help("Keeps particles of bodies at least one diameter apart, "
                                         "unless a spring joins them."));
        visit(self.collision_sweeps,
              field("collision_sweeps")
                  .label("Collision sweeps")
                  .usual(1, 16)
                  .folder("Bodies")
                  .disable_when("{ collisions == 0 }")
                  .range(1, 1000)
                  .help("Maximum number of passes over all collisions in one substep. The overlap "
                        "that remains is reported; a packing too tight to resolve would otherwise "
                        "never finish."));
        visit(self.collision_tolerance,
              field("collision_tolerance")
                  .label("Collision tolerance")
                  .usual(1e-4, 1e-2)
                  .folder("Bodies")
                  .disable_when("{ collisions == 0 }")
                  .range(0, 1)
                  .help("Overlap, in particle diameters, that is not yet treated as a collision."));
    }
};

} // namespace nendo::coupling
