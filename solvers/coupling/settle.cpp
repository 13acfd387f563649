// SPDX-License-Identifier: Apache-2.0
// Settles fluid that has entered, before it moves.
#include "sph/settle.h"

#include "coupling/stages.h"

#include <algorithm>

namespace nendo::coupling {

namespace {

/// Marks fluid that may settle: what has entered since the last look or, where a body entered, all.
/// Fluid near a membrane stays where it is, because it could settle through it.
template <class Real> std::vector<std::uint8_t> may_settle(const Workspace<Real>& w, double reach) {
    const Particles<Real>& particles = w.trial.particles;
    const std::int64_t settled = w.trial.details.settled;
    const std::size_t n = particles.id.size();
    bool body_entered = false;
    for (std::size_t i = 0; i < n && !body_entered; ++i)
        body_entered = particles.id[i] >= settled && particles.phase[i] == body_phase;
    std::vector<Vec3<Real>> membrane;
    for (const auto& face : w.faces)
        for (const std::uint32_t node : face) membrane.push_back(particles.x[w.row_of[node]]);
    Grid<Real> grid;
    grid.build(membrane, reach);
    std::vector<std::uint8_t> moves(n, 0);
    parallel_for(n, [&](std::size_t i) {
        if (particles.phase[i] != fluid_phase || w.held(i)) return;
        bool free = body_entered || particles.id[i] >= settled;
        if (free && !membrane.empty())
            grid.visit(particles.x[i], static_cast<Real>(reach),
                       [&](std::uint32_t, Real) { free = false; });
        moves[i] = free ? 1 : 0;
    });
    return moves;
}

} // namespace

template <class Real>
void settle_fluid(Workspace<Real>& w, const Scene& scene, const Params& p, Host& host) {
    Details& details = w.trial.details;
    if (details.settled == details.next_particle) return;
    Particles<Real>& particles = w.trial.particles;
    const std::size_t n = particles.id.size();
    sph::Placement<Real> placement;
    placement.x = particles.x;
    placement.moves = may_settle(w, p.support_radius());
    details.settled = details.next_particle;
    if (std::find(placement.moves.begin(), placement.moves.end(), 1) == placement.moves.end())
        return;
    placement.volume = w.volume;
    placement.clearance = particles.radius;
    placement.group.resize(n);
    for (std::size_t i = 0; i < n; ++i)
        placement.group[i] =
            particles.phase[i] == fluid_phase ? sph::free_group : particles.body[i] + 1;
    std::vector<MovedShape> colliders;
    for (const Collider& c : scene.colliders)
        colliders.push_back(move_collider(c, details.time, p.time_step));
    const sph::Settling settling = sph::settle(placement, colliders, p);
    particles.x = placement.x;
    const std::string warning = sph::settling_warning(settling, p.spacing);
    if (!warning.empty()) host.log(Severity::warning, warning);
}

template void settle_fluid(Workspace<float>&, const Scene&, const Params&, Host&);
template void settle_fluid(Workspace<double>&, const Scene&, const Params&, Host&);

} // namespace nendo::coupling
