// SPDX-License-Identifier: Apache-2.0
// Complementarity with friction: blocks of three rows, each a normal and two tangents, that push but
// do not pull, and rub up to a limit. Where a few sweeps of projected Gauss-Seidel are not enough,
// Newton's method takes over: on the problem itself while it gains, else on a convex one close to it
// where it can't fail.
#pragma once

#include "core/types.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nendo {

/// Find impulses p with u = W p + b such that in each block
///   p_n >= 0, u_n >= 0, p_n u_n = 0;  |p_t| <= friction p_n, and where u_t is not zero p_t opposes
/// it with all that friction gives. The first `equalities` blocks are equalities: u = -compliance p.
struct ConeProblem {
    /// Which blocks act on which: block i on columns[k], by matrices[k], for k in
    /// [start[i], start[i + 1]), its own first. W is symmetric.
    std::vector<std::uint32_t> start;
    std::vector<std::uint32_t> columns;
    std::vector<Mat3d> matrices; ///< [1/kg]
    std::vector<Vec3d> b;        ///< [m/s]; normal first
    std::vector<double> friction;
    std::vector<Vec3d> p;          ///< Impulses [N s]: in, a guess; out, the solution
    std::size_t equalities = 0;    ///< So many blocks at the beginning are solved together, exactly
    std::vector<Mat3d> compliance; ///< Of each equality; above zero, however little

    std::size_t blocks() const { return b.size(); }
};

struct ConeResult {
    int sweeps = 0;      ///< And Newton's steps
    double residual = 0; ///< How far the conditions are from being met [m/s]
};

/// Memory of the solver, kept by the caller so that a step allocates nothing.
struct ConeScratch {
    std::vector<double> dense, right;
    std::vector<Vec3d> best, center, saved;
    std::vector<Vec3d> u;          ///< Velocities [m/s]
    std::vector<Vec3d> projected;  ///< The impulses that belong to them
    std::vector<Mat3d> change;     ///< And how these change with what is projected
    std::vector<Vec3d> way, speed; ///< A change of all impulses, and of the velocities by it
    std::vector<double> softness, shift;
    std::vector<std::uint32_t> place; ///< Of each block among those that hold
};

/// Sweeps from the guess in `p` until the residual is below `tolerance` [m/s], at most `sweeps`
/// times.
ConeResult solve_cones(ConeProblem& problem, double tolerance, int sweeps, ConeScratch& scratch);

/// The largest distance [m/s] of any block from its conditions.
double cone_residual(const ConeProblem& problem);

} // namespace nendo
