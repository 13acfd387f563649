// SPDX-License-Identifier: Apache-2.0
// Scratch memory of the melting solver.
#pragma once

#include "core/parallel.h"
#include "heat/conduction.h"
#include "melt/clusters.h"
#include "melt/params.h"
#include "melt/state.h"
#include "scene/scene.h"
#include "sph/fluid.h"

#include <vector>

namespace nendo::melt {

/// Where a cluster puts its members: goal = R rest + shift (melting thesis, eq 2.12), all times the weight of
/// the cluster.
template <class Real> struct Fit {
    Vec4<Real> column[4]; ///< Of R, and the shift [m], whose fourth lane is the weight

    /// For a weight of one.
    Vec4<Real> goal(const Vec4<Real>& rest) const {
        return column[0] * rest[0] + column[1] * rest[1] + column[2] * rest[2] + column[3];
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
    /// Stiffness s of matter that has no limit, in a substep that motion has shortened. Matter that
    /// got harder as motion gets faster would throw out in a short step what was pressed in in a
    /// long one, and get faster still.
    double hardest = infinite;
    double hardest_mixed = infinite; ///< The same beside soft matter

    /// Whether soft matter is solved part after part, each taking back what it did before.
    bool keeps_pulls(bool rigid) const {
        return !rigid && (groups > 1 || scheme == Scheme::gauss_seidel);
    }
    Interpolation interpolation = Interpolation::qlerp;
};

/// Whether something outside a piece acts on it in this substep.
enum Touch : std::uint8_t { untouched = 0, pushed_by_collider = 1, held_by_pin = 2 };

/// The mass, center and momenta of a piece.
struct PieceMotion {
    double mass = 0;
    Vec3d first = Vec3d::Zero();    ///< sum m x
    Vec3d momentum = Vec3d::Zero(); ///< [kg m/s]
    Vec3d angular = Vec3d::Zero();  ///< About the origin, with spin [kg m^2/s]
    Mat3d inertia = Mat3d::Zero();  ///< About the origin [kg m^2]

    void add(double m, const Vec3d& x, const Vec3d& v, const Mat3d& own, const Vec3d& spin) {
        mass += m;
        first += m * x;
        momentum += m * v;
        angular += m * x.cross(v) + own * spin;
        inertia += m * (x.squaredNorm() * Mat3d::Identity() - x * x.transpose()) + own;
    }
    Vec3d center() const { return first / mass; }
    Vec3d angular_about_center() const { return angular - center().cross(momentum); }
    Mat3d inertia_about_center() const;
    /// The spin that is missing to the angular momentum of another motion [rad/s].
    Vec3d spin_to(const PieceMotion& other) const;
};

template <class Real> struct Workspace {
    State<Real> trial; ///< The state that a failed or interrupted step leaves behind
    Clusters<Real> clusters;
    Solve solve;

    // Per particle; x, moment and fit have a row for nobody.
    std::vector<Vec4<Real>> x;      ///< Position [m], and the mass with which clusters see it
    std::vector<Vec4<Real>> q;      ///< Orientation
    std::vector<Vec4<Real>> turned; ///< Orientation that its own cluster found
    std::vector<Vec4<Real>>
        moment; ///< m/5 R diag(radii^2), three columns [kg m^2] (melting thesis, eq 2.27)
    std::vector<Vec4<Real>> target;   ///< Where it goes without clusters [m], and its stiffness [1]
    std::vector<Vec4<Real>> begin;    ///< Where its iterations begin [m]
    std::vector<Vec3<Real>> unforced; ///< Its velocity before the forces of this substep [m/s]
    std::vector<Vec4<Real>> before, last; ///< Positions two and one iterations ago, for Chebyshev
    double omega = 1;                     ///< Chebyshev's factor
    std::vector<Real> mass;         ///< [kg]; of held particles, so much that nothing moves them
    std::vector<std::uint8_t> held; ///< Whether a pin leads it
    std::vector<Fit<Real>> fit;     ///< Of its cluster
    /// d_i of its cluster (melting thesis, eq 2.33) [m]; while weights are made of it, never quite none
    std::vector<Real> deformation;
    std::vector<Real> weights; ///< Sums of the weights of its clusters, groups one by one
    std::vector<Vec4<Real>>
        pulled; ///< What each group pulled it by, one by one, then colliders [m]
    std::vector<Vec4<Real>> link_pull; ///< What each cluster pulled, by place in the pool [m]
    bool rigid = true;                 ///< Whether all stiffness is without limit

    std::vector<std::vector<std::uint32_t>> group; ///< Solved clusters of each group
    std::vector<std::vector<std::uint32_t>> color; ///< Solved clusters of each color

    // Pieces that hang together; melting may leave two in one until the next call.
    std::vector<std::uint32_t> piece; ///< A row of the same piece, in the end its least one
    std::uint32_t piece_of(std::uint32_t i) {
        while (piece[i] != i) i = piece[i] = piece[piece[i]];
        return i;
    }
    std::vector<PieceMotion> given, found; ///< Before and after the iterations
    std::vector<Vec3d> missing_spin;       ///< [rad/s]
    std::vector<std::uint8_t> touched;     ///< By piece: a Touch
    std::vector<Vec4<Real>> steady; ///< Positions before an iteration, for pieces in contact [m]

    // The liquid.
    std::vector<std::uint32_t> wet; ///< Rows that it has to do with: the slots of `near`
    std::vector<Vec3<Real>> wet_x;  ///< Their positions [m]
    sph::Neighborhood<Real> near;
    sph::Matter<Real> fluid;
    sph::Walls<Real> walls;
    heat::Conduction<Real> conduction;

    std::vector<MovedShape> colliders, pins; ///< The world at this substep
    std::vector<std::uint32_t> contacts;     ///< Solid particles that may touch a collider
    std::vector<Vec3<Real>> pushed;          ///< How far each of them was pushed [m]
    std::vector<std::uint32_t> order, changed;
    std::vector<std::uint8_t> bucket, marked, flows;
    int heat_steps = 0;
    Partials<double> partials;

    std::int64_t work = 0;      ///< Of this substep: pairs of particles that were looked at
    bool liquids = false;       ///< Whether anything is liquid
    bool several = false;       ///< Whether there is more than one piece
    std::vector<double> d_sums; ///< After each iteration, when asked for [m]
    double calm_step = 0;       ///< How long this substep would be if nothing moved [s]

    std::size_t bytes() const;
};

template <class Real> heat::Columns<Real> heat_columns(Particles<Real>& p) {
    return {
        p.x,           p.mass,     p.volume,      p.heat_capacity, p.conductivity, p.melting_point,
        p.latent_heat, p.enthalpy, p.temperature, p.melted};
}

} // namespace nendo::melt
