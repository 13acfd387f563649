// SPDX-License-Identifier: Apache-2.0
// The parameters of the melting solver, declared once.
#pragma once

#include "core/fields.h"
#include "heat/params.h"
#include "sph/params.h"

namespace nendo::melt {

/// What a cluster's shape is matched by: positions alone (SM), or orientations too (OP).
enum class Constraint { positions, oriented };
/// In which order clusters are solved (melting thesis, §2.3.3).
enum class Scheme { jacobi, gauss_seidel, hybrid };
/// How the hybrid scheme divides the clusters.
enum class Grouping { parity, colors };
/// How the orientations of particles whose cluster isn't solved are found (melting thesis, §2.3.5).
enum class Interpolation { qlerp, expmap };
/// Who chooses samples and iterations.
enum class Control { expert, hardness };

struct Params {
    double spacing = 0.05;   ///< Of the particles [m]
    double time_step = 1e-2; ///< Largest substep [s]
    Control control = Control::expert;
    double hardness = 0.5; ///< [1]
    double budget = 10;    ///< Work of the solid in a frame's 1/30 s [ms]
    Constraint constraint = Constraint::oriented;
    Scheme scheme = Scheme::jacobi;
    bool weighted = true;
    Grouping grouping = Grouping::parity;
    int groups = 8;
    bool chebyshev = false;
    double chebyshev_radius = 0.998; ///< rho [1]
    int iterations = 17;
    double cluster_radius = 1.75; ///< In spacings [1]
    double samples = 1;           ///< Share of the clusters that are solved [1]
    Interpolation interpolation = Interpolation::qlerp;
    int seed = 1;
    double damping = 0; ///< [1/s]
    bool watch_deformation = false;
    double courant = 0.4; ///< [1]
    sph::Params fluid = calm_fluid();
    heat::Params heat;

    /// Soft enough for the substeps of solids, stiff enough for a glass of water.
    static sph::Params calm_fluid() {
        sph::Params fluid;
        fluid.stiffness = 100;
        return fluid;
    }
    /// The fluid's, with the values that it shares with the solid.
    sph::Params fluid_params() const {
        sph::Params shared = fluid;
        shared.spacing = spacing;
        shared.courant = courant;
        return shared;
    }

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.spacing,
              field("spacing").label("Spacing").usual(0.01, 0.2).unit("m").above(0).help(
                  "Distance of neighboring particles; all detail is larger."));
        visit(self.time_step,
              field("time_step")
                  .label("Time step")
                  .usual(1e-3, 2e-2)
                  .unit("s")
                  .above(0)
                  .help("Longest substep; fast motion, heat and liquid take shorter ones by "
                        "themselves."));
        visit(self.control,
              field("control")
                  .label("Control")
                  .folder("Hardness")
                  .choices({"expert", "hardness"})
                  .help("hardness: one knob chooses stiffness, samples and iterations "
                        "within the budget."));
        visit(self.hardness, field("hardness")
                                 .label("Hardness")
                                 .folder("Hardness")
                                 .disable_when("{ control == expert }")
                                 .range(0, 1)
                                 .help("0: as soft as jelly; 1: as hard as the budget allows."));
        visit(self.budget, field("budget")
                               .label("Budget")
                               .folder("Hardness")
                               .disable_when("{ control == expert }")
                               .usual(1, 100)
                               .unit("ms")
                               .above(0)
                               .help("Work for the solid in a frame of 1/30 s, by a model of the "
                                     "cost: the same on every machine."));
        visit(self.constraint, field("constraint")
                                   .label("Constraint")
                                   .folder("Clusters")
                                   .choices({"positions", "oriented"})
                                   .help("oriented holds thin parts too."));
        visit(self.scheme, field("scheme")
                               .label("Solver")
                               .folder("Clusters")
                               .choices({"jacobi", "gauss_seidel", "hybrid"})
                               .help("jacobi: all clusters at once; gauss_seidel: one after the "
                                     "other, fastest to converge; hybrid: group after group."));
        visit(self.weighted, field("weighted")
                                 .label("Weighted")
                                 .folder("Clusters")
                                 .disable_when("{ scheme == gauss_seidel }")
                                 .help("Clusters that are deformed more count more."));
        visit(self.grouping,
              field("grouping")
                  .label("Groups by")
                  .folder("Clusters")
                  .disable_when("{ scheme == jacobi } { scheme == gauss_seidel }")
                  .choices({"parity", "colours"})
                  .help("parity: even and odd, as in melting thesis; colors: clusters that "
                        "share no particle are together."));
        visit(self.groups,
              field("groups")
                  .label("Groups")
                  .folder("Clusters")
                  .disable_when(
                      "{ scheme == jacobi } { scheme == gauss_seidel } { grouping == parity }")
                  .range(1, 8)
                  .help("How many groups colors are put into."));
        visit(self.chebyshev, field("chebyshev")
                                  .label("Chebyshev")
                                  .folder("Clusters")
                                  .help("Speeds the iterations up by what the last two did."));
        visit(self.chebyshev_radius, field("chebyshev_radius")
                                         .label("Spectral radius")
                                         .folder("Clusters")
                                         .disable_when("{ chebyshev == 0 }")
                                         .usual(0.9, 0.999)
                                         .range(0, 0.9999)
                                         .help("How slow the plain iterations are thought to be."));
        visit(self.iterations, field("iterations")
                                   .label("Iterations")
                                   .folder("Clusters")
                                   .disable_when("{ control == hardness }")
                                   .usual(1, 100)
                                   .range(0, 100000)
                                   .help("Of the solid, in a time step; where motion shortens the "
                                         "substeps, they share them."));
        visit(self.cluster_radius, field("cluster_radius")
                                       .label("Cluster radius")
                                       .folder("Clusters")
                                       .usual(1.1, 3)
                                       .range(1, 3)
                                       .help("In spacings: who is in a particle's cluster when it "
                                             "freezes or enters."));
        visit(self.samples, field("samples")
                                .label("Solved clusters")
                                .folder("Clusters")
                                .disable_when("{ control == hardness }")
                                .range(0, 1)
                                .help("Share of the clusters that is solved; never fewer than it "
                                      "takes to hold all particles."));
        visit(self.interpolation,
              field("interpolation")
                  .label("Interpolation")
                  .folder("Clusters")
                  .choices({"qlerp", "expmap"})
                  .help("Of the orientations of clusters that are not solved."));
        visit(self.seed, field("seed")
                             .label("Seed")
                             .folder("Clusters")
                             .range(0, 1e9)
                             .help("Of the choice of clusters and of their order."));
        visit(self.damping, field("damping")
                                .label("Damping")
                                .folder("Steps")
                                .usual(0, 10)
                                .unit("1/s")
                                .range(0, infinite)
                                .may_be_none()
                                .help("How fast solid matter loses its motion; no limit: it only "
                                      "creeps into shape."));
        visit(self.watch_deformation, field("watch_deformation")
                                          .label("Watch deformation")
                                          .folder("Steps")
                                          .help("Reports how far clusters are from their shape, "
                                                "d_sum of melting thesis, at the "
                                                "cost of an iteration."));
        visit(self.courant, field("courant")
                                .label("Courant number")
                                .folder("Steps")
                                .range(0.01, 1)
                                .help("Spacings that matter may move in one substep."));
        heat::Params::fields(self.heat, visit);
        sph::Params::fields(self.fluid, [&](auto& member, const Field& f) {
            if (f.name_ != "spacing" && f.name_ != "courant") visit(member, f);
        });
    }
};

} // namespace nendo::melt
