// SPDX-License-Identifier: Apache-2.0
// The stages of one substep, in the order in which they are called.
#pragma once

#include "core/host.h"
#include "core/stage_clock.h"
#include "melt/solver.h"
#include "melt/workspace.h"

namespace nendo::melt {

// structure.cpp
/// Chooses which clusters are solved, and their colors, for rows from `first` on. Their links must
/// already exist.
template <class Real> void choose_clusters(State<Real>& state, const Params& p, std::size_t first);
/// Lays out clusters and pieces for the solver, from the `links` between the particles of w.trial.
template <class Real> void lay_out(Workspace<Real>& w, const Params& p, const Links<Real>& links);
/// The group of a cluster under the current scheme, or max_groups if it is not solved.
template <class Real>
std::uint8_t bucket_of(const Particles<Real>& particles, std::size_t i, const Params& p);
/// Makes the cluster of particle i a solved one if no solved cluster contains i.
template <class Real> void cover(Workspace<Real>& w, const Params& p, std::uint32_t i);
/// Removes a solid particle from all clusters. Members that only its cluster held get a solved one.
template <class Real> void release(Workspace<Real>& w, const Params& p, std::uint32_t i);
/// Links a solid particle to the solid ones within `reach` [m] that it is not linked to. The
/// present shape becomes the rest shape of these links.
template <class Real>
void attach(Workspace<Real>& w, const Params& p, std::uint32_t i, double reach);

// hardness.cpp
/// Share of the clusters that are solved.
double sample_share(const Params& p);
/// Plans how clusters are solved in a substep of dt [s]. A substep that motion has made shorter
/// than calm_step gets its share of the iterations and the stiffness of the longer one: see
/// Solve::hardest.
template <class Real> Solve plan_solve(const Workspace<Real>& w, const Params& p, double dt);
/// Stiffness [Pa] of particle i at its temperature, or infinite if it is unlimited.
template <class Real>
double stiffness_of(const Particles<Real>& particles, std::size_t i, const Params& p);
/// Squared frequency of the pull of a cluster, times density, per pascal of stiffness [1/m^2].
double stiffness_per_young(const Params& p);
/// Share of liquid motion of particle i: beta (melting thesis, eq 2.39).
template <class Real> double blend_of(const Particles<Real>& particles, std::size_t i) {
    return static_cast<double>(particles.blend[i]) * static_cast<double>(particles.melted[i]);
}

// plan.cpp
/// The longest safe substep [s], at most the `remaining` [s] of an `interval` [s] between two
/// events. Also sets calm_step, the length that all substeps of the interval would have if nothing
/// moved.
template <class Real>
double plan_substep(Workspace<Real>& w, const Scene& scene, const Params& p, double remaining,
                    double interval);
/// Viscosity of particle i as a liquid, at its temperature [Pa s].
template <class Real> double liquid_viscosity(const Particles<Real>& particles, std::size_t i);
/// Moves colliders and pins to a substep of dt [s] from now.
template <class Real> void place_scene(Workspace<Real>& w, const Scene& scene, double dt);

// phases.cpp
/// Lets heat flow for dt [s]. Returns the number of heat steps.
template <class Real>
int flow_heat(Workspace<Real>& w, const Scene& scene, const Params& p, double dt);
/// Melts particles that have absorbed all their latent heat, and freezes those that have lost it.
template <class Real> void melt_and_freeze(Workspace<Real>& w, const Params& p);
/// Lets rest shapes flow, by beta and above the yield strain (melting thesis, eq 2.39, 2.40).
template <class Real> void flow_rest_shapes(Workspace<Real>& w, const Params& p, double dt);

// liquid.cpp
/// Applies gravity, and the forces of the liquid on everything that it touches
/// (melting thesis, eq 2.3-2.9).
template <class Real>
sph::PressureSolve flow_liquid(Workspace<Real>& w, const Scene& scene, const Params& p, double dt);

// solid.cpp
/// Moment of inertia of a particle about its own center [kg m^2].
template <class Real>
Mat3d own_inertia(const Particles<Real>& particles, std::size_t i, const Vec4<Real>& orient);
/// Predicts positions and orientations without clusters (melting thesis, eq 2.28).
template <class Real> void predict(Workspace<Real>& w, const Params& p, double dt);
/// Iterates the clusters, with contact after each iteration (melting thesis, eq 2.26-2.38).
template <class Real> void match_clusters(Workspace<Real>& w, Host& host, bool watch);
/// Restores the momentum of free pieces, which the iterations may have changed.
template <class Real> void remove_drift(Workspace<Real>& w, double dt);
/// Computes velocities and spins from the displacements (melting thesis, eq 2.23, 2.24, 2.30).
template <class Real> void update_velocities(Workspace<Real>& w, const Params& p, double dt);

// contact.cpp
/// Finds solid particles near colliders.
template <class Real> void find_contacts(Workspace<Real>& w, const Params& p);
/// Pushes the solid particles found by find_contacts() out of colliders, with friction.
template <class Real> void push_out(Workspace<Real>& w);
/// Pushes out liquid that got through a wall.
template <class Real> void push_liquid_out(Workspace<Real>& w);

} // namespace nendo::melt
