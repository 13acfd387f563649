// SPDX-License-Identifier: Apache-2.0
// Steps 1 and 6 to 10: near pairs and their weights, and the transfer from slaves back to masters.
#include "elastoplastic/stages.h"
#include "math/kernels.h"

#include <algorithm>

namespace nendo::elastoplastic {

namespace {

/// Search radius in spacings: just under 2, where the kernel vanishes.
constexpr double reach = 1.999998;

/// D^-1 with the eigenvalues of D bounded from below, so that a master with few slaves, or with
/// slaves on one side only, gets a small gradient instead of a huge one.
template <class Real> Mat3<Real> bounded_inverse(const Mat3<Real>& D, Real lowest) {
    const Mat3<Real> shifted = D - lowest * Mat3<Real>::Identity();
    const Real minor = shifted(0, 0) * shifted(1, 1) - shifted(0, 1) * shifted(1, 0);
    if (shifted(0, 0) > Real(0) && minor > Real(0) && shifted.determinant() > Real(0))
        return D.inverse();
    const Svd3<Real> svd = svd3(D);
    return svd.U * svd.sigma.cwiseMax(lowest).cwiseInverse().asDiagonal() * svd.U.transpose();
}

/// Rows summed in parallel, to hide the latency of floating-point additions.
constexpr std::size_t summed_rows = 4;

/// Scales the weights of `count` rows from `first` on so that each row sums to one.
template <class Real>
void normalize_rows(PairBlock<Real>& block, std::size_t first, std::size_t count) {
    std::array<Real*, summed_rows> weight{};
    std::array<std::uint32_t, summed_rows> length{};
    std::uint32_t common = count == summed_rows ? ~0u : 0u;
    for (std::size_t r = 0; r < count; ++r) {
        const std::uint32_t begin = block.start[first + r];
        weight[r] = block.weight.data() + begin;
        length[r] = block.start[first + r + 1] - begin;
        common = std::min(common, length[r]);
    }
    std::array<Real, summed_rows> sum{};
    for (std::uint32_t k = 0; k < common; ++k)
        for (std::size_t r = 0; r < summed_rows; ++r) sum[r] += weight[r][k];
    for (std::size_t r = 0; r < count; ++r) {
        for (std::uint32_t k = common; k < length[r]; ++k) sum[r] += weight[r][k];
        const Real scale = length[r] > 0 ? Real(1) / sum[r] : Real(0);
        for (std::uint32_t k = 0; k < length[r]; ++k) weight[r][k] *= scale;
    }
}

/// Computes the center xbar and D^-1 of a master from its weights.
template <class Real>
void center_master(Workspace<Real>& w, const PairBlock<Real>& block, std::size_t row, Real h) {
    const std::uint32_t m = block.query[row];
    // Relative to the master, so that no digits are lost far from the origin.
    w.center[m] = widen<Real>(w.trial.masters.x[m]);
    const Affine<Real> offsets = moments(
        w, block, row, [](std::size_t, std::size_t, const Twin<Real>& offset) { return offset; });
    w.center[m] += offsets.value;
    // On the rest lattice D = 0.30088 h^2 I. Eigenvalues are bounded by a sixth of that.
    w.D_inv[m] = bounded_inverse<Real>(
        offsets.matrix() - offsets.mean() * offsets.mean().transpose(), Real(0.05) * h * h);
}

/// Turns squared distances into weights N, and computes center and D^-1 of the block's masters.
template <class Real> void weigh_block(Workspace<Real>& w, PairBlock<Real>& block, Real h) {
    const Real inverse_h = Real(1) / h;
    Real* weight = block.weight.data();
    for (std::size_t k = 0, end = block.pairs(); k < end; ++k)
        weight[k] = cubic_spline_shape(std::sqrt(weight[k]) * inverse_h);
    for (std::size_t first = 0; first < block.rows(); first += summed_rows) {
        const std::size_t count = std::min(summed_rows, block.rows() - first);
        normalize_rows(block, first, count);
        for (std::size_t r = 0; r < count; ++r) center_master(w, block, first + r, h);
    }
}

/// Splits the new trial deformations of a block's masters at their yield points, if they have any.
template <class Real> void split_block(Masters<Real>& masters, const PairBlock<Real>& block) {
    std::array<std::uint32_t, lanes> some{};
    std::size_t count = 0;
    const auto split = [&] {
        if (count == 0) return;
        std::array<Svd3<Real>, lanes> svd;
        svd3(
            count, [&](std::size_t k) { return masters.F_E[some[k]]; }, svd);
        for (std::size_t k = 0; k < count; ++k)
            split_at_yield<Real>(yield_of(masters, some[k]), svd[k], masters.F_E[some[k]],
                                 masters.F_P[some[k]], masters.J_P[some[k]]);
        count = 0;
    };
    for (std::size_t row = 0; row < block.rows(); ++row) {
        const std::uint32_t m = block.query[row];
        const bool alone = block.start[row] == block.start[row + 1];
        if (alone || !yield_of(masters, m).any()) continue;
        some[count++] = m;
        if (count == lanes) split();
    }
    split();
}

} // namespace

template <class Real> void weigh_pairs(Workspace<Real>& w, const Params& p) {
    const Masters<Real>& masters = w.trial.masters;
    const bool with_slaves = p.stress_points == StressPoints::slaves;
    const auto& join = with_slaves ? w.trial.slaves.join : masters.join;
    const std::vector<std::uint32_t>& row_of = w.slave_grid.index();
    const std::size_t n_masters = masters.x.size();
    const std::size_t n_nodes = row_of.size();
    const Real h = static_cast<Real>(p.spacing);
    const auto is_first = [&](std::int32_t other) { return other == masters.join.front(); };
    const bool all =
        with_slaves && one_body(masters) && std::all_of(join.begin(), join.end(), is_first);

    w.x.resize(n_nodes);
    parallel_for(n_nodes, [&](std::size_t s) { w.x[s] = widen<Real>(w.slave_grid.point(s)); });
    w.center.resize(n_masters);
    w.D_inv.resize(n_masters);
    const auto done = [&](PairBlock<Real>& block) { weigh_block(w, block, h); };
    const Real radius = static_cast<Real>(reach * p.spacing);
    if (all)
        w.pairs.find(masters.x, w.slave_grid, radius, AcceptAll{}, done);
    else
        w.pairs.find(
            masters.x, w.slave_grid, radius,
            [&](std::uint32_t m, std::uint32_t s) {
                return masters.join[m] == join[row_of[s]] && (with_slaves || m != row_of[s]);
            },
            done);
}

template <class Real>
void slaves_to_masters(Workspace<Real>& w, const Scene& scene, const Params& p, double dt) {
    Masters<Real>& masters = w.trial.masters;
    const Real step = static_cast<Real>(dt);
    const Real blend = static_cast<Real>(p.transfer_blend);
    const Vec3<Real> fall = (dt * scene.gravity).template cast<Real>();
    const bool with_slaves = p.stress_points == StressPoints::slaves;

    const auto update = [&](const PairBlock<Real>& block, std::size_t row) {
        const std::uint32_t m = block.query[row];
        if (block.start[row] == block.start[row + 1]) { // no slaves in reach: it flies freely
            if (with_slaves) masters.v[m] += fall + (step / masters.mass[m]) * masters.force[m];
            masters.C[m].setZero();
            return;
        }
        const Affine<Real> gathered = gather(w, block, row, w.v);
        const Mat3<Real> gradient = gathered.matrix() * w.D_inv[m];
        masters.F_E[m] = (Mat3<Real>::Identity() + step * gradient) * masters.F_E[m];
        if (!with_slaves) return;
        switch (p.transfer) {
        case Transfer::affine: // Differs from eq 8, by which bodies fall with alpha g
            masters.v[m] = gathered.mean();
            masters.C[m] = gradient;
            break;
        case Transfer::paper: // (Saida 2017, eq 8)
            masters.v[m] = (Real(1) - blend) * masters.v[m] + blend * gathered.mean();
            masters.C[m].setZero();
            break;
        case Transfer::blend:
            masters.v[m] =
                gathered.mean() + blend * (masters.v[m] - gather(w, block, row, w.v_old).mean());
            masters.C[m].setZero();
            break;
        }
    };

    if (!with_slaves)
        parallel_for(w.v.size(), [&](std::size_t s) {
            masters.v[w.slave_grid.index()[s]] = w.v[s].template head<3>();
        });
    clear(w.product, w.v.size());
    w.pairs.by_color([&](const PairBlock<Real>& block) {
        for (std::size_t row = 0; row < block.rows(); ++row) {
            const std::uint32_t m = block.query[row];
            update(block, row);                  // 6 except yield, 7
            collide_master(w, p, m);             // 8
            masters.x[m] += step * masters.v[m]; // 9
            push_master_out(w, m);               // 8
            if (with_slaves)
                scatter(w, block, row, ScatterTerm<Real>{momentum_of(masters, m), w.product});
        }
        split_block(masters, block); // 6
    });
    if (!with_slaves) return;
    // 10: slaves move with the mean momentum of their masters. Differs from eq 22, which lags behind
    // rotation.
    using Box = Eigen::AlignedBox<Real, 3>;
    const Box displacements = parallel_reduce(
        w.product.size(), Box(),
        [&](std::size_t s) {
            Vec3<Real>& x = w.trial.slaves.x[w.slave_grid.index()[s]];
            const Vec3<Real> before = x;
            x += step * w.per_mass[s] * w.product[s].template head<3>();
            return Box(Vec3<Real>(x - before));
        },
        [](const Box& a, const Box& b) { return a.merged(b); }, w.ranges);
    w.slack -= static_cast<double>(displacements.diagonal().norm());
}

template void weigh_pairs(Workspace<float>&, const Params&);
template void weigh_pairs(Workspace<double>&, const Params&);
template void slaves_to_masters(Workspace<float>&, const Scene&, const Params&, double);
template void slaves_to_masters(Workspace<double>&, const Scene&, const Params&, double);

} // namespace nendo::elastoplastic
