// SPDX-License-Identifier: Apache-2.0
// Placement of slaves (step 11), and how the matter of a new body enters the state.
#include "core/error.h"
#include "core/rows.h"
#include "elastoplastic/stages.h"
#include "math/kernels.h"

#include <algorithm>

namespace nendo::elastoplastic {

namespace {

/// Slack below this may be rounding error [spacings].
constexpr double slack_rounding = 1e-3;

/// Slave density at a place, estimated with the kernel [slaves per d^3].
template <class Real>
Real slave_density(const Grid<Real>& grid, const std::vector<std::int32_t>& joins,
                   std::int32_t join, const Vec3<Real>& place, Real h) {
    Real sum = 0;
    grid.visit(place, Real(2) * h, [&](std::uint32_t s, Real r2) {
        if (joins[s] == join) sum += cubic_spline_shape(std::sqrt(r2) / h);
    });
    return Real(3 / (2 * pi)) * sum;
}

template <class Real>
void append_slave(State<Real>& state, const Vec3<Real>& place, std::int32_t join) {
    state.slaves.id.push_back(state.details.next_slave++);
    state.slaves.x.push_back(place);
    state.slaves.join.push_back(join);
}

} // namespace

template <class Real> void build_slave_grid(Workspace<Real>& w, const Params& p) {
    const State<Real>& s = w.trial;
    const bool with_slaves = p.stress_points == StressPoints::slaves;
    w.slave_grid.build(with_slaves ? s.slaves.x : s.masters.x, 2 * p.spacing);
}

template <class Real> void index_neighbors(Workspace<Real>& w) {
    const Neighbors& pairs = w.trial.neighbors;
    const auto key = [](std::int64_t id) { return static_cast<std::uint64_t>(id); };
    w.rows.clear();
    for (const std::int64_t id : w.trial.masters.id) w.rows.find_or_add(key(id));
    const auto look_up = [&] {
        w.neighbors.resize(pairs.id.size());
        parallel_for(pairs.id.size(), [&](std::size_t k) {
            w.neighbors[k] = {w.rows.find(key(pairs.id[k])), w.rows.find(key(pairs.other[k]))};
        });
    };
    look_up();
    w.marked.assign(pairs.id.size(), 0);
    bool lost = false;
    for (std::size_t k = 0; k < pairs.id.size(); ++k) {
        const auto [a, b] = w.neighbors[k];
        w.marked[k] = a == KeyTable::none || b == KeyTable::none;
        lost = lost || w.marked[k] != 0;
    }
    if (!lost) return;
    erase_marked(w.trial.neighbors, w.marked);
    look_up();
}

template <class Real> std::int64_t mark_close_slaves(Workspace<Real>& w, const Params& p) {
    Slaves<Real>& slaves = w.trial.slaves;
    const std::size_t count = slaves.id.size();
    w.marked.assign(count, 0);
    w.slack = infinite;
    if (p.remove_slaves == RemoveSlaves::none) return 0;
    // The younger of two close slaves is removed (Saida 2017, §4.3).
    const Real d = static_cast<Real>(p.spacing);
    const Real close = static_cast<Real>(p.remove_distance) * d;
    const Real looked_at = close + Real(0.5) * d; // farther, to know when to look again
    const std::vector<std::uint32_t>& row_of = w.slave_grid.index();
    w.partials.assign(count / block_size + 1, static_cast<double>(looked_at * looked_at));
    w.slave_grid.for_each_near(
        looked_at, [&](std::uint32_t slot, const std::uint32_t* near, std::uint32_t near_count) {
            const std::uint32_t s = row_of[slot];
            double& nearest = w.partials[slot / block_size];
            for (std::uint32_t k = 0; k < near_count; ++k) {
                const std::uint32_t other = row_of[near[k]];
                if (slaves.join[other] != slaves.join[s] || slaves.id[other] >= slaves.id[s])
                    continue;
                const Vec3<Real> offset = slaves.x[other] - slaves.x[s];
                const Real r2 =
                    offset.x() * offset.x() + offset.y() * offset.y() + offset.z() * offset.z();
                nearest = std::min(nearest, static_cast<double>(r2));
                if (r2 < close * close) w.marked[s] = 1;
            }
        });
    const double nearest = *std::min_element(w.partials.begin(), w.partials.end());
    w.slack = std::sqrt(nearest) - static_cast<double>(close);
    std::int64_t removed = 0;
    for (std::size_t s = 0; s < count; ++s) {
        if (w.marked[s] == 0) continue;
        ++removed;
        if (p.remove_slaves == RemoveSlaves::one) continue;
        // The paper's alternative: the older one moves to the middle (Saida 2017, §6).
        std::uint32_t elder = static_cast<std::uint32_t>(s);
        w.slave_grid.visit(slaves.x[s], close, [&](std::uint32_t other, Real) {
            if (slaves.join[other] == slaves.join[s] && slaves.id[other] < slaves.id[elder])
                elder = other;
        });
        slaves.x[elder] = Real(0.5) * (slaves.x[elder] + slaves.x[s]);
    }
    return removed;
}

template <class Real> void find_slave_candidates(Workspace<Real>& w, const Params& p) {
    const Masters<Real>& masters = w.trial.masters;
    const Slaves<Real>& slaves = w.trial.slaves;
    const Real h = static_cast<Real>(p.spacing);
    const Real reach = Real(2) * h;
    std::vector<std::uint8_t>& separated = w.separated;
    separated.resize(w.neighbors.size());
    parallel_for(separated.size(), [&](std::size_t k) {
        const auto [a, b] = w.neighbors[k];
        separated[k] = (masters.x[a] - masters.x[b]).squaredNorm() > reach * reach;
    });
    resize_table(w.candidates, 0);
    if (p.add_slaves == AddSlaves::none) return;
    for (std::size_t k = 0; k < separated.size(); ++k) {
        if (separated[k] == 0) continue;
        const auto [a, b] = w.neighbors[k];
        const std::int32_t join = masters.join[a];
        if (join != masters.join[b]) continue;
        // Each side has lost the slaves that went with the other one. Replace them by a slave a third
        // of the way toward the nearest slave of the master that left (Saida 2017, §4.2, eq 23).
        const auto beside = [&](std::uint32_t stayed, std::uint32_t left) -> Vec3<Real> {
            Vec3<Real> lost = masters.x[left];
            Real nearest = reach * reach;
            w.slave_grid.visit(masters.x[left], reach, [&](std::uint32_t s, Real r2) {
                if (slaves.join[s] != join || r2 >= nearest) return;
                nearest = r2;
                lost = slaves.x[s];
            });
            const Real n = 1;
            const Real m = 2;
            return (n * lost + m * masters.x[stayed]) / (m + n);
        };
        const auto density = [&](const Vec3<Real>& place) {
            return slave_density(w.slave_grid, slaves.join, join, place, h);
        };
        w.candidates.id.push_back(masters.id[a]);
        w.candidates.other.push_back(masters.id[b]);
        w.candidates.join.push_back(join);
        w.candidates.first_place.push_back(beside(a, b));
        w.candidates.second_place.push_back(beside(b, a));
        w.candidates.first_density.push_back(density(w.candidates.first_place.back()));
        w.candidates.second_density.push_back(density(w.candidates.second_place.back()));
    }
}

template <class Real> void accept_slave_candidates(Workspace<Real>& w, const Params& p) {
    const Real h = static_cast<Real>(p.spacing);
    w.new_slaves.clear();
    w.new_slave_join.clear();
    const auto accept = [&](const Vec3<Real>& place, std::int32_t join, Real density) {
        for (std::size_t k = 0; k < w.new_slaves.size(); ++k)
            if (w.new_slave_join[k] == join)
                density +=
                    Real(3 / (2 * pi)) * cubic_spline_shape((w.new_slaves[k] - place).norm() / h);
        if (static_cast<double>(density) > w.trial.details.slave_density_max) return false;
        w.new_slaves.push_back(place);
        w.new_slave_join.push_back(join);
        return true;
    };
    const SlaveCandidates<Real>& candidates = w.candidates;
    for (std::size_t k = 0; k < candidates.id.size(); ++k) {
        const std::int32_t join = candidates.join[k];
        const bool placed = accept(candidates.first_place[k], join, candidates.first_density[k]);
        if (p.add_slaves == AddSlaves::two || !placed)
            accept(candidates.second_place[k], join, candidates.second_density[k]);
    }
}

template <class Real> void forget_separated(Workspace<Real>& w) {
    const std::vector<std::uint8_t>& separated = w.separated;
    if (std::find(separated.begin(), separated.end(), 1) == separated.end()) return;
    erase_marked(w.trial.neighbors, separated);
    std::size_t kept = 0;
    for (std::size_t k = 0; k < separated.size(); ++k)
        if (separated[k] == 0) w.neighbors[kept++] = w.neighbors[k];
    w.neighbors.resize(kept);
}

template <class Real> void add_and_remove_slaves(Workspace<Real>& w, const Params& p) {
    if (p.stress_points == StressPoints::masters) return;
    Slaves<Real>& slaves = w.trial.slaves;
    Details& details = w.trial.details;
    const std::int64_t removed = w.slack > slack_rounding * p.spacing ? 0 : mark_close_slaves(w, p);
    find_slave_candidates(w, p);
    accept_slave_candidates(w, p);
    forget_separated(w);
    if (removed > 0) erase_marked(slaves, w.marked);
    for (std::size_t k = 0; k < w.new_slaves.size(); ++k)
        append_slave(w.trial, w.new_slaves[k], w.new_slave_join[k]);
    details.slaves_removed += removed;
    details.slaves_added += static_cast<std::int64_t>(w.new_slaves.size());
    if (removed == 0 && w.new_slaves.empty()) return;
    w.slack = 0;
    build_slave_grid(w, p);
}

template <class Real> void remove_orphans(Workspace<Real>& w, const Params& p) {
    const Masters<Real>& masters = w.trial.masters;
    Slaves<Real>& slaves = w.trial.slaves;
    const Real d = static_cast<Real>(p.spacing);
    w.master_grid.build(masters.x, 2 * p.spacing);
    w.marked.assign(slaves.id.size(), 0);
    parallel_for(slaves.id.size(), [&](std::size_t s) {
        const auto is_seen = [&](Real reach) {
            bool seen = false;
            w.master_grid.visit(slaves.x[s], reach, [&](std::uint32_t m, Real) {
                seen = seen || masters.join[m] == slaves.join[s];
            });
            return seen;
        };
        w.marked[s] = !is_seen(d) && !is_seen(2 * d); // most have a master close by
    });
    erase_marked(slaves, w.marked);
}

template <class Real> void add_body(State<Real>& state, const Body& body, const Params& params) {
    Masters<Real>& masters = state.masters;
    const std::size_t first = masters.id.size();
    const std::size_t count = body.masters.size();
    if (count == 0)
        throw Error("the body has no particles", "body '" + body.name + "'",
                    "make the body larger or the spacing smaller");
    const double d = params.spacing;
    Vec3d center = Vec3d::Zero();
    for (const Vec3d& x : body.masters) center += x / static_cast<double>(count);

    resize_table(masters, first + count);
    set_rows<Strength>(masters, first, first + count, body.material);
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t m = first + k;
        const Vec3d& x = body.masters[k];
        masters.id[m] = state.details.next_master++;
        masters.x[m] = x.cast<Real>();
        masters.v[m] = (body.velocity + body.angular_velocity.cross(x - center)).cast<Real>();
        masters.C[m] = skew<double>(body.angular_velocity).cast<Real>();
        masters.F_E[m].setIdentity();
        masters.F_P[m].setIdentity();
        masters.J_P[m] = 1;
        masters.mass[m] = static_cast<Real>(body.material.density * d * d * d);
        masters.volume[m] = static_cast<Real>(d * d * d);
        masters.radius[m] = static_cast<Real>(0.5 * d);
        masters.body[m] = body.index;
        masters.join[m] = body.join;
    }

