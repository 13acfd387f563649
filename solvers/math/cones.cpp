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

/// A bound on the eigenvalues of the tangents' own matrix.
double tangent_bound(const Mat3d& own) {
    return own(1, 1) + own(2, 2);
}

/// How far a block is from its conditions, as a velocity: what a projected step would change.
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

/// The problem with every block softened by a share of itself about `center`: it has one solution
/// only, even where blocks say the same twice (four corners on a table), and that of the whole
/// problem is the limit when the center follows [Rockafellar 1976, the proximal point method].
class Softened {
public:
    Softened(ConeProblem& problem, ConeScratch& scratch, double share)
        : m_problem(problem), m_scratch(scratch), m_share(share) {
        scratch.center = problem.p;
    }

    Mat3d own(std::size_t block) const {
        Mat3d matrix = m_problem.matrices[m_problem.start[block]];
        matrix.diagonal() += softness(block);
        return matrix;
    }
    Vec3d velocity(std::size_t block) const {
        return velocity_of(m_problem, block) +
               softness(block).cwiseProduct(m_problem.p[block] - m_scratch.center[block]);
    }
    double residual() const {
        double worst = 0;
        for (std::size_t i = 0; i < m_problem.blocks(); ++i)
            worst = std::max(worst, block_residual(m_problem, i, velocity(i), own(i)));
        return worst;
    }

    /// One sweep: each block in turn meets its conditions while all others stay.
    void sweep() {
        if (m_problem.equalities > 0) solve_equalities();
        for (std::size_t i = m_problem.equalities; i < m_problem.blocks(); ++i)
            m_problem.p[i] = improved(i, velocity(i), own(i));
    }

    /// One step of Newton's method.
    void newton() {
        const std::size_t blocks = m_problem.blocks();
        std::vector<std::uint32_t>& place = m_scratch.place;
        place.assign(blocks, open);
        m_scratch.conditions.clear();
        for (std::size_t i = 0; i < blocks; ++i) {
            const ConeCondition c = condition(i, velocity(i), own(i));
            if (!c.holds) continue;
            place[i] = static_cast<std::uint32_t>(m_scratch.conditions.size());
            m_scratch.conditions.push_back(c);
        }
        const auto n = static_cast<Eigen::Index>(3 * m_scratch.conditions.size());
        m_scratch.dense.setZero(n, n);
        m_scratch.right.resize(n);
        for (std::size_t i = 0; i < blocks; ++i)
            if (place[i] != open) write_rows(i, m_scratch.conditions[place[i]]);
        // Blocks that let go give their impulse up.
        for (std::size_t i = 0; i < blocks; ++i)
            if (place[i] == open) m_problem.p[i].setZero();
        if (n == 0) return;
        m_scratch.factor.compute(m_scratch.dense);
        m_scratch.solution = m_scratch.factor.solve(m_scratch.right);
        if (!m_scratch.solution.allFinite()) return;
        for (std::size_t i = 0; i < blocks; ++i)
            if (place[i] != open) take(i, m_scratch.solution.segment<3>(3 * place[i]));
    }

private:
    static constexpr std::uint32_t open = static_cast<std::uint32_t>(-1);

    Vec3d softness(std::size_t block) const {
        const Mat3d& matrix = m_problem.matrices[m_problem.start[block]];
        if (block < m_problem.equalities) return Vec3d::Zero();
        const double tangent = 0.5 * tangent_bound(matrix);
        return m_share * Vec3d(matrix(0, 0), tangent, tangent);
    }

