// SPDX-License-Identifier: Apache-2.0
// Smoothed particles: density, pressure, viscosity and surface tension (Hirato, eq 3-6), for fluids and
// for bodies in them. Knows of no springs and no clusters: whatever holds a body together gives its
// particles a group of their own.
//
// Columns are by slot of the Neighborhood. A substep reads: place, fill the columns, find, walls,
// pressure, forces.
#pragma once

#include "sph/neighborhood.h"
#include "sph/params.h"
#include "sph/walls.h"

#include <vector>

namespace nendo::sph {

template <class Real> struct Matter {
    // Given. Those that neighbors read have one more entry, for nobody(): see resize().
    std::vector<Vec4<Real>> place;   ///< Position [m]; fourth: V = m / rest density [m^3]
    std::vector<Vec4<Real>> motion;  ///< Velocity [m/s]; fourth: pressure [Pa]
    std::vector<Real> volume;        ///< V again, for the search [m^3]
    std::vector<Real> per_mass;      ///< 1/m, or 0 for what nothing can move [1/kg]
    std::vector<Real> viscosity;     ///< Dynamic [Pa s]
    std::vector<Real> rest_density;  ///< [kg/m^3]
    std::vector<std::int32_t> group; ///< free_group, or what something else holds together
    // Found.
    std::vector<Real> compression; ///< Density over rest density [1]
    std::vector<Vec4<Real>> force; ///< Of all pairs and walls [N]
    std::vector<Vec4<Real>> pull;  ///< Scratch of solve_pressure(): acceleration, fourth 1/m
    std::vector<Real> answer;      ///< Scratch: what a unit of pressure does to the compression

    /// Room for n particles and nobody, who is far away, has no volume and stands still.
    void resize(std::size_t n);
    std::size_t bytes() const;
};

/// p = k (rho - rho0), where rho0 changes with V (Hirato, eq 4). `tension`: below zero as well.
/// Differs: divided by the square of the lattice's response, so that the speed of sound is sqrt(k).
template <class Real>
void state_equation(Matter<Real>& matter, const Kernels<Real>& kernels, const Params& params);

/// Pressure, viscosity and surface tension of all pairs and walls (Hirato, eq 5, 6). What i does to j
/// is the opposite of what j does to i, bit by bit.
/// Differs: V_i V_j (p_i + p_j) without the half of eq 5, which would halve the gradient, and with
/// the slope of the kernel that made the density.
template <class Real>
void add_forces(Matter<Real>& matter, const Neighborhood<Real>& near, const Walls<Real>& walls,
                const Kernels<Real>& kernels, const Params& params);

struct PressureSolve {
    int iterations = 0;
    double error = 0; ///< Mean compression that is left [1]
    bool converged = true;
};

/// Implicit pressure: changes the velocities in `motion` so that after dt [s] nothing is denser than
/// at rest. Starts from the pressures that are there and leaves the new ones. Forces other than
/// pressure are in the velocities already.
template <class Real>
PressureSolve solve_pressure(Matter<Real>& matter, const Neighborhood<Real>& near,
                             const Walls<Real>& walls, const Kernels<Real>& kernels,
                             const Params& params, double dt, Partials<double>& partials);

/// What limits an explicit substep.
struct Limits {
    double sound = 0;           ///< Fastest speed of sound [m/s]; 0: pressure is implicit
    double viscosity = 0;       ///< Largest kinematic viscosity [m^2/s]
    double lightest = infinite; ///< Least rest density [kg/m^3]
};
/// The longest stable substep [s] for matter whose fastest particle has `speed` [m/s].
double longest_step(const Params& params, const Limits& limits, double speed);

} // namespace nendo::sph
