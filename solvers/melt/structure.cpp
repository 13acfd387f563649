// SPDX-License-Identifier: Apache-2.0
// Builds clusters, chooses which of them are solved, and updates both as matter melts and freezes,
// always only around the particles involved.
#include "core/error.h"
#include "core/rows.h"
#include "math/nearest_rotation.h"
#include "melt/stages.h"
#include "neighbors/grid.h"

#include <algorithm>
#include <numeric>

namespace nendo::melt {

namespace {

/// Members of each cluster as rows. The center particle is not stored, but it is visited first.
struct Adjacency {
    std::vector<std::uint32_t> start, other;

    template <class Visit> void visit(std::uint32_t i, const Visit& visit) const {
        visit(i);
        for (std::uint32_t k = start[i]; k < start[i + 1]; ++k) visit(other[k]);
    }
};

template <class Real> Adjacency adjacency_of(const State<Real>& state) {
    const RowsById rows(state);
    const Links<Real>& links = state.links;
    Adjacency a;
    a.start.assign(state.particles.id.size() + 1, 0);
    a.other.resize(links.id.size());
    const auto row = [&](std::int64_t id) { return static_cast<std::size_t>(rows[id]); };
    for (const std::int64_t id : links.id) ++a.start[row(id) + 1];
    std::partial_sum(a.start.begin(), a.start.end(), a.start.begin());
    std::vector<std::uint32_t> cursor(a.start.begin(), a.start.end() - 1);
    for (std::size_t k = 0; k < links.id.size(); ++k)
        a.other[cursor[row(links.id[k])]++] = static_cast<std::uint32_t>(row(links.other[k]));
    return a;
}

/// Solid rows from `first` on, in a random order that depends only on ids and the seed.
template <class Real>
std::vector<std::uint32_t> random_order(const Particles<Real>& particles, std::size_t first,
                                        int seed) {
    std::vector<std::uint32_t> order;
    for (std::size_t i = first; i < particles.id.size(); ++i)
        if (particles.phase[i] == solid) order.push_back(static_cast<std::uint32_t>(i));
    const auto key = [&](std::uint32_t i) {
        return mix(static_cast<std::uint64_t>(particles.id[i]) +
                   (static_cast<std::uint64_t>(seed) << 32));
    };
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const std::uint64_t ka = key(a), kb = key(b);
        return ka != kb ? ka < kb : particles.id[a] < particles.id[b];
    });
    return order;
}

/// Poisson-disk sampling in random order: disks shrink until `count` clusters are chosen (melting
/// thesis, §2.3.4).
template <class Real>
void sample_disks(Particles<Real>& particles, const std::vector<std::uint32_t>& order,
                  std::size_t count, double spacing, std::size_t first) {
    const double widest = 4 * spacing;
    std::vector<Vec3<Real>> x(particles.x.begin() + static_cast<std::ptrdiff_t>(first),
                              particles.x.end());
    Grid<Real> grid;
    grid.build(x, widest);
    std::vector<std::uint8_t> blocked(x.size());
    std::vector<std::uint32_t> chosen;
    const auto block_around = [&](std::uint32_t i, double radius) {
        grid.visit(particles.x[i], static_cast<Real>(radius),
                   [&](std::uint32_t k, Real) { blocked[k] = 1; });
    };
    for (double radius = widest; chosen.size() < count && radius > 0.5 * spacing; radius *= 0.95) {
        std::fill(blocked.begin(), blocked.end(), std::uint8_t(0));
        for (const std::uint32_t i : chosen) block_around(i, radius);
        for (const std::uint32_t i : order) {
            if (chosen.size() >= count) break;
            if (blocked[i - first] != 0) continue;
            chosen.push_back(i);
            particles.solved[i] = 1;
            block_around(i, radius);
        }
    }
}

/// Solves more clusters until each particle is in one: for each uncovered particle, the neighboring
/// cluster that contains the most uncovered ones.
template <class Real>
void cover_all(Particles<Real>& particles, const Adjacency& a,
               const std::vector<std::uint32_t>& order) {
    std::vector<std::uint8_t> covered(particles.id.size(), 0);
    const auto cover = [&](std::uint32_t i) {
        a.visit(i, [&](std::uint32_t j) { covered[j] = 1; });
    };
    for (const std::uint32_t i : order)
        if (particles.solved[i] != 0) cover(i);
    for (const std::uint32_t i : order) {
        if (covered[i] != 0) continue;
        std::uint32_t best = i;
        int most = 0;
        a.visit(i, [&](std::uint32_t j) {
            int count = 0;
            a.visit(j, [&](std::uint32_t k) { count += covered[k] == 0 ? 1 : 0; });
            if (count > most || (count == most && particles.id[j] < particles.id[best])) {
                best = j;
                most = count;
            }
        });
        particles.solved[best] = 1;
        cover(best);
    }
}

