// SPDX-License-Identifier: Apache-2.0
// One iteration of the cluster solver, under each scheme.
#include "melt/iterate.h"

#include "math/lanes.h"
#include "math/nearest_rotation.h"
#include "melt/match.h"
#include "melt/orientation.h"

#include <algorithm>
#include <cmath>

namespace nendo::melt {

namespace {

/// Stiffness s above which the weight of a particle in clusters no longer grows.
constexpr double largest_weight = 1e4;

template <class Real> Real stiffness_weight(const Workspace<Real>& w, std::size_t j) {
    return w.rigid ? Real(1) : std::min(w.target[j][3], Real(largest_weight));
}

std::uint32_t group_size(const Segment& s, int g) {
    return s.last(g) - s.first(g);
}

/// Mass with which the clusters of a group see particle j. If it is the share that they later move,
/// no cluster changes momentum (Rivers and James 2007). Weighted rigid matter converges fast only
/// if clusters see the whole mass; its drift is removed later.
template <class Real> Real seen_mass(const Workspace<Real>& w, int g, std::size_t j) {
    if (w.solve.scheme == Scheme::gauss_seidel || (w.solve.weighted && w.rigid))
        return w.mass[j] * stiffness_weight(w, j);
    const Real share = w.solve.weighted ? w.weights[std::size_t(g) * w.clusters.size() + j]
                                        : static_cast<Real>(group_size(w.clusters[j], g));
    return share > Real(0) ? w.mass[j] * stiffness_weight(w, j) / share : Real(0);
}

/// Calls use(rows, count) for batches of a list of clusters, in any order.
template <class Use> void in_batches(const std::vector<std::uint32_t>& rows, const Use& use) {
    parallel_blocks(rows.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; k += lanes)
            use(&rows[k], static_cast<std::uint32_t>(std::min<std::size_t>(lanes, end - k)));
    });
}

template <class Real> void fit_group(Workspace<Real>& w, int g) {
    in_batches(w.group[std::size_t(g)], [&](const std::uint32_t* rows, std::uint32_t count) {
        fit_clusters(w, rows, count, false);
    });
}

/// Sum of the weights of the clusters of a group that contain particle j.
template <class Real> Real sum_weights(const Workspace<Real>& w, int g, std::size_t j) {
    const Segment& s = w.clusters[j];
    Real sum = 0;
    for (std::uint32_t k = s.begin + s.first(g); k < s.begin + s.last(g); ++k)
        sum += w.deformation[w.clusters.member()[k]];
    return sum;
}

/// Weighted mean of the goals of the clusters of a group for particle j (melting thesis, eq 2.31,
/// 2.35). rest_of(k) times `sign` is the rest offset of j in the cluster of member k.
template <class Real, class RestOf>
Vec4<Real> mean_goal(const Workspace<Real>& w, int g, const Segment& s, Real sign,
                     const RestOf& rest_of) {
    using Two = Twin<Real>;
    const std::uint32_t* member = w.clusters.member().data();
    const Fit<Real>* fit = w.fit.data();
    struct Sum {
        Two xy = Two::zero(); ///< First and second columns
        Two zs = Two::zero(); ///< Third column, and the shift
        void add(const Fit<Real>& f, const Vec4<Real>& at_rest) {
            const Two q = Two::both(at_rest);
            xy = xy + Two::load(f.column) * q.template lanes_of<0, 1>();
            zs = zs + Two::load(f.column + 2) * q.template lanes_of<2, 3>();
        }
    } even, odd;
    const std::uint32_t end = s.begin + s.last(g);
    std::uint32_t k = s.begin + s.first(g);
    for (; k + 1 < end; k += 2) {
        even.add(fit[member[k]], rest_of(k));
        odd.add(fit[member[k + 1]], rest_of(k + 1));
    }
    if (k < end) even.add(fit[member[k]], rest_of(k));
    const Two xy = even.xy + odd.xy, zs = even.zs + odd.zs;
    const Vec4<Real> sum = zs.second() + (xy.first() + xy.second() + zs.first()) * sign;
    return sum / sum[3];
}

template <class Real> Vec4<Real> mean_goal(const Workspace<Real>& w, int g, std::uint32_t j) {
    const Segment& s = w.clusters[j];
    const Vec4<Real>* rest = w.clusters.rest().data();
    if (s.antisymmetric)
        return mean_goal(w, g, s, Real(-1),
                         [&](std::uint32_t k) -> const Vec4<Real>& { return rest[k]; });
    const std::uint32_t* mirror = w.clusters.mirror().data();
    return mean_goal(w, g, s, Real(1),
                     [&](std::uint32_t k) -> const Vec4<Real>& { return rest[mirror[k]]; });
}

/// Position of particle j without the pull of group g.
template <class Real> Vec4<Real> without_group(const Workspace<Real>& w, int g, std::uint32_t j) {
    if (w.solve.groups == 1) return w.target[j];
    return w.x[j] - w.pulled[std::size_t(g) * w.clusters.size() + j];
}

