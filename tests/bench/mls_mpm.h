// A yardstick: plain explicit MLS-MPM in float, as a careful person writes it in an afternoon.
// Quadratic B-splines, fixed corotated elasticity with the clamp of snow, eight particles a cell,
// sorted by cell every four steps. Slabs of four cells are scattered by two colours.
#pragma once

#include "core/parallel.h"
#include "math/svd3.h"

#include <array>
#include <cmath>
#include <vector>

namespace nendo::test {

class MlsMpm {
public:
    using Vec = Vec3<float>;
    using Mat = Mat3<float>;
    struct Particle {
        Vec x, v;
        Mat C, F;
        float J_P = 1;
    };

    /// A cube of side^3 particles above the ground of a box of cells.
    MlsMpm(int side, float spacing, float young, float poisson, float density)
        : m_dx(2 * spacing), m_mass(density * spacing * spacing * spacing),
          m_volume(spacing * spacing * spacing), m_mu(young / (2 * (1 + poisson))),
          m_lambda(young * poisson / ((1 + poisson) * (1 - 2 * poisson))) {
        const int cells = (side + 1) / 2;
        m_size = {cells + 8, cells + 12, cells + 8};
        m_grid.resize(static_cast<std::size_t>(m_size[0]) * static_cast<std::size_t>(m_size[1]) *
                      static_cast<std::size_t>(m_size[2]));
        for (int i = 0; i < side; ++i)
            for (int j = 0; j < side; ++j)
                for (int k = 0; k < side; ++k) {
                    Particle p;
                    p.x = m_dx * Vec(4, 4, 4) +
                          spacing * (Vec(float(i), float(j), float(k)) + Vec::Constant(0.5f));
                    p.v = Vec(0, -3, 0);
                    p.C.setZero();
                    p.F.setIdentity();
                    m_particles.push_back(p);
                }
    }

    void step(float dt) {
        if (m_steps++ % 4 == 0) sort();
        parallel_for(m_grid.size(), [&](std::size_t n) { m_grid[n].setZero(); });
        scatter(dt);
        move_grid(dt);
        gather(dt);
    }

    const std::vector<Particle>& particles() const { return m_particles; }
    std::size_t bytes() const {
        return m_particles.capacity() * sizeof(Particle) * 2 +
               m_grid.capacity() * sizeof(m_grid[0]);
    }

private:
    struct Stencil {
        std::array<int, 3> base;
        std::array<Vec, 3> weight; ///< By offset; lanes are axes
        Vec offset;                ///< From the first node, in cells
    };

    Stencil stencil(const Vec& x) const {
        Stencil s;
        const Vec cell = x / m_dx;
        for (int a = 0; a < 3; ++a) s.base[size_t(a)] = int(cell[a] - 0.5f);
        s.offset = cell - Vec(float(s.base[0]), float(s.base[1]), float(s.base[2]));
        s.weight[0] = 0.5f * (Vec::Constant(1.5f) - s.offset).array().square();
        s.weight[1] = 0.75f - (s.offset - Vec::Constant(1)).array().square();
        s.weight[2] = 0.5f * (s.offset - Vec::Constant(0.5f)).array().square();
        return s;
    }
    std::size_t node(int i, int j, int k) const {
        return (static_cast<std::size_t>(k) * static_cast<std::size_t>(m_size[1]) +
                static_cast<std::size_t>(j)) *
                   static_cast<std::size_t>(m_size[0]) +
               static_cast<std::size_t>(i);
    }

    /// By cell, slab after slab; m_slab holds where each slab of four layers begins.
    void sort() {
        std::vector<std::size_t> start(m_grid.size() + 1, 0);
        std::vector<std::size_t> cell(m_particles.size());
        for (std::size_t p = 0; p < m_particles.size(); ++p) {
            const Stencil s = stencil(m_particles[p].x);
            cell[p] = node(s.base[0], s.base[1], s.base[2]);
            ++start[cell[p] + 1];
        }
        for (std::size_t c = 0; c < m_grid.size(); ++c) start[c + 1] += start[c];
        const std::size_t layer = node(0, 0, 1);
        m_slab.clear();
        for (std::size_t c = 0; c < m_grid.size(); c += 6 * layer) m_slab.push_back(start[c]);
        m_slab.push_back(m_particles.size());
        std::vector<Particle> sorted(m_particles.size());
        for (std::size_t p = 0; p < m_particles.size(); ++p)
            sorted[start[cell[p]]++] = m_particles[p];
        m_particles.swap(sorted);
    }

