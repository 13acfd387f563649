// SPDX-License-Identifier: Apache-2.0
// Solver for contact impulses with Coulomb friction: projected Gauss-Seidel, then Newton's method on
// a softened problem.
#include "math/cones.h"

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

void clamp_tangent(Vec3d& p, double limit) {
    const double length = std::sqrt(p.y() * p.y() + p.z() * p.z());
    if (length <= limit) return;
    const double scale = limit / length;
    p.y() *= scale;
    p.z() *= scale;
}

/// Upper bound of the eigenvalues of the tangential 2x2 block.
double tangent_bound(const Mat3d& own) {
    return own(1, 1) + own(2, 2);
}

/// Violation of a block's conditions, as the velocity that a projected step would change [m/s].
double block_residual(const ConeProblem& problem, std::size_t block, const Vec3d& u,
                      const Mat3d& own) {
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

/// The impulse in the friction cone that is nearest to y, and its derivative with respect to y.
struct Projection {
    Vec3d p;
    Mat3d change; ///< dp/dy
    bool holds;   ///< The projection is not the tip of the cone: the contact is closed
};

Projection onto_cone(const Vec3d& y, double friction) {
    Projection out{Vec3d::Zero(), Mat3d::Zero(), false};
    if (friction == 0) {
        out.holds = y.x() > 0;
        if (out.holds) out.p.x() = y.x(), out.change(0, 0) = 1;
        return out;
    }
    const double length = std::sqrt(y.y() * y.y() + y.z() * y.z());
    if (friction * length <= -y.x()) return out;
    out.holds = true;
    if (length <= friction * y.x()) {
        out.p = y;
        out.change.setIdentity();
        return out;
    }
    const double k = 1 / (1 + friction * friction), normal = k * (y.x() + friction * length);
    const Eigen::Vector2d s = y.tail<2>() / length;
    out.p << normal, friction * normal * s;
    const double turning = friction * normal / length;
    out.change(0, 0) = k;
    out.change.bottomLeftCorner<2, 1>() = friction * k * s;
    out.change.topRightCorner<1, 2>() = friction * k * s.transpose();
    out.change.bottomRightCorner<2, 2>() = (friction * friction * k - turning) * s * s.transpose();
    out.change(1, 1) += turning;
    out.change(2, 2) += turning;
    return out;
}

/// Solves a x = right in place by Gaussian elimination with row pivoting. Returns false if the
/// matrix is singular.
bool solve_dense(std::vector<double>& a, std::vector<double>& right, std::size_t n) {
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k + 1; i < n; ++i)
            if (std::abs(a[i * n + k]) > std::abs(a[pivot * n + k])) pivot = i;
        if (pivot != k) {
            std::swap_ranges(&a[k * n], &a[k * n] + n, &a[pivot * n]);
            std::swap(right[k], right[pivot]);
        }
        const double* from = &a[k * n];
        if (from[k] == 0 || !std::isfinite(from[k])) return false;
        for (std::size_t i = k + 1; i < n; ++i) {
            double* to = &a[i * n];
            const double factor = to[k] / from[k];
            if (factor == 0) continue;
            for (std::size_t j = k + 1; j < n; ++j) to[j] -= factor * from[j];
            right[i] -= factor * right[k];
        }
    }
    for (std::size_t k = n; k-- > 0;) {
        double sum = right[k];
        for (std::size_t j = k + 1; j < n; ++j) sum -= a[k * n + j] * right[j];
        right[k] = sum / a[k * n + k];
    }
    return true;
}

/// Solves all equalities together while the other blocks keep their impulses.
void solve_equalities(ConeProblem& problem, ConeScratch& scratch) {
    const std::size_t n = 3 * problem.equalities;
    if (n == 0) return;
    scratch.dense.assign(n * n, 0);
    scratch.right.resize(n);
    const auto add = [&](std::size_t row, std::size_t column, const Mat3d& entry) {
        for (std::size_t r = 0; r < 3; ++r)
            for (std::size_t c = 0; c < 3; ++c)
                scratch.dense[(3 * row + r) * n + 3 * column + c] +=
                    entry(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c));
    };
    for (std::size_t i = 0; i < problem.equalities; ++i) {
        for (std::uint32_t k = problem.start[i]; k < problem.start[i + 1]; ++k)
            if (problem.columns[k] < problem.equalities)
                add(i, problem.columns[k], problem.matrices[k]);
        add(i, i, problem.compliance[i]);
        const Vec3d right = -velocity_of(problem, i) - problem.compliance[i] * problem.p[i];
        std::copy(right.data(), right.data() + 3, &scratch.right[3 * i]);
    }
    if (!solve_dense(scratch.dense, scratch.right, n)) return;
    for (std::size_t i = 0; i < problem.equalities; ++i)
        problem.p[i] += Eigen::Map<const Vec3d>(&scratch.right[3 * i]);
}

