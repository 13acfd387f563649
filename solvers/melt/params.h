// SPDX-License-Identifier: Apache-2.0
// Parameters of the melting solver, each declared once.
#pragma once

#include "core/fields.h"
#include "heat/params.h"
#include "sph/params.h"

namespace nendo::melt {

/// What the shape match of a cluster uses: positions only (SM), or orientations too (OP).
enum class Constraint { positions, oriented };
/// Order in which clusters are solved (melting thesis, §2.3.3).
enum class Scheme { jacobi, gauss_seidel, hybrid };
/// How the hybrid scheme divides the clusters.
enum class Grouping { parity, colors };
/// How a particle whose cluster is not solved gets its orientation (melting thesis, §2.3.5).
enum class Interpolation { qlerp, expmap };
/// Whether samples and iterations are set by hand or by the hardness.
enum class Control { expert, hardness };

struct Params {
    double spacing = 0.05;   ///< Distance between particles [m]
    double time_step = 1e-2; ///< Longest substep [s]
    Control control = Control::expert;
    double hardness = 0.5; ///< [1]
    double budget = 10;    ///< Modeled cost of the solid per 1/30 s of time [ms]
    Constraint constraint = Constraint::oriented;
    Scheme scheme = Scheme::jacobi;
    bool weighted = true;
    Grouping grouping = Grouping::parity;
    int groups = 8;
    bool chebyshev = false;
    double chebyshev_radius = 0.998; ///< rho [1]
    int iterations = 17;
    double cluster_radius = 1.75; ///< In spacings [1]
    double samples = 1;           ///< Share of clusters that are solved [1]
    Interpolation interpolation = Interpolation::qlerp;
    int seed = 1;
    double damping = 0; ///< [1/s]
    bool watch_deformation = false;
    double courant = 0.4; ///< [1]
    sph::Params fluid = calm_fluid();
    heat::Params heat;

