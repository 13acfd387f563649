// Steps 1, 6, 7, 9 and 10: what goes between masters and slaves.
#include "elastoplastic/stages.h"
#include "math/kernels.h"

namespace nendo::elastoplastic {

namespace {

/// D^-1 with the eigenvalues of D bounded below, so that a master with few slaves, or with slaves
/// on one side only, sees a small gradient instead of a huge one.
template <class Real> Mat3<Real> bounded_inverse(const Mat3<Real>& D, Real lowest) {
    const Mat3<Real> shifted = D - lowest * Mat3<Real>::Identity();
    const Real minor = shifted(0, 0) * shifted(1, 1) - shifted(0, 1) * shifted(1, 0);
    if (shifted(0, 0) > Real(0) && minor > Real(0) && shifted.determinant() > Real(0))
        return D.inverse();
    const Svd3<Real> svd = svd3(D);
    return svd.U * svd.sigma.cwiseMax(lowest).cwiseInverse().asDiagonal() * svd.U.transpose();
}

} // namespace

template <class Real> void weigh_pairs(Workspace<Real>& w, const Params& p) {
    const Masters<Real>& masters = w.trial.masters;
    const bool with_slaves = p.stress_points == StressPoints::slaves;
    const auto& node_x = with_slaves ? w.trial.slaves.x : masters.x;
    const auto& node_join = with_slaves ? w.trial.slaves.join : masters.join;
    const std::size_t n_masters = masters.x.size();
    const std::size_t n_nodes = node_x.size();
    const Real h = static_cast<Real>(p.spacing);
    const auto weigh = [h](Real r2) { return cubic_spline_shape(std::sqrt(r2) / h); };

    w.search.find(
        masters.x, w.slave_grid, Real(2) * h,
        [&](std::size_t m, std::uint32_t s) {
            return masters.join[m] == node_join[s] && (with_slaves || m != s);
        },
        weigh, w.slaves_of);
    w.search.find(
        node_x, w.master_grid, Real(2) * h,
        [&](std::size_t s, std::uint32_t m) {
            return masters.join[m] == node_join[s] && (with_slaves || m != s);
        },
        weigh, w.masters_of);

    w.x.resize(n_nodes);
    parallel_for(n_nodes, [&](std::size_t s) { w.x[s] = widen<Real>(node_x[s]); });
    w.weight_sum.resize(n_masters);
    w.centre.resize(n_masters);
    w.D_inv.resize(n_masters);
    w.affine.resize(n_masters);
    w.mean.resize(n_masters);
    parallel_for(n_masters, [&](std::size_t m) {
        const std::uint32_t begin = w.slaves_of.start[m];
        const std::uint32_t end = w.slaves_of.start[m + 1];
        Real sum = 0;
        for (std::uint32_t k = begin; k != end; ++k) sum += w.slaves_of.weight[k];
        w.weight_sum[m] = sum;
        // About the master, so that far from the origin no digits are lost.
        const Vec4<Real> x = widen<Real>(masters.x[m]);
        Vec4<Real> offset = Vec4<Real>::Zero();
        for (std::uint32_t k = begin; k != end; ++k) {
            Real& N = w.slaves_of.weight[k];
            N /= sum;
            offset += N * (w.x[w.slaves_of.index[k]] - x);
        }
        w.centre[m] = x + offset;
        Mat3<Real> D = Mat3<Real>::Zero();
        for (std::uint32_t k = begin; k != end; ++k) {
            const Vec3<Real> arm = (w.x[w.slaves_of.index[k]] - w.centre[m]).template head<3>();
            D += (w.slaves_of.weight[k] * arm) * arm.transpose();
        }
        // On the lattice D = 0.30088 h^2 I; a sixth of that is as thin as it may get.
        w.D_inv[m] = bounded_inverse(D, Real(0.05) * h * h);
    });
    parallel_for(n_nodes, [&](std::size_t s) {
        for (std::uint32_t k = w.masters_of.start[s]; k != w.masters_of.start[s + 1]; ++k)
            w.masters_of.weight[k] /= w.weight_sum[w.masters_of.index[k]];
    });
}

template <class Real> void masters_to_slaves(Workspace<Real>& w, const Params& p) {
    const Masters<Real>& masters = w.trial.masters;
    w.mass.resize(w.x.size());
    w.v.resize(w.x.size());
    if (p.stress_points == StressPoints::masters) {
        parallel_for(w.x.size(), [&](std::size_t s) {
            w.mass[s] = masters.mass[s];
            w.v[s] = widen<Real>(masters.v[s]);
        });
        return;
    }
    parallel_for(masters.x.size(), [&](std::size_t m) {
        w.affine[m].set(masters.mass[m] * masters.v[m], masters.mass[m] * masters.C[m]);
    });
    parallel_for(w.x.size(), [&](std::size_t s) {
        Real sum = 0;
        for (std::uint32_t k = w.masters_of.start[s]; k != w.masters_of.start[s + 1]; ++k)
            sum += w.masters_of.weight[k] * masters.mass[w.masters_of.index[k]];
        w.mass[s] = sum;
    });
    to_slaves(w, [&](std::size_t s, const Vec4<Real>& momentum) {
        w.v[s] = w.mass[s] > Real(0) ? Vec4<Real>(momentum / w.mass[s]) : Vec4<Real>::Zero();
    });
}

template <class Real>
void slaves_to_masters(Workspace<Real>& w, const Scene& scene, const Params& p, double dt) {
    Masters<Real>& masters = w.trial.masters;
    const Real step = static_cast<Real>(dt);
    const Real blend = static_cast<Real>(p.transfer_blend);
    const Vec3<Real> fall = (dt * scene.gravity).template cast<Real>();
    const bool with_slaves = p.stress_points == StressPoints::slaves;

    if (p.transfer == Transfer::blend)
        to_masters(w, w.v_old, [&](std::size_t m, const Vec3<Real>& mean, const Mat3<Real>&) {
            w.mean[m] = mean;
        });
    to_masters(w, w.v, [&](std::size_t m, const Vec3<Real>& mean, const Mat3<Real>& moment) {
        if (w.slaves_of.row_size(m) == 0) { // on its own: it flies
            masters.v[m] += fall + (step / masters.mass[m]) * masters.force[m];
            masters.C[m].setZero();
            return;
        }
        const Mat3<Real> gradient = moment * w.D_inv[m];
        // [S000 eq 18-21]
        masters.F_E[m] = (Mat3<Real>::Identity() + step * gradient) * masters.F_E[m];
        split_at_yield<Real>({masters.yield_stretch[m], masters.yield_compress[m]}, masters.F_E[m],
                             masters.F_P[m], masters.J_P[m]);
        if (!with_slaves) {
            masters.v[m] = w.v[m].template head<3>();
            return;
        }
        switch (p.transfer) {
        case Transfer::affine: // Differs from eq 8, which lets bodies fall at alpha g
            masters.v[m] = mean;
            masters.C[m] = gradient;
            break;
        case Transfer::paper: // [S000 eq 8]
            masters.v[m] = (Real(1) - blend) * masters.v[m] + blend * mean;
            masters.C[m].setZero();
            break;
        case Transfer::blend:
            masters.v[m] = mean + blend * (masters.v[m] - w.mean[m]);
            masters.C[m].setZero();
            break;
        }
    });
}

template <class Real> void advect(Workspace<Real>& w, const Params& p, double dt) {
    Masters<Real>& masters = w.trial.masters;
    const Real step = static_cast<Real>(dt);
    if (p.stress_points == StressPoints::slaves) {
        parallel_for(masters.x.size(), [&](std::size_t m) {
            w.affine[m].set(masters.mass[m] * masters.v[m], masters.mass[m] * masters.C[m]);
        });
        // Differs from eq 22, which lags under rotation.
        to_slaves(w, [&](std::size_t s, const Vec4<Real>& momentum) {
            if (w.mass[s] > Real(0))
                w.trial.slaves.x[s] += step * momentum.template head<3>() / w.mass[s];
        });
    }
    parallel_for(masters.x.size(), [&](std::size_t m) { masters.x[m] += step * masters.v[m]; });
}

template void weigh_pairs(Workspace<float>&, const Params&);
template void weigh_pairs(Workspace<double>&, const Params&);
template void masters_to_slaves(Workspace<float>&, const Params&);
template void masters_to_slaves(Workspace<double>&, const Params&);
template void slaves_to_masters(Workspace<float>&, const Scene&, const Params&, double);
template void slaves_to_masters(Workspace<double>&, const Scene&, const Params&, double);
template void advect(Workspace<float>&, const Params&, double);
template void advect(Workspace<double>&, const Params&, double);

} // namespace nendo::elastoplastic
