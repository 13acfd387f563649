// SPDX-License-Identifier: Apache-2.0
// Steps 1, 3 and 4: the transfer from masters to slaves, and the implicit solve for the velocity of
// the slaves at the end of the substep.
#include "core/error.h"
#include "elastoplastic/stages.h"

#include <algorithm>
#include <atomic>

namespace nendo::elastoplastic {

namespace {

/// Sum of term(s) over all slaves, in double and in a fixed order.
template <class Real, class Term> double sum(Workspace<Real>& w, const Term& term) {
    return parallel_reduce(
        w.v.size(), 0.0, [&](std::size_t s) { return static_cast<double>(term(s)); },
        [](double a, double b) { return a + b; }, w.partials);
}

/// Calls use(contact) for all contacts in any order; no two contacts share a slave.
template <class Real, class Use> void for_each_contact(Workspace<Real>& w, const Use& use) {
    parallel_for(w.contacts.size(), [&](std::size_t k) { use(w.contacts[k]); });
}

/// Removes the held directions of a contact from the entry of its slave.
template <class Real> void project(const Contact<Real>& c, Vec4<Real>& u) {
    if (c.held) u = widen<Real>(c.free * u.template head<3>());
}

template <class Real> Lame<Real> moduli_of(const Masters<Real>& masters, std::uint32_t m) {
    return hardened(lame(masters.young[m], masters.poisson[m]), masters.hardening[m],
                    masters.J_P[m]);
}

/// Stiffness of master m, whose F_E has these singular values, times V0 and `scale` = beta dt^2.
template <class Real>
Stiffness<Real> stiffness_of(const Workspace<Real>& w, std::uint32_t m, const Vec3<Real>& sigma,
                             Real scale) {
    const Masters<Real>& masters = w.trial.masters;
    Stiffness<Real> k = positive_part(energy_curvature(moduli_of(masters, m), sigma));
    soften(w.flowing[m], k);
    const Real factor = masters.volume[m] * scale;
    k.stretch *= factor;
    k.shear *= factor;
    k.twist *= factor;
    return k;
}

/// The axes along which a master with this velocity gradient flows.
template <class Real>
std::uint8_t flow_of(const Masters<Real>& masters, std::uint32_t m, const Svd3<Real>& svd,
                     const Mat3<Real>& gradient) {
    const Yield<Real> yield = yield_of(masters, m);
    if (!yield.any()) return 0;
    return flowing_axes<Real>(yield, lame(masters.young[m], masters.poisson[m]), svd.sigma,
                              (svd.U.transpose() * gradient * svd.U).diagonal());
}

/// Without slaves, masters serve as their own nodes.
template <class Real> void masters_as_nodes(Workspace<Real>& w) {
    const Masters<Real>& masters = w.trial.masters;
    parallel_for(w.x.size(), [&](std::size_t s) {
        const std::uint32_t m = w.slave_grid.index()[s];
        w.v[s] = widen<Real>(masters.v[m], Real(1)) * masters.mass[m];
    });
}

} // namespace

template <class Real>
void masters_to_slaves(Workspace<Real>& w, const Scene& scene, const Params& p, double beta,
                       double dt) {
    const bool with_slaves = p.stress_points == StressPoints::slaves;
    const Masters<Real>& masters = w.trial.masters;
    const std::size_t n = masters.x.size();
    const Real step = static_cast<Real>(dt);
    const Real scale = static_cast<Real>(beta * dt * dt);
    const Vec4<Real> fall = widen<Real>((dt * scene.gravity).template cast<Real>());
    w.implicit = scale > Real(0);
    if (w.implicit) {
        w.U.resize(n);
        w.slope_to_F.resize(n);
        w.stiffness.resize(n);
        w.flowing.resize(n);
    }
    const auto force_of = [&](std::uint32_t m, const Svd3<Real>& svd) -> Affine<Real> {
        if (w.implicit) {
            w.flowing[m] = flow_of(masters, m, svd, masters.C[m]);
            w.stiffness[m] = stiffness_of(w, m, svd.sigma, scale);
            w.U[m] = in_lanes<Real>(svd.U);
            w.slope_to_F[m] = w.D_inv[m] * (svd.U * svd.sigma.asDiagonal());
        }
        // f_s = -sum V0 (dPsi/dF) F^T G (Saida 2017, eq 11-13). Differs: G is the exact adjoint of
        // the gradient, so that linear and angular momentum are conserved up to rounding.
        const Vec3<Real> tau =
            energy_slope(moduli_of(masters, m), svd.sigma).cwiseProduct(svd.sigma);
        const Mat3<Real> stress = svd.U * tau.asDiagonal() * svd.U.transpose();
        Vec3<Real> push = Vec3<Real>::Zero();
        for (std::uint32_t k = w.touch_start[m]; k != w.touch_start[m + 1]; ++k)
            push += w.touches[k].force * w.touches[k].normal;
        return {widen<Real>(push), -masters.volume[m] * stress * w.D_inv[m]};
    };
    clear(w.v, w.x.size());
    clear(w.v_star, w.x.size());
    w.pairs.by_color([&](const PairBlock<Real>& block) {
        std::array<Svd3<Real>, lanes> svd;
        for (std::size_t row = 0; row < block.rows(); ++row) {
            const std::uint32_t* const query = &block.query[row];
            if (row % lanes == 0)
                svd3(
                    std::min<std::size_t>(lanes, block.rows() - row),
                    [&](std::size_t k) { return masters.F_E[query[k]]; }, svd);
            const ScatterTerm<Real> force{force_of(*query, svd[row % lanes]), w.v_star};
            if (with_slaves)
                scatter(w, block, row, ScatterTerm<Real>{momentum_of(masters, *query), w.v}, force);
            else
                scatter(w, block, row, force);
        }
    });
    if (!with_slaves) masters_as_nodes(w);
    // The solve starts from the old velocity plus gravity and external forces, so it only has to
    // deal with forces that sum to zero.
    const bool pushed = std::any_of(masters.force.begin(), masters.force.end(),
                                    [](const Vec3<Real>& force) { return !force.isZero(0); });
    if (pushed) {
        clear(w.product, w.v.size());
        to_slaves(
            w,
            [&](std::uint32_t m) -> Affine<Real> {
                return {widen<Real>(masters.force[m]), Mat3<Real>::Zero()};
            },
            w.product);
    }
    w.mass.resize(w.v.size());
    w.per_mass.resize(w.v.size());
    w.v_old.resize(w.v.size());
    parallel_for(w.v.size(), [&](std::size_t s) {
        w.mass[s] = w.v[s][3];
        w.per_mass[s] = w.mass[s] > Real(0) ? Real(1) / w.mass[s] : Real(0);
        w.v[s][3] = 0;
        w.v[s] *= w.per_mass[s];
        w.v_old[s] = w.v[s];
        w.v[s] += fall;
        if (pushed) w.v[s] += step * w.per_mass[s] * w.product[s];
        w.v_star[s] = w.v[s] + step * w.per_mass[s] * w.v_star[s];
    });
}

namespace {

/// Applies the stiffness of master m to the first moment of a slave vector.
template <class Real>
LaneMatrix<Real> apply_stiffness(const Workspace<Real>& w, std::uint32_t m,
                                 const LaneMatrix<Real>& moment) {
    const LaneMatrix<Real>& U = w.U[m];
    const Mat3<Real>& to_F = w.slope_to_F[m];
    const LaneMatrix<Real> dF = U.transpose().times(moment.times(to_F));
    return U.times(apply(w.stiffness[m], dF).times(to_F.transpose()));
}

/// Response of touching bodies: turns the mean and moment of each master into a force and a moment.
template <class Real>
void respond_to_touches(Workspace<Real>& w, const std::vector<Vec4<Real>>& u) {
    w.affine.resize(w.trial.masters.x.size());
    to_masters(w, u,
               [&](std::uint32_t m, const Affine<Real>& gathered) { w.affine[m] = gathered; });
    const auto gradient = [&](std::uint32_t m) -> Mat3<Real> {
        return w.affine[m].matrix() * w.D_inv[m];
    };
    w.response.resize(w.affine.size());
    parallel_for(w.affine.size(), [&](std::size_t row) {
        const auto m = static_cast<std::uint32_t>(row);
        Vec3<Real> pull = Vec3<Real>::Zero();
        Mat3<Real> moment = Mat3<Real>::Zero();
        for (std::uint32_t k = w.touch_start[m]; k != w.touch_start[m + 1]; ++k) {
            const Touch<Real>& t = w.touches[k];
            const Vec3<Real> gap = w.affine[m].mean() - w.affine[t.other].mean();
            const Real along = t.normal.dot(gap);
            // Friction acts at the same point on both masters, so that it adds no torque.
            const Vec3<Real> slip = gap + (gradient(m) + gradient(t.other)) * t.offset;
            const Vec3<Real> friction = t.drag * (slip - t.normal * t.normal.dot(slip));
            pull += t.stiffness * along * t.normal + friction;
            moment += friction * t.offset.transpose();
        }
        const Mat3<Real> slope = moment * w.D_inv[m];
        w.response[m] = {widen<Real>(pull), slope};
        if (!w.implicit) return;
        const LaneMatrix<Real> stiff = apply_stiffness(w, m, w.affine[m].slope);
        for (int k = 0; k < 3; ++k) w.response[m].slope.col[k] += stiff.col[k];
    });
}

/// Adds beta dt^2 K u: everything of (m + beta dt^2 K) u except the mass term.
template <class Real>
void add_stiffness_product(Workspace<Real>& w, const std::vector<Vec4<Real>>& u,
                           std::vector<Vec4<Real>>& out) {
    if (!w.touches.empty()) {
        respond_to_touches(w, u);
        to_slaves(
            w, [&](std::uint32_t m) { return w.response[m]; }, out);
    } else if (w.implicit) {
        w.pairs.by_color([&](const PairBlock<Real>& block) {
            for (std::size_t row = 0; row < block.rows(); ++row) {
                const LaneMatrix<Real> moment = gather(w, block, row, u).slope;
                const LaneMatrix<Real> stress = apply_stiffness(w, block.query[row], moment);
                scatter(w, block, row, ScatterTerm<Real>{{Vec4<Real>::Zero(), stress}, out});
            }
        });
    }
    for_each_contact(w, [&](const Contact<Real>& c) {
        if (c.drag > Real(0))
            out[c.slave] += widen<Real>(c.drag * c.along(u[c.slave].template head<3>()));
    });
}

} // namespace

template <class Real>
void multiply(Workspace<Real>& w, const std::vector<Vec4<Real>>& u, std::vector<Vec4<Real>>& out) {
    out.resize(u.size());
    parallel_for(u.size(), [&](std::size_t s) { out[s] = w.mass[s] * u[s]; });
    add_stiffness_product(w, u, out);
}

namespace {

/// If the solved velocity reverses the plastic flow along an axis, that axis is elastic after all:
/// restores its stiffness. Otherwise the stress would push the material back and add energy whenever
/// dt exceeds the time a wave takes to cross. Returns true if there were any.
template <class Real> bool stiffen_where_flow_reversed(Workspace<Real>& w, Real scale) {
    std::atomic<bool> any{false};
    w.pairs.in_any_order([&](const PairBlock<Real>& block) {
        for (std::size_t row = 0; row < block.rows(); ++row) {
            const std::uint32_t m = block.query[row];
            if (w.flowing[m] == 0) continue;
            const Svd3<Real> svd = svd3(w.trial.masters.F_E[m]);
            const Mat3<Real> gradient = gather(w, block, row, w.v).matrix() * w.D_inv[m];
            const std::uint8_t goes_on = w.flowing[m] & flow_of(w.trial.masters, m, svd, gradient);
            if (goes_on == w.flowing[m]) continue;
            w.flowing[m] = goes_on;
            w.stiffness[m] = stiffness_of(w, m, svd.sigma, scale);
            any = true;
        }
    });
    return any;
}

/// Sets the velocity of held slaves as their contacts require.
template <class Real> void apply_contacts(Workspace<Real>& w) {
    for_each_contact(w, [&](const Contact<Real>& c) {
        if (c.held) w.v[c.slave] = widen<Real>(c.target + c.free * w.v[c.slave].template head<3>());
    });
}

/// Squared norm of the residual, scaled by mass [J].
template <class Real> double squared_residual(Workspace<Real>& w) {
    return sum(w, [&](std::size_t s) { return w.residual[s].squaredNorm() * w.per_mass[s]; });
}

/// Starts the solve from v*, the velocity that the forces alone would lead to. Returns the squared
/// norm of their change of momentum, as far as contacts allow it [J].
template <class Real> double start_from_forces(Workspace<Real>& w) {
    w.residual.resize(w.v.size());
    parallel_for(w.v.size(), [&](std::size_t s) {
        w.residual[s] = w.mass[s] * (w.v_star[s] - w.v[s]);
        w.v[s] = w.v_star[s];
    });
    for_each_contact(w, [&](const Contact<Real>& c) { project(c, w.residual[c.slave]); });
    return squared_residual(w);
}

/// Conjugate gradients, preconditioned by mass, starting from w.v. Every iterate has the right linear
/// momentum, because the stiffness maps a common velocity to zero. The tolerance is relative to
/// `size`, the squared norm of the change to solve for, or to the initial residual if that is
/// larger [J]. `goal` is the residual to reach: 0 for the first solve of a substep, then passed on.
template <class Real>
int conjugate_gradients(Workspace<Real>& w, const Params& p, const Plan& plan, Host& host,
                        double size, double& goal) {
    const std::size_t n = w.v.size();
    multiply(w, w.v, w.product);
    w.residual.resize(n);
    parallel_for(n, [&](std::size_t s) { w.residual[s] = w.mass[s] * w.v_star[s] - w.product[s]; });
    for_each_contact(w, [&](Contact<Real>& c) {
        Vec4<Real>& residual = w.residual[c.slave];
        c.impulse = -residual.template head<3>();
        residual += widen<Real>(c.drag * c.along(c.surface));
        project(c, residual);
    });
    clear(w.direction, n);
    double rho = squared_residual(w);
    size = std::max(size, rho);
    // Floor of the tolerance: rounding of velocities, and of F in the stiffest matter, makes smaller
    // residuals unreachable.
    const double epsilon = static_cast<double>(std::numeric_limits<Real>::epsilon());
    const double of_F = plan.sound * plan.sound * plan.dt / p.spacing;
    const double rounding = sum(w, [&](std::size_t s) {
        return double(w.mass[s]) * (of_F * of_F + double(w.v_star[s].squaredNorm()));
    });
    const auto part = [&](double share) {
        return std::max(share * share * size, epsilon * epsilon * rounding);
    };
    // Later solves of the substep keep the goal of the first one, tightened if needed so that small
    // friction impulses are still resolved beside the large stress of stiff matter.
    goal = goal > 0 ? std::min(goal, part(10 * p.cg_tolerance)) : part(p.cg_tolerance);
    double rho_before = infinite;
    int iteration = 0;
    for (; iteration < p.cg_iterations && rho > goal; ++iteration) {
        if (iteration % 16 == 15 && host.interrupted()) throw Interrupted();
        const Real mix = static_cast<Real>(rho / rho_before);
        parallel_for(n, [&](std::size_t s) {
            w.direction[s] = w.per_mass[s] * w.residual[s] + mix * w.direction[s];
            w.product[s] = w.mass[s] * w.direction[s];
        });
        add_stiffness_product(w, w.direction, w.product);
        for_each_contact(w, [&](Contact<Real>& c) {
            c.change = w.product[c.slave].template head<3>();
            project(c, w.product[c.slave]);
        });
        const double curvature =
            sum(w, [&](std::size_t s) { return w.direction[s].dot(w.product[s]); });
        if (!(curvature > 0)) break;
        const Real length = static_cast<Real>(rho / curvature);
        rho_before = rho;
        rho = sum(w, [&](std::size_t s) {
            w.v[s] += length * w.direction[s];
            w.residual[s] -= length * w.product[s];
            return w.residual[s].squaredNorm() * w.per_mass[s];
        });
        for_each_contact(w, [&](Contact<Real>& c) { c.impulse += length * c.change; });
    }
    return rho > goal ? -iteration : iteration;
}

} // namespace

template <class Real>
int solve_velocity(Workspace<Real>& w, const Params& p, const Plan& plan, Host& host) {
    const bool free = plan.beta == 0 && w.touches.empty();
    if (free) {
        parallel_for(w.v.size(), [&](std::size_t s) { w.v[s] = w.v_star[s]; });
        apply_contacts(w);
        for_each_contact(w, [&](Contact<Real>& c) {
            const Vec4<Real> change = w.v[c.slave] - w.v_star[c.slave];
            c.impulse = w.mass[c.slave] * change.template head<3>();
        });
        return 0;
    }
    // If a wave crosses at most about one spacing per step, v* is close enough to the solution to
    // save an iteration; in stiffer matter, and where bodies rub, it is far off. Matter that can tear
    // keeps the other start: how it tears depends on the last digits of the solve, and those were
    // tested.
    const bool soft = plan.sound * plan.dt <= p.spacing && w.touches.empty() && !plan.yields;
    const double size = soft ? start_from_forces(w) : 0;
    apply_contacts(w);
    double goal = 0;
    int iterations = conjugate_gradients(w, p, plan, host, size, goal);
    // So far yield uses the stress at the start of the step, contacts are held according to v*, and
    // friction acts after the solve. If waves cross more than two spacings per step, all three must
    // be consistent with the solved velocity: no stress resists a change made after the solve.
    if (!w.implicit || plan.sound * plan.dt <= 2 * p.spacing) return iterations;
    const Real scale = static_cast<Real>(plan.beta * plan.dt * plan.dt);
    const int rounds = 6;
    for (int round = 0; round < rounds && iterations >= 0; ++round) {
        bool again = hold_closing_contacts(w, p, plan.dt);
        if (again) apply_contacts(w);
        if (!again) again = drag_contacts(w, p, plan.dt);
        again = stiffen_where_flow_reversed(w, scale) || again;
        if (!again) break;
        const int more = conjugate_gradients(w, p, plan, host, 0, goal);
        iterations = more < 0 ? more - iterations : more + iterations;
    }
    return iterations;
}

template void masters_to_slaves(Workspace<float>&, const Scene&, const Params&, double, double);
template void masters_to_slaves(Workspace<double>&, const Scene&, const Params&, double, double);
template int solve_velocity(Workspace<float>&, const Params&, const Plan&, Host&);
template int solve_velocity(Workspace<double>&, const Params&, const Plan&, Host&);
template void multiply(Workspace<float>&, const std::vector<Vec4<float>>&,
                       std::vector<Vec4<float>>&);
template void multiply(Workspace<double>&, const std::vector<Vec4<double>>&,
                       std::vector<Vec4<double>>&);

} // namespace nendo::elastoplastic