/// The lowest color that is not used by any cluster that shares a particle with the cluster of i.
template <class Real, class Members>
std::int32_t free_color(const Particles<Real>& particles, std::uint32_t i, const Members& members,
                        std::vector<std::uint8_t>& used) {
    std::fill(used.begin(), used.end(), std::uint8_t(0));
    members(i, [&](std::uint32_t j) {
        members(j, [&](std::uint32_t k) {
            const std::int32_t color = k == i ? -1 : particles.color[k];
            if (color < 0) return;
            const auto c = static_cast<std::size_t>(color);
            if (used.size() <= c) used.resize(c + 1, 0);
            used[c] = 1;
        });
    });
    return static_cast<std::int32_t>(std::find(used.begin(), used.end(), 0) - used.begin());
}

template <class Real> auto members_of(const Clusters<Real>& clusters) {
    return [&](std::uint32_t i, const auto& visit) {
        const Segment s = clusters[i];
        for (std::uint32_t k = s.begin; k < s.begin + s.count; ++k) visit(clusters.member()[k]);
    };
}

template <class Real> void solve_own(Workspace<Real>& w, const Params& p, std::uint32_t i) {
    w.trial.particles.solved[i] = 1;
    w.clusters.change_bucket(i, bucket_of(w.trial.particles, i, p));
}

template <class Real> void fill_columns(State<Real>& state, const Body& body, const Params& p) {
    Particles<Real>& c = state.particles;
    const std::size_t first = c.id.size();
    resize_table(c, first + body.particles.size());
    const Vec3d radii = body.radii.norm() > 0 ? body.radii : Vec3d::Constant(p.spacing / 2).eval();
    for (std::size_t k = 0; k < body.particles.size(); ++k) {
        const std::size_t i = first + k;
        c.id[i] = state.details.next_particle++;
        c.x[i] = body.particles[k].template cast<Real>();
        c.orient[i] = quaternion_identity<Real>();
        c.radii[i] = radii.template cast<Real>();
        c.radius[i] = static_cast<Real>(p.spacing / 2);
        set_material(c, i, body.material, body.temperature, body.liquid, p.spacing);
        c.body[i] = body.index;
        c.color[i] = -1;
    }
}

template <class Real> void link_body(State<Real>& state, const Params& p, std::size_t first) {
    const Particles<Real>& c = state.particles;
    const std::vector<Vec3<Real>> x(c.x.begin() + static_cast<std::ptrdiff_t>(first), c.x.end());
    // Slightly enlarged, so that rounding does not exclude particles at exactly this distance.
    const double radius = p.cluster_radius * p.spacing * (1 + 1e-5);
    Grid<Real> grid;
    grid.build(x, radius);
    Links<Real>& links = state.links;
    std::vector<std::uint32_t> near;
    for (std::size_t i = first; i < c.id.size(); ++i) {
        if (c.phase[i] != solid) continue;
        near.clear();
        grid.visit(c.x[i], static_cast<Real>(radius), [&](std::uint32_t k, Real) {
            if (k + first != i) near.push_back(k);
        });
        if (near.size() >= max_members)
            throw Error("its cluster has " + std::to_string(near.size() + 1) +
                            " particles, which is too many",
                        "particle id " + std::to_string(c.id[i]),
                        "use a smaller cluster_radius, or place particles one spacing apart");
        std::sort(near.begin(), near.end());
        for (const std::uint32_t k : near) {
            const std::size_t j = first + k;
            links.id.push_back(c.id[i]);
            links.other.push_back(c.id[j]);
            links.rest.push_back(c.x[j] - c.x[i]);
            links.turn.push_back(quaternion_identity<Real>());
        }
    }
}