/// Moves particle j toward the mean of its goals, as far as its stiffness allows: an implicit Euler
/// step for this group of clusters.
template <class Real> void move_particle(Workspace<Real>& w, int g, std::uint32_t j) {
    const Segment& s = w.clusters[j];
    const Vec4<Real> goal = mean_goal(w, g, j);
    if (w.rigid) {
        w.x[j].template head<3>() = goal.template head<3>();
        return;
    }
    const Vec4<Real> rest = without_group(w, g, j);
    const Real share = static_cast<Real>(group_size(s, g)) / static_cast<Real>(s.solved());
    const Real stiffness = w.target[j][3] * share;
    const Real follow = std::isinf(stiffness) ? Real(1) : stiffness / (Real(1) + stiffness);
    const Vec3<Real> pull = ((goal - rest) * follow).template head<3>();
    w.x[j].template head<3>() = rest.template head<3>() + pull;
    if (w.solve.groups > 1)
        w.pulled[std::size_t(g) * w.clusters.size() + j] = Vec4<Real>(pull[0], pull[1], pull[2], 0);
}

/// Applies the fits of the clusters of group g to the particles, and prepares the next group.
template <class Real> void combine_group(Workspace<Real>& w, int g) {
    const int next = (g + 1) % w.solve.groups;
    const bool shared = w.solve.weighted ? !w.rigid : w.solve.groups > 1;
    parallel_for(w.clusters.size(), [&](std::size_t row) {
        const auto j = static_cast<std::uint32_t>(row);
        const Segment& s = w.clusters[j];
        if (s.count == 0) return;
        if (group_size(s, g) > 0 && !w.held[j]) move_particle(w, g, j);
        if (w.clusters.bucket(j) == g) w.q[j] = w.fitted_q[j];
        if (w.clusters.bucket(j) == max_groups) w.q[j] = interpolated(w, j);
        if (shared && w.solve.weighted)
            w.weights[std::size_t(g) * w.clusters.size() + j] = sum_weights(w, g, j);
        if (shared) w.x[j][3] = seen_mass(w, next, j);
        update_moment(w, j);
    });
}

/// Moves the members of one cluster to its goals (melting thesis, eq 2.32).
template <class Real> void move_members(Workspace<Real>& w, std::uint32_t i) {
    const Segment& s = w.clusters[i];
    const Fit<Real>& fit = w.fit[i];
    for (std::uint32_t k = s.begin; k < s.begin + s.count; ++k) {
        const std::uint32_t j = w.clusters.member()[k];
        if (w.held[j]) continue;
        const Vec4<Real> goal = fit.goal(w.clusters.rest()[k]);
        if (w.rigid) {
            w.x[j].template head<3>() = goal.template head<3>();
            continue;
        }
        const Vec4<Real> rest = w.x[j] - w.link_pull[k];
        const Real stiffness = w.target[j][3] / static_cast<Real>(w.clusters[j].solved());
        const Real follow = std::isinf(stiffness) ? Real(1) : stiffness / (Real(1) + stiffness);
        const Vec3<Real> pull = ((goal - rest) * follow).template head<3>();
        w.link_pull[k] = Vec4<Real>(pull[0], pull[1], pull[2], 0);
        w.x[j].template head<3>() = rest.template head<3>() + pull;
    }
    w.q[i] = w.fitted_q[i];
    update_moment(w, i);
}

/// Solves clusters one after another. Those of one color share no particle and are solved at once.
template <class Real> void iterate_gauss_seidel(Workspace<Real>& w) {
    for (const std::vector<std::uint32_t>& rows : w.color)
        in_batches(rows, [&](const std::uint32_t* row, std::uint32_t count) {
            fit_clusters(w, row, count, !w.rigid);
            for (std::uint32_t k = 0; k < count; ++k) move_members(w, row[k]);
        });
    parallel_for(w.clusters.size(), [&](std::size_t j) {
        if (w.clusters[j].count == 0 || w.clusters.bucket(j) != max_groups) return;
        w.q[j] = interpolated(w, static_cast<std::uint32_t>(j));
        update_moment(w, j);
    });
}

/// Divides a displacement of particle j that is not due to goals among the groups, by their numbers
/// of clusters.
template <class Real>
void spread_pull(Workspace<Real>& w, std::size_t j, const Vec3<Real>& further) {
    if (w.rigid || w.solve.groups == 1) return;
    const Segment& s = w.clusters[j];
    for (int g = 0; g < w.solve.groups; ++g)
        w.pulled[std::size_t(g) * w.clusters.size() + j].template head<3>() +=
            further * (static_cast<Real>(group_size(s, g)) / static_cast<Real>(s.solved()));
}

