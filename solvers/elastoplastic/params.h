// SPDX-License-Identifier: Apache-2.0
// The parameters of the elastoplastic solver, declared once.
#pragma once

#include "core/fields.h"

namespace nendo::elastoplastic {

/// Where velocity, force and their gradients live.
enum class StressPoints { slaves, masters };
/// How velocity comes back from the slaves to the masters.
enum class Transfer { affine, paper, blend };
/// Where in the substep contact with colliders is enforced.
enum class ContactSolve { inside, after };
/// What happens where remembered neighbors part (Saida 2017, §4.2), and its §6.
enum class AddSlaves { two, one, none };
/// What happens to slaves that come too close (Saida 2017, §4.3), and its §6.
enum class RemoveSlaves { one, merge, none };

struct Params {
    double spacing = 0.0625; ///< d [m]
    double time_step = 1e-3; ///< Largest substep [s]
    double implicitness = 1; ///< beta [1]
    double courant = 0.3;    ///< [1]
    bool lively_contact = true;
    StressPoints stress_points = StressPoints::slaves;
    Transfer transfer = Transfer::affine;
    double transfer_blend = 0.9; ///< alpha [1]
    ContactSolve contact_solve = ContactSolve::inside;
    double friction = 0.5;      ///< Between bodies that do not join [1]
    double cg_tolerance = 1e-3; ///< [1]
    int cg_iterations = 200;
    AddSlaves add_slaves = AddSlaves::two;
    RemoveSlaves remove_slaves = RemoveSlaves::one;
    double neighbor_reach = 2.5;   ///< gamma, in particle radii [1]
    double remove_distance = 0.15; ///< In kernel radii h [1]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.spacing,
              field("spacing").label("Spacing").usual(0.01, 0.2).unit("m").above(0).help(
                  "Distance of neighboring particles; all detail is larger."));
        visit(self.time_step,
              field("time_step")
                  .label("Time step")
                  .usual(1e-4, 1e-2)
                  .unit("s")
                  .above(0)
                  .help("Longest substep; fast motion and hard contact take shorter ones by "
                        "themselves."));
        visit(self.implicitness,
              field("implicitness")
                  .label("Implicitness")
                  .folder("Steps")
                  .range(0, 1)
                  .help("1: calm at any stiffness; 0.5: livelier; 0: explicit, short substeps."));
        visit(self.courant, field("courant")
                                .label("Courant number")
                                .folder("Steps")
                                .range(0.01, 1)
                                .help("Spacings that matter may move in one substep."));
        visit(self.lively_contact,
              field("lively_contact")
                  .label("Lively contact")
                  .folder("Steps")
                  .help("Shorter substeps while hard matter hits something, so that it bounces."));
        visit(
            self.stress_points,
            field("stress_points")
                .label("Stress points")
                .folder("Slaves")
                .choices({"slaves", "masters"})
                .help("masters: the comparison without slaves of Saida 2017, Fig 7; not for use."));
        visit(self.transfer, field("transfer")
                                 .label("Velocity transfer")
                                 .folder("Slaves")
                                 .choices({"affine", "paper", "blend"})
                                 .help("affine keeps rotation; paper is Saida 2017, eq 8; blend is "
                                       "PIC/FLIP."));
        visit(self.transfer_blend, field("transfer_blend")
                                       .label("Transfer blend")
                                       .folder("Slaves")
                                       .disable_when("{ transfer == affine }")
                                       .range(0, 1)
                                       .help("alpha of `paper`; the share of FLIP of `blend`."));
        visit(self.contact_solve, field("contact_solve")
                                      .label("Contact solve")
                                      .folder("Contact")
                                      .choices({"inside", "after"})
                                      .help("inside: contact is part of the velocity solve; after: "
                                            "as printed in Saida 2017, "
                                            "noisier."));
        visit(self.friction,
              field("friction")
                  .label("Friction between bodies")
                  .usual(0, 2)
                  .folder("Contact")
                  .range(0, 100)
                  .help("Coulomb's coefficient where bodies touch that do not join."));
        visit(self.cg_tolerance, field("cg_tolerance")
                                     .label("Solver tolerance")
                                     .usual(1e-6, 1e-2)
                                     .folder("Steps")
                                     .range(1e-14, 0.1)
                                     .help("Error that the velocity solve leaves, relative to what "
                                           "forces change in a substep."));
        visit(
            self.cg_iterations,
            field("cg_iterations")
                .label("Solver iterations")
                .usual(10, 1000)
                .folder("Steps")
                .range(1, 100000)
                .help("The velocity solve ends here even when it has not converged; a warning says "
                      "so."));
        visit(self.add_slaves, field("add_slaves")
                                   .label("Add slaves")
                                   .folder("Slaves")
                                   .disable_when("{ stress_points == masters }")
                                   .choices({"two", "one", "none"})
                                   .help("How many slaves are added where neighbors part."));
        visit(self.remove_slaves, field("remove_slaves")
                                      .label("Remove slaves")
                                      .folder("Slaves")
                                      .disable_when("{ stress_points == masters }")
                                      .choices({"one", "merge", "none"})
                                      .help("What happens to two slaves that come too close."));
        visit(self.neighbor_reach,
              field("neighbour_reach")
                  .label("Neighbor reach")
                  .folder("Slaves")
                  .range(1, 4)
                  .help("Masters within this many particle radii are remembered as neighbors."));
        visit(self.remove_distance,
              field("remove_distance")
                  .label("Remove distance")
                  .folder("Slaves")
                  .disable_when("{ remove_slaves == none } { stress_points == masters }")
                  .range(0, 1)
                  .help("Slaves closer than this many spacings are too close."));
    }
};

} // namespace nendo::elastoplastic