/// Applies the squash, velocity and spin with which a body enters.
template <class Real> void set_in_motion(Particles<Real>& c, const Body& body, std::size_t first) {
    Vec3d low = Vec3d::Constant(infinite), high = -low, center = Vec3d::Zero();
    for (const Vec3d& x : body.particles) {
        low = low.cwiseMin(x);
        high = high.cwiseMax(x);
        center += x / static_cast<double>(body.particles.size());
    }
    const Vec3d foot(0.5 * (low.x() + high.x()), low.y(), 0.5 * (low.z() + high.z()));
    for (std::size_t k = 0; k < body.particles.size(); ++k) {
        const Vec3d offset = body.particles[k] - center;
        const Vec3d x = foot + body.squash.cwiseProduct(body.particles[k] - foot);
        if (body.squash != Vec3d(1, 1, 1)) c.x[first + k] = x.template cast<Real>();
        c.v[first + k] =
            (body.velocity + body.angular_velocity.cross(offset)).template cast<Real>();
        c.spin[first + k] = body.angular_velocity.template cast<Real>();
    }
}

} // namespace

template <class Real>
void set_material(Particles<Real>& c, std::size_t i, const Material& m, double temperature,
                  bool is_liquid, double spacing) {
    const auto real = [](double v) { return static_cast<Real>(v); };
    const heat::Matter matter{m.heat_capacity, m.melting_point, m.latent_heat};
    const bool melts =
        temperature > m.melting_point || (temperature == m.melting_point && is_liquid);
    const double mass = (melts ? m.liquid_density : m.density) * spacing * spacing * spacing;
    set_rows<Strength>(c, i, i + 1, m);
    set_rows<Melting>(c, i, i + 1, m);
    c.mass[i] = real(mass);
    c.volume[i] = real(mass / m.density);
    c.enthalpy[i] = matter.enthalpy(temperature, is_liquid ? 1 : 0);
    c.temperature[i] = real(matter.temperature(c.enthalpy[i]));
    c.melted[i] = real(matter.melted(c.enthalpy[i]));
    c.phase[i] = melts ? liquid : solid;
}

template <class Real> void add_body(State<Real>& state, const Body& body, const Params& p) {
    const std::size_t first = state.particles.id.size();
    for (const Vec3d& x : body.particles)
        if (!x.allFinite())
            throw Error("a position is not finite", "body '" + body.name + "'",
                        "remove or repair that point");
    fill_columns(state, body, p);
    link_body(state, p, first);
    choose_clusters(state, p, first);
    set_in_motion(state.particles, body, first);
}

template <class Real> void choose_clusters(State<Real>& state, const Params& p, std::size_t first) {
    Particles<Real>& particles = state.particles;
    const std::vector<std::uint32_t> order = random_order(particles, first, p.seed);
    const Adjacency a = adjacency_of(state);
    const double share = sample_share(p);
    for (const std::uint32_t i : order) particles.solved[i] = share >= 1 ? 1 : 0;
    if (share < 1) {
        const double count = std::ceil(share * static_cast<double>(order.size()));
        sample_disks(particles, order, static_cast<std::size_t>(count), p.spacing, first);
        cover_all(particles, a, order);
    }
    std::vector<std::uint8_t> used(64);
    const auto members = [&](std::uint32_t i, const auto& visit) { a.visit(i, visit); };
    for (const std::uint32_t i : order) particles.color[i] = -1;
    for (const std::uint32_t i : order)
        particles.color[i] = free_color(particles, i, members, used);
    state.details.sample_share = share;
}

template <class Real>
std::uint8_t bucket_of(const Particles<Real>& particles, std::size_t i, const Params& p) {
    if (particles.solved[i] == 0) return max_groups;
    if (p.scheme != Scheme::hybrid) return 0;
    if (p.grouping == Grouping::parity) return static_cast<std::uint8_t>(particles.id[i] & 1);
    return static_cast<std::uint8_t>(particles.color[i] % p.groups);
}

template <class Real> void lay_out(Workspace<Real>& w, const Params& p, const Links<Real>& links) {
    const Particles<Real>& particles = w.trial.particles;
    const auto n = static_cast<std::uint32_t>(particles.id.size());
    w.bucket.resize(n);
    for (std::uint32_t i = 0; i < n; ++i) w.bucket[i] = bucket_of(particles, i, p);
    w.clusters.load(w.trial, links, w.bucket);
    w.piece.resize(n);
    std::iota(w.piece.begin(), w.piece.end(), 0u);
    const auto members = members_of(w.clusters);
    for (std::uint32_t i = 0; i < n; ++i)
        members(i, [&](std::uint32_t j) {
            if (w.piece[i] == w.piece[j]) return;
            const std::uint32_t a = w.piece_of(i), b = w.piece_of(j);
            w.piece[std::max(a, b)] = std::min(a, b);
        });
}

