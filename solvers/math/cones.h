// SPDX-License-Identifier: Apache-2.0
// Contact impulses with Coulomb friction, as a cone complementarity problem: each contact has a
// normal and two tangents, pushes but does not pull, and rubs up to a limit. If a few sweeps of
// projected Gauss-Seidel are not enough, Newton's method takes over: on the problem itself while the
// error falls, otherwise on a nearby convex problem on which it cannot fail.
#pragma once

#include "core/memory.h"
#include "core/types.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nendo {

/// Find impulses p with u = W p + b such that in each block
///   p_n >= 0, u_n >= 0, p_n u_n = 0;  |p_t| <= friction p_n, and where u_t is not zero p_t opposes
/// it with the full friction. The first `equalities` blocks are equalities: u = -compliance p.
struct ConeProblem {
    /// W in sparse rows of 3x3 blocks: row i has matrices[k] in block column columns[k], for k in
    /// [start[i], start[i + 1]), the diagonal block first. W is symmetric.
    std::vector<std::uint32_t> start;
    std::vector<std::uint32_t> columns;
    std::vector<Mat3d> matrices;   ///< [1/kg]
    std::vector<Vec3d> b;          ///< Velocities without impulses, normal first [m/s]
    std::vector<double> friction;  ///< Coulomb coefficients [1]
    std::vector<Vec3d> p;          ///< Impulses; the guess on input, the solution on output [N s]
    std::size_t equalities = 0;    ///< Number of blocks at the beginning that are solved exactly
    std::vector<Mat3d> compliance; ///< For each equality; positive definite, however small [1/kg]

    std::size_t blocks() const { return b.size(); }
    std::size_t bytes() const {
        return memory_of(start, columns, matrices, b, friction, p, compliance);
    }
};

struct ConeResult {
    int sweeps = 0;      ///< Sweeps and Newton steps
    double residual = 0; ///< Largest violation of the conditions [m/s]
};

/// Scratch memory of the solver. The caller keeps it, so that a step allocates nothing.
struct ConeScratch {
    std::vector<double> dense, right;
    std::vector<Vec3d> best, center, saved;
    std::vector<Vec3d> u;         ///< Velocities [m/s]
    std::vector<Vec3d> projected; ///< Impulses projected onto the cones
    std::vector<Mat3d> change;    ///< Derivative of each projection
    std::vector<Vec3d> direction; ///< Search direction: change of the impulses
    std::vector<Vec3d> speed;     ///< Search direction: change of the velocities
    std::vector<double> softness, shift;
    std::vector<std::uint32_t> place; ///< Row of each block among the closed contacts

    std::size_t bytes() const {
        return memory_of(dense, right, best, center, saved, u, projected, change, direction, speed,
                         softness, shift, place);
    }
};

/// Iterates from the guess in `p` until the residual is at most `tolerance` [m/s], or for about
/// `sweeps` sweeps and Newton steps. Keeps the best impulses found.
ConeResult solve_cones(ConeProblem& problem, double tolerance, int sweeps, ConeScratch& scratch);

/// Largest violation of the conditions of any block [m/s].
double cone_residual(const ConeProblem& problem);

} // namespace nendo
