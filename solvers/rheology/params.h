// SPDX-License-Identifier: Apache-2.0
// The parameters of the rheology solver, declared once.
#pragma once

#include "core/fields.h"

namespace nendo::rheology {

struct Params {
    double time_step = 0.004; ///< h [s]
    double friction = 0.5;    ///< Between bones [1]
    bool self_contact = true;
    double drag = 0;           ///< [1/s]
    double drift_repair = 0.2; ///< Baumgarte's factor [1]
    double push_out = 1;       ///< [m/s]
    double contact_tolerance = 1e-9;
    int contact_sweeps = 400;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.time_step,
              field("time_step")
                  .label("Time step")
                  .usual(1e-3, 2e-2)
                  .unit("s")
                  .above(0)
                  .help("Longest substep. Any is stable; shorter ones follow motion better."));
        visit(self.friction, field("friction")
                                 .label("Friction between bones")
                                 .folder("Contact")
                                 .usual(0, 2)
                                 .range(0, 100)
                                 .help("Coulomb's coefficient where bones touch."));
        visit(self.self_contact,
              field("self_contact")
                  .label("Contact within a body")
                  .folder("Contact")
                  .help("Bones of one body touch, where they do not overlap at rest."));
        visit(self.drag, field("drag")
                             .label("Drag")
                             .unit("1/s")
                             .usual(0, 10)
                             .range(0, infinite)
                             .help("How fast free motion dies away, as in air or syrup."));
        visit(self.drift_repair,
              field("drift_repair")
                  .label("Drift repair")
                  .folder("Steps")
                  .range(0, 1)
                  .help("Share of an overlap, or of a gap in a loop, that a substep undoes."));
        visit(self.push_out, field("push_out")
                                 .label("Push out")
                                 .folder("Contact")
                                 .unit("m/s")
                                 .usual(0, 10)
                                 .range(0, infinite)
                                 .help("Fastest speed at which overlaps are undone."));
        visit(self.contact_tolerance, field("contact_tolerance")
                                          .label("Contact tolerance")
                                          .folder("Contact")
                                          .unit("m/s")
                                          .usual(1e-10, 1e-4)
                                          .range(1e-15, 1)
                                          .help("Residual speed at which the contact solve ends."));
        visit(self.contact_sweeps,
              field("contact_sweeps")
                  .label("Contact sweeps")
                  .folder("Contact")
                  .usual(10, 1000)
                  .range(1, 1000000)
                  .help("The contact solve ends here even when it has not converged; a warning "
                        "says so."));
    }
};

} // namespace nendo::rheology
