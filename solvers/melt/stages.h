// SPDX-License-Identifier: Apache-2.0
// The stages of one substep, in the order in which they are called.
#pragma once

#include "core/host.h"
#include "core/stage_clock.h"
#include "melt/solver.h"
#include "melt/workspace.h"

namespace nendo::melt {

// structure.cpp
/// Which clusters are solved, and their colors: for rows from `first` on, whose links are there.
template <class Real> void choose_clusters(State<Real>& state, const Params& p, std::size_t first);
/// Lays out clusters and pieces for the solvers: `links` between the particles of w.trial.
template <class Real> void lay_out(Workspace<Real>& w, const Params& p, const Links<Real>& links);
/// The group of a cluster under a scheme, or max_groups where it is not solved.
template <class Real>
std::uint8_t bucket_of(const Particles<Real>& particles, std::size_t i, const Params& p);
/// Makes the cluster of particle i solved where no solved cluster holds it.
template <class Real> void cover(Workspace<Real>& w, const Params& p, std::uint32_t i);
/// A solid particle leaves its clusters; those that only its cluster held get a solved one.
template <class Real> void release(Workspace<Real>& w, const Params& p, std::uint32_t i);
/// A solid particle joins the solid ones within `reach` [m] that it isn't linked to, at rest as they
/// are now.
template <class Real>
void attach(Workspace<Real>& w, const Params& p, std::uint32_t i, double reach);

// hardness.cpp
/// Share of the clusters that is solved.
double sample_share(const Params& p);
/// How they are solved in a substep of dt [s]. One that motion has made shorter than calm_step takes
/// its share of the iterations, and has the force of the longer one: see Solve::hardest.
template <class Real> Solve plan_solve(const Workspace<Real>& w, const Params& p, double dt);
/// Stiffness [Pa] of particle i at its temperature, infinite without limit.
template <class Real>
double stiffness_of(const Particles<Real>& particles, std::size_t i, const Params& p);
/// Squared frequency [1/s^2] of a cluster's pull, times density, for a Pascal of stiffness [1/m^2].
double stiffness_per_young(const Params& p);
/// Its share of liquid motion, beta (melting thesis, eq 2.39).
template <class Real> double blend_of(const Particles<Real>& particles, std::size_t i) {
    return static_cast<double>(particles.blend[i]) * static_cast<double>(particles.melted[i]);
}

// plan.cpp
/// The longest safe substep, at most the `remaining` [s] of an `interval` [s] between two events; and
/// calm_step, as long as all substeps of the interval would be if nothing moved.
template <class Real>
double plan_substep(Workspace<Real>& w, const Scene& scene, const Params& p, double remaining,
                    double interval);
/// Of particle i as a liquid, at its temperature [Pa s].
template <class Real> double liquid_viscosity(const Particles<Real>& particles, std::size_t i);
/// Colliders and pins as they are in a substep of dt [s] from now.
template <class Real> void place_scene(Workspace<Real>& w, const Scene& scene, double dt);

// phases.cpp
/// Heat flows for dt [s]. Returns the number of heat's own steps.
template <class Real>
int flow_heat(Workspace<Real>& w, const Scene& scene, const Params& p, double dt);
/// What has taken all its latent heat is liquid; what has lost it is solid.
template <class Real> void melt_and_freeze(Workspace<Real>& w, const Params& p);
/// Rest shapes flow: by beta, and above the yield.
template <class Real> void flow_rest_shapes(Workspace<Real>& w, const Params& p, double dt);

// liquid.cpp
/// Gravity, and the liquid's forces on all that it touches (melting thesis, eq 2.3-2.9).
template <class Real>
sph::PressureSolve flow_liquid(Workspace<Real>& w, const Scene& scene, const Params& p, double dt);

// solid.cpp
/// Moment of inertia of a particle about its own center [kg m^2].
template <class Real>
Mat3d own_inertia(const Particles<Real>& particles, std::size_t i, const Vec4<Real>& orient);
/// Where particles go without clusters, and how they turn (melting thesis, eq 2.28).
template <class Real> void predict(Workspace<Real>& w, const Params& p, double dt);
/// The iterations, and contact between them (melting thesis, eq 2.26-2.38).
template <class Real> void match_clusters(Workspace<Real>& w, Host& host, bool watch);
/// Takes out what the iterations did to the momentum of free pieces.
template <class Real> void remove_drift(Workspace<Real>& w, double dt);
/// Velocities and spins from the way gone (melting thesis, eq 2.23, 2.24, 2.30).
template <class Real> void take_motion(Workspace<Real>& w, const Params& p, double dt);

// contact.cpp
/// Solid particles near colliders.
template <class Real> void find_contacts(Workspace<Real>& w, const Params& p);
/// Pushes them out of colliders, with friction.
template <class Real> void push_out(Workspace<Real>& w);
/// The same for liquid that got through a wall.
template <class Real> void push_liquid_out(Workspace<Real>& w);

} // namespace nendo::melt
