// SPDX-License-Identifier: Apache-2.0
// The solid in a substep: prediction, iterations, and the resulting motion.
#include "math/nearest_rotation.h"
#include "math/portable_math.h"
#include "melt/iterate.h"
#include "melt/match.h"
#include "melt/stages.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

namespace nendo::melt {

namespace {

/// Factor on the mass of a held particle, as seen by those around it.
constexpr double held_weight = 1e3;

template <class Real> Vec3d head(const Vec4<Real>& a) {
    return a.template head<3>().template cast<double>();
}

/// Deterministic sums per piece: each block accumulates runs of consecutive rows of one piece (few,
/// since rows are sorted in space), and runs are merged in block order. Only pieces that nothing
/// outside touches get mass. Entries that are not the root of a piece are left alone.
template <class Real, class Add>
void sum_pieces(Workspace<Real>& w, std::vector<PieceMotion>& pieces, const Add& add) {
    const std::size_t n = w.clusters.size();
    struct Run {
        std::uint32_t piece;
        PieceMotion sum;
    };
    std::vector<std::vector<Run>> blocks((n + block_size - 1) / block_size);
    pieces.resize(n);
    parallel_blocks(n, [&](std::size_t begin, std::size_t end) {
        std::vector<Run>& runs = blocks[begin / block_size];
        for (auto i = static_cast<std::uint32_t>(begin); i < end; ++i) {
            const std::uint32_t piece = w.piece[i];
            if (piece == i) pieces[i] = PieceMotion{};
            if (w.clusters[i].count == 0 || w.touched[piece] != untouched) continue;
            if (runs.empty() || runs.back().piece != piece) runs.push_back({piece, {}});
            add(runs.back().sum, i);
        }
    });
    for (const std::vector<Run>& runs : blocks)
        for (const Run& run : runs) {
            PieceMotion& piece = pieces[run.piece];
            piece.mass += run.sum.mass;
            piece.first += run.sum.first;
            piece.momentum += run.sum.momentum;
            piece.angular += run.sum.angular;
            piece.inertia += run.sum.inertia;
        }
}

/// Finds the angular velocity that restores the angular momentum of each piece [rad/s].
template <class Real> void find_spins(Workspace<Real>& w) {
    w.spin_correction.resize(w.motion_after.size());
    parallel_for(w.motion_after.size(), [&](std::size_t k) {
        if (w.piece[k] == k && w.motion_after[k].mass > 0)
            w.spin_correction[k] = w.motion_after[k].spin_to(w.motion_before[k]);
    });
}

/// Calls use(row, piece) for each particle of the pieces that were summed.
template <class Real, class Use> void for_each_summed(Workspace<Real>& w, const Use& use) {
    parallel_for(w.clusters.size(), [&](std::size_t i) {
        const std::uint32_t k = w.piece[i];
        if (w.clusters[i].count > 0 && w.motion_after[k].mass > 0) use(i, k);
    });
}

/// Angular velocity that rotates particle i to orientation q in dt [s]. A rotation of more than 90
/// degrees is a jump of the fit (for example, of a cluster that was pressed flat) and not motion:
/// the spin then stays as it is.
template <class Real>
Vec3d angular_velocity_towards(const Particles<Real>& c, std::size_t i, const Vec4<Real>& q,
                               double dt) {
    Vec4<Real> rotation = quaternion_product(q, quaternion_inverse(c.orient[i]));
    if (rotation[3] < Real(0)) rotation = -rotation; // the shorter rotation
    if (rotation[3] < Real(0.7071)) return c.spin[i].template cast<double>();
    return cayley_vector(rotation).template cast<double>() / dt;
}

/// Share of an error that remains after `iterations`: each leaves s / (1 + s) of it.
double left_after(int iterations, double s) {
    double left = 1, square = std::isinf(s) ? 1 : s / (1 + s);
    for (int k = iterations; k > 0; k /= 2) {
        if (k % 2 == 1) left *= square;
        square *= square;
    }
    return left;
}

} // namespace

template <class Real>
Mat3d own_inertia(const Particles<Real>& c, std::size_t i, const Vec4<Real>& orient) {
    const Vec3d a2 = c.radii[i].template cast<double>().cwiseAbs2();
    const Mat3d R = rotation_matrix<double>(orient.template cast<double>());
    const Mat3d I = (Vec3d::Constant(a2.sum()) - a2).asDiagonal();
    return 0.2 * static_cast<double>(c.mass[i]) * (R * I * R.transpose());
}

Mat3d PieceMotion::inertia_about_center() const {
    const Vec3d c = center();
    return inertia - mass * (c.squaredNorm() * Mat3d::Identity() - c * c.transpose());
}

Vec3d PieceMotion::spin_to(const PieceMotion& other) const {
    const Vec3d spin =
        inertia_about_center().ldlt().solve(other.angular_about_center() - angular_about_center());
    return spin.allFinite() ? spin : Vec3d(0, 0, 0);
}

template <class Real> void predict(Workspace<Real>& w, const Params& p, double dt) {
    Particles<Real>& c = w.trial.particles;
    const std::size_t n = c.id.size();
    const double per_young = stiffness_per_young(p) * dt * dt;
    for (auto* column : {&w.target, &w.begin, &w.q}) column->resize(n);
    // Next to soft matter, hard matter is only as hard as the iterations can make it. If it were
    // harder, the forces of the soft part would not reach it.
    w.rigid = true;
    for (std::size_t i = 0; i < n && w.rigid; ++i)
        w.rigid = w.clusters[i].count == 0 || std::isinf(stiffness_of(c, i, p));
    const double hardest = w.rigid ? w.solve.hardest : w.solve.hardest_mixed;
    w.mass.resize(n);
    w.held.resize(n);
    w.touched.assign(n, untouched);
    parallel_for(n, [&](std::size_t i) {
        const Vec3<Real> x = c.x[i] + static_cast<Real>(dt) * c.v[i];
        const double density = static_cast<double>(c.mass[i]) / static_cast<double>(c.volume[i]);
        const double young = stiffness_of(c, i, p);
        const double stiffness = std::isinf(young) ? hardest : young * per_young / density;
        w.target[i] = Vec4<Real>(x[0], x[1], x[2], static_cast<Real>(stiffness));
        // Where the iterations converge, they start as if there were no forces, so that matter at
        // rest stays at rest for any number of iterations. Where they do not, they start with
        // forces applied, which would otherwise never take effect.
        const double left = w.clusters[i].count > 0 ? left_after(w.solve.iterations, stiffness) : 1;
        const double unmoved = (1 - left) * dt;
        const Vec3<Real> begin = x - static_cast<Real>(unmoved) * (c.v[i] - w.unforced[i]);
        w.begin[i] = Vec4<Real>(begin[0], begin[1], begin[2], 0);
        w.q[i] = quaternion_product(cayley_quaternion<Real>(c.spin[i] * static_cast<Real>(dt)),
                                    c.orient[i]);
        w.mass[i] = c.mass[i];
        w.held[i] = c.pin[i] > 0 ? 1 : 0;
        if (c.pin[i] <= 0) return;
        const Pose& step = w.pins[static_cast<std::size_t>(c.pin[i] - 1)].step;
        const Vec3d led = step * c.x[i].template cast<double>();
        w.target[i].template head<3>() = led.template cast<Real>();
        w.begin[i] = w.target[i];
        w.q[i] = quaternion_product<Real>(
            rotation_quaternion<double>(step.linear()).template cast<Real>(), c.orient[i]);
        w.mass[i] *= static_cast<Real>(held_weight);
    });
    w.rigid = w.rigid && std::isinf(w.solve.hardest);
    for (std::uint32_t i = 0; i < n; ++i) {
        w.piece[i] = w.piece_of(i);
        if (w.clusters[i].count > 0 && w.held[i] != 0) w.touched[w.piece[i]] |= held_by_pin;
    }
}

namespace {

/// Removes the drift of pieces that are near a collider and not held by a pin. Sums are taken about
/// the positions before the substep, in row order.
template <class Real> class DriftRemover {
public:
    explicit DriftRemover(Workspace<Real>& workspace) : w(workspace) {
        if (w.contacts.empty() || !w.solve.weighted || !w.rigid) return; // nothing drifts
        m_sums.resize(w.clusters.size());
        for (const std::uint32_t i : w.contacts) {
            const std::uint32_t piece = w.piece_of(i);
            m_sums[piece].near = w.touched[piece] != held_by_pin;
        }
        sum_inertia();
    }

    /// Saves the positions before an iteration.
    void keep() {
        if (!m_sums.empty()) w.steady = w.x;
    }
    /// Undoes the translation and rotation of whole pieces by an iteration, so that only contact
    /// changes momentum.
    void hold() {
        if (m_sums.empty()) return;
        for (Sums& s : m_sums) s.shift = s.lever = Vec3d::Zero();
        visit([&](Sums& s, std::uint32_t i, double mass, const Vec3d& offset) {
            const Vec3d displacement = head(w.x[i]) - head(w.steady[i]);
            s.shift += mass * displacement;
            s.lever += mass * offset.cross(displacement);
        });
        for (Sums& s : m_sums) {
            if (!(s.mass > 0)) continue;
            s.lever -= s.center.cross(s.shift);
            s.rotation = s.inverse * s.lever;
            s.shift /= s.mass;
        }
        visit([&](Sums& s, std::uint32_t i, double, const Vec3d& offset) {
            const Vec3d back = s.shift + s.rotation.cross(offset - s.center);
            w.x[i].template head<3>() -= back.template cast<Real>();
        });
    }

private:
    struct Sums {
        bool near = false;
        double mass = 0;
        Vec3d center = Vec3d::Zero(), shift = Vec3d::Zero(), lever = Vec3d::Zero();
        Vec3d rotation = Vec3d::Zero();
        Mat3d inverse = Mat3d::Zero(); ///< Inverse of the inertia about the center
    };

    template <class Use> void visit(const Use& use) {
        const Particles<Real>& c = w.trial.particles;
        for (std::uint32_t i = 0; i < w.clusters.size(); ++i) {
            if (w.clusters[i].count == 0 || w.touched[w.piece_of(i)] != pushed_by_collider)
                continue;
            use(m_sums[w.piece_of(i)], i, static_cast<double>(c.mass[i]),
                c.x[i].template cast<double>());
        }
    }
    void sum_inertia() {
        const Particles<Real>& c = w.trial.particles;
        std::vector<PieceMotion> pieces(m_sums.size());
        for (std::uint32_t i = 0; i < w.clusters.size(); ++i)
            if (w.clusters[i].count > 0 && m_sums[w.piece_of(i)].near)
                pieces[w.piece_of(i)].add(static_cast<double>(c.mass[i]),
                                          c.x[i].template cast<double>(), Vec3d::Zero(),
                                          own_inertia(c, i, c.orient[i]), Vec3d::Zero());
        for (std::size_t k = 0; k < pieces.size(); ++k) {
            if (!m_sums[k].near) continue;
            m_sums[k].mass = pieces[k].mass;
            m_sums[k].center = pieces[k].center();
            const Mat3d inverse = pieces[k].inertia_about_center().ldlt().solve(Mat3d::Identity());
            if (inverse.allFinite()) m_sums[k].inverse = inverse;
        }
    }

    Workspace<Real>& w;
    std::vector<Sums> m_sums; ///< By piece; empty if there is nothing to hold
};

} // namespace

template <class Real> void match_clusters(Workspace<Real>& w, Host& host, bool watch) {
    start_iterations(w);
    w.d_sums.clear();
    DriftRemover<Real> drift(w);
    std::int64_t pairs = 0;
    for (const auto* lists : {&w.group, &w.color})
        for (const std::vector<std::uint32_t>& rows : *lists)
            for (const std::uint32_t i : rows) pairs += w.clusters[i].count;
    for (int k = 0; k < w.solve.iterations; ++k) {
        if (k % 64 == 63 && host.interrupted()) throw Interrupted();
        drift.keep();
        iterate(w, k);
        drift.hold();
        push_out(w);
        if (watch) w.d_sums.push_back(deformation_sum(w).sum);
    }
    w.work += 2 * pairs * w.solve.iterations;
}

template <class Real> void remove_drift(Workspace<Real>& w, double dt) {
    const Particles<Real>& c = w.trial.particles;
    // The motion of each piece before and after the iterations.
    sum_pieces(w, w.motion_before, [&](PieceMotion& piece, std::uint32_t i) {
        const Vec3d x = head(w.target[i]);
        piece.add(static_cast<double>(c.mass[i]), x, (x - c.x[i].template cast<double>()) / dt,
                  own_inertia(c, i, c.orient[i]), c.spin[i].template cast<double>());
    });
    sum_pieces(w, w.motion_after, [&](PieceMotion& piece, std::uint32_t i) {
        const Vec3d x = head(w.x[i]);
        piece.add(static_cast<double>(c.mass[i]), x, (x - c.x[i].template cast<double>()) / dt,
                  own_inertia(c, i, w.q[i]), angular_velocity_towards(c, i, w.q[i], dt));
    });
    find_spins(w);
    for_each_summed(w, [&](std::size_t i, std::uint32_t k) {
        const Vec4<double> rotation = cayley_quaternion<double>(dt * w.spin_correction[k]);
        const Vec3d x = w.motion_before[k].center() +
                        rotation_matrix(rotation) * (head(w.x[i]) - w.motion_after[k].center());
        w.x[i].template head<3>() = x.template cast<Real>();
        w.q[i] = quaternion_product<Real>(rotation.template cast<Real>(), w.q[i]);
    });
}

template <class Real> void update_velocities(Workspace<Real>& w, const Params& p, double dt) {
    Particles<Real>& c = w.trial.particles;
    // Substeps are short enough that motion, or the force that stops it, moves matter no further
    // than this. A larger correction is a small cluster springing back after it was pressed flat: a
    // jump, which must not become velocity.
    const auto furthest = static_cast<Real>(p.courant * p.spacing);
    parallel_for(c.id.size(), [&](std::size_t i) {
        const Vec3<Real> x = w.x[i].template head<3>();
        if (w.clusters[i].count > 0) {
            const Vec3<Real> moved = x - w.target[i].template head<3>();
            const Real beyond = std::max(Real(0), Real(1) - furthest / moved.norm());
            c.v[i] = (x - c.x[i] - beyond * moved) / static_cast<Real>(dt);
            c.spin[i] = angular_velocity_towards(c, i, w.q[i], dt).template cast<Real>();
            c.orient[i] = w.q[i];
        }
        c.x[i] = x;
    });
    // Apart from rounding, a finite rotation does not quite match its velocity: correct the
    // momenta.
    sum_pieces(w, w.motion_after, [&](PieceMotion& piece, std::uint32_t i) {
        piece.add(static_cast<double>(c.mass[i]), c.x[i].template cast<double>(),
                  c.v[i].template cast<double>(), own_inertia(c, i, c.orient[i]),
                  c.spin[i].template cast<double>());
    });
    find_spins(w);
    for_each_summed(w, [&](std::size_t i, std::uint32_t k) {
        const Vec3d spin = w.spin_correction[k];
        const Vec3d push =
            (w.motion_before[k].momentum - w.motion_after[k].momentum) / w.motion_after[k].mass;
        const Vec3d offset = c.x[i].template cast<double>() - w.motion_after[k].center();
        c.v[i] += (push + spin.cross(offset)).template cast<Real>();
        c.spin[i] += spin.template cast<Real>();
    });
    if (p.damping == 0) return;
    const auto kept = static_cast<Real>(portable_exp(-std::min(p.damping * dt, 700.0)));
    parallel_for(c.id.size(), [&](std::size_t i) {
        if (w.clusters[i].count == 0) return;
        c.v[i] *= kept;
        c.spin[i] *= kept;
    });
}

template Mat3d own_inertia(const Particles<float>&, std::size_t, const Vec4<float>&);
template Mat3d own_inertia(const Particles<double>&, std::size_t, const Vec4<double>&);
template void predict(Workspace<float>&, const Params&, double);
template void predict(Workspace<double>&, const Params&, double);
template void match_clusters(Workspace<float>&, Host&, bool);
template void match_clusters(Workspace<double>&, Host&, bool);
template void remove_drift(Workspace<float>&, double);
template void remove_drift(Workspace<double>&, double);
template void update_velocities(Workspace<float>&, const Params&, double);
template void update_velocities(Workspace<double>&, const Params&, double);

} // namespace nendo::melt
