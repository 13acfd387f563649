// SPDX-License-Identifier: Apache-2.0
// Scratch memory of the elastoplastic solver, and the two operators that the method is built on:
// masters gather from slaves (mean and first moment), and scatter to them (the adjoint).
#pragma once

#include "core/parallel.h"
#include "elastoplastic/constitutive.h"
#include "elastoplastic/params.h"
#include "elastoplastic/state.h"
#include "math/lanes.h"
#include "neighbors/pairs.h"
#include "scene/scene.h"

#include <functional>
#include <vector>

namespace nendo::elastoplastic {

template <class Real> Vec4<Real> widen(const Vec3<Real>& a, Real fourth = 0) {
    return {a.x(), a.y(), a.z(), fourth};
}

template <class Real> LaneMatrix<Real> in_lanes(const Mat3<Real>& m) {
    return {widen<Real>(m.col(0)), widen<Real>(m.col(1)), widen<Real>(m.col(2))};
}

/// A vector field that is linear about a center: value + slope (x - center). The fourth lane of the
/// value may carry a number, such as a mass.
template <class Real> struct Affine {
    Vec4<Real> value;
    LaneMatrix<Real> slope;

    Affine() : value(Vec4<Real>::Zero()), slope{value, value, value} {}
    Affine(const Vec4<Real>& v, const LaneMatrix<Real>& m) : value(v), slope(m) {}
    Affine(const Vec4<Real>& v, const Mat3<Real>& m) : value(v), slope(in_lanes<Real>(m)) {}
    Vec3<Real> mean() const { return value.template head<3>(); }
    Mat3<Real> matrix() const {
        Mat3<Real> m;
        for (int k = 0; k < 3; ++k) m.col(k) = slope.col[k].template head<3>();
        return m;
    }
};

/// A slave that is inside a collider or held by a pin. While it is held, its velocity is
/// target + free * velocity.
template <class Real> struct Contact {
    std::uint32_t slave = 0;
    bool held = false;
    Mat3<Real> free = Mat3<Real>::Identity(); ///< Projector onto the directions that are free
    Vec3<Real> target = Vec3<Real>::Zero();   ///< Velocity in the directions that are held [m/s]
    Vec3<Real> normal = Vec3<Real>::Zero();   ///< Normal of the collider in which it is deepest
    Vec3<Real> surface = Vec3<Real>::Zero();  ///< Velocity of that collider [m/s]
    Real friction = 0;
    Real stickiness = 0; ///< [Pa]
    Real drag = 0;       ///< Friction within the solve, divided by sliding speed, times dt [kg]
    Vec3<Real> impulse = Vec3<Real>::Zero(); ///< Impulse that holds it in the solve [kg m/s]
    Vec3<Real> change = Vec3<Real>::Zero();  ///< Change of the impulse along the search direction

    /// The part of v along the surface.
    Vec3<Real> along(const Vec3<Real>& v) const { return v - normal * normal.dot(v); }
};

/// Two masters of different `join` that touch.
template <class Real> struct Touch {
    std::uint32_t other;
    Vec3<Real> normal; ///< Points from the other master to this one
    Vec3<Real> offset; ///< From this center to the contact point, halfway to the other center [m]
    Real force;        ///< Normal force at the start of the substep [N]
    Real stiffness;    ///< Times beta dt^2 [kg]
    Real drag;         ///< Friction divided by sliding speed, times dt [kg]
};

/// The quantities that limit the length of a substep.
struct StepLimits {
    double speed = 0;    ///< Speed of the fastest master [m/s]
    double sound = 0;    ///< Speed of sound in the stiffest master [m/s]
    bool yields = false; ///< True if any master can flow
    // The following are zero unless an implicit substep of stiff matter needs them.
    double lively_sound = 0; ///< Speed of sound in the stiffest elastic master in fast motion [m/s]
    double motion = 0;       ///< Sum of m v^2 [J]
    double turning = 0;      ///< Sum of m (sound spin^2)^2 [J/s^4]
};

/// The limits of two sets of masters together.
inline StepLimits merge_limits(const StepLimits& a, const StepLimits& b) {
    return {std::max(a.speed, b.speed), std::max(a.sound, b.sound),
            a.yields || b.yields,       std::max(a.lively_sound, b.lively_sound),
            a.motion + b.motion,        a.turning + b.turning};
}

/// True if all matter is in one cohesion group, so that there is no contact between bodies.
template <class Real> bool one_body(const Masters<Real>& masters) {
    return std::adjacent_find(masters.join.begin(), masters.join.end(), std::not_equal_to<>()) ==
           masters.join.end();
}

template <class Real> Yield<Real> yield_of(const Masters<Real>& masters, std::size_t m) {
    return {masters.yield_stretch[m], masters.yield_compress[m]};
}

/// Pairs of neighbors that have separated, sorted by id, and the places where slaves may be added
/// for them: one beside each master.
template <class Real> struct SlaveCandidates {
    std::vector<std::int64_t> id, other; ///< Ids of the two masters
    std::vector<std::int32_t> join;
    std::vector<Vec3<Real>> first_place, second_place; ///< [m]
    std::vector<Real> first_density, second_density;   ///< Current slave density there [1/d^3]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.id, field("id"));
        visit(self.other, field("other"));
        visit(self.join, field("join"));
        visit(self.first_place, field("first_place").unit("m"));
        visit(self.second_place, field("second_place").unit("m"));
        visit(self.first_density, field("first_density"));
        visit(self.second_density, field("second_density"));
    }
};

