// Complementarity with friction, by projected Gauss-Seidel: blocks of three rows, each a normal and
// two tangents, that push but do not pull, and rub up to a limit.
#pragma once

#include "core/types.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nendo {

/// Find impulses p with u = W p + b such that in each block
///   p_n >= 0, u_n >= 0, p_n u_n = 0;  |p_t| <= friction p_n, and where u_t is not zero p_t opposes
/// it with all that friction gives. Blocks of `first_block` and before are equalities: u = 0.
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
    std::vector<Mat3d> compliance; ///< Added to the own matrix of each equality

    std::size_t blocks() const { return b.size(); }
};

struct ConeResult {
    int sweeps = 0;
    double residual = 0; ///< How far the conditions are from being met [m/s]
};

/// Memory of the solver, kept by the caller so that a step allocates nothing.
struct ConeScratch {
    std::vector<Mat3d> inverse; ///< Of each block's own matrix, in its tangents
    Eigen::MatrixXd dense;      ///< Of the equalities
    Eigen::LDLT<Eigen::MatrixXd> factor;
    Eigen::VectorXd right, solution;
};

/// Sweeps from the guess in `p` until the residual is below `tolerance` [m/s], at most `sweeps`
/// times.
ConeResult solve_cones(ConeProblem& problem, double tolerance, int sweeps, ConeScratch& scratch);

/// The largest distance [m/s] of any block from its conditions.
double cone_residual(const ConeProblem& problem);

} // namespace nendo
