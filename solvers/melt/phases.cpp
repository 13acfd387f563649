// SPDX-License-Identifier: Apache-2.0
// Transitions between solid and liquid: heat, melting, freezing, and rest shapes that flow.
#include "math/nearest_rotation.h"
#include "math/portable_math.h"
#include "melt/stages.h"

#include <algorithm>
#include <cmath>

namespace nendo::melt {

namespace {

/// A link whose rest length exceeds this many cluster radii has flowed apart, and is removed.
constexpr double longest_link = 1.4;
/// Matter with a larger share of liquid motion than this bonds where it touches.
constexpr double tacky = 0.3;
/// Distance at which particles touch, in spacings.
constexpr double touching = 1.05;

/// Melted share below which liquid turns solid. Matter that flows while it melts also flows while
/// it freezes.
template <class Real> Real freezing_share(const Particles<Real>& c, std::size_t i) {
    return Real(0.5) * c.blend[i];
}

template <class Real> void melt_particle(Workspace<Real>& w, const Params& p, std::uint32_t i) {
    Particles<Real>& c = w.trial.particles;
    release(w, p, i);
    c.phase[i] = liquid;
    c.solved[i] = 0;
    c.color[i] = -1;
    c.pin[i] = 0;
    c.spin[i].setZero();
    w.clusters.change_bucket(i, max_groups);
    ++w.trial.details.particles_melted;
}

template <class Real> void freeze_particle(Workspace<Real>& w, const Params& p, std::uint32_t i) {
    Particles<Real>& c = w.trial.particles;
    // Take the orientation and spin of the nearest solid particle.
    Real nearest = std::numeric_limits<Real>::max();
    for (const std::uint32_t j : w.conduction.neighbors(i)) {
        const Real distance = (c.x[j] - c.x[i]).squaredNorm();
        if (c.phase[j] != solid || distance >= nearest) continue;
        nearest = distance;
        c.orient[i] = c.orient[j];
        c.spin[i] = c.spin[j];
    }
    c.phase[i] = solid;
    attach(w, p, i, p.cluster_radius * p.spacing);
    ++w.trial.details.particles_frozen;
}

/// Share by which the rest shape of a cluster approaches its present shape in dt [s].
template <class Real>
double flow_share(const Particles<Real>& c, std::size_t i, double strain, double dt) {
    const double beta = blend_of(c, i);
    const double rate = static_cast<double>(c.flow[i]) * beta / std::max(1 - beta, 1e-3);
    const auto yield = static_cast<double>(c.yield[i]);
    const double beyond = strain > yield ? 1 - yield / strain : 0;
    const double creep = static_cast<double>(c.creep[i]) * beyond;
    return 1 - portable_exp(-std::min((rate + creep) * dt, 100.0));
}

/// Displacements of the members of a cluster from their rest positions, about its center of mass
/// and in its own frame. The isotropic part is removed, so that volume does not flow.
template <class Real> struct Strain {
    std::array<Vec3<Real>, max_members> off; ///< [m]
    double size = 0; ///< Root mean square, relative to that of the rest shape [1]
    Vec3<Real> own;  ///< Displacement of the center particle [m]

    Strain(const Workspace<Real>& w, std::uint32_t i) {
        const Particles<Real>& c = w.trial.particles;
        const Segment& s = w.clusters[i];
        const Mat3<Real> back = rotation_matrix(quaternion_inverse(c.orient[i]));
        Vec3<Real> mean = Vec3<Real>::Zero(), mean_rest = mean;
        Real mass = 0;
        for (std::uint32_t k = 0; k < s.count; ++k) {
            const std::uint32_t j = w.clusters.member()[s.begin + k];
            off[k] = back * (c.x[j] - c.x[i]);
            mean += c.mass[j] * off[k];
            mean_rest += c.mass[j] * w.clusters.rest()[s.begin + k].template head<3>();
            mass += c.mass[j];
        }
        mean /= mass;
        mean_rest /= mass;
        Real along = 0, all = 0, squares = 0;
        for (std::uint32_t k = 0; k < s.count; ++k) {
            const Vec3<Real> rest = w.clusters.rest()[s.begin + k].template head<3>() - mean_rest;
            off[k] -= mean + rest;
            along += off[k].dot(rest);
            all += rest.squaredNorm();
        }
        const Real swell = all > Real(0) ? along / all : Real(0);
        for (std::uint32_t k = 0; k < s.count; ++k) {
            off[k] -= swell * (w.clusters.rest()[s.begin + k].template head<3>() - mean_rest);
            squares += off[k].squaredNorm();
            if (w.clusters.member()[s.begin + k] == i) own = off[k];
        }
        size = all > Real(0) ? std::sqrt(static_cast<double>(squares / all)) : 0;
    }
};

template <class Real> void flow_cluster(Workspace<Real>& w, std::uint32_t i, double dt) {
    const Segment& s = w.clusters[i];
    const Strain<Real> strain(w, i);
    const double share = flow_share(w.trial.particles, i, strain.size, dt);
    if (share <= 0) return;
    std::vector<Vec4<Real>>& rest = w.clusters.rest();
    for (std::uint32_t k = 0; k < s.count; ++k)
        rest[s.begin + k].template head<3>() +=
            static_cast<Real>(share) * (strain.off[k] - strain.own);
    w.clusters.mark_flow(i);
}

/// Removes links that flow has drawn out too far.
template <class Real> void remove_long_links(Workspace<Real>& w, const Params& p) {
    const Real longest = static_cast<Real>(longest_link * p.cluster_radius * p.spacing);
    for (std::uint32_t i = 0; i < w.clusters.size(); ++i) {
        if (w.flows[i] == 0) continue;
        for (std::uint32_t k = 0; k < w.clusters[i].count;) {
            const Segment& s = w.clusters[i];
            const std::uint32_t j = w.clusters.member()[s.begin + k];
            const bool far = w.clusters.rest()[s.begin + k].template head<3>().norm() > longest;
            if (!far || j == i) {
                ++k;
                continue;
            }
            w.clusters.remove_link(i, j);
            for (const std::uint32_t end : {i, j}) cover(w, p, end);
        }
    }
}

} // namespace

template <class Real>
int flow_heat(Workspace<Real>& w, const Scene& scene, const Params& p, double dt) {
    if (!p.heat.enabled) return 0;
    const heat::Columns<Real> columns = heat_columns(w.trial.particles);
    w.conduction.place(columns, p.spacing);
    w.conduction.exchange(columns, scene.heat_sources, p.heat, w.trial.details.time);
    w.trial.details.heat_taken += w.conduction.flow(columns, dt * p.heat.speed);
    w.work += static_cast<std::int64_t>(w.conduction.pairs()) * (2 + w.conduction.steps());
    return w.conduction.steps();
}

template <class Real> void melt_and_freeze(Workspace<Real>& w, const Params& p) {
    if (!p.heat.enabled) return;
    const Particles<Real>& c = w.trial.particles;
    for (std::uint32_t i = 0; i < c.id.size(); ++i)
        if (c.phase[i] == solid && c.melted[i] >= Real(1)) melt_particle(w, p, i);
    for (std::uint32_t i = 0; i < c.id.size(); ++i)
        if (c.phase[i] == liquid && c.melted[i] <= freezing_share(c, i)) freeze_particle(w, p, i);
    for (std::uint32_t i = 0; i < c.id.size(); ++i)
        if (c.phase[i] == solid && blend_of(c, i) > tacky) attach(w, p, i, touching * p.spacing);
    w.liquids = std::find(c.phase.begin(), c.phase.end(), liquid) != c.phase.end();
    w.work += w.clusters.reset_work();
}

template <class Real> void flow_rest_shapes(Workspace<Real>& w, const Params& p, double dt) {
    const Particles<Real>& c = w.trial.particles;
    w.flows.resize(c.id.size());
    bool any = false;
    for (std::size_t i = 0; i < c.id.size(); ++i) {
        const bool yields = !std::isinf(c.yield[i]) && c.creep[i] > Real(0);
        w.flows[i] = w.clusters[i].count > 1 && (yields || blend_of(c, i) > 0) ? 1 : 0;
        any = any || w.flows[i] != 0;
    }
    if (!any) return;
    parallel_for(c.id.size(), [&](std::size_t i) {
        if (w.flows[i] != 0) flow_cluster(w, static_cast<std::uint32_t>(i), dt);
    });
    w.clusters.settle_flow();
    remove_long_links(w, p);
    w.work += static_cast<std::int64_t>(w.clusters.links()) + w.clusters.reset_work();
}

template int flow_heat(Workspace<float>&, const Scene&, const Params&, double);
template int flow_heat(Workspace<double>&, const Scene&, const Params&, double);
template void melt_and_freeze(Workspace<float>&, const Params&);
template void melt_and_freeze(Workspace<double>&, const Params&);
template void flow_rest_shapes(Workspace<float>&, const Params&, double);
template void flow_rest_shapes(Workspace<double>&, const Params&, double);

} // namespace nendo::melt