template <class Real> void cover(Workspace<Real>& w, const Params& p, std::uint32_t i) {
    if (w.clusters[i].solved() == 0) solve_own(w, p, i);
}

template <class Real> void release(Workspace<Real>& w, const Params& p, std::uint32_t i) {
    w.changed.clear();
    members_of(w.clusters)(i, [&](std::uint32_t j) {
        if (j != i) w.changed.push_back(j);
    });
    w.clusters.remove_all_links(i);
    std::sort(w.changed.begin(), w.changed.end());
    for (const std::uint32_t j : w.changed) cover(w, p, j);
}

template <class Real>
void attach(Workspace<Real>& w, const Params& p, std::uint32_t i, double reach) {
    Particles<Real>& c = w.trial.particles;
    if (w.clusters[i].count == 0) w.clusters.add_cluster(i);
    w.changed.clear();
    for (const std::uint32_t j : w.conduction.neighbors(i))
        if (c.phase[j] == solid && j != i && (c.x[j] - c.x[i]).norm() <= static_cast<Real>(reach) &&
            !w.clusters.linked(i, j) && w.clusters[i].count < max_members &&
            w.clusters[j].count < max_members && w.clusters[j].count > 0) {
            const Vec4<Real> back_i = quaternion_inverse(c.orient[i]);
            const Vec4<Real> back_j = quaternion_inverse(c.orient[j]);
            const Vec3<Real> offset = c.x[j] - c.x[i];
            w.clusters.add_link(
                i, j, rotation_matrix(back_i) * offset, quaternion_product(back_i, c.orient[j]),
                rotation_matrix(back_j) * -offset, quaternion_product(back_j, c.orient[i]));
            w.changed.push_back(j);
            const std::uint32_t a = w.piece_of(i), b = w.piece_of(j);
            w.piece[std::max(a, b)] = std::min(a, b);
        }
    if (c.solved[i] == 0 && (sample_share(p) >= 1 || w.clusters[i].solved() == 0))
        solve_own(w, p, i);
    if (w.changed.empty() && c.color[i] >= 0) return;
    std::sort(w.changed.begin(), w.changed.end());
    const auto members = members_of(w.clusters);
    const auto recolor = [&](std::uint32_t k) {
        const std::int32_t color = free_color(c, k, members, w.marked);
        if (color == c.color[k]) return;
        c.color[k] = color;
        if (c.solved[k] != 0) w.clusters.change_bucket(k, bucket_of(c, k, p));
    };
    c.color[i] = -1;
    recolor(i);
    for (const std::uint32_t j : w.changed) {
        const std::int32_t own = c.color[j];
        bool clash = false;
        members(j, [&](std::uint32_t m) {
            members(m, [&](std::uint32_t k) { clash = clash || (k != j && c.color[k] == own); });
        });
        if (clash) recolor(j);
    }
}

template void set_material(Particles<float>&, std::size_t, const Material&, double, bool, double);
template void set_material(Particles<double>&, std::size_t, const Material&, double, bool, double);
template void add_body(State<float>&, const Body&, const Params&);
template void add_body(State<double>&, const Body&, const Params&);
template void choose_clusters(State<float>&, const Params&, std::size_t);
template void choose_clusters(State<double>&, const Params&, std::size_t);
template std::uint8_t bucket_of(const Particles<float>&, std::size_t, const Params&);
template std::uint8_t bucket_of(const Particles<double>&, std::size_t, const Params&);
template void lay_out(Workspace<float>&, const Params&, const Links<float>&);
template void lay_out(Workspace<double>&, const Params&, const Links<double>&);
template void cover(Workspace<float>&, const Params&, std::uint32_t);
template void cover(Workspace<double>&, const Params&, std::uint32_t);
template void release(Workspace<float>&, const Params&, std::uint32_t);
template void release(Workspace<double>&, const Params&, std::uint32_t);
template void attach(Workspace<float>&, const Params&, std::uint32_t, double);
template void attach(Workspace<double>&, const Params&, std::uint32_t, double);

} // namespace nendo::melt