/// Slaves are numbered by their slots in `slave_grid`, so that near slaves are close in memory.
template <class Real> struct Workspace {
    /// Working copy. Swapped into the caller's state on success, discarded on failure.
    State<Real> trial;
    double end = 0;     ///< End time of the call, at which goals are reached [s]
    bool goals = false; ///< True if any master is led to its goal

    // Near pairs, rebuilt in each substep.
    Grid<Real> slave_grid, master_grid;
    Pairs<Real> pairs; ///< Query: master; slot: slave; weight: N_sm

    // Per master.
    std::vector<Vec4<Real>> center;         ///< xbar_m [m]
    std::vector<Mat3<Real>> D_inv;          ///< D_m^-1 [1/m^2]
    bool implicit = false;                  ///< True if the next four are in use
    std::vector<LaneMatrix<Real>> U;        ///< Left singular vectors of F_E
    std::vector<Mat3<Real>> slope_to_F;     ///< D_m^-1 U sigma, maps moment to change of F [1/m^2]
    std::vector<Stiffness<Real>> stiffness; ///< Stiffness times V0 beta dt^2 [kg m^2]
    std::vector<std::uint8_t> flowing;      ///< Bits of the axes that are left out of the stiffness
    std::vector<Affine<Real>> affine;       ///< Gathered mean and moment, if bodies touch
    std::vector<Affine<Real>> response;     ///< The force and moment to scatter in response
    std::vector<std::uint32_t> touch_start;
    std::vector<Touch<Real>> touches;
    std::vector<std::vector<Touch<Real>>> touch_blocks;

    // Per slave.
    std::vector<Vec4<Real>> x, v, v_old, v_star, residual, direction, product;
    std::vector<Vec4<Real>> held;     ///< Momentum and mass of the matter that pins hold
    std::vector<Real> mass, per_mass; ///< per_mass is 1 / mass, or 0 without mass
    std::vector<Contact<Real>> contacts;
    std::vector<std::vector<std::uint32_t>> contact_blocks; ///< Slaves in contact, by block

    std::vector<MovedShape> colliders, pins; ///< The scene during this substep
    Partials<double> partials;
    Partials<StepLimits> limit_partials;
    Partials<Eigen::AlignedBox<Real, 3>> ranges;
    double slack = 0; ///< No slave needs removing until two have approached by this [m]
    std::vector<std::uint32_t> order;
    std::vector<std::uint8_t> marked;
    KeyTable rows;                                                  ///< Rows of the masters, by id
    std::vector<std::pair<std::uint32_t, std::uint32_t>> neighbors; ///< Rows of both masters
    std::vector<std::uint8_t> separated; ///< Marks the pairs of neighbors that have separated
    SlaveCandidates<Real> candidates;
    std::vector<Vec3<Real>> new_slaves; ///< Positions of the slaves to add [m]
    std::vector<std::int32_t> new_slave_join;

    /// visit(member) for each member: how memory is counted.
    template <class Self, class Visit> static void columns(Self& self, Visit&& visit) {
        visit_each(visit, self.trial, self.end, self.goals, self.slave_grid, self.master_grid,
                   self.pairs, self.center, self.D_inv, self.implicit, self.U, self.slope_to_F,
                   self.stiffness, self.flowing, self.affine, self.response, self.touch_start,
                   self.touches, self.touch_blocks, self.x, self.v, self.v_old, self.v_star,
                   self.residual, self.direction, self.product, self.held, self.mass, self.per_mass,
                   self.contacts, self.contact_blocks, self.colliders, self.pins, self.partials,
                   self.limit_partials, self.ranges, self.slack, self.order, self.marked, self.rows,
                   self.neighbors, self.separated, self.candidates, self.new_slaves,
                   self.new_slave_join);
    }
};

/// Velocity [m/s] that moves a master straight to its goal.
template <class Real> Vec3<Real> goal_velocity(const Workspace<Real>& w, std::size_t m) {
    const Masters<Real>& masters = w.trial.masters;
    return (masters.goal[m] - masters.x[m]) / static_cast<Real>(w.end - w.trial.details.time);
}

