// Scratch memory of the elastoplastic solver, and the two operators on which the method stands:
// slaves -> masters (mean and moment) and its adjoint, masters -> slaves.
#pragma once

#include "core/parallel.h"
#include "core/scene.h"
#include "elastoplastic/constitutive.h"
#include "elastoplastic/params.h"
#include "elastoplastic/state.h"
#include "neighbours/pairs.h"

#include <vector>

namespace nendo::elastoplastic {

template <class Real> Vec4<Real> widen(const Vec3<Real>& a) {
    return {a.x(), a.y(), a.z(), 0};
}

/// A vector that varies linearly about a centre: value + slope (x - centre).
template <class Real> struct Affine {
    Vec4<Real> value;
    Vec4<Real> slope[3]; ///< Columns

    void set(const Vec3<Real>& v, const Mat3<Real>& m) {
        value = widen<Real>(v);
        for (int k = 0; k < 3; ++k) slope[k] = widen<Real>(m.col(k));
    }
};

/// A slave inside a collider or held by a pin. While it is held, its velocity is
/// target + free * velocity.
template <class Real> struct Contact {
    std::uint32_t slave = 0;
    bool held = false;
    Mat3<Real> free = Mat3<Real>::Identity(); ///< Projector on the directions left to it
    Vec3<Real> target = Vec3<Real>::Zero();   ///< Its velocity in the others [m/s]
    Vec3<Real> normal = Vec3<Real>::Zero();   ///< Of the collider in which it is deepest
    Vec3<Real> surface = Vec3<Real>::Zero();  ///< Velocity of that collider [m/s]
    Real friction = 0;
    Real stickiness = 0; ///< [Pa]
};

/// Two masters of different `join` that touch.
template <class Real> struct Touch {
    std::uint32_t other;
    Vec3<Real> normal; ///< From the other to this one
    Vec3<Real> arm;    ///< From this centre to the point of contact, half way to the other [m]
    Real force;        ///< Normal force at the start of the substep [N]
    Real stiffness;    ///< Times beta dt^2 [kg]
    Real drag;         ///< Friction over sliding speed, times dt [kg]
};

template <class Real> struct Workspace {
    State<Real> trial;  ///< The state that a failed or interrupted step leaves behind
    double end = 0;     ///< Of the call: when goals are reached [s]
    bool goals = false; ///< Whether any master is led to its goal

    // Near pairs, rebuilt each substep.
    Grid<Real> slave_grid, master_grid;
    PairSearch<Real> search;
    Pairs<Real> slaves_of;  ///< Row: master; weight: N_sm
    Pairs<Real> masters_of; ///< Row: slave; weight: N_sm
    std::vector<Real> weight_sum;

    // Per master.
    std::vector<Vec4<Real>> centre;         ///< xbar_m [m]
    std::vector<Mat3<Real>> D_inv;          ///< D_m^-1 [1/m^2]
    std::vector<Mat3<Real>> U;              ///< Left singular vectors of F_E
    std::vector<Vec3<Real>> sigma;          ///< Singular values of F_E
    bool implicit = false;                  ///< Whether `stiffness` is in use
    std::vector<Stiffness<Real>> stiffness; ///< Times V0 beta dt^2 [kg m^2]
    std::vector<Affine<Real>> affine;       ///< What is on its way to the slaves
    std::vector<Vec3<Real>> mean;           ///< sum N v_s
    std::vector<Mat3<Real>> gradient;       ///< grad v, where bodies touch
    std::vector<std::uint32_t> touch_start;
    std::vector<Touch<Real>> touches;

    // Per slave.
    std::vector<Vec4<Real>> x, v, v_old, v_star, residual, direction, product;
    std::vector<Real> mass;
    std::vector<Contact<Real>> contacts;
    std::vector<std::vector<Contact<Real>>> contact_blocks;

    std::vector<MovedShape> colliders, pins; ///< The world at this substep
    Partials<double> partials;
    std::vector<std::uint32_t> order;
    std::vector<std::uint8_t> marked;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> neighbours; ///< As rows of the masters

    std::size_t bytes() const;
};

/// Velocity [m/s] that takes a master straight to its goal.
template <class Real> Vec3<Real> goal_velocity(const Workspace<Real>& w, std::size_t m) {
    const Masters<Real>& masters = w.trial.masters;
    return (masters.goal[m] - masters.x[m]) / static_cast<Real>(w.end - w.trial.details.time);
}

/// Mean and moment of a slave vector about each master's centre:
/// mean = sum_s N u_s, moment = sum_s N u_s (x_s - centre)^T. Calls use(m, mean, moment).
template <class Real, class Use>
void to_masters(const Workspace<Real>& w, const std::vector<Vec4<Real>>& u, const Use& use) {
    parallel_for(w.slaves_of.rows(), [&](std::size_t m) {
        const Vec4<Real> centre = w.centre[m];
        Vec4<Real> mean = Vec4<Real>::Zero();
        Vec4<Real> moment[3] = {mean, mean, mean};
        for (std::uint32_t k = w.slaves_of.start[m]; k != w.slaves_of.start[m + 1]; ++k) {
            const std::uint32_t s = w.slaves_of.index[k];
            const Vec4<Real> weighted = w.slaves_of.weight[k] * u[s];
            const Vec4<Real> arm = w.x[s] - centre;
            mean += weighted;
            moment[0] += arm[0] * weighted;
            moment[1] += arm[1] * weighted;
            moment[2] += arm[2] * weighted;
        }
        Mat3<Real> matrix;
        for (int c = 0; c < 3; ++c) matrix.col(c) = moment[c].template head<3>();
        use(m, Vec3<Real>(mean.template head<3>()), matrix);
    });
}

/// The adjoint: out_s = sum_m N (value_m + slope_m (x_s - centre_m)). Calls use(s, sum).
template <class Real, class Use> void to_slaves(const Workspace<Real>& w, const Use& use) {
    parallel_for(w.masters_of.rows(), [&](std::size_t s) {
        const Vec4<Real> x = w.x[s];
        Vec4<Real> sum = Vec4<Real>::Zero();
        for (std::uint32_t k = w.masters_of.start[s]; k != w.masters_of.start[s + 1]; ++k) {
            const std::uint32_t m = w.masters_of.index[k];
            const Affine<Real>& a = w.affine[m];
            const Vec4<Real> arm = x - w.centre[m];
            sum += w.masters_of.weight[k] *
                   (a.value + arm[0] * a.slope[0] + arm[1] * a.slope[1] + arm[2] * a.slope[2]);
        }
        use(s, sum);
    });
}

} // namespace nendo::elastoplastic