    Vec3d improved(std::size_t block, const Vec3d& u, const Mat3d& matrix) const {
        Vec3d p = m_problem.p[block];
        const double normal = std::max(0.0, p.x() - u.x() / matrix(0, 0));
        const double friction = m_problem.friction[block];
        if (friction == 0) return {normal, 0, 0};
        const double change = normal - p.x();
        const double ut = u.y() + matrix(1, 0) * change, us = u.z() + matrix(2, 0) * change;
        p.x() = normal;
        // Sticking first; a gradient step that is cut to the cone where that is too much.
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

    void solve_equalities() {
        const auto n = static_cast<Eigen::Index>(3 * m_problem.equalities);
        m_scratch.dense.setZero(n, n);
        m_scratch.right.resize(n);
        for (std::size_t i = 0; i < m_problem.equalities; ++i) {
            const auto row = static_cast<Eigen::Index>(3 * i);
            for (std::uint32_t k = m_problem.start[i]; k < m_problem.start[i + 1]; ++k)
                if (m_problem.columns[k] < m_problem.equalities)
                    m_scratch.dense.block<3, 3>(row, 3 * m_problem.columns[k]) +=
                        m_problem.matrices[k];
            m_scratch.dense.block<3, 3>(row, row) += m_problem.compliance[i];
            m_scratch.right.segment<3>(row) =
                -velocity(i) - m_problem.compliance[i] * m_problem.p[i];
        }
        m_scratch.factor.compute(m_scratch.dense);
        m_scratch.solution = m_scratch.factor.solve(m_scratch.right);
        for (std::size_t i = 0; i < m_problem.equalities; ++i)
            m_problem.p[i] += m_scratch.solution.segment<3>(static_cast<Eigen::Index>(3 * i));
    }

    /// A block's conditions, made linear at hand.
    ConeCondition condition(std::size_t block, const Vec3d& u, const Mat3d& matrix) const {
        const Vec3d& p = m_problem.p[block];
        ConeCondition c{Mat3d::Zero(), Mat3d::Identity(), -u, true};
        if (block < m_problem.equalities) {
            c.P = m_problem.compliance[block];
            c.right -= c.P * p;
            return c;
        }
        const double pushed = p.x() - u.x() / matrix(0, 0);
        c.holds = pushed > 0;
        if (!c.holds) return c;
        const double friction = m_problem.friction[block], rate = 2 / tangent_bound(matrix);
        const Eigen::Vector2d pt = p.tail<2>(), z = pt - rate * u.tail<2>();
        const double length = z.norm(), limit = friction * pushed;
        if (length <= limit && friction > 0) return c; // it sticks
        // It slides: p_t = friction pushed z / |z|.
        const Eigen::Vector2d s = length > 0 ? Eigen::Vector2d(z / length) : Eigen::Vector2d(0, 0);
        Eigen::Matrix2d turning = -s * s.transpose();
        turning.diagonal().array() += 1;
        turning *= length > 0 ? limit / length : 0;
        c.P.bottomRightCorner<2, 2>() = Eigen::Matrix2d::Identity() - turning;
        c.P.bottomLeftCorner<2, 1>() = -friction * s;
        c.U.bottomRightCorner<2, 2>() = rate * turning;
        c.U.bottomLeftCorner<2, 1>() = friction / matrix(0, 0) * s;
        c.right.tail<2>() = limit * s - pt;
        return c;
    }

    void write_rows(std::size_t block, const ConeCondition& c) {
        const auto row = static_cast<Eigen::Index>(3 * m_scratch.place[block]);
        Vec3d right = c.right;
        for (std::uint32_t k = m_problem.start[block]; k < m_problem.start[block + 1]; ++k) {
            const std::uint32_t column = m_problem.columns[k], at = m_scratch.place[column];
            const Mat3d entry = c.U * m_problem.matrices[k];
            if (at != open)
                m_scratch.dense.block<3, 3>(row, 3 * at) += entry;
            else
                right += entry * m_problem.p[column]; // which is given up
        }
        m_scratch.dense.block<3, 3>(row, row) += c.P;
        m_scratch.dense.block<3, 3>(row, row) += c.U * softness(block).asDiagonal();
        m_scratch.right.segment<3>(row) = right;
    }

    void take(std::size_t block, const Vec3d& change) {
        Vec3d& p = m_problem.p[block];
        p += change;
        if (block < m_problem.equalities) return;
        p.x() = std::max(0.0, p.x());
        if (m_problem.friction[block] == 0) p.tail<2>().setZero();
    }

    ConeProblem& m_problem;
    ConeScratch& m_scratch;
    double m_share;
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
    const auto look = [&] {
        const double residual = cone_residual(problem);
        if (residual < result.residual) {
            result.residual = residual;
            scratch.best = problem.p;
        }
    };
    // Few sweeps are enough where the guess is good.
    Softened plain(problem, scratch, 0);
    for (int k = 0; k < 4 && result.residual > tolerance; ++k) {
        plain.sweep();
        ++result.sweeps;
        look();
    }
    double share = 1e-3;
    while (result.residual > tolerance && result.sweeps < sweeps) {
        Softened soft(problem, scratch, share);
        const double before = result.residual;
        double inner = infinite;
        int misses = 0;
        for (int k = 0; k < 20 && inner > 0.1 * tolerance && misses < 3; ++k) {
            soft.newton();
            ++result.sweeps;
            const double now = soft.residual();
            misses += now > 0.5 * inner ? 1 : 0;
            inner = std::min(inner, now);
        }
        if (misses == 3)
            for (int k = 0; k < 10; ++k, ++result.sweeps) soft.sweep();
        look();
        share = misses == 3
                    ? std::min(0.1, 4 * share)
                    : (result.residual > 0.1 * before ? std::max(1e-7, 0.2 * share) : share);
    }
    problem.p = scratch.best;
    return result;
}

} // namespace nendo