/// The impulse that meets a block's conditions while all other blocks keep theirs.
Vec3d improved(const ConeProblem& problem, std::size_t block) {
    const Mat3d& matrix = problem.matrices[problem.start[block]];
    const Vec3d u = velocity_of(problem, block);
    Vec3d p = problem.p[block];
    const double normal = std::max(0.0, p.x() - u.x() / matrix(0, 0));
    const double friction = problem.friction[block];
    if (friction == 0) return {normal, 0, 0};
    const double change = normal - p.x();
    const double ut = u.y() + matrix(1, 0) * change, us = u.z() + matrix(2, 0) * change;
    p.x() = normal;
    // Try sticking first. If that leaves the cone, take a gradient step and clamp it to the cone.
    const double det = matrix(1, 1) * matrix(2, 2) - matrix(1, 2) * matrix(2, 1);
    if (det > 1e-12 * matrix(1, 1) * matrix(2, 2)) {
        Vec3d stuck = p;
        stuck.y() -= (matrix(2, 2) * ut - matrix(1, 2) * us) / det;
        stuck.z() -= (matrix(1, 1) * us - matrix(2, 1) * ut) / det;
        if (stuck.tail<2>().norm() <= friction * normal) return stuck;
    }
    const double step = 1 / tangent_bound(matrix);
    p.y() -= step * ut;
    p.z() -= step * us;
    clamp_tangent(p, friction * normal);
    return p;
}

/// One sweep of projected Gauss-Seidel: each block in turn meets its conditions while all others
/// keep their impulses.
void sweep(ConeProblem& problem, ConeScratch& scratch) {
    solve_equalities(problem, scratch);
    for (std::size_t i = problem.equalities; i < problem.blocks(); ++i)
        problem.p[i] = improved(problem, i);
}

/// The problem with every block softened by a share of itself around the current impulses. It has a
/// unique solution even where contacts are redundant (four corners on a table), and its solutions
/// converge to one of the original problem as the center follows them [Rockafellar 1976, the proximal
/// point method]. Its conditions are p = P(center - (u + friction |u_t| normal) / softness), where P
/// is the projection onto the cone [De Saxce, Feng 1998]. With the shift friction |u_t| kept fixed
/// they are the minimum conditions of a convex function.
class Softened {
public:
    Softened(ConeProblem& problem, ConeScratch& scratch, double share, double tolerance)
        : m_problem(problem), m_scratch(scratch), m_share(share) {
        solve_equalities(problem, scratch);
        scratch.center = problem.p;
        const std::size_t n = problem.blocks();
        scratch.softness.assign(n, 0);
        for (std::size_t i = problem.equalities; i < n; ++i) {
            const Mat3d& own = problem.matrices[problem.start[i]];
            scratch.softness[i] = share * (problem.friction[i] == 0 ? own(0, 0) : own.trace() / 3);
        }
        scratch.u.resize(n);
        scratch.shift.assign(n, 0);
        scratch.projected.resize(n);
        scratch.change.resize(n);
        scratch.direction.resize(n);
        scratch.speed.resize(n);
        scratch.place.resize(n);
        double scale = 0;
        for (std::size_t i = 0; i < n; ++i) scale = std::max(scale, rounding_scale(i));
        m_enough = std::max(0.1 * tolerance, 2e-15 * scale / share);
        refresh(true);
    }

    /// True if the conditions are met to the tolerance, or as well as rounding allows.
    bool met() const { return m_worst <= m_enough; }

