// SPDX-License-Identifier: Apache-2.0
// A yardstick: plain explicit MLS-MPM in float, written to be fast. Quadratic B-splines, fixed
// corotated elasticity with the clamp of snow, eight particles per cell, sorted by cell every four
// steps. One SVD per particle and step, eight at a time; the four lanes of a node at a time; one
// grid per thread.
#pragma once

#include "core/parallel.h"
#include "math/svd3.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace nendo::test {

class MlsMpm {
public:
    using Vec = Vec3<float>;
    using Mat = Mat3<float>;
    using Node = Vec4<float>;                  ///< Momentum (later velocity) and mass
    using Affine = Eigen::Matrix<float, 4, 3>; ///< The last row is zero, so that a column is a Node
    struct Particle {
        Vec x, v;
        Mat F = Mat::Identity();
        Affine give = Affine::Zero(); ///< Momentum one cell away, including that of stress
        float J_P = 1;
    };

    /// A cube of side^3 particles above the ground, in a box of cells.
    MlsMpm(int side, float spacing, float young, float poisson, float density)
        : m_dx(2 * spacing), m_mass(density * spacing * spacing * spacing),
          m_volume(spacing * spacing * spacing), m_mu(young / (2 * (1 + poisson))),
          m_lambda(young * poisson / ((1 + poisson) * (1 - 2 * poisson))) {
        const int cells = (side + 1) / 2;
        m_size = {cells + 8, cells + 12, cells + 8};
        m_nodes = static_cast<std::size_t>(m_size[0] * m_size[1] * m_size[2]);
        for (int i = 0; i < side; ++i)
            for (int j = 0; j < side; ++j)
                for (int k = 0; k < side; ++k) {
                    Particle p;
                    p.x = m_dx * Vec(4, 4, 4) +
                          spacing * (Vec(float(i), float(j), float(k)) + Vec::Constant(0.5f));
                    p.v = Vec(0, -3, 0);
                    m_particles.push_back(p);
                }
        m_sorted.resize(m_particles.size());
        m_cell.resize(m_particles.size());
        m_start.resize(m_nodes + 1);
    }

    void step(float dt) {
        if (m_steps++ % 4 == 0) sort();
        scatter();
        move_grid(dt);
        gather(dt);
    }

    const std::vector<Particle>& particles() const { return m_particles; }
    std::size_t bytes() const {
        return m_particles.size() * (2 * sizeof(Particle) + sizeof(m_cell[0])) +
               m_start.size() * sizeof(m_start[0]) + m_grids.size() * m_nodes * sizeof(Node);
    }

private:
    struct Stencil {
        std::size_t base;          ///< Index of the first of the 27 nodes
        std::array<Vec, 3> weight; ///< By offset; the lanes are the axes
        Vec offset;                ///< From the first node, in cells
    };

    Stencil stencil(const Vec& x) const {
        Stencil s;
        const Vec cell = x / m_dx;
        const std::array<int, 3> base{int(cell[0] - 0.5f), int(cell[1] - 0.5f),
                                      int(cell[2] - 0.5f)};
        s.base = node(base[0], base[1], base[2]);
        s.offset = cell - Vec(float(base[0]), float(base[1]), float(base[2]));
        s.weight[0] = 0.5f * (Vec::Constant(1.5f) - s.offset).array().square();
        s.weight[1] = 0.75f - (s.offset - Vec::Constant(1)).array().square();
        s.weight[2] = 0.5f * (s.offset - Vec::Constant(0.5f)).array().square();
        return s;
    }
    std::size_t node(int i, int j, int k) const {
        return static_cast<std::size_t>((k * m_size[1] + j) * m_size[0] + i);
    }

    void sort() {
        std::fill(m_start.begin(), m_start.end(), 0);
        for (std::size_t p = 0; p < m_particles.size(); ++p) {
            m_cell[p] = static_cast<std::uint32_t>(stencil(m_particles[p].x).base);
            ++m_start[m_cell[p] + 1];
        }
        for (std::size_t c = 0; c < m_nodes; ++c) m_start[c + 1] += m_start[c];
        for (std::size_t p = 0; p < m_particles.size(); ++p)
            m_sorted[m_start[m_cell[p]]++] = m_particles[p];
        m_particles.swap(m_sorted);
    }

    /// Each thread has its share of the particles and a grid of its own.
    void scatter() {
        const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
        m_grids.resize(threads);
        const std::size_t n = m_particles.size();
        parallel_tasks(threads, [&](std::size_t t) {
            m_grids[t].assign(m_nodes, Node::Zero());
            for (std::size_t p = n * t / threads; p != n * (t + 1) / threads; ++p)
                scatter(m_particles[p], m_grids[t].data());
        });
    }

