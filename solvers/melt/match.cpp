// SPDX-License-Identifier: Apache-2.0
// Fits clusters to the present positions of their members, with SIMD over eight clusters.
#include "melt/match.h"

#include "math/lanes.h"
#include "math/nearest_rotation.h"

#include <array>
#include <cmath>

namespace nendo::melt {

namespace {

/// Maximum number of batches of members of a cluster, kept in memory between the two passes.
constexpr std::uint32_t max_batches = max_members / lanes;

/// Members of a cluster, relative to its center.
template <class Real> struct Members {
    std::array<Batch4<Real>, max_batches> p; ///< Present position [m], and mass [kg]
    std::array<Batch4<Real>, max_batches> q; ///< Rest position, in the cluster's frame [m]
    std::uint32_t batches = 0;
};

/// Sums over the members of eight clusters: mass m, m p, m q, and m p q^T row by row.
template <class Real> struct Sums {
    Batch<Real> entry[16][lanes];
    Vec4<Real> own[3][lanes]; ///< Columns of the moments of the members [kg m^2]
};

/// Fitted frames of eight clusters: goal = R q + shift.
template <class Real> struct Frames {
    Batch4<Real> orient;
    BatchMat3<Real> R;
    Batch<Real> shift[3]; ///< Relative to the centers [m]
};

/// Loads eight adjacent records.
template <class Real> Batch4<Real> load_eight(const Vec4<Real>* first) {
    static constexpr std::uint32_t in_order[lanes] = {0, 1, 2, 3, 4, 5, 6, 7};
    return Batch4<Real>::gather(first, in_order);
}

/// Eight members from `place` on, relative to the center, with mass as fourth lane.
template <class Real>
Batch4<Real> members_at(const Workspace<Real>& w, std::uint32_t place, const Vec4<Real>& center,
                        bool without_pull) {
    using B = Batch<Real>;
    Batch4<Real> p = Batch4<Real>::gather(w.x.data(), w.clusters.member().data() + place);
    if (without_pull) {
        const Batch4<Real> pull = load_eight(w.link_pull.data() + place);
        p.x = p.x - pull.x;
        p.y = p.y - pull.y;
        p.z = p.z - pull.z;
    }
    p.x = p.x - B::fill(center[0]);
    p.y = p.y - B::fill(center[1]);
    p.z = p.z - B::fill(center[2]);
    return p;
}

/// Sum of the moments of the members, by columns. If their rest frames differ, each is rotated into
/// the frame of the cluster.
template <class Real>
std::array<Vec4<Real>, 3> member_moments(const Workspace<Real>& w, const Segment& s) {
    using Two = Twin<Real>;
    const std::uint32_t* member = w.clusters.member().data() + s.begin;
    if (!s.rotated) {
        Two first = Two::zero();
        Vec4<Real> third = Vec4<Real>::Zero();
        for (std::uint32_t k = 0; k < s.count; ++k) {
            const Vec4<Real>* column = &w.moment[3 * std::size_t(member[k])];
            first = first + Two::load(column);
            third += column[2];
        }
        return {first.first(), first.second(), third};
    }
    Mat3<Real> E = Mat3<Real>::Zero();
    for (std::uint32_t k = 0; k < s.count; ++k) {
        const Vec4<Real>* column = &w.moment[3 * std::size_t(member[k])];
        Mat3<Real> own;
        for (int c = 0; c < 3; ++c) own.col(c) = column[c].template head<3>();
        E += own * rotation_matrix(w.clusters.turn()[s.begin + k]).transpose();
    }
    const auto lanes_of = [&](int c) { return Vec4<Real>(E(0, c), E(1, c), E(2, c), 0); };
    return {lanes_of(0), lanes_of(1), lanes_of(2)};
}

/// Gathers the members of the cluster of particle i, and their sums as the k-th of eight.
template <class Real>
void add_up(const Workspace<Real>& w, std::uint32_t i, bool without_pull, Members<Real>& m,
            Sums<Real>& sums, std::uint32_t k) {
    using B = Batch<Real>;
    const Segment& s = w.clusters[i];
    const Vec4<Real> center = w.x[i];
    const B zero = B::fill(0);
    B px = zero, py = zero, pz = zero, qx = zero, qy = zero, qz = zero, mass = zero;
    B a[9] = {zero, zero, zero, zero, zero, zero, zero, zero, zero};
    m.batches = (s.count + lanes - 1) / lanes;
    for (std::uint32_t b = 0; b < m.batches; ++b) {
        const Batch4<Real> p = members_at(w, s.begin + b * lanes, center, without_pull);
        const Batch4<Real> q = load_eight(w.clusters.rest().data() + s.begin + b * lanes);
        m.p[b] = p;
        m.q[b] = q;
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
    const B first[7] = {mass, px, py, pz, qx, qy, qz};
    for (std::uint32_t e = 0; e < 7; ++e) sums.entry[e][k] = first[e];
    for (std::uint32_t e = 0; e < 9; ++e) sums.entry[7 + e][k] = a[e];
    if (w.solve.constraint != Constraint::oriented) return;
    const std::array<Vec4<Real>, 3> own = member_moments(w, s);
    for (std::uint32_t c = 0; c < 3; ++c) sums.own[c][k] = own[c];
}

/// Best fit of eight clusters (melting thesis, eq 2.12, 2.26), starting from their orientations.
template <class Real>
Frames<Real> find_frames(const Workspace<Real>& w, const std::uint32_t* row,
                         const Sums<Real>& sums) {
    using B = Batch<Real>;
    const auto sum = [&](std::size_t e) { return B::sums(sums.entry[e]); };
    const B per_mass = B::fill(1) / sum(0);
    const B P[3] = {sum(1), sum(2), sum(3)};
    const B mean[3] = {sum(4) * per_mass, sum(5) * per_mass, sum(6) * per_mass};
    BatchMat3<Real> A;
    for (std::size_t e = 0; e < 9; ++e) A[e] = sum(7 + e) - P[e / 3] * mean[e % 3];
    if (w.solve.constraint == Constraint::oriented)
        for (std::size_t c = 0; c < 3; ++c) {
            const Batch4<Real> own = load_eight(sums.own[c]);
            A[c] = A[c] + own.x;
            A[3 + c] = A[3 + c] + own.y;
            A[6 + c] = A[6 + c] + own.z;
        }
    Frames<Real> frames;
    frames.orient = Batch4<Real>::gather(w.q.data(), row);
    NearestRotations<Real>(A, frames.orient).solve();
    frames.R = rotation_matrices(frames.orient);
    for (std::size_t r = 0; r < 3; ++r) {
        const B* R = &frames.R[3 * r];
        frames.shift[r] = P[r] * per_mass - (R[0] * mean[0] + R[1] * mean[1] + R[2] * mean[2]);
    }
    return frames;
}

/// Sum of |R q + shift - p| over the members of each cluster (melting thesis, eq 2.33).
template <class Real>
Batch<Real> deformations(const std::array<Members<Real>, lanes>& members, std::uint32_t count,
                         const Frames<Real>& frames) {
    using B = Batch<Real>;
    const B zero = B::fill(0), least = B::fill(std::numeric_limits<Real>::min());
    Real entry[12][lanes];
    for (std::size_t e = 0; e < 9; ++e) frames.R[e].store(entry[e]);
    for (std::size_t e = 0; e < 3; ++e) frames.shift[e].store(entry[9 + e]);
    B sums[lanes];
    for (std::uint32_t k = 0; k < lanes; ++k) {
        sums[k] = zero;
        if (k >= count) continue;
        B r[12];
        for (std::size_t e = 0; e < 12; ++e) r[e] = B::fill(entry[e][k]);
        for (std::uint32_t b = 0; b < members[k].batches; ++b) {
            const Batch4<Real>&p = members[k].p[b], &q = members[k].q[b];
            const B x = r[0] * q.x + r[1] * q.y + r[2] * q.z + (r[9] - p.x);
            const B y = r[3] * q.x + r[4] * q.y + r[5] * q.z + (r[10] - p.y);
            const B z = r[6] * q.x + r[7] * q.y + r[8] * q.z + (r[11] - p.z);
            sums[k] = sums[k] + p.w.where_below(least, zero, (x * x + y * y + z * z).root());
        }
    }
    return B::sums(sums);
}

/// Eight clusters, or the first `count` of them, fitted to the positions in w.x.
template <class Real> struct Fitting {
    std::uint32_t row[lanes];
    std::array<Members<Real>, lanes> members;
    Frames<Real> frames;

    Fitting(const Workspace<Real>& w, const std::uint32_t* rows, std::uint32_t count,
            bool without_pull) {
        Sums<Real> sums;
        for (std::uint32_t k = 0; k < lanes; ++k) {
            row[k] = rows[std::min(k, count - 1)];
            if (k < count) {
                add_up(w, row[k], without_pull, members[k], sums, k);
                continue;
            }
            for (auto& entry : sums.entry) entry[k] = entry[count - 1];
            for (auto& column : sums.own) column[k] = column[count - 1];
        }
        frames = find_frames(w, row, sums);
    }
};

} // namespace

template <class Real>
void fit_clusters(Workspace<Real>& w, const std::uint32_t* rows, std::uint32_t count,
                  bool without_pull) {
    using B = Batch<Real>;
    const Fitting<Real> fitting(w, rows, count, without_pull);
    const Frames<Real>& frames = fitting.frames;
    B weight = B::fill(1);
    if (w.solve.weighted) {
        Real found[lanes], weights[lanes];
        deformations(fitting.members, count, frames).store(found);
        for (std::uint32_t k = 0; k < lanes; ++k) weights[k] = w.deformation[fitting.row[k]];
        for (std::uint32_t k = 0; k < count; ++k) {
            const std::uint32_t i = fitting.row[k];
            w.deformation[i] = found[k] + least_deformation(w, i);
            if (w.rigid) weights[k] = w.deformation[i];
        }
        weight = B::load(weights);
    }
    const Batch4<Real> center = Batch4<Real>::gather(w.x.data(), fitting.row);
    const BatchMat3<Real>& R = frames.R;
    Vec4<Real> columns[4][lanes], orient[lanes];
    for (std::size_t c = 0; c < 3; ++c)
        Batch4<Real>{weight * R[c], weight * R[3 + c], weight * R[6 + c], B::fill(0)}.store(
            columns[c]);
    Batch4<Real>{weight * (frames.shift[0] + center.x), weight * (frames.shift[1] + center.y),
                 weight * (frames.shift[2] + center.z), weight}
        .store(columns[3]);
    frames.orient.store(orient);
    for (std::uint32_t k = 0; k < count; ++k) {
        const std::uint32_t i = fitting.row[k];
        for (std::size_t c = 0; c < 4; ++c) w.fit[i].column[c] = columns[c][k];
        w.fitted_q[i] = orient[k];
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
    std::vector<std::uint32_t> rows;
    DeformationSum result;
    for (std::uint32_t i = 0; i < w.clusters.size(); ++i)
        if (w.clusters[i].count > 0) {
            rows.push_back(i);
            w.x[i][3] = w.trial.particles.mass[i];
            update_moment(w, i);
            result.pairs += w.clusters[i].count;
        }
    std::vector<Real> found(rows.size() + lanes);
    parallel_blocks(rows.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; k += lanes) {
            const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(lanes, end - k));
            const Fitting<Real> fitting(w, &rows[k], count, false);
            deformations(fitting.members, count, fitting.frames).store(&found[k]);
        }
    });
    for (std::size_t k = 0; k < rows.size(); ++k) result.sum += static_cast<double>(found[k]);
    w.x = x;
    w.moment = moment;
    return result;
}

template void fit_clusters(Workspace<float>&, const std::uint32_t*, std::uint32_t, bool);
template void fit_clusters(Workspace<double>&, const std::uint32_t*, std::uint32_t, bool);
template void update_moment(Workspace<float>&, std::size_t);
template void update_moment(Workspace<double>&, std::size_t);
template DeformationSum deformation_sum(Workspace<float>&);
template DeformationSum deformation_sum(Workspace<double>&);

} // namespace nendo::melt
