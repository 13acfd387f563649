// The solid in a substep: prediction, iterations, and the motion that follows from them.
#include "math/nearest_rotation.h"
#include "math/portable.h"
#include "melt/iterate.h"
#include "melt/match.h"
#include "melt/stages.h"

#include <Eigen/Dense>

#include <cmath>

namespace nendo::melt {

namespace {

/// How much heavier than itself a held particle is to those around it.
constexpr double held_weight = 1e3;

template <class Real> Vec3d head(const Vec4<Real>& a) {
    return a.template head<3>().template cast<double>();
}

/// Sums by piece, in the order of the rows; only pieces that nothing outside touches have mass.
template <class Real, class Add>
void sum_pieces(Workspace<Real>& w, std::vector<PieceMotion>& pieces, const Add& add) {
    pieces.assign(w.clusters.size(), PieceMotion{});
    for (std::uint32_t i = 0; i < w.clusters.size(); ++i) {
        const std::uint32_t piece = w.piece_of(i);
        if (w.clusters[i].count > 0 && w.touched[piece] == 0) add(pieces[piece], i);
    }
}

/// The spin of each piece that brings what was found back to what was given [rad/s].
template <class Real> void find_spins(Workspace<Real>& w) {
    w.missing_spin.assign(w.found.size(), Vec3d::Zero());
    for (std::size_t k = 0; k < w.found.size(); ++k)
        if (w.found[k].mass > 0) w.missing_spin[k] = w.found[k].spin_to(w.given[k]);
}

template <class Real> Vec3d spin_between(const Vec4<Real>& from, const Vec4<Real>& to, double dt) {
    Vec4<Real> turn = quaternion_product(to, quaternion_inverse(from));
    if (turn[3] < Real(0)) turn = -turn; // the shorter way
    return cayley_turn(turn).template cast<double>() / dt;
}

} // namespace

template <class Real>
Mat3d own_inertia(const Particles<Real>& c, std::size_t i, const Vec4<Real>& orient) {
    const Vec3d a2 = c.radii[i].template cast<double>().cwiseAbs2();
    const Mat3d R = rotation_matrix<double>(orient.template cast<double>());
    const Mat3d I = (Vec3d::Constant(a2.sum()) - a2).asDiagonal();
    return 0.2 * static_cast<double>(c.mass[i]) * (R * I * R.transpose());
}

Vec3d PieceMotion::spin_to(const PieceMotion& other) const {
    const Vec3d c = centre();
    const Mat3d I = inertia - mass * (c.squaredNorm() * Mat3d::Identity() - c * c.transpose());
    const Vec3d spin = I.ldlt().solve(other.angular_about_centre() - angular_about_centre());
    return spin.allFinite() ? spin : Vec3d(0, 0, 0);
}

template <class Real> void predict(Workspace<Real>& w, const Params& p, double dt) {
    Particles<Real>& c = w.trial.particles;
    const std::size_t n = c.id.size();
    const double per_young = stiffness_per_young(p) * dt * dt;
    for (auto* column : {&w.target, &w.q}) column->resize(n);
    w.mass.resize(n);
    w.held.resize(n);
    w.touched.assign(n, 0);
    parallel_for(n, [&](std::size_t i) {
        const Vec3<Real> x = c.x[i] + static_cast<Real>(dt) * c.v[i];
        const double density = static_cast<double>(c.mass[i]) / static_cast<double>(c.volume[i]);
        const double stiffness = stiffness_of(c, i, p) * per_young / density;
        w.target[i] = Vec4<Real>(x[0], x[1], x[2], static_cast<Real>(stiffness));
        w.q[i] = quaternion_product(cayley_quaternion<Real>(c.spin[i] * static_cast<Real>(dt)),
                                    c.orient[i]);
        w.mass[i] = c.mass[i];
        w.held[i] = c.pin[i] > 0 ? 1 : 0;
        if (c.pin[i] <= 0) return;
        const Pose& step = w.pins[static_cast<std::size_t>(c.pin[i] - 1)].step;
        const Vec3d led = step * c.x[i].template cast<double>();
        w.target[i].template head<3>() = led.template cast<Real>();
        w.q[i] = quaternion_product<Real>(
            rotation_quaternion<double>(step.linear()).template cast<Real>(), c.orient[i]);
        w.mass[i] *= static_cast<Real>(held_weight);
    });
    w.rigid = true;
    for (std::uint32_t i = 0; i < n; ++i) {
        if (w.clusters[i].count == 0) continue;
        w.rigid = w.rigid && std::isinf(w.target[i][3]);
        if (w.held[i] != 0) w.touched[w.piece_of(i)] = 1;
    }
}

template <class Real> void match_clusters(Workspace<Real>& w, Host& host, bool watch) {
    start_iterations(w);
    w.d_sums.clear();
    std::int64_t pairs = 0;
    for (const auto* lists : {&w.group, &w.colour})
        for (const std::vector<std::uint32_t>& rows : *lists)
            for (const std::uint32_t i : rows) pairs += w.clusters[i].count;
    for (int k = 0; k < w.solve.iterations; ++k) {
        if (k % 64 == 63 && host.interrupted()) throw Interrupted();
        iterate(w, k);
        push_out(w);
        if (watch) w.d_sums.push_back(deformation_sum(w).sum);
    }
    w.work += 2 * pairs * w.solve.iterations;
}

template <class Real> void remove_drift(Workspace<Real>& w, double dt) {
    const Particles<Real>& c = w.trial.particles;
    // What clusters were given, and what they made of it.
    sum_pieces(w, w.given, [&](PieceMotion& piece, std::uint32_t i) {
        const Vec3d x = head(w.target[i]);
        piece.add(static_cast<double>(c.mass[i]), x, (x - c.x[i].template cast<double>()) / dt,
                  own_inertia(c, i, c.orient[i]), c.spin[i].template cast<double>());
    });
    sum_pieces(w, w.found, [&](PieceMotion& piece, std::uint32_t i) {
        const Vec3d x = head(w.x[i]);
        piece.add(static_cast<double>(c.mass[i]), x, (x - c.x[i].template cast<double>()) / dt,
                  own_inertia(c, i, w.q[i]), spin_between(c.orient[i], w.q[i], dt));
    });
    find_spins(w);
    for (std::uint32_t i = 0; i < w.clusters.size(); ++i) {
        const std::uint32_t k = w.piece_of(i);
        if (w.clusters[i].count == 0 || !(w.found[k].mass > 0)) continue;
        const Vec4<double> turn = cayley_quaternion<double>(dt * w.missing_spin[k]);
        const Vec3d x =
            w.given[k].centre() + rotation_matrix(turn) * (head(w.x[i]) - w.found[k].centre());
        w.x[i].template head<3>() = x.template cast<Real>();
        w.q[i] = quaternion_product<Real>(turn.template cast<Real>(), w.q[i]);
    }
}

template <class Real> void take_motion(Workspace<Real>& w, const Params& p, double dt) {
    Particles<Real>& c = w.trial.particles;
    parallel_for(c.id.size(), [&](std::size_t i) {
        const Vec3<Real> x = w.x[i].template head<3>();
        if (w.clusters[i].count > 0) {
            c.v[i] = (x - c.x[i]) / static_cast<Real>(dt);
            c.spin[i] = spin_between(c.orient[i], w.q[i], dt).template cast<Real>();
            c.orient[i] = w.q[i];
        }
        c.x[i] = x;
    });
    // Rounding apart, a turn of finite size is not quite what its velocity says.
    sum_pieces(w, w.found, [&](PieceMotion& piece, std::uint32_t i) {
        piece.add(static_cast<double>(c.mass[i]), c.x[i].template cast<double>(),
                  c.v[i].template cast<double>(), own_inertia(c, i, c.orient[i]),
                  c.spin[i].template cast<double>());
    });
    find_spins(w);
    for (std::uint32_t i = 0; i < w.clusters.size(); ++i) {
        const std::uint32_t k = w.piece_of(i);
        if (w.clusters[i].count == 0 || !(w.found[k].mass > 0)) continue;
        const Vec3d spin = w.missing_spin[k];
        const Vec3d push = (w.given[k].momentum - w.found[k].momentum) / w.found[k].mass;
        const Vec3d arm = c.x[i].template cast<double>() - w.found[k].centre();
        c.v[i] += (push + spin.cross(arm)).template cast<Real>();
        c.spin[i] += spin.template cast<Real>();
    }
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
template void take_motion(Workspace<float>&, const Params&, double);
template void take_motion(Workspace<double>&, const Params&, double);

} // namespace nendo::melt
