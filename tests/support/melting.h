// SPDX-License-Identifier: Apache-2.0
// Melting matter for tests: bodies, scenes and measurements that several tests share.
#pragma once

#include "geometry/sample.h"
#include "math/nearest_rotation.h"
#include "melt/iterate.h"
#include "melt/match.h"
#include "melt/solver.h"
#include "melt/stages.h"
#include "support/scenes.h"

#include <algorithm>
#include <string>
#include <vector>

namespace nendo::melt::test {

using nendo::test::ground;
using nendo::test::ground_plane;
using nendo::test::weightless;

inline Body make_body(const Sdf& shape, const Material& material, double spacing,
                      std::int32_t index = 0) {
    Body body;
    body.name = "body " + std::to_string(index);
    body.particles = place_masters(shape, spacing);
    body.material = material;
    body.index = index;
    return body;
}

/// A box whose lowest corner is at `corner`, of `cells` lattice cells.
inline Body make_block(const Eigen::Vector3i& cells, const Vec3d& corner, const Material& material,
                       double spacing, std::int32_t index = 0) {
    const Vec3d size = spacing * cells.cast<double>();
    return make_body(*make_box(corner + 0.5 * size, size), material, spacing, index);
}

/// Parameters for matter that no heat changes.
inline Params cold(double spacing) {
    Params p;
    p.spacing = spacing;
    p.heat.enabled = false;
    return p;
}

template <class Real> State<Real> start(const std::vector<Body>& bodies, const Params& params) {
    State<Real> state;
    Host host;
    Solver<Real>().advance(state, weightless(), bodies, params, 0, host);
    return state;
}

template <class Real>
Report run(State<Real>& state, const Scene& scene, const Params& params, double duration,
           int frames = 1) {
    Solver<Real> solver;
    Host host;
    Report report;
    for (int k = 0; k < frames; ++k)
        report = solver.advance(state, scene, {}, params, duration / frames, host);
    return report;
}

/// A workspace ready to iterate on the positions of a state, without any other motion.
template <class Real>
void prepare(Workspace<Real>& w, const State<Real>& state, const Params& p, double dt = 0.01) {
    w.trial = state;
    lay_out(w, p, w.trial.links);
    w.solve = plan_solve(w, p, dt);
    for (auto& v : w.trial.particles.v) v.setZero();
    for (auto& spin : w.trial.particles.spin) spin.setZero();
    w.unforced = w.trial.particles.v;
    predict(w, p, dt);
    start_iterations(w);
}

/// d_sum per pair of cluster and member, in spacings.
template <class Real> double deformation(Workspace<Real>& w, double spacing) {
    const DeformationSum d = deformation_sum(w);
    return d.sum / d.pairs / spacing;
}

/// A constraint paired with a solver, by the paper's names.
struct Pairing {
    const char* name;
    Constraint constraint;
    Scheme scheme;
    bool weighted = false;
    double chebyshev = 0;
    Grouping grouping = Grouping::parity;

    void apply(Params& p) const {
        p.constraint = constraint;
        p.scheme = scheme;
        p.weighted = weighted;
        p.chebyshev = chebyshev > 0;
        if (chebyshev > 0) p.chebyshev_radius = chebyshev;
        p.grouping = grouping;
    }
};

inline const std::vector<Pairing>& pairings() {
    constexpr Constraint SM = Constraint::positions, OP = Constraint::oriented;
    static const std::vector<Pairing> list = {
        {"SM Jacobi", SM, Scheme::jacobi},
        {"SM weighted Jacobi", SM, Scheme::jacobi, true},
        {"SM Gauss-Seidel", SM, Scheme::gauss_seidel},
        {"OP Jacobi", OP, Scheme::jacobi},
        {"OP weighted Jacobi", OP, Scheme::jacobi, true},
        {"OP hybrid", OP, Scheme::hybrid},
        {"OP weighted hybrid", OP, Scheme::hybrid, true},
        {"OP hybrid by colors", OP, Scheme::hybrid, false, 0, Grouping::colors},
        {"OP Gauss-Seidel", OP, Scheme::gauss_seidel},
        {"OP Jacobi + Chebyshev", OP, Scheme::jacobi, false, 0.998},
        {"OP weighted Jacobi + Chebyshev", OP, Scheme::jacobi, true, 0.99},
    };
    return list;
}

} // namespace nendo::melt::test