    // Neighbors are the masters within gamma r, where r = d/2 (Saida 2017, §4.2).
    std::vector<Vec3d> points(body.masters);
    Grid<double> grid;
    const double reach = params.neighbor_reach * 0.5 * d;
    grid.build(points, reach);
    std::vector<std::uint32_t> near;
    for (std::size_t a = 0; a < count; ++a) {
        near.clear();
        grid.visit(points[a], reach, [&](std::uint32_t b, double) {
            if (b > a) near.push_back(b);
        });
        std::sort(near.begin(), near.end());
        for (const std::uint32_t b : near) {
            state.neighbors.id.push_back(masters.id[first + a]);
            state.neighbors.other.push_back(masters.id[first + b]);
        }
    }

    grid.build(body.slaves, 2 * d);
    const std::vector<std::int32_t> joins(body.slaves.size(), body.join);
    const double densest = parallel_reduce(
        body.slaves.size(), 0.0,
        [&](std::size_t s) { return slave_density(grid, joins, body.join, body.slaves[s], d); },
        [](double a, double b) { return std::max(a, b); }, *std::make_unique<Partials<double>>());
    state.details.slave_density_max = std::max(state.details.slave_density_max, densest);
    for (const Vec3d& x : body.slaves) append_slave<Real>(state, x.cast<Real>(), body.join);
}

template void build_slave_grid(Workspace<float>&, const Params&);
template void build_slave_grid(Workspace<double>&, const Params&);
template void index_neighbors(Workspace<float>&);
template void index_neighbors(Workspace<double>&);
template std::int64_t mark_close_slaves(Workspace<float>&, const Params&);
template std::int64_t mark_close_slaves(Workspace<double>&, const Params&);
template void find_slave_candidates(Workspace<float>&, const Params&);
template void find_slave_candidates(Workspace<double>&, const Params&);
template void accept_slave_candidates(Workspace<float>&, const Params&);
template void accept_slave_candidates(Workspace<double>&, const Params&);
template void forget_separated(Workspace<float>&);
template void forget_separated(Workspace<double>&);
template void add_and_remove_slaves(Workspace<float>&, const Params&);
template void add_and_remove_slaves(Workspace<double>&, const Params&);
template void remove_orphans(Workspace<float>&, const Params&);
template void remove_orphans(Workspace<double>&, const Params&);
template void add_body(State<float>&, const Body&, const Params&);
template void add_body(State<double>&, const Body&, const Params&);

} // namespace nendo::elastoplastic
