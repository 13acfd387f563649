// SPDX-License-Identifier: Apache-2.0
// Parameters of the rheology solver. Each is declared once, with its label, unit, range and help.
#pragma once

#include "core/fields.h"

namespace nendo::rheology {

struct Params {
    double time_step = 0.004; ///< Longest substep, h [s]
    double friction = 0.5;    ///< Coefficient of friction between bones [1]
    bool self_contact = true;
    double drag = 0;           ///< [1/s]
    double drift_repair = 0.2; ///< Baumgarte stabilization factor [1]
    double push_out = 1;       ///< Fastest separation of an overlap [m/s]
    double contact_tolerance = 1e-9;
    int contact_sweeps = 400;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.time_step,
              field("time_step")
                  .label("Time step")
                  .usual(1e-3, 2e-2)
                  .unit("s")
                  .above(0)
                  .help("Longest substep the solver may take. Every length is stable; shorter "
                        "substeps follow the motion more accurately."));
        visit(self.friction, field("friction")
                                 .label("Friction between bones")
                                 .folder("Contact")
                                 .usual(0, 2)
                                 .range(0, 100)
                                 .help("Coulomb friction coefficient between bones. Higher values "
                                       "make them slide less."));
        visit(self.self_contact, field("self_contact")
                                     .label("Contact within a body")
                                     .folder("Contact")
                                     .help("Bones of the same body collide with each other, except "
                                           "pairs that already overlap at rest."));
        visit(self.drag, field("drag")
                             .label("Drag")
                             .unit("1/s")
                             .usual(0, 10)
                             .range(0, infinite)
                             .help("Rate at which free motion dies out, as in air or syrup. Higher "
                                   "values stop it sooner."));
        visit(self.drift_repair,
              field("drift_repair")
                  .label("Drift repair")
                  .folder("Steps")
                  .range(0, 1)
                  .help("Fraction of an overlap, or of a gap in a closed loop of joints, that one "
                        "substep corrects. Higher values correct it faster."));
        visit(self.push_out,
              field("push_out")
                  .label("Push out")
                  .folder("Contact")
                  .unit("m/s")
                  .usual(0, 10)
                  .range(0, infinite)
                  .help("Highest speed at which overlapping bones are pushed apart."));
        visit(self.contact_tolerance,
              field("contact_tolerance")
                  .label("Contact tolerance")
                  .folder("Contact")
                  .unit("m/s")
                  .usual(1e-10, 1e-4)
                  .range(1e-15, 1)
                  .help("The contact solver stops once its residual speed is below this. Lower "
                        "values are more exact and slower."));
        visit(self.contact_sweeps,
              field("contact_sweeps")
                  .label("Contact sweeps")
                  .folder("Contact")
                  .usual(10, 1000)
                  .range(1, 1000000)
                  .help("Most sweeps of the contact solver per substep. If it has not converged by "
                        "then, it stops and a warning is logged."));
    }
};

} // namespace nendo::rheology
