// SPDX-License-Identifier: Apache-2.0
// Steps 14 and 15 of (Hirato, section 3.3): collisions between bodies, and with walls.
#include "coupling/stages.h"

#include <algorithm>
#include <cmath>

namespace nendo::coupling {

namespace {

/// Whether a spring joins nodes a and b.
template <class Real> bool joined(const Workspace<Real>& w, std::uint32_t a, std::uint32_t b) {
    for (std::uint32_t k = w.link_start[a]; k != w.link_start[a + 1]; ++k)
        if (w.links[k].other == b) return true;
    return false;
}

} // namespace

template <class Real> void find_body_contacts(Workspace<Real>& w, const Params& p) {
    w.body_contacts.clear();
    const std::size_t n = w.row_of.size();
    if (!p.collisions || n == 0) return;
    const Particles<Real>& particles = w.trial.particles;
    Real largest = 0;
    w.node_x.resize(n);
    for (std::size_t node = 0; node < n; ++node) {
        w.node_x[node] = particles.x[w.row_of[node]];
        largest = std::max(largest, particles.radius[w.row_of[node]]);
    }
    // A little more than touching, because sweeps push particles toward others.
    const Real reach = Real(2.2) * largest;
    w.node_grid.build(w.node_x, static_cast<double>(reach));
    w.body_contact_blocks.resize((n + block_size - 1) / block_size);
    parallel_blocks(n, [&](std::size_t begin, std::size_t end) {
        auto& found = w.body_contact_blocks[begin / block_size];
        found.clear();
        typename Grid<Real>::Around around(w.node_grid);
        for (std::size_t a = begin; a != end; ++a)
            around.visit(w.node_x[a], reach, [&](std::uint32_t slot, Real r2) {
                const std::uint32_t b = w.node_grid.index()[slot];
                if (b <= a) return;
                const std::uint32_t i = w.row_of[a], j = w.row_of[b];
                const Real distance = particles.radius[i] + particles.radius[j];
                if (r2 > Real(1.21) * distance * distance) return;
                if (w.held(i) && w.held(j)) return;
                if (!joined(w, static_cast<std::uint32_t>(a), b)) found.push_back({i, j, distance});
            });
    });
    for (const auto& block : w.body_contact_blocks)
        w.body_contacts.insert(w.body_contacts.end(), block.begin(), block.end());
}

template <class Real> void collide_bodies(Workspace<Real>& w, const Params& p, double dt) {
    Particles<Real>& particles = w.trial.particles;
    const Real per_step = static_cast<Real>(1 / dt);
    const Real tolerance = static_cast<Real>(p.collision_tolerance);
    const auto overlap = [&](const BodyContact<Real>& pair) {
        const Real distance = (particles.x[pair.b] - particles.x[pair.a]).norm();
        return Real(1) - distance / pair.distance;
    };
    Real deepest = w.body_contacts.empty() ? Real(0) : Real(1);
    // Gauss-Seidel, one pair after another: pairs are few, and their order is fixed.
    for (int sweep = 0; sweep < p.collision_sweeps && deepest > tolerance; ++sweep) {
        deepest = 0;
        for (const BodyContact<Real>& pair : w.body_contacts) {
            const Real depth = overlap(pair);
            if (depth <= tolerance) continue;
            deepest = std::max(deepest, depth);
            const Vec3<Real> offset = particles.x[pair.b] - particles.x[pair.a];
            const Real length = offset.norm();
            const Vec3<Real> axis =
                length > Real(0) ? Vec3<Real>(offset / length) : Vec3<Real>(Vec3<Real>::UnitX());
            const Real m_a = w.held(pair.a) ? Real(0) : Real(1) / particles.mass[pair.a];
            const Real m_b = w.held(pair.b) ? Real(0) : Real(1) / particles.mass[pair.b];
            const Vec3<Real> push = depth * pair.distance / (m_a + m_b) * axis;
            particles.x[pair.a] -= m_a * push;
            particles.x[pair.b] += m_b * push;
            // Stop their approach. Pairs that already move apart are left alone.
            const Real closing = axis.dot(particles.v[pair.a] - particles.v[pair.b]);
            if (closing <= Real(0)) continue;
            const Vec3<Real> stop =
                std::min(closing, depth * pair.distance * per_step) / (m_a + m_b) * axis;
            particles.v[pair.a] -= m_a * stop;
            particles.v[pair.b] += m_b * stop;
        }
    }
    deepest = 0;
    for (const BodyContact<Real>& pair : w.body_contacts)
        deepest = std::max(deepest, overlap(pair));
    w.collision_residual = std::max(w.collision_residual, static_cast<double>(deepest));
}

template <class Real> void stop_at_walls(Workspace<Real>& w, double dt) {
    Particles<Real>& particles = w.trial.particles;
    parallel_for(w.near.size(), [&](std::size_t slot) {
        const auto walls = w.walls.of(slot);
        const std::uint32_t i = w.near.index()[slot];
        if (walls.begin() == walls.end() || w.held(i)) return;
        // Fluid is slowed down by the drag of walls, bodies by Coulomb's law.
        particles.v[i] = w.walls
                             .stop(slot, w.colliders, particles.x[i].template cast<double>(),
                                   particles.v[i].template cast<double>(),
                                   static_cast<double>(particles.radius[i]), dt,
                                   particles.phase[i] != fluid_phase)
                             .template cast<Real>();
    });
}

template <class Real> void collide_walls(Workspace<Real>& w) {
    Particles<Real>& particles = w.trial.particles;
    // Only particles with a wall within the support can reach one in this substep.
    parallel_for(w.near.size(), [&](std::size_t slot) {
        const auto walls = w.walls.of(slot);
        const std::uint32_t i = w.near.index()[slot];
        if (walls.begin() == walls.end() || w.held(i)) return;
        for (const MovedShape& shape : w.colliders) {
            const Vec3d x = particles.x[i].template cast<double>();
            const double distance = shape.distance_after(x);
            if (!(distance < 0)) continue;
            const Vec3d normal = shape.normal_after(x);
            particles.x[i] -= (distance * normal).template cast<Real>();
            const Vec3d relative = particles.v[i].template cast<double>() - shape.velocity(x);
            const double closing = std::max(-normal.dot(relative), 0.0);
            particles.v[i] += (closing * normal).template cast<Real>();
        }
    });
}

template void find_body_contacts(Workspace<float>&, const Params&);
template void find_body_contacts(Workspace<double>&, const Params&);
template void collide_bodies(Workspace<float>&, const Params&, double);
template void collide_bodies(Workspace<double>&, const Params&, double);
template void stop_at_walls(Workspace<float>&, double);
template void stop_at_walls(Workspace<double>&, double);
template void collide_walls(Workspace<float>&);
template void collide_walls(Workspace<double>&);

} // namespace nendo::coupling
