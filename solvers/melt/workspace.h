// Scratch memory of the melting solver.
#pragma once

#include "core/parallel.h"
#include "core/scene.h"
#include "melt/clusters.h"
#include "melt/params.h"
#include "melt/state.h"

#include <vector>

namespace nendo::melt {

/// Where a cluster puts its members: goal = R rest + shift [S004 eq 2.12]. The fourth lane of the
/// shift is the weight of the goals.
template <class Real> struct Fit {
    Vec4<Real> column[3]; ///< Of R
    Vec4<Real> shift;     ///< [m]

    Vec4<Real> goal(const Vec4<Real>& rest) const {
        return column[0] * rest[0] + column[1] * rest[1] + column[2] * rest[2] + shift;
    }
};

/// How the solid is solved in this substep: what the artist chose, or what hardness did.
struct Solve {
    Constraint constraint = Constraint::oriented;
    Scheme scheme = Scheme::jacobi;
    bool weighted = false;
    int groups = 1;
    int iterations = 0;
    double chebyshev_radius = 0; ///< 0: no acceleration
    Interpolation interpolation = Interpolation::qlerp;
    double dt = 0; ///< [s]
};

template <class Real> struct Workspace {
    State<Real> trial; ///< The state that a failed or interrupted step leaves behind
    Clusters<Real> clusters;
    Solve solve;

    // Per particle; x, moment and fit have a row for nobody.
    std::vector<Vec4<Real>> x;         ///< Position [m], and the mass with which clusters see it
    std::vector<Vec4<Real>> q;         ///< Orientation
    std::vector<Vec4<Real>> turned;    ///< Orientation that its own cluster found
    std::vector<Vec4<Real>> moment;    ///< m/5 R diag(radii^2), three columns [kg m^2] [S004 eq 2.27]
    std::vector<Vec4<Real>> target;    ///< Where it goes without clusters [m], and its stiffness [1]
    std::vector<Vec4<Real>> before, last; ///< Positions two and one iterations ago, for Chebyshev
    double omega = 1;                  ///< Chebyshev's factor
    std::vector<Real> mass;            ///< [kg]; of held particles, so much that nothing moves them
    std::vector<std::uint8_t> held;    ///< Whether a pin leads it
    std::vector<Fit<Real>> fit;        ///< Of its cluster
    std::vector<Real> deformation;     ///< d_i of its cluster [S004 eq 2.33] [m]
    std::vector<Vec4<Real>> pulled;    ///< What each group pulled it by, groups one by one [m]
    std::vector<Vec4<Real>> link_pull; ///< What each cluster pulled, by place in the pool [m]
    bool rigid = true;                 ///< Whether all stiffness is without limit

    std::vector<std::vector<std::uint32_t>> group;  ///< Solved clusters of each group
    std::vector<std::vector<std::uint32_t>> colour; ///< Solved clusters of each colour

    std::vector<MovedShape> colliders, pins; ///< The world at this substep
    std::vector<std::uint32_t> order;
    Partials<double> partials;
};

} // namespace nendo::melt