/// Mean and first moment about the center of a master: value = sum_s N u_s and
/// slope = sum_s N u_s (x_s - center)^T, where two_of(a, b, offsets) returns u of slaves a and b.
template <class Real, class TwoOf>
Affine<Real> moments(const Workspace<Real>& w, const PairBlock<Real>& block, std::size_t row,
                     const TwoOf& two_of) {
    using Two = Twin<Real>;
    const Two center = Two::both(w.center[block.query[row]]);
    const std::uint32_t* const slot = block.slot.data();
    const Real* const weight = block.weight.data();
    const Vec4<Real>* const x = w.x.data();
    Two value = Two::zero(), slope0 = value, slope1 = value, slope2 = value;
    for (std::size_t k = block.start[row], end = block.start[row + 1]; k < end; k += 2) {
        const std::size_t a = slot[k], b = slot[k + 1];
        const Two offset = Two::of(x[a], x[b]) - center;
        const Two weighted = Two::fill(weight[k], weight[k + 1]) * two_of(a, b, offset);
        value = value + weighted;
        slope0 = slope0 + offset.template lane<0>() * weighted;
        slope1 = slope1 + offset.template lane<1>() * weighted;
        slope2 = slope2 + offset.template lane<2>() * weighted;
    }
    Affine<Real> sum;
    sum.value = value.first() + value.second();
    sum.slope.col[0] = slope0.first() + slope0.second();
    sum.slope.col[1] = slope1.first() + slope1.second();
    sum.slope.col[2] = slope2.first() + slope2.second();
    return sum;
}

/// Gather: mean and first moment of a slave vector over the slaves of a master.
template <class Real>
Affine<Real> gather(const Workspace<Real>& w, const PairBlock<Real>& block, std::size_t row,
                    const std::vector<Vec4<Real>>& u) {
    const Vec4<Real>* from = u.data();
    return moments(w, block, row, [from](std::size_t a, std::size_t b, const Twin<Real>&) {
        return Twin<Real>::of(from[a], from[b]);
    });
}

/// Affine momentum of a master, with its mass in the fourth lane.
template <class Real> Affine<Real> momentum_of(const Masters<Real>& masters, std::size_t m) {
    const Real mass = masters.mass[m];
    return {widen<Real>(mass * masters.v[m], mass), mass * masters.C[m]};
}

/// Evaluates value + slope offset for two slaves at a time.
template <class Real> struct TwinAffine {
    using Two = Twin<Real>;

    explicit TwinAffine(const Affine<Real>& a)
        : value(Two::both(a.value)), slope0(Two::both(a.slope.col[0])),
          slope1(Two::both(a.slope.col[1])), slope2(Two::both(a.slope.col[2])) {}
    Two at(const Two& offset) const {
        return value + offset.template lane<0>() * slope0 + offset.template lane<1>() * slope1 +
               offset.template lane<2>() * slope2;
    }
    Two value, slope0, slope1, slope2;
};

/// One term of a scatter: the affine field of a master, and the slave vector to add it to.
template <class Real> struct ScatterTerm {
    Affine<Real> affine;
    std::vector<Vec4<Real>>& out;
};

/// Scatter, the adjoint of gather(): out_s += N (value + slope (x_s - center)), for several terms at
/// once. Call it only inside Pairs::by_color(), because other masters may write to the same slaves.
template <class Real, class... More>
void scatter(const Workspace<Real>& w, const PairBlock<Real>& block, std::size_t row,
             const ScatterTerm<Real>& term, const More&... more) {
    using Two = Twin<Real>;
    constexpr std::size_t n = 1 + sizeof...(More);
    const TwinAffine<Real> terms[n] = {TwinAffine<Real>(term.affine),
                                       TwinAffine<Real>(more.affine)...};
    Vec4<Real>* const to[n] = {term.out.data(), more.out.data()...};
    const Two center = Two::both(w.center[block.query[row]]);
    const std::uint32_t* const slot = block.slot.data();
    const Real* const weight = block.weight.data();
    const Vec4<Real>* const x = w.x.data();
    for (std::size_t k = block.start[row], end = block.start[row + 1]; k < end; k += 2) {
        const std::size_t a = slot[k], b = slot[k + 1];
        const Two offset = Two::of(x[a], x[b]) - center;
        const Two N = Two::fill(weight[k], weight[k + 1]);
        for (std::size_t g = 0; g < n; ++g) {
            const Two two = N * terms[g].at(offset);
            to[g][a] += two.first();
            to[g][b] += two.second();
        }
    }
}

/// Calls use(m, a) with the gathered mean and moment of a slave vector for each master m.
template <class Real, class Use>
void to_masters(const Workspace<Real>& w, const std::vector<Vec4<Real>>& u, const Use& use) {
    w.pairs.in_any_order([&](const PairBlock<Real>& block) {
        for (std::size_t row = 0; row < block.rows(); ++row)
            use(block.query[row], gather(w, block, row, u));
    });
}

/// Scatters affine_of(m) of all masters m to the slaves.
template <class Real, class AffineOf>
void to_slaves(Workspace<Real>& w, const AffineOf& affine_of, std::vector<Vec4<Real>>& out) {
    w.pairs.by_color([&](const PairBlock<Real>& block) {
        for (std::size_t row = 0; row < block.rows(); ++row)
            scatter(w, block, row, ScatterTerm<Real>{affine_of(block.query[row]), out});
    });
}

/// Resizes a column to n entries and sets them all to zero.
template <class Real> void clear(std::vector<Vec4<Real>>& column, std::size_t n) {
    column.resize(n);
    parallel_for(n, [&](std::size_t s) { column[s].setZero(); });
}

} // namespace nendo::elastoplastic