    /// Soft enough for the substeps of the solid, stiff enough for a glass of water.
    static sph::Params calm_fluid() {
        sph::Params fluid;
        fluid.stiffness = 100;
        return fluid;
    }
    /// Parameters of the fluid, with the spacing and Courant number shared by both phases.
    sph::Params fluid_params() const {
        sph::Params shared = fluid;
        shared.spacing = spacing;
        shared.courant = courant;
        return shared;
    }

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.spacing,
              field("spacing").label("Spacing").usual(0.01, 0.2).unit("m").above(0).help(
                  "Distance between neighboring particles. It sets the finest detail that the "
                  "matter can show."));
        visit(self.time_step, field("time_step")
                                  .label("Time step")
                                  .usual(1e-3, 2e-2)
                                  .unit("s")
                                  .above(0)
                                  .help("Longest substep. Fast motion, heat and liquid shorten "
                                        "substeps automatically."));
        visit(self.control,
              field("control")
                  .label("Control")
                  .folder("Hardness")
                  .choices({"expert", "hardness"})
                  .help("expert: stiffness, samples and iterations are set one by one. hardness: a "
                        "single slider chooses them within the budget."));
        visit(self.hardness, field("hardness")
                                 .label("Hardness")
                                 .folder("Hardness")
                                 .disable_when("{ control == expert }")
                                 .range(0, 1)
                                 .help("Hardness of the solid. 0 is as soft as jelly; 1 is as hard "
                                       "as the budget allows."));
        visit(self.budget, field("budget")
                               .label("Budget")
                               .folder("Hardness")
                               .disable_when("{ control == expert }")
                               .usual(1, 100)
                               .unit("ms")
                               .above(0)
                               .help("Time spent on the solid per 1/30 s of simulated time, "
                                     "estimated by a cost model so that the result is the same on "
                                     "every machine. Raise it for harder matter."));
        visit(
            self.constraint,
            field("constraint")
                .label("Constraint")
                .folder("Clusters")
                .choices({"positions", "oriented"})
                .help(
                    "What the clusters are matched to. positions: the positions of their particles "
                    "only. oriented: the orientations too, which also holds thin parts in shape."));
        visit(
            self.scheme,
            field("scheme")
                .label("Solver")
                .folder("Clusters")
                .choices({"jacobi", "gauss_seidel", "hybrid"})
                .help("Order in which clusters are solved. jacobi: all at once. gauss_seidel: one "
                      "after another, which converges fastest. hybrid: one group after another."));
        visit(self.weighted, field("weighted")
                                 .label("Weighted")
                                 .folder("Clusters")
                                 .disable_when("{ scheme == gauss_seidel }")
                                 .help("Gives clusters that are deformed more a larger weight."));
        visit(self.grouping, field("grouping")
                                 .label("Groups by")
                                 .folder("Clusters")
                                 .disable_when("{ scheme == jacobi } { scheme == gauss_seidel }")
                                 .choices({"parity", "colours"})
                                 .help("How the hybrid scheme divides the clusters. parity: even "
                                       "and odd, as in the melting thesis. colours: clusters that "
                                       "share no particle are solved together."));
        visit(self.groups,
              field("groups")
                  .label("Groups")
                  .folder("Clusters")
                  .disable_when(
                      "{ scheme == jacobi } { scheme == gauss_seidel } { grouping == parity }")
                  .range(1, 8)
                  .help("Number of groups that the colors are divided into."));
        visit(self.chebyshev,
              field("chebyshev")
                  .label("Chebyshev")
                  .folder("Clusters")
                  .help("Speeds up convergence by extrapolating from the last two iterations."));
        visit(self.chebyshev_radius,
              field("chebyshev_radius")
                  .label("Spectral radius")
                  .folder("Clusters")
                  .disable_when("{ chebyshev == 0 }")
                  .usual(0.9, 0.999)
                  .range(0, 0.9999)
                  .help("Estimated spectral radius of the plain iterations. Values closer to 1 "
                        "assume slower convergence and accelerate more."));
        visit(self.iterations,
              field("iterations")
                  .label("Iterations")
                  .folder("Clusters")
                  .disable_when("{ control == hardness }")
                  .usual(1, 100)
                  .range(0, 100000)
                  .help("Iterations of the solid per time step. When motion shortens the substeps, "
                        "the iterations are divided among them."));
        visit(self.cluster_radius,
              field("cluster_radius")
                  .label("Cluster radius")
                  .folder("Clusters")
                  .usual(1.1, 3)
                  .range(1, 3)
                  .help("Radius of a cluster, in spacings. When a particle freezes or enters, the "
                        "particles within this radius become members of its cluster."));
        visit(self.samples, field("samples")
                                .label("Solved clusters")
                                .folder("Clusters")
                                .disable_when("{ control == hardness }")
                                .range(0, 1)
                                .help("Share of the clusters that are solved. It never drops below "
                                      "the number needed to hold every particle."));
        visit(self.interpolation, field("interpolation")
                                      .label("Interpolation")
                                      .folder("Clusters")
                                      .choices({"qlerp", "expmap"})
                                      .help("How particles whose cluster is not solved get their "
                                            "orientation. qlerp: normalized mean of quaternions. "
                                            "expmap: mean of rotation vectors (exponential map)."));
        visit(self.seed, field("seed")
                             .label("Seed")
                             .folder("Clusters")
                             .range(0, 1e9)
                             .help("Seed for the random choice of clusters and their order."));
        visit(self.damping,
              field("damping")
                  .label("Damping")
                  .folder("Steps")
                  .usual(0, 10)
                  .unit("1/s")
                  .range(0, infinite)
                  .may_be_none()
                  .help("Rate at which solid matter loses its motion. Without a limit it keeps no "
                        "motion at all and only creeps into shape."));
        visit(self.watch_deformation,
              field("watch_deformation")
                  .label("Watch deformation")
                  .folder("Steps")
                  .help("Reports how far the clusters are from their rest shapes (d_sum of the "
                        "melting thesis). Costs one extra iteration."));
        visit(self.courant, field("courant")
                                .label("Courant number")
                                .folder("Steps")
                                .range(0.01, 1)
                                .help("Largest distance, in spacings, that matter may move in one "
                                      "substep. Lower values take shorter substeps."));
        heat::Params::fields(self.heat, visit);
        sph::Params::fields(self.fluid, [&](auto& member, const Field& f) {
            if (f.name_ != "spacing" && f.name_ != "courant") visit(member, f);
        });
    }
};

} // namespace nendo::melt