    /// Takes a Newton step on the problem if that reduces the error; otherwise solves the convex
    /// problem with a fixed shift. Returns the number of steps.
    int advance() {
        const double before = m_sum;
        m_scratch.saved = m_problem.p;
        if (find_direction(true)) {
            move_by(1);
            refresh(true);
            if (m_sum <= 0.5 * before) return 1;
            m_problem.p = m_scratch.saved;
            refresh(true);
        }
        int steps = 1;
        const double enough = std::max(m_enough, 1e-3 * m_worst);
        for (; steps < 20 && m_worst > enough; ++steps) {
            if (!find_direction(false)) break;
            move_by(line_search());
            refresh(false);
        }
        refresh(true);
        return steps;
    }

    /// Replaces the impulses by their projections, which lie in the cones.
    void finish() {
        for (std::size_t i = m_problem.equalities; i < m_problem.blocks(); ++i)
            m_problem.p[i] = m_scratch.projected[i];
    }

private:
    static constexpr std::uint32_t open = static_cast<std::uint32_t>(-1);

    /// Sum of the magnitudes of all terms of a block's velocity, to which its rounding error is
    /// proportional [m/s].
    double rounding_scale(std::size_t block) const {
        const Vec3d& b = m_problem.b[block];
        if (!b.allFinite()) return 0;
        double sum = b.norm();
        for (std::uint32_t k = m_problem.start[block]; k < m_problem.start[block + 1]; ++k)
            sum += (m_problem.matrices[k] * m_problem.p[m_problem.columns[k]]).norm();
        return sum;
    }

    Projection project(std::size_t block, const Vec3d& u) const {
        Vec3d pushed = u;
        pushed.x() += m_scratch.shift[block];
        return onto_cone(m_scratch.center[block] - pushed / m_scratch.softness[block],
                         m_problem.friction[block]);
    }

    /// Recomputes the velocities and projections that belong to the current impulses.
    void refresh(bool new_shift) {
        m_worst = m_sum = 0;
        for (std::size_t i = 0; i < m_problem.blocks(); ++i) {
            const Vec3d u = m_scratch.u[i] = velocity_of(m_problem, i);
            Vec3d away;
            if (i < m_problem.equalities) {
                away = u + m_problem.compliance[i] * m_problem.p[i];
            } else {
                if (new_shift) m_scratch.shift[i] = m_problem.friction[i] * u.tail<2>().norm();
                const Projection now = project(i, u);
                m_scratch.projected[i] = now.p;
                m_scratch.change[i] = now.change;
                m_scratch.place[i] = now.holds ? 0 : open;
                away = m_scratch.softness[i] / m_share * (m_problem.p[i] - now.p);
            }
            m_sum += away.squaredNorm();
            m_worst = std::max(m_worst, away.cwiseAbs().maxCoeff());
        }
    }

    void move_by(double share) {
        for (std::size_t i = 0; i < m_problem.blocks(); ++i)
            m_problem.p[i] += share * m_scratch.direction[i];
    }

    /// Newton direction: the change of all impulses that would meet the linearized conditions.
    /// `shifting` includes the derivative of the shift. Returns false if there is no finite solution.
    bool find_direction(bool shifting) {
        const std::size_t blocks = m_problem.blocks();
        std::size_t rows = 0;
        for (std::size_t i = 0; i < blocks; ++i)
            if (i < m_problem.equalities || m_scratch.place[i] != open)
                m_scratch.place[i] = static_cast<std::uint32_t>(rows++);
        const std::size_t n = 3 * rows;
        m_scratch.dense.assign(n * n, 0);
        m_scratch.right.resize(n);
        for (std::size_t i = 0; i < blocks; ++i) {
            // Open contacts drop their impulse.
            m_scratch.direction[i] = -m_problem.p[i];
            if (m_scratch.place[i] != open) write_rows(i, shifting, n);
        }
        if (!solve_dense(m_scratch.dense, m_scratch.right, n)) return false;
        bool finite = true;
        for (std::size_t i = 0; i < blocks; ++i) {
            if (m_scratch.place[i] == open) continue;
            m_scratch.direction[i] =
                Eigen::Map<const Vec3d>(&m_scratch.right[3 * m_scratch.place[i]]);
            finite = finite && m_scratch.direction[i].allFinite();
        }
        return finite;
    }

