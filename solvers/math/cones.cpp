#include "math/cones.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

namespace nendo {
namespace {

Vec3d velocity_of(const ConeProblem& problem, std::size_t block) {
    Vec3d u = problem.b[block];
    for (std::uint32_t k = problem.start[block]; k < problem.start[block + 1]; ++k)
        u += problem.matrices[k] * problem.p[problem.columns[k]];
    return u;
}

/// Length that friction leaves to a tangential impulse.
void clamp_tangent(Vec3d& p, double limit) {
    const double length = std::sqrt(p.y() * p.y() + p.z() * p.z());
    if (length <= limit) return;
    const double scale = limit / length;
    p.y() *= scale;
    p.z() *= scale;
}

/// A bound on the eigenvalues of the tangents' own matrix.
double tangent_bound(const Mat3d& own) {
    return own(1, 1) + own(2, 2);
}

/// The impulse of a block that its own conditions ask for while all others stay.
Vec3d improved(const ConeProblem& problem, std::size_t block, const Vec3d& u) {
    const Mat3d& own = problem.matrices[problem.start[block]];
    Vec3d p = problem.p[block];
    const double normal = std::max(0.0, p.x() - u.x() / own(0, 0));
    const double friction = problem.friction[block];
    if (friction == 0) return {normal, 0, 0};
    const double ut = u.y() + own(1, 0) * (normal - p.x());
    const double us = u.z() + own(2, 0) * (normal - p.x());
    p.x() = normal;
    // Sticking first; a gradient step that is cut to the cone where that is too much.
    const double det = own(1, 1) * own(2, 2) - own(1, 2) * own(2, 1);
    Vec3d stuck = p;
    if (det > 1e-12 * own(1, 1) * own(2, 2)) {
        stuck.y() -= (own(2, 2) * ut - own(1, 2) * us) / det;
        stuck.z() -= (own(1, 1) * us - own(2, 1) * ut) / det;
        const double limit = friction * normal;
        if (stuck.y() * stuck.y() + stuck.z() * stuck.z() <= limit * limit) return stuck;
    }
    const double step = 1 / tangent_bound(own);
    p.y() -= step * ut;
    p.z() -= step * us;
    clamp_tangent(p, friction * normal);
    return p;
}

/// How far a block is from its conditions, as a velocity: what a projected step would change.
double block_residual(const ConeProblem& problem, std::size_t block, const Vec3d& u) {
    const Mat3d& own = problem.matrices[problem.start[block]];
    const Vec3d& p = problem.p[block];
    if (block < problem.equalities)
        return (u + problem.compliance[block] * p).cwiseAbs().maxCoeff();
    const double normal = std::abs(p.x() - std::max(0.0, p.x() - u.x() / own(0, 0))) * own(0, 0);
    if (problem.friction[block] == 0) return normal;
    const double bound = tangent_bound(own);
    Vec3d moved(p.x(), p.y() - u.y() / bound, p.z() - u.z() / bound);
    clamp_tangent(moved, problem.friction[block] * p.x());
    const double tangent = std::hypot(moved.y() - p.y(), moved.z() - p.z()) * bound;
    return std::max(normal, tangent);
}

void factor_equalities(const ConeProblem& problem, ConeScratch& scratch) {
    const auto n = static_cast<Eigen::Index>(3 * problem.equalities);
    scratch.dense.setZero(n, n);
    for (std::size_t i = 0; i < problem.equalities; ++i) {
        const auto row = static_cast<Eigen::Index>(3 * i);
        for (std::uint32_t k = problem.start[i]; k < problem.start[i + 1]; ++k)
            if (problem.columns[k] < problem.equalities)
                scratch.dense.block<3, 3>(row, 3 * problem.columns[k]) += problem.matrices[k];
        // Rows that say the same twice (a loop that others close already) have no unique impulse.
        const double firm = 1e-12 * problem.matrices[problem.start[i]].trace();
        scratch.dense.block<3, 3>(row, row) += problem.compliance[i] + firm * Mat3d::Identity();
    }
    scratch.factor.compute(scratch.dense);
    scratch.right.resize(n);
}

/// All equalities at once. Twice: the second time undoes what `firm` did.
void solve_equalities(ConeProblem& problem, ConeScratch& scratch) {
    for (int pass = 0; pass < 2; ++pass) {
        for (std::size_t i = 0; i < problem.equalities; ++i)
            scratch.right.segment<3>(static_cast<Eigen::Index>(3 * i)) =
                velocity_of(problem, i) + problem.compliance[i] * problem.p[i];
        scratch.solution = scratch.factor.solve(scratch.right);
        for (std::size_t i = 0; i < problem.equalities; ++i)
            problem.p[i] -= scratch.solution.segment<3>(static_cast<Eigen::Index>(3 * i));
    }
}

} // namespace

double cone_residual(const ConeProblem& problem) {
    double worst = 0;
    for (std::size_t i = 0; i < problem.blocks(); ++i)
        worst = std::max(worst, block_residual(problem, i, velocity_of(problem, i)));
    return worst;
}

ConeResult solve_cones(ConeProblem& problem, double tolerance, int sweeps, ConeScratch& scratch) {
    ConeResult result;
    if (problem.blocks() == 0) return result;
    if (problem.equalities > 0) factor_equalities(problem, scratch);
    while (result.sweeps < sweeps) {
        ++result.sweeps;
        if (problem.equalities > 0) solve_equalities(problem, scratch);
        for (std::size_t i = problem.equalities; i < problem.blocks(); ++i)
            problem.p[i] = improved(problem, i, velocity_of(problem, i));
        if (result.sweeps % 4 != 0 && result.sweeps != 1) continue;
        result.residual = cone_residual(problem);
        if (result.residual <= tolerance) return result;
    }
    result.residual = cone_residual(problem);
    return result;
}

} // namespace nendo
