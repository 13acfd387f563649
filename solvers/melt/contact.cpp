// SPDX-License-Identifier: Apache-2.0
// Contact with colliders. Solid particles are pushed out between iterations, with Coulomb friction.
// Liquid is stopped before it moves; what gets into a collider all the same is moved out here.
#include "melt/stages.h"

#include <algorithm>

namespace nendo::melt {

template <class Real> void find_contacts(Workspace<Real>& w, const Params& p) {
    const Particles<Real>& particles = w.trial.particles;
    w.contacts.clear();
    w.marked.assign(particles.id.size(), 0);
    parallel_for(particles.id.size(), [&](std::size_t i) {
        if (particles.phase[i] != solid || w.held[i] != 0) return;
        const Vec3d x = particles.x[i].template cast<double>();
        for (const MovedShape& shape : w.colliders)
            if (shape.distance(x) < 2 * p.spacing) w.marked[i] = 1;
    });
    for (std::uint32_t i = 0; i < w.marked.size(); ++i)
        if (w.marked[i] != 0) w.contacts.push_back(i);
    w.pushed.assign(w.contacts.size(), Vec3<Real>::Zero());
}

template <class Real> void push_out(Workspace<Real>& w) {
    const Particles<Real>& particles = w.trial.particles;
    const bool keeps_pulls = w.solve.keeps_pulls(w.rigid);
    const std::size_t own = static_cast<std::size_t>(w.solve.groups) * w.clusters.size();
    parallel_for(w.contacts.size(), [&](std::size_t k) {
        const std::uint32_t i = w.contacts[k];
        if (keeps_pulls) w.x[i].template head<3>() -= w.pulled[own + i].template head<3>();
        const Vec4<Real> free = w.x[i];
        Vec3d x = free.template head<3>().template cast<double>();
        const Vec3d before = particles.x[i].template cast<double>();
        for (const MovedShape& shape : w.colliders) {
            const double depth = static_cast<double>(particles.radius[i]) - shape.distance_after(x);
            if (depth <= 0) continue;
            const Vec3d normal = shape.normal_after(x);
            x += depth * normal;
            const double most = std::max(depth, static_cast<double>(w.pushed[k].norm()));
            w.pushed[k] = (most * normal).template cast<Real>();
            const Vec3d slip = x - before - shape.dt * shape.velocity(before);
            const Vec3d along = slip - normal * normal.dot(slip);
            const double length = along.norm();
            if (length > 0) x -= along * std::min(1.0, shape.friction * most / length);
        }
        w.x[i].template head<3>() = x.template cast<Real>();
        if (keeps_pulls) w.pulled[own + i].template head<3>() = (w.x[i] - free).template head<3>();
    });
    for (std::size_t k = 0; k < w.contacts.size(); ++k)
        if (w.pushed[k].squaredNorm() > Real(0))
            w.touched[w.piece_of(w.contacts[k])] |= pushed_by_collider;
}

template <class Real> void push_liquid_out(Workspace<Real>& w) {
    Particles<Real>& particles = w.trial.particles;
    if (!w.liquids || w.colliders.empty()) return;
    parallel_for(particles.id.size(), [&](std::size_t i) {
        if (particles.phase[i] != liquid) return;
        Vec3d x = particles.x[i].template cast<double>();
        for (const MovedShape& shape : w.colliders) {
            const double depth = -shape.distance_after(x);
            if (depth <= 0) continue;
            const Vec3d normal = shape.normal_after(x);
            x += depth * normal;
            const Vec3d relative = particles.v[i].template cast<double>() - shape.velocity(x);
            const double into = std::min(0.0, normal.dot(relative));
            particles.v[i] -= (into * normal).template cast<Real>();
            particles.x[i] = x.template cast<Real>();
        }
    });
}

template void find_contacts(Workspace<float>&, const Params&);
template void find_contacts(Workspace<double>&, const Params&);
template void push_out(Workspace<float>&);
template void push_out(Workspace<double>&);
template void push_liquid_out(Workspace<float>&);
template void push_liquid_out(Workspace<double>&);

} // namespace nendo::melt
