// SPDX-License-Identifier: Apache-2.0
// Scratch memory of the melting solver. Nothing in it is kept from one call to the next.
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

/// Goals of a cluster for its members: goal = R rest + shift (melting thesis, eq 2.12), all
/// multiplied by the weight of the cluster.
template <class Real> struct Fit {
    Vec4<Real> column[4]; ///< Columns of R, then the shift [m] with the weight as fourth lane

    /// The goal of a member, if the weight is one.
    Vec4<Real> goal(const Vec4<Real>& rest) const {
        return column[0] * rest[0] + column[1] * rest[1] + column[2] * rest[2] + column[3];
    }
};

/// How the solid is solved in this substep, as set by the artist or derived from the hardness.
struct Solve {
    Constraint constraint = Constraint::oriented;
    Scheme scheme = Scheme::jacobi;
    bool weighted = false;
    int groups = 1;
    int iterations = 0;
    double chebyshev_radius = 0; ///< 0 for no acceleration [1]
    /// Stiffness s of unlimited matter in a substep that motion has shortened [1]. If matter became
    /// harder as motion gets faster, a short step would suddenly release the compression of a
    /// longer one, and motion would get faster still.
    double hardest = infinite;
    double hardest_mixed = infinite; ///< Stiffness s of unlimited matter next to soft matter [1]

    /// True if soft matter is solved in parts, each of which first undoes its previous pull.
    bool keeps_pulls(bool rigid) const {
        return !rigid && (groups > 1 || scheme == Scheme::gauss_seidel);
    }
    Interpolation interpolation = Interpolation::qlerp;
};

/// What acts on a piece from outside in this substep.
enum Touch : std::uint8_t { untouched = 0, pushed_by_collider = 1, held_by_pin = 2 };

/// Mass, center and momenta of a piece.
struct PieceMotion {
    double mass = 0;                ///< [kg]
    Vec3d first = Vec3d::Zero();    ///< sum m x [kg m]
    Vec3d momentum = Vec3d::Zero(); ///< [kg m/s]
    Vec3d angular = Vec3d::Zero();  ///< About the origin, including spin [kg m^2/s]
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
    /// The angular velocity to add for the angular momentum of another motion [rad/s].
    Vec3d spin_to(const PieceMotion& other) const;
};

template <class Real> struct Workspace {
    State<Real> trial; ///< Working copy: swapped into the state on success, discarded on failure
    Clusters<Real> clusters;
    Solve solve;

    // By particle. x, moment and fit have an extra row for Clusters::padding_row().
    std::vector<Vec4<Real>> x;        ///< Position [m], and mass as clusters see it [kg]
    std::vector<Vec4<Real>> q;        ///< Orientation
    std::vector<Vec4<Real>> fitted_q; ///< Orientation found by its own cluster
    /// m/5 R diag(radii^2) as three columns [kg m^2] (melting thesis, eq 2.27)
    std::vector<Vec4<Real>> moment;
    std::vector<Vec4<Real>> target;       ///< Position without clusters [m], and stiffness s [1]
    std::vector<Vec4<Real>> begin;        ///< Position at which its iterations start [m]
    std::vector<Vec3<Real>> unforced;     ///< Velocity before the forces of this substep [m/s]
    std::vector<Vec4<Real>> before, last; ///< Positions two and one iterations ago, for Chebyshev
    double omega = 1;                     ///< Factor of the Chebyshev method
    std::vector<Real> mass;               ///< Mass, enlarged for held particles [kg]
    std::vector<std::uint8_t> held;       ///< 1 if a pin moves it
    std::vector<Fit<Real>> fit;           ///< Fit of its cluster
    /// d_i of its cluster (melting thesis, eq 2.33) [m]. Above 0 where it is a weight.
    std::vector<Real> deformation;
    std::vector<Real> weights; ///< Sum of the weights of its clusters, group after group
    /// Displacement by each group, group after group, then by colliders [m]
    std::vector<Vec4<Real>> pulled;
    std::vector<Vec4<Real>> link_pull; ///< Displacement by each cluster, by place in the pool [m]
    bool rigid = true;                 ///< True if all stiffness is unlimited

    std::vector<std::vector<std::uint32_t>> group; ///< Solved clusters of each group
    std::vector<std::vector<std::uint32_t>> color; ///< Solved clusters of each color

    // Connected pieces of solid. If melting splits one, its parts count as one until the next call.
    std::vector<std::uint32_t> piece; ///< Union-find: a row of the same piece; the root is lowest
    std::uint32_t piece_of(std::uint32_t i) {
        while (piece[i] != i) i = piece[i] = piece[piece[i]];
        return i;
    }
    std::vector<PieceMotion> motion_before; ///< By piece, before the iterations
    std::vector<PieceMotion> motion_after;  ///< By piece, after the iterations
    std::vector<Vec3d> spin_correction;     ///< By piece: angular velocity to add [rad/s]
    std::vector<std::uint8_t> touched;      ///< By piece: a combination of Touch
    std::vector<Vec4<Real>> steady; ///< Positions before an iteration, for pieces in contact [m]

    // The liquid.
    std::vector<std::uint32_t> wet; ///< Rows that interact with liquid: the slots of `near`
    std::vector<Vec3<Real>> wet_x;  ///< Their positions [m]
    sph::Neighborhood<Real> near;
    sph::Matter<Real> fluid;
    sph::Walls<Real> walls;
    heat::Conduction<Real> conduction;

    std::vector<MovedShape> colliders, pins; ///< The scene in this substep
    std::vector<std::uint32_t> contacts;     ///< Solid particles that may touch a collider
    std::vector<Vec3<Real>> pushed;          ///< Displacement of each of these by colliders [m]
    std::vector<std::uint32_t> order, changed;
    std::vector<std::uint8_t> bucket, marked, flows;
    int heat_steps = 0;
    Partials<double> partials;

    std::int64_t work = 0;       ///< Pairs of particles visited in this substep
    bool liquids = false;        ///< True if any particle is liquid
    bool several_pieces = false; ///< True if there is more than one piece
    std::vector<double> d_sums;  ///< After each iteration, if requested [m]
    double calm_step = 0;        ///< Length of this substep if nothing moved [s]

    /// visit(member) for each member: how memory is counted.
    template <class Self, class Visit> static void columns(Self& self, Visit&& visit) {
        visit_each(visit, self.trial, self.clusters, self.solve, self.x, self.q, self.fitted_q,
                   self.moment, self.target, self.begin, self.unforced, self.before, self.last,
                   self.omega, self.mass, self.held, self.fit, self.deformation, self.weights,
                   self.pulled, self.link_pull, self.rigid, self.group, self.color, self.piece,
                   self.motion_before, self.motion_after, self.spin_correction, self.touched,
                   self.steady, self.wet, self.wet_x, self.near, self.fluid, self.walls,
                   self.conduction, self.colliders, self.pins, self.contacts, self.pushed,
                   self.order, self.changed, self.bucket, self.marked, self.flows, self.heat_steps,
                   self.partials, self.work, self.liquids, self.several_pieces, self.d_sums,
                   self.calm_step);
    }
};

/// The columns that heat reads and writes.
template <class Real> heat::Columns<Real> heat_columns(Particles<Real>& p) {
    return {
        p.x,           p.mass,     p.volume,      p.heat_capacity, p.conductivity, p.melting_point,
        p.latent_heat, p.enthalpy, p.temperature, p.melted};
}

} // namespace nendo::melt