/// Starts with the weights of undeformed clusters.
template <class Real> void begin_weights(Workspace<Real>& w) {
    const std::size_t n = w.clusters.size();
    parallel_for(n, [&](std::size_t i) { w.deformation[i] = least_deformation(w, i); });
    w.weights.resize(static_cast<std::size_t>(w.solve.groups) * n);
    for (int g = 0; g < w.solve.groups; ++g)
        parallel_for(
            n, [&](std::size_t j) { w.weights[std::size_t(g) * n + j] = sum_weights(w, g, j); });
}

/// Starts with pulls that divide the displacement from `target` to `begin` evenly among the solved
/// clusters of each member.
template <class Real> void begin_link_pulls(Workspace<Real>& w) {
    w.link_pull.assign(w.clusters.member().size(), Vec4<Real>::Zero());
    parallel_for(w.clusters.size(), [&](std::size_t i) {
        const Segment& s = w.clusters[i];
        if (w.clusters.bucket(i) == max_groups) return;
        for (std::uint32_t k = s.begin; k < s.begin + s.count; ++k) {
            const std::uint32_t j = w.clusters.member()[k];
            const Real share = Real(1) / static_cast<Real>(w.clusters[j].solved());
            w.link_pull[k].template head<3>() =
                ((w.begin[j] - w.target[j]) * share).template head<3>();
        }
    });
}

/// Accelerates the iterations by the Chebyshev semi-iterative method (Wang 2015).
template <class Real> void accelerate(Workspace<Real>& w, int iteration) {
    const double rho2 = w.solve.chebyshev_radius * w.solve.chebyshev_radius;
    w.omega = iteration == 0 ? 1 : (iteration == 1 ? 2 / (2 - rho2) : 4 / (4 - rho2 * w.omega));
    const Real omega = static_cast<Real>(w.omega);
    parallel_for(w.clusters.size(), [&](std::size_t j) {
        const Vec4<Real> now = w.x[j];
        if (iteration > 0 && w.clusters[j].count > 0 && !w.held[j]) {
            const Vec3<Real> further = ((omega - Real(1)) * (now - w.before[j])).template head<3>();
            w.x[j].template head<3>() += further;
            spread_pull(w, j, further);
        }
        w.before[j] = w.last[j];
        w.last[j] = w.x[j];
    });
}

/// Lists the solved clusters by group, or by color.
template <class Real> void list_clusters(Workspace<Real>& w) {
    w.group.resize(static_cast<std::size_t>(w.solve.groups));
    for (auto* lists : {&w.group, &w.color})
        for (std::vector<std::uint32_t>& list : *lists) list.clear();
    const bool by_color = w.solve.scheme == Scheme::gauss_seidel;
    for (std::uint32_t i = 0; i < w.clusters.size(); ++i) {
        if (w.clusters[i].count == 0 || w.clusters.bucket(i) == max_groups) continue;
        if (!by_color) {
            w.group[w.clusters.bucket(i)].push_back(i);
            continue;
        }
        const auto color = static_cast<std::size_t>(w.trial.particles.color[i]);
        if (w.color.size() <= color) w.color.resize(color + 1);
        w.color[color].push_back(i);
    }
}

} // namespace

template <class Real> void start_iterations(Workspace<Real>& w) {
    const std::size_t n = w.clusters.size();
    const auto groups = static_cast<std::size_t>(w.solve.groups);
    const bool gauss_seidel = w.solve.scheme == Scheme::gauss_seidel;
    list_clusters(w);
    w.x.resize(n + 1);
    w.moment.resize(3 * (n + 1));
    w.fit.resize(n + 1);
    for (auto* column : {&w.fitted_q, &w.before, &w.last}) column->resize(n);
    w.deformation.resize(n);
    if (w.solve.keeps_pulls(w.rigid)) w.pulled.assign((groups + 1) * n, Vec4<Real>::Zero());
    if (!w.rigid && w.solve.weighted) begin_weights(w);
    w.x[n].setZero();
    for (std::size_t c = 0; c < 3; ++c) w.moment[3 * n + c].setZero();
    parallel_for(n, [&](std::size_t j) {
        w.x[j] = w.begin[j];
        w.last[j] = w.x[j];
        w.fitted_q[j] = w.q[j];
        w.x[j][3] = seen_mass(w, 0, j);
        update_moment(w, j);
        if (w.clusters[j].count > 0)
            spread_pull(w, j, (w.begin[j] - w.target[j]).template head<3>().eval());
    });
    if (!w.rigid && gauss_seidel) begin_link_pulls(w);
}

template <class Real> void iterate(Workspace<Real>& w, int iteration) {
    if (w.solve.scheme == Scheme::gauss_seidel)
        iterate_gauss_seidel(w);
    else
        for (int g = 0; g < w.solve.groups; ++g) {
            fit_group(w, g);
            combine_group(w, g);
        }
    if (w.solve.chebyshev_radius > 0) accelerate(w, iteration);
}

template void start_iterations(Workspace<float>&);
template void start_iterations(Workspace<double>&);
template void iterate(Workspace<float>&, int);
template void iterate(Workspace<double>&, int);

} // namespace nendo::melt
