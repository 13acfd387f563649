#include "melt/match.h"

#include "math/nearest_rotation.h"

#include <array>
#include <cmath>

namespace nendo::melt {

namespace {

/// Members are kept at hand between the two passes.
constexpr std::uint32_t max_batches = max_members / lanes;

/// Members of a cluster relative to its centre, and their moments.
template <class Real> struct Moments {
    std::array<Batch4<Real>, max_batches> p; ///< [m], and the mass [kg]
    std::uint32_t batches = 0;
    Vec3<Real> mean_x, mean_rest; ///< Centre of mass now and at rest, from the centre [m]
    Mat3<Real> A;                 ///< [S004 eq 2.26]
};

/// Eight records that lie side by side.
template <class Real> Batch4<Real> load_eight(const Vec4<Real>* first) {
    static constexpr std::uint32_t in_order[lanes] = {0, 1, 2, 3, 4, 5, 6, 7};
    return Batch4<Real>::gather(first, in_order);
}

template <class Real>
Batch4<Real> members_at(const Workspace<Real>& w, std::uint32_t place, const Vec4<Real>& centre,
                        bool without_pull) {
    using B = Batch<Real>;
    Batch4<Real> p = Batch4<Real>::gather(w.x.data(), w.clusters.member().data() + place);
    if (without_pull) {
        const Batch4<Real> pull = load_eight(w.link_pull.data() + place);
        p.x = p.x - pull.x;
        p.y = p.y - pull.y;
        p.z = p.z - pull.z;
    }
    p.x = p.x - B::fill(centre[0]);
    p.y = p.y - B::fill(centre[1]);
    p.z = p.z - B::fill(centre[2]);
    return p;
}

/// Sum of the members' own moments. In clusters whose frames differ at rest, each is turned into
/// the cluster's.
template <class Real> Mat3<Real> member_moments(const Workspace<Real>& w, const Segment& s) {
    const std::uint32_t* member = w.clusters.member().data() + s.begin;
    Vec4<Real> sum[3] = {Vec4<Real>::Zero(), Vec4<Real>::Zero(), Vec4<Real>::Zero()};
    Mat3<Real> E;
    if (!s.turned) {
        for (std::uint32_t k = 0; k < s.count; ++k) {
            const Vec4<Real>* column = &w.moment[3 * std::size_t(member[k])];
            for (int c = 0; c < 3; ++c) sum[c] += column[c];
        }
        for (int c = 0; c < 3; ++c) E.col(c) = sum[c].template head<3>();
        return E;
    }
    E.setZero();
    for (std::uint32_t k = 0; k < s.count; ++k) {
        const Vec4<Real>* column = &w.moment[3 * std::size_t(member[k])];
        Mat3<Real> own;
        for (int c = 0; c < 3; ++c) own.col(c) = column[c].template head<3>();
        E += own * rotation_matrix(w.clusters.turn()[s.begin + k]).transpose();
    }
    return E;
}

template <class Real>
void find_moments(const Workspace<Real>& w, std::uint32_t i, bool without_pull, Moments<Real>& m) {
    using B = Batch<Real>;
    const Segment& s = w.clusters[i];
    const B zero = B::fill(0);
    B px = zero, py = zero, pz = zero, qx = zero, qy = zero, qz = zero, mass = zero;
    B a[9] = {zero, zero, zero, zero, zero, zero, zero, zero, zero};
    m.batches = 0;
    for (std::uint32_t k = 0; k < s.count; k += lanes) {
        const Batch4<Real> p = members_at(w, s.begin + k, w.x[i], without_pull);
        const Batch4<Real> q = load_eight(w.clusters.rest().data() + s.begin + k);
        m.p[m.batches++] = p;
        const B wx = p.w * p.x, wy = p.w * p.y, wz = p.w * p.z;
        mass = mass + p.w;
        px = px + wx;
        py = py + wy;
        pz = pz + wz;
        qx = qx + p.w * q.x;
        qy = qy + p.w * q.y;
        qz = qz + p.w * q.z;
        a[0] = a[0] + wx * q.x;
        a[1] = a[1] + wx * q.y;
        a[2] = a[2] + wx * q.z;
        a[3] = a[3] + wy * q.x;
        a[4] = a[4] + wy * q.y;
        a[5] = a[5] + wy * q.z;
        a[6] = a[6] + wz * q.x;
        a[7] = a[7] + wz * q.y;
        a[8] = a[8] + wz * q.z;
    }
    const Real per_mass = Real(1) / mass.sum();
    const Vec3<Real> P(px.sum(), py.sum(), pz.sum()), Q(qx.sum(), qy.sum(), qz.sum());
    m.mean_x = P * per_mass;
    m.mean_rest = Q * per_mass;
    m.A << a[0].sum(), a[1].sum(), a[2].sum(), a[3].sum(), a[4].sum(), a[5].sum(), a[6].sum(),
        a[7].sum(), a[8].sum();
    m.A -= P * m.mean_rest.transpose();
    if (w.solve.constraint == Constraint::oriented) m.A += member_moments(w, s);
}

/// Sum of |R rest + shift - p| over the members [S004 eq 2.33].
template <class Real>
Real deformation_of(const Workspace<Real>& w, std::uint32_t i, const Moments<Real>& m,
                    const Mat3<Real>& R, const Vec3<Real>& shift) {
    using B = Batch<Real>;
    const Segment& s = w.clusters[i];
    const B zero = B::fill(0), least = B::fill(std::numeric_limits<Real>::min());
    B r[9];
    for (int k = 0; k < 9; ++k) r[k] = B::fill(R(k / 3, k % 3));
    B sum = zero;
    for (std::uint32_t b = 0; b < m.batches; ++b) {
        const Batch4<Real> q = load_eight(w.clusters.rest().data() + s.begin + b * lanes);
        const Batch4<Real>& p = m.p[b];
        const B x = r[0] * q.x + r[1] * q.y + r[2] * q.z + (B::fill(shift.x()) - p.x);
        const B y = r[3] * q.x + r[4] * q.y + r[5] * q.z + (B::fill(shift.y()) - p.y);
        const B z = r[6] * q.x + r[7] * q.y + r[8] * q.z + (B::fill(shift.z()) - p.z);
        sum = sum + p.w.where_below(least, zero, (x * x + y * y + z * z).root());
    }
    return sum.sum();
}

} // namespace

template <class Real>
void fit_clusters(Workspace<Real>& w, const std::uint32_t* rows, std::uint32_t count,
                  bool without_pull) {
    std::array<Moments<Real>, lanes> moments;
    Real a[9][lanes] = {};
    std::uint32_t row[lanes];
    for (std::uint32_t k = 0; k < lanes; ++k) {
        row[k] = rows[std::min(k, count - 1)];
        if (k >= count) {
            for (auto& entry : a) entry[k] = entry[count - 1];
            continue;
        }
        find_moments(w, row[k], without_pull, moments[k]);
        for (int e = 0; e < 9; ++e) a[e][k] = moments[k].A(e / 3, e % 3);
    }
    BatchMat3<Real> A;
    for (std::size_t e = 0; e < 9; ++e) A[e] = Batch<Real>::load(a[e]);
    Batch4<Real> q = Batch4<Real>::gather(w.q.data(), row);
    NearestRotations<Real>(A, q).solve();
    const BatchMat3<Real> R = rotation_matrices(q);
    for (std::size_t e = 0; e < 9; ++e) R[e].store(a[e]);
    Real turned[4][lanes];
    q.x.store(turned[0]);
    q.y.store(turned[1]);
    q.z.store(turned[2]);
    q.w.store(turned[3]);
    for (std::uint32_t k = 0; k < count; ++k) {
        Mat3<Real> matrix;
        for (int e = 0; e < 9; ++e) matrix(e / 3, e % 3) = a[e][k];
        const Vec3<Real> shift = moments[k].mean_x - matrix * moments[k].mean_rest;
        const std::uint32_t i = row[k];
        Fit<Real>& fit = w.fit[i];
        for (int c = 0; c < 3; ++c)
            fit.column[c] = Vec4<Real>(matrix(0, c), matrix(1, c), matrix(2, c), 0);
        fit.shift.template head<3>() = shift + w.x[i].template head<3>();
        w.turned[i] = Vec4<Real>(turned[0][k], turned[1][k], turned[2][k], turned[3][k]);
        w.deformation[i] = deformation_of(w, i, moments[k], matrix, shift);
    }
}

template <class Real> void update_moment(Workspace<Real>& w, std::size_t j) {
    const Mat3<Real> R = rotation_matrix(w.q[j]);
    const Real m = w.x[j][3] * Real(0.2);
    const Vec3<Real>& a = w.trial.particles.radii[j];
    for (int c = 0; c < 3; ++c) {
        const Vec3<Real> column = R.col(c) * (m * a[c] * a[c]);
        w.moment[3 * j + std::size_t(c)] = Vec4<Real>(column[0], column[1], column[2], 0);
    }
}

template <class Real> DeformationSum deformation_sum(Workspace<Real>& w) {
    const std::vector<Vec4<Real>> x = w.x, moment = w.moment;
    const std::vector<Real> deformation = w.deformation;
    const std::vector<Fit<Real>> fit = w.fit;
    std::vector<std::uint32_t> rows;
    DeformationSum result;
    for (std::uint32_t i = 0; i < w.clusters.size(); ++i)
        if (w.clusters[i].count > 0) {
            rows.push_back(i);
            w.x[i][3] = w.trial.particles.mass[i];
            update_moment(w, i);
            result.pairs += w.clusters[i].count;
        }
    parallel_blocks(rows.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; k += lanes)
            fit_clusters(w, &rows[k],
                         static_cast<std::uint32_t>(std::min<std::size_t>(lanes, end - k)), false);
    });
    for (const std::uint32_t i : rows) result.sum += static_cast<double>(w.deformation[i]);
    w.x = x;
    w.moment = moment;
    w.deformation = deformation;
    w.fit = fit;
    return result;
}

template void fit_clusters(Workspace<float>&, const std::uint32_t*, std::uint32_t, bool);
template void fit_clusters(Workspace<double>&, const std::uint32_t*, std::uint32_t, bool);
template void update_moment(Workspace<float>&, std::size_t);
template void update_moment(Workspace<double>&, std::size_t);
template DeformationSum deformation_sum(Workspace<float>&);
template DeformationSum deformation_sum(Workspace<double>&);

} // namespace nendo::melt