    void scatter(const Particle& p, Node* grid) const {
        const Stencil s = stencil(p.x);
        Node corner;
        corner << m_mass * p.v, m_mass;
        corner -= p.give * s.offset;
        grid += s.base;
        for (std::size_t k = 0; k < 3; ++k)
            for (std::size_t j = 0; j < 3; ++j) {
                const float w = s.weight[j][1] * s.weight[k][2];
                const Node first = corner + float(j) * p.give.col(1) + float(k) * p.give.col(2);
                Node* row = grid + node(0, int(j), int(k));
                row[0] += w * s.weight[0][0] * first;
                row[1] += w * s.weight[1][0] * (first + p.give.col(0));
                row[2] += w * s.weight[2][0] * (first + 2 * p.give.col(0));
            }
    }

    void move_grid(float dt) {
        parallel_for(m_nodes, [&](std::size_t n) {
            Node& g = m_grids[0][n];
            for (std::size_t t = 1; t < m_grids.size(); ++t) g += m_grids[t][n];
            if (!(g[3] > 0)) return;
            g /= g[3];
            g[1] -= 9.81f * dt;
            int rest = static_cast<int>(n);
            for (int a = 0; a < 3; ++a) { // the walls of the box hold the matter
                const int size = m_size[size_t(a)];
                const int at = rest % size;
                rest /= size;
                const int wall = a == 1 ? 4 : 2;
                if (at < wall) g[a] = std::max(g[a], 0.0f);
                if (at >= size - wall) g[a] = std::min(g[a], 0.0f);
            }
        });
    }

    void gather(float dt) {
        parallel_blocks(m_particles.size(), [&](std::size_t begin, std::size_t end) {
            std::array<Svd3<float>, lanes> svd;
            for (; begin < end; begin += lanes) {
                Particle* p = &m_particles[begin];
                const std::size_t count = std::min<std::size_t>(lanes, end - begin);
                std::array<Mat, lanes> C;
                for (std::size_t k = 0; k < count; ++k) {
                    C[k] = gather(p[k]);
                    p[k].x += dt * p[k].v;
                    p[k].F += dt * C[k] * p[k].F.eval();
                }
                svd3<float>(
                    count, [&](std::size_t k) { return p[k].F; }, svd);
                for (std::size_t k = 0; k < count; ++k) yield(p[k], svd[k], C[k], dt);
            }
        });
    }

    /// Gathers a particle's velocity and returns the velocity gradient [1/s].
    Mat gather(Particle& p) const {
        const Stencil s = stencil(p.x);
        const Node* grid = m_grids[0].data() + s.base;
        Node v = Node::Zero();
        Affine moment = Affine::Zero(); // moment of the velocities about the first node
        for (std::size_t k = 0; k < 3; ++k)
            for (std::size_t j = 0; j < 3; ++j) {
                const Node* row = grid + node(0, int(j), int(k));
                const float w = s.weight[j][1] * s.weight[k][2];
                const Node a = w * s.weight[1][0] * row[1];
                const Node b = w * s.weight[2][0] * row[2];
                const Node sum = w * s.weight[0][0] * row[0] + a + b;
                v += sum;
                moment.col(0) += a + 2 * b;
                moment.col(1) += float(j) * sum;
                moment.col(2) += float(k) * sum;
            }
        p.v = v.head<3>();
        return 4 / m_dx * (moment - v * s.offset.transpose()).topRows<3>();
    }

    /// Applies the clamp and stores the remaining stress as momentum for the next scatter.
    void yield(Particle& p, const Svd3<float>& svd, const Mat& C, float dt) const {
        const Vec kept = svd.sigma.cwiseMax(1 - 0.025f).cwiseMin(1 + 0.0075f);
        const float J = kept.prod();
        p.J_P = std::min(std::max(p.J_P * svd.sigma.prod() / J, 0.6f), 20.0f);
        p.F = svd.U * kept.asDiagonal() * svd.V.transpose();
        const float harder = std::exp(10 * (1 - p.J_P));
        const Vec stress = harder * (2 * m_mu * (kept - Vec::Ones()).cwiseProduct(kept) +
                                     Vec::Constant(m_lambda * (J - 1) * J));
        p.give.topRows<3>() =
            m_dx * m_mass * C -
            dt * m_volume * 4 / m_dx * (svd.U * stress.asDiagonal() * svd.U.transpose());
    }

    float m_dx, m_mass, m_volume, m_mu, m_lambda;
    std::array<int, 3> m_size;
    std::size_t m_nodes;
    std::vector<Particle> m_particles, m_sorted;
    std::vector<std::uint32_t> m_cell, m_start;
    std::vector<std::vector<Node>> m_grids;
    int m_steps = 0;
};

} // namespace nendo::test
