// SPDX-License-Identifier: Apache-2.0
// The parameters of the coupling solver, declared once.
#pragma once

#include "sph/params.h"

namespace nendo::coupling {

/// How springs are stepped.
enum class SpringSolve { implicit, explicit_ };

struct Params : sph::Params {
    double time_step = 0.01;    ///< Longest substep [s]
    bool density_change = true; ///< (Hirato, eq 8-10)
    SpringSolve springs = SpringSolve::implicit;
    double cg_tolerance = 1e-5; ///< [1]
    int cg_iterations = 200;
    bool collisions = true;
    int collision_sweeps = 16;
    double collision_tolerance = 1e-3; ///< In diameters [1]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.time_step,
              field("time_step")
                  .label("Time step")
                  .usual(1e-3, 0.05)
                  .unit("s")
                  .above(0)
                  .help("Longest substep; sound and fast motion take shorter ones by themselves."));
        sph::Params::fields(self, visit);
        visit(self.density_change,
              field("density_change")
                  .label("Density follows stretch")
                  .folder("Bodies")
                  .help("Stretched bodies fill their space, so that fluid does not slip through, "
                        "and contracted ones get heavy: Hirato, eq 8-10."));
        visit(self.springs, field("springs")
                                .label("Spring solve")
                                .folder("Bodies")
                                .choices({"implicit", "explicit"})
                                .help("implicit: calm at any stiffness; explicit: short substeps "
                                      "where springs or dampers are stiff."));
        visit(self.cg_tolerance,
              field("cg_tolerance")
                  .label("Solver tolerance")
                  .usual(1e-7, 1e-2)
                  .folder("Steps")
                  .disable_when("{ springs == explicit }")
                  .range(1e-14, 0.1)
                  .help("Residual of the springs' solve, relative to its right side."));
        visit(self.cg_iterations,
              field("cg_iterations")
                  .label("Solver iterations")
                  .usual(10, 1000)
                  .folder("Steps")
                  .disable_when("{ springs == explicit }")
                  .range(1, 100000)
                  .help("The springs' solve ends here even when it has not converged; a warning "
                        "says so."));
        visit(self.collisions,
              field("collisions")
                  .label("Collisions of bodies")
                  .folder("Bodies")
                  .help("Particles of bodies that no spring joins keep a diameter apart."));
        visit(self.collision_sweeps,
              field("collision_sweeps")
                  .label("Collision sweeps")
                  .usual(1, 16)
                  .folder("Bodies")
                  .disable_when("{ collisions == 0 }")
                  .range(1, 1000)
                  .help("At most; what is left is reported. Packings that cannot be never end."));
        visit(self.collision_tolerance, field("collision_tolerance")
                                            .label("Collision tolerance")
                                            .usual(1e-4, 1e-2)
                                            .folder("Bodies")
                                            .disable_when("{ collisions == 0 }")
                                            .range(0, 1)
                                            .help("Overlap in diameters that is no collision."));
    }
};

} // namespace nendo::coupling
