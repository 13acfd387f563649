// SPDX-License-Identifier: Apache-2.0
// Parameters of the elastoplastic solver. Sliders, scene files, help pages and checks all read
// this one declaration.
#pragma once

#include "core/fields.h"

namespace nendo::elastoplastic {

/// The points that carry velocity, force and their gradients.
enum class StressPoints { slaves, masters };
/// How masters gather their velocity from the slaves.
enum class Transfer { affine, paper, blend };
/// When in the substep contact with colliders is enforced: inside the velocity solve or after it.
enum class ContactSolve { inside, after };
/// How many slaves are added where two remembered neighbors separate (Saida 2017, §4.2 and §6).
enum class AddSlaves { two, one, none };
/// How two slaves that come too close are thinned out (Saida 2017, §4.3 and §6).
enum class RemoveSlaves { one, merge, none };

struct Params {
    double spacing = 0.0625; ///< d [m]
    double time_step = 1e-3; ///< Largest substep [s]
    double implicitness = 1; ///< beta [1]
    double courant = 0.3;    ///< Spacings that matter may move per substep [1]
    bool lively_contact = true;
    StressPoints stress_points = StressPoints::slaves;
    Transfer transfer = Transfer::affine;
    double transfer_blend = 0.9; ///< alpha [1]
    ContactSolve contact_solve = ContactSolve::inside;
    double friction = 0.5;      ///< Coulomb coefficient between bodies that do not join [1]
    double cg_tolerance = 1e-3; ///< Relative error of the velocity solve [1]
    int cg_iterations = 200;
    AddSlaves add_slaves = AddSlaves::two;
    RemoveSlaves remove_slaves = RemoveSlaves::one;
    double neighbor_reach = 2.5;   ///< gamma, in particle radii [1]
    double remove_distance = 0.15; ///< In spacings d, which is also the kernel radius h [1]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.spacing,
              field("spacing").label("Spacing").usual(0.01, 0.2).unit("m").above(0).help(
                  "Distance between neighboring particles. Smaller values resolve finer detail and "
                  "take longer to simulate."));
        visit(self.time_step,
              field("time_step")
                  .label("Time step")
                  .usual(1e-4, 1e-2)
                  .unit("s")
                  .above(0)
                  .help("Longest substep. Fast motion and hard contact shorten it automatically."));
        visit(self.implicitness,
              field("implicitness")
                  .label("Implicitness")
                  .folder("Steps")
                  .range(0, 1)
                  .help("Share of implicit integration. 1 stays calm at any stiffness, 0.5 is "
                        "livelier, and 0 is explicit, which needs short substeps."));
        visit(self.courant, field("courant")
                                .label("Courant number")
                                .folder("Steps")
                                .range(0.01, 1)
                                .help("Number of spacings that matter may move in one substep. "
                                      "Larger values take fewer, longer substeps."));
        visit(self.lively_contact,
              field("lively_contact")
                  .label("Lively contact")
                  .folder("Steps")
                  .help("Use shorter substeps while hard matter hits something, so that it "
                        "bounces."));
        visit(self.stress_points,
              field("stress_points")
                  .label("Stress points")
                  .folder("Slaves")
                  .choices({"slaves", "masters"})
                  .help("Points at which velocity and stress are computed. 'masters' is only the "
                        "comparison without slaves of Saida 2017, Fig 7; do not use it for real "
                        "scenes."));
        visit(self.transfer, field("transfer")
                                 .label("Velocity transfer")
                                 .folder("Slaves")
                                 .choices({"affine", "paper", "blend"})
                                 .help("How particles get their velocity back from the slaves. "
                                       "'affine' keeps rotation, 'paper' is Saida 2017, eq 8, "
                                       "and 'blend' is PIC/FLIP."));
        visit(self.transfer_blend, field("transfer_blend")
                                       .label("Transfer blend")
                                       .folder("Slaves")
                                       .disable_when("{ transfer == affine }")
                                       .range(0, 1)
                                       .help("The alpha of the 'paper' transfer, or the share "
                                             "of FLIP in the 'blend' transfer."));
        visit(self.contact_solve, field("contact_solve")
                                      .label("Contact solve")
                                      .folder("Contact")
                                      .choices({"inside", "after"})
                                      .help("When contact is enforced. 'inside' makes it part of "
                                            "the velocity solve; 'after' follows Saida 2017 as "
                                            "printed and is noisier."));
        visit(self.friction,
              field("friction")
                  .label("Friction between bodies")
                  .usual(0, 2)
                  .folder("Contact")
                  .range(0, 100)
                  .help("Coulomb friction coefficient between touching bodies that do not join. "
                        "0 lets them slide freely."));
        visit(self.cg_tolerance, field("cg_tolerance")
                                     .label("Solver tolerance")
                                     .usual(1e-6, 1e-2)
                                     .folder("Steps")
                                     .range(1e-14, 0.1)
                                     .help("Error that the velocity solve may leave, relative to "
                                           "the change that forces make in a substep. Smaller "
                                           "values are more accurate and slower."));
        visit(
            self.cg_iterations,
            field("cg_iterations")
                .label("Solver iterations")
                .usual(10, 1000)
                .folder("Steps")
                .range(1, 100000)
                .help("Largest number of iterations of the velocity solve. If it has not converged "
                      "by then, it stops with a warning."));
        visit(self.add_slaves, field("add_slaves")
                                   .label("Add slaves")
                                   .folder("Slaves")
                                   .disable_when("{ stress_points == masters }")
                                   .choices({"two", "one", "none"})
                                   .help("Number of slaves added where two neighboring particles "
                                         "separate."));
        visit(self.remove_slaves, field("remove_slaves")
                                      .label("Remove slaves")
                                      .folder("Slaves")
                                      .disable_when("{ stress_points == masters }")
                                      .choices({"one", "merge", "none"})
                                      .help("How two slaves that come too close are thinned out: "
                                            "'one' removes the younger one, 'merge' moves the "
                                            "older one to the middle as well, and 'none' keeps "
                                            "both."));
        visit(self.neighbor_reach,
              field("neighbour_reach")
                  .label("Neighbor reach")
                  .folder("Slaves")
                  .range(1, 4)
                  .help("Distance, in particle radii, within which two particles of a new body are "
                        "remembered as neighbors."));
        visit(self.remove_distance,
              field("remove_distance")
                  .label("Remove distance")
                  .folder("Slaves")
                  .disable_when("{ remove_slaves == none } { stress_points == masters }")
                  .range(0, 1)
                  .help("Distance, in spacings, below which two slaves are too close. Larger "
                        "values thin them out earlier."));
    }
};

} // namespace nendo::elastoplastic