    /// Writes the three rows of a block: P dp + U du = right.
    void write_rows(std::size_t block, bool shifting, std::size_t n) {
        Mat3d P = Mat3d::Identity(), U = Mat3d::Identity();
        Vec3d right;
        if (block < m_problem.equalities) {
            P = m_problem.compliance[block];
            right = -(m_scratch.u[block] + P * m_problem.p[block]);
        } else {
            U = m_scratch.change[block] / m_scratch.softness[block];
            const Eigen::Vector2d ut = m_scratch.u[block].tail<2>();
            const double length = ut.norm();
            if (shifting && length > 0) {
                const Vec3d normal = U.col(0);
                U.rightCols<2>() += m_problem.friction[block] / length * normal * ut.transpose();
            }
            right = m_scratch.projected[block] - m_problem.p[block];
        }
        const std::size_t row = 3 * m_scratch.place[block];
        const auto add = [&](std::size_t column, const Mat3d& entry) {
            for (std::size_t r = 0; r < 3; ++r)
                for (std::size_t c = 0; c < 3; ++c)
                    m_scratch.dense[(row + r) * n + column + c] +=
                        entry(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c));
        };
        for (std::uint32_t k = m_problem.start[block]; k < m_problem.start[block + 1]; ++k) {
            const std::uint32_t column = m_problem.columns[k], at = m_scratch.place[column];
            const Mat3d entry = U * m_problem.matrices[k];
            if (at != open)
                add(3 * at, entry);
            else
                right += entry * m_problem.p[column]; // this impulse is dropped
        }
        add(row, P);
        std::copy(right.data(), right.data() + 3, &m_scratch.right[row]);
    }

    /// Exact line search: the step length along the direction at which the slope of the convex
    /// function is zero. Equalities hold all along the line.
    double line_search() {
        const std::size_t first = m_problem.equalities, n = m_problem.blocks();
        for (std::size_t i = first; i < n; ++i) {
            Vec3d sum = Vec3d::Zero();
            for (std::uint32_t k = m_problem.start[i]; k < m_problem.start[i + 1]; ++k)
                sum += m_problem.matrices[k] * m_scratch.direction[m_problem.columns[k]];
            m_scratch.speed[i] = sum;
        }
        const auto slope = [&](double share) {
            double sum = 0;
            for (std::size_t i = first; i < n; ++i) {
                const Vec3d u = m_scratch.u[i] + share * m_scratch.speed[i];
                const Vec3d p = m_problem.p[i] + share * m_scratch.direction[i];
                sum += m_scratch.speed[i].dot(p - project(i, u).p);
            }
            return sum;
        };
        if (slope(1) <= 0.1 * std::abs(slope(0))) return 1;
        double low = 0, high = 1;
        for (int k = 0; k < 20; ++k) {
            const double middle = 0.5 * (low + high);
            (slope(middle) <= 0 ? low : high) = middle;
        }
        return high;
    }

    ConeProblem& m_problem;
    ConeScratch& m_scratch;
    double m_share, m_enough = 0, m_worst = 0, m_sum = 0;
};

} // namespace

double cone_residual(const ConeProblem& problem) {
    double worst = 0;
    for (std::size_t i = 0; i < problem.blocks(); ++i)
        worst = std::max(worst, block_residual(problem, i, velocity_of(problem, i),
                                               problem.matrices[problem.start[i]]));
    return worst;
}

ConeResult solve_cones(ConeProblem& problem, double tolerance, int sweeps, ConeScratch& scratch) {
    ConeResult result;
    if (problem.blocks() == 0) return result;
    result.residual = infinite;
    scratch.best = problem.p; // kept if no residual is a number
    const auto look = [&] {
        const double residual = cone_residual(problem);
        if (residual < result.residual) {
            result.residual = residual;
            scratch.best = problem.p;
        }
    };
    // With a good guess a few sweeps are enough.
    for (int k = 0; k < 4 && result.residual > tolerance; ++k) {
        sweep(problem, scratch);
        ++result.sweeps;
        look();
    }
    double share = 1e-3;
    while (result.residual > tolerance && result.sweeps < sweeps) {
        Softened soft(problem, scratch, share, tolerance);
        const double before = result.residual;
        for (int k = 0; k < 20 && !soft.met(); ++k) result.sweeps += soft.advance();
        soft.finish();
        look();
        if (result.residual > 0.1 * before) share = std::max(1e-6, 0.2 * share);
    }
    problem.p = scratch.best;
    return result;
}

} // namespace nendo
