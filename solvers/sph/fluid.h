// SPDX-License-Identifier: Apache-2.0
// Smoothed particle hydrodynamics (SPH): density, pressure, viscosity and surface tension (Hirato,
// eq 3-6), for fluids and for the bodies in them. It knows nothing of springs or clusters: whatever
// holds a body together assigns its particles a group of their own.
//
// Columns are indexed by slot of the Neighborhood. In a substep the order of calls is: place, fill
// the columns, find, walls, pressure, forces.
#pragma once

#include "core/memory.h"
#include "sph/neighborhood.h"
#include "sph/params.h"
#include "sph/walls.h"

#include <vector>

namespace nendo::sph {

/// The columns of the fluid solve.
template <class Real> struct Matter {
    // Inputs. Columns that neighbors read have one more entry, for padding_slot(): see resize().
    std::vector<Vec4<Real>> position; ///< Position [m]; fourth: V = m / rest density [m^3]
    std::vector<Vec4<Real>> velocity; ///< Velocity [m/s]; fourth: pressure [Pa]
    std::vector<Real> volume;         ///< V again, for the neighbor search [m^3]
    std::vector<Real> per_mass;       ///< 1/m, or 0 for particles that nothing can move [1/kg]
    std::vector<Real> viscosity;      ///< Dynamic viscosity [Pa s]
    std::vector<Real> rest_density;   ///< [kg/m^3]
    std::vector<std::int32_t> group;  ///< free_group, or the group of a body
    // Results.
    std::vector<Real> compression;        ///< Density over rest density [1]
    std::vector<Vec4<Real>> force;        ///< Sum over all pairs and walls [N]
    std::vector<Vec4<Real>> acceleration; ///< Scratch: acceleration by pressure [m/s^2]
    std::vector<Real> pressure_response;  ///< Scratch: drop of compression per pressure [1/Pa]
    std::vector<Vec3<Real>>
        shift; ///< Displacement by which solve_pressure() undoes compression [m]
    /// Scratch of solve_pressure(): the unknown, its scale, and the vectors of its iterations.
    std::vector<Real> unknown, scale, target, gradient, direction, product, fluid_per_mass;

    /// Allocates n particles and the slot padding_slot(), which is far away, empty and at rest.
    void resize(std::size_t n);
    std::size_t bytes() const {
        return memory_of(position, velocity, volume, per_mass, viscosity, rest_density, group,
                         compression, force, acceleration, pressure_response, shift, unknown, scale,
                         target, gradient, direction, product, fluid_per_mass);
    }
};

/// p = k (rho - rho0), where rho0 changes with V (Hirato, eq 4). With `tension`, p may be negative.
/// Differs: k is divided by the squared response of the lattice, so that the speed of sound is
/// sqrt(k).
template <class Real>
void state_equation(Matter<Real>& matter, const Kernels<Real>& kernels, const Params& params);

/// Computes the pressure, viscosity and surface tension of all pairs and walls (Hirato, eq 5, 6).
/// The force of i on j is exactly opposite to that of j on i, to the last bit.
/// Differs: V_i V_j (p_i + p_j) without the factor 1/2 of eq 5, which would halve the gradient, and
/// with the slope of the kernel that computed the density.
template <class Real>
void add_forces(Matter<Real>& matter, const Neighborhood<Real>& near, const Walls<Real>& walls,
                const Kernels<Real>& kernels, const Params& params);

struct PressureSolve {
    int iterations = 0;
    double error = 0; ///< Mean compression that remains [1]
    bool converged = true;
};

/// Implicit pressure, in two solves. The first changes the velocities so that over dt [s] no fluid
/// gets denser than at rest; it starts from the current pressures and replaces them. Velocities must
/// already include all forces other than pressure. The second finds the `shift` that undoes what
/// compression is left, which moves fluid but gives it no velocity: so compression that one substep
/// leaves, for whatever reason, does not make the next one burst. Bodies have pressure too where
/// they touch fluid or one another; the shift moves fluid around them.
template <class Real>
PressureSolve solve_pressure(Matter<Real>& matter, const Neighborhood<Real>& near,
                             const Walls<Real>& walls, const Kernels<Real>& kernels,
                             const Params& params, double dt, Partials<double>& partials);

/// Material limits on an explicit substep.
struct Limits {
    double sound = 0;           ///< Highest speed of sound [m/s]; 0 if pressure is implicit
    double viscosity = 0;       ///< Highest kinematic viscosity [m^2/s]
    double lightest = infinite; ///< Lowest rest density [kg/m^3]
};
/// The longest stable substep [s] if the fastest particle moves at `speed` [m/s].
double longest_step(const Params& params, const Limits& limits, double speed);

} // namespace nendo::sph