    void scatter(float dt) {
        // Slabs of six layers: between sorts particles stray by less than one, and reach two more.
        for (std::size_t colour = 0; colour < 2; ++colour)
            parallel_tasks((m_slab.size() - 1 + 1 - colour) / 2, [&](std::size_t k) {
                const std::size_t slab = 2 * k + colour;
                for (std::size_t p = m_slab[slab]; p != m_slab[slab + 1]; ++p)
                    scatter(m_particles[p], dt);
            });
    }

    void scatter(const Particle& p, float dt) {
        const Stencil s = stencil(p.x);
        const float harder = std::exp(10 * (1 - p.J_P));
        const Svd3<float> svd = svd3(p.F);
        const float J = svd.sigma.prod();
        const Mat stress = 2 * m_mu * harder * (p.F - svd.U * svd.V.transpose()) * p.F.transpose() +
                           Mat(m_lambda * harder * (J - 1) * J * Mat::Identity());
        const Mat affine = -dt * m_volume * 4 / (m_dx * m_dx) * stress + m_mass * p.C;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                for (int k = 0; k < 3; ++k) {
                    const Vec arm = (Vec(float(i), float(j), float(k)) - s.offset) * m_dx;
                    const float w =
                        s.weight[size_t(i)][0] * s.weight[size_t(j)][1] * s.weight[size_t(k)][2];
                    Vec4<float> give;
                    give << m_mass * p.v + affine * arm, m_mass;
                    m_grid[node(s.base[0] + i, s.base[1] + j, s.base[2] + k)] += w * give;
                }
    }

    void move_grid(float dt) {
        parallel_for(m_grid.size(), [&](std::size_t n) {
            Vec4<float>& g = m_grid[n];
            if (!(g[3] > 0)) return;
            g.head<3>() /= g[3];
            g[1] -= 9.81f * dt;
            const auto row = n / static_cast<std::size_t>(m_size[0]);
            if (row % static_cast<std::size_t>(m_size[1]) < 4) g[1] = std::max(g[1], 0.0f);
        });
    }

    void gather(float dt) {
        parallel_for(m_particles.size(), [&](std::size_t n) {
            Particle& p = m_particles[n];
            const Stencil s = stencil(p.x);
            p.v.setZero();
            p.C.setZero();
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j)
                    for (int k = 0; k < 3; ++k) {
                        const Vec arm = Vec(float(i), float(j), float(k)) - s.offset;
                        const Vec v =
                            s.weight[size_t(i)][0] * s.weight[size_t(j)][1] *
                            s.weight[size_t(k)][2] *
                            m_grid[node(s.base[0] + i, s.base[1] + j, s.base[2] + k)].head<3>();
                        p.v += v;
                        p.C += 4 / m_dx * v * arm.transpose();
                    }
            p.x += dt * p.v;
            const Mat F = (Mat::Identity() + dt * p.C) * p.F;
            const Svd3<float> svd = svd3(F);
            const Vec kept = svd.sigma.cwiseMax(1 - 0.025f).cwiseMin(1 + 0.0075f);
            p.J_P = std::min(std::max(p.J_P * svd.sigma.prod() / kept.prod(), 0.6f), 20.0f);
            p.F = svd.U * kept.asDiagonal() * svd.V.transpose();
        });
    }

    float m_dx, m_mass, m_volume, m_mu, m_lambda;
    std::array<int, 3> m_size;
    std::vector<Particle> m_particles;
    std::vector<Vec4<float>> m_grid; ///< Momentum, then velocity; mass
    std::vector<std::size_t> m_slab;
    int m_steps = 0;
};

} // namespace nendo::test
