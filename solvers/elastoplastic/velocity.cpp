// Steps 3 and 4: force on the slaves, and their velocity at the end of the substep.
#include "core/error.h"
#include "elastoplastic/stages.h"

#include <algorithm>

namespace nendo::elastoplastic {

namespace {

/// sum_s m_s^-1 a_s . b_s, in double, in a fixed order.
template <class Real>
double dot_by_mass(Workspace<Real>& w, const std::vector<Vec4<Real>>& a,
                   const std::vector<Vec4<Real>>& b) {
    return parallel_reduce(
        a.size(), 0.0,
        [&](std::size_t s) {
            if (!(w.mass[s] > Real(0))) return 0.0;
            return static_cast<double>(a[s].dot(b[s])) / static_cast<double>(w.mass[s]);
        },
        [](double x, double y) { return x + y; }, w.partials);
}

template <class Real>
double dot(Workspace<Real>& w, const std::vector<Vec4<Real>>& a, const std::vector<Vec4<Real>>& b) {
    return parallel_reduce(
        a.size(), 0.0, [&](std::size_t s) { return static_cast<double>(a[s].dot(b[s])); },
        [](double x, double y) { return x + y; }, w.partials);
}

/// Takes out of a slave vector what held contacts do not allow.
template <class Real> void project(const Workspace<Real>& w, std::vector<Vec4<Real>>& u) {
    for (const Contact<Real>& c : w.contacts)
        if (c.held) u[c.slave] = widen<Real>(c.free * u[c.slave].template head<3>());
}

} // namespace

template <class Real>
void apply_forces(Workspace<Real>& w, const Scene& scene, double beta, double dt) {
    const Masters<Real>& masters = w.trial.masters;
    const std::size_t n = masters.x.size();
    const Real step = static_cast<Real>(dt);
    const Real scale = static_cast<Real>(beta * dt * dt);
    const Vec4<Real> fall = widen<Real>((dt * scene.gravity).template cast<Real>());
    w.implicit = scale > Real(0);
    w.U.resize(n);
    w.sigma.resize(n);
    w.stiffness.resize(n);
    parallel_for(n, [&](std::size_t m) {
        const Svd3<Real> svd = svd3(masters.F_E[m]);
        const Lame<Real> moduli = hardened(lame(masters.young[m], masters.poisson[m]),
                                           masters.hardening[m], masters.J_P[m]);
        w.U[m] = svd.U;
        w.sigma[m] = svd.sigma;
        // f_s = -sum V0 (dPsi/dF) F^T G [S000 eq 11-13]; differs: G is the exact adjoint of the
        // gradient, so that linear and angular momentum hold to rounding.
        const Vec3<Real> tau = energy_slope(moduli, svd.sigma).cwiseProduct(svd.sigma);
        const Mat3<Real> slope =
            -masters.volume[m] * svd.U * tau.asDiagonal() * svd.U.transpose() * w.D_inv[m];
        Vec3<Real> push = masters.force[m];
        for (std::uint32_t k = w.touch_start[m]; k != w.touch_start[m + 1]; ++k)
            push += w.touches[k].force * w.touches[k].normal;
        w.affine[m].set(push, slope);
        if (w.implicit) {
            Stiffness<Real> k = positive_part(energy_curvature(moduli, svd.sigma));
            const Yield<Real> yield{masters.yield_stretch[m], masters.yield_compress[m]};
            if (yield.any())
                soften_where_flowing<Real>(
                    yield, svd.sigma, (svd.U.transpose() * masters.C[m] * svd.U).diagonal(), k);
            const Real factor = masters.volume[m] * scale;
            k.stretch *= factor;
            k.shear *= factor;
            k.twist *= factor;
            w.stiffness[m] = k;
        }
    });
    w.v_old = w.v;
    w.v_star.resize(w.v.size());
    to_slaves(w, [&](std::size_t s, const Vec4<Real>& force) {
        if (w.mass[s] > Real(0))
            w.v_star[s] = w.v[s] + fall + (step / w.mass[s]) * force;
        else
            w.v_star[s].setZero();
    });
    // The solve starts from the last velocity, falling and pushed: what is left to it are forces
    // that sum to zero.
    parallel_for(w.v.size(), [&](std::size_t s) {
        if (w.mass[s] > Real(0)) w.v[s] += fall;
    });
    if (std::all_of(masters.force.begin(), masters.force.end(),
                    [](const Vec3<Real>& force) { return force.isZero(0); }))
        return;
    parallel_for(n, [&](std::size_t m) { w.affine[m].set(masters.force[m], Mat3<Real>::Zero()); });
    to_slaves(w, [&](std::size_t s, const Vec4<Real>& force) {
        if (w.mass[s] > Real(0)) w.v[s] += (step / w.mass[s]) * force;
    });
}

template <class Real>
void multiply(Workspace<Real>& w, const std::vector<Vec4<Real>>& u, std::vector<Vec4<Real>>& out) {
    const bool touching = !w.touches.empty();
    out.resize(u.size());
    if (!w.implicit && !touching) {
        parallel_for(u.size(), [&](std::size_t s) { out[s] = w.mass[s] * u[s]; });
        return;
    }
    if (touching) w.gradient.resize(w.trial.masters.x.size());
    to_masters(w, u, [&](std::size_t m, const Vec3<Real>& mean, const Mat3<Real>& moment) {
        Mat3<Real> slope = Mat3<Real>::Zero();
        if (w.implicit) {
            const Mat3<Real>& U = w.U[m];
            const auto sigma = w.sigma[m].asDiagonal();
            const Mat3<Real> dF = U.transpose() * (moment * w.D_inv[m]) * U * sigma;
            const Mat3<Real> dP = apply(w.stiffness[m], dF);
            slope = U * (dP * sigma) * (U.transpose() * w.D_inv[m]);
        }
        w.affine[m].set(Vec3<Real>::Zero(), slope);
        if (touching) {
            w.mean[m] = mean;
            w.gradient[m] = moment * w.D_inv[m];
        }
    });
    if (touching)
        parallel_for(w.mean.size(), [&](std::size_t m) {
            Vec3<Real> pull = Vec3<Real>::Zero();
            Mat3<Real> moment = Mat3<Real>::Zero();
            for (std::uint32_t k = w.touch_start[m]; k != w.touch_start[m + 1]; ++k) {
                const Touch<Real>& t = w.touches[k];
                const Vec3<Real> gap = w.mean[m] - w.mean[t.other];
                const Real along = t.normal.dot(gap);
                // Friction acts at one point on both, so that it makes no torque of its own.
                const Vec3<Real> slip = gap + (w.gradient[m] + w.gradient[t.other]) * t.arm;
                const Vec3<Real> rub = t.drag * (slip - t.normal * t.normal.dot(slip));
                pull += t.stiffness * along * t.normal + rub;
                moment += rub * t.arm.transpose();
            }
            w.affine[m].value = widen<Real>(pull);
            const Mat3<Real> slope = moment * w.D_inv[m];
            for (int k = 0; k < 3; ++k) w.affine[m].slope[k] += widen<Real>(slope.col(k));
        });
    to_slaves(w,
              [&](std::size_t s, const Vec4<Real>& force) { out[s] = w.mass[s] * u[s] + force; });
}

template <class Real>
int solve_velocity(Workspace<Real>& w, const Params& p, const Plan& plan, Host& host) {
    if (plan.beta == 0 && w.touches.empty()) {
        w.v = w.v_star;
        for (const Contact<Real>& c : w.contacts)
            if (c.held) {
                const Vec3<Real> v = w.v[c.slave].template head<3>();
                w.v[c.slave] = widen<Real>(c.target + c.free * v);
            }
        return 0;
    }
    const std::size_t n = w.v.size();
    for (const Contact<Real>& c : w.contacts)
        if (c.held) w.v[c.slave] = widen<Real>(c.target + c.free * w.v[c.slave].template head<3>());

    // Conjugate gradients, scaled by mass. Every iterate has the right linear momentum, because the
    // stiffness maps a common velocity to zero.
    multiply(w, w.v, w.product);
    w.residual.resize(n);
    w.direction.resize(n);
    parallel_for(n, [&](std::size_t s) { w.residual[s] = w.mass[s] * w.v_star[s] - w.product[s]; });
    project(w, w.residual);
    double rho = dot_by_mass(w, w.residual, w.residual);
    double total_mass = 0;
    for (const Real m : w.trial.masters.mass) total_mass += static_cast<double>(m);
    // Speeds below these are no goal: a thousandth of the tolerance in spacings a substep, and what
    // rounding of F alone does to the stiffest matter.
    const double unseen = 1e-3 * p.cg_tolerance * p.spacing / plan.dt;
    const double noise = static_cast<double>(std::numeric_limits<Real>::epsilon()) * plan.sound *
                         plan.sound * plan.dt / p.spacing;
    const double floor = std::max(unseen, noise);
    const double goal = std::max(p.cg_tolerance * p.cg_tolerance * rho, floor * floor * total_mass);
    double rho_before = 0;
    int iteration = 0;
    for (; iteration < p.cg_iterations && rho > goal; ++iteration) {
        if (iteration % 16 == 15 && host.interrupted()) throw Interrupted();
        const Real mix = iteration == 0 ? Real(0) : static_cast<Real>(rho / rho_before);
        parallel_for(n, [&](std::size_t s) {
            if (iteration == 0) w.direction[s].setZero();
            if (w.mass[s] > Real(0))
                w.direction[s] = w.residual[s] / w.mass[s] + mix * w.direction[s];
        });
        multiply(w, w.direction, w.product);
        project(w, w.product);
        const double curvature = dot(w, w.direction, w.product);
        if (!(curvature > 0)) break;
        const Real length = static_cast<Real>(rho / curvature);
        parallel_for(n, [&](std::size_t s) {
            w.v[s] += length * w.direction[s];
            w.residual[s] -= length * w.product[s];
        });
        rho_before = rho;
        rho = dot_by_mass(w, w.residual, w.residual);
    }
    return rho > goal ? -iteration : iteration;
}

template void apply_forces(Workspace<float>&, const Scene&, double, double);
template void apply_forces(Workspace<double>&, const Scene&, double, double);
template int solve_velocity(Workspace<float>&, const Params&, const Plan&, Host&);
template int solve_velocity(Workspace<double>&, const Params&, const Plan&, Host&);
template void multiply(Workspace<float>&, const std::vector<Vec4<float>>&,
                       std::vector<Vec4<float>>&);
template void multiply(Workspace<double>&, const std::vector<Vec4<double>>&,
                       std::vector<Vec4<double>>&);

} // namespace nendo::elastoplastic
