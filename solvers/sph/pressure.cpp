// SPDX-License-Identifier: Apache-2.0
// The implicit pressure solve: a quadratic problem with pressures that may not be negative.
#include "sph/fluid.h"
#include "sph/operators.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace nendo::sph {

namespace {

/// Longest displacement of a particle by which one substep undoes compression [spacings].
constexpr double longest_shift = 0.1;

/// Sums of one pass over the unknowns.
struct Sums {
    double a = 0, b = 0, c = 0;
    Sums operator+(const Sums& other) const { return {a + other.a, b + other.b, c + other.c}; }
};

/// Finds pressures p >= 0 so that fluid is compressed no further than its targets allow:
///     minimize 1/2 p K p - p b,   K p = -dt^2 V rate(acceleration(p)),   b = V target
/// by conjugate gradients on the pressures above zero, with steps that let others join or leave
/// (Dostal and Schoeberl 2005, "Minimizing quadratic functions subject to bound constraints"). The
/// unknown is the pressure over `scale`, for which all diagonal entries of K are 1. Particles of
/// bodies have pressures only if `bodies` is true.
template <class Real> class PressureProblem {
public:
    PressureProblem(Matter<Real>& matter, const Neighborhood<Real>& near, const Walls<Real>& walls,
                    const Kernels<Real>& kernels, double dt, bool bodies,
                    Partials<double>& partials)
        : m(matter), m_near(near), m_walls(walls), m_kernels(kernels),
          m_step(static_cast<Real>(dt)), m_partials(partials) {
        const std::size_t n = near.size();
        for (auto* column : {&m.unknown, &m.scale, &m.gradient, &m.direction, &m.product})
            column->assign(n, Real(0));
        parallel_for(n, [&](std::size_t i) {
            if (!bodies && m.group[i] != free_group) return;
            const Real diagonal =
                m_step * m_step * m.volume[i] * own_pressure_response(m, near, walls, kernels, i);
            if (diagonal > Real(0)) m.scale[i] = Real(1) / std::sqrt(diagonal);
        });
    }

    /// Solves for m.target, from the present pressures. The result is in m.velocity and, as
    /// acceleration, in m.acceleration.
    PressureSolve solve(double tolerance, int most_iterations) {
        const std::size_t n = m_near.size();
        parallel_for(n, [&](std::size_t i) {
            m.unknown[i] = m.scale[i] > Real(0) ? m.velocity[i][3] / m.scale[i] : Real(0);
        });
        PressureSolve solve;
        find_gradient();
        weaken_start();
        follow_gradient();
        for (solve.iterations = 1;; ++solve.iterations) {
            const Sums sums = measure();
            solve.error = m_error / std::max(m_free, 1.0);
            solve.converged = solve.error <= tolerance;
            if (solve.converged || solve.iterations >= most_iterations) break;
            if (!(sums.a <= sums.b ? step_within(solve) : step_out())) break;
        }
        show(m.unknown);
        accelerate(m, m_near, m_walls, m_kernels);
        return solve;
    }

private:
    /// Makes the unknowns the pressures that accelerate() reads.
    void show(const std::vector<Real>& unknown) {
        parallel_for(m_near.size(),
                     [&](std::size_t i) { m.velocity[i][3] = m.scale[i] * unknown[i]; });
    }
    /// product = K (scaled) times a vector.
    void multiply(const std::vector<Real>& vector) {
        show(vector);
        accelerate(m, m_near, m_walls, m_kernels);
        const Real factor = -m_step * m_step;
        parallel_for(m_near.size(), [&](std::size_t i) {
            m.product[i] =
                m.scale[i] > Real(0)
                    ? factor * m.scale[i] * m.volume[i] *
                          compression_rate(m, m_near, m_walls, m_kernels, m.acceleration, i, false)
                    : Real(0);
        });
    }
    void find_gradient() {
        multiply(m.unknown);
        parallel_for(m_near.size(), [&](std::size_t i) {
            m.gradient[i] = m.product[i] - m.scale[i] * m.volume[i] * m.target[i];
        });
    }
    /// Scales the pressures that the solve starts from, so that they are never worse than none. Steps
    /// of conjugate gradients only improve on them, and pressures better than none take kinetic energy:
    /// fluid whose solves run out of iterations sinks, and does not burst. That is not proven for the
    /// steps along the gradient, whose length is an estimate.
    void weaken_start() {
        const Sums sums = sum([&](std::size_t i) {
            const auto p = static_cast<double>(m.unknown[i]);
            return Sums{p * static_cast<double>(m.product[i]),
                        p * static_cast<double>(m.product[i] - m.gradient[i]), 0};
        });
        if (!(sums.a > 0) || sums.b >= sums.a) return;
        const auto share = static_cast<Real>(std::max(sums.b / sums.a, 0.0));
        parallel_for(m_near.size(), [&](std::size_t i) {
            m.unknown[i] *= share;
            m.gradient[i] -= (Real(1) - share) * m.product[i];
        });
    }
    /// The part of the gradient that pressures above zero can follow.
    Real free_gradient(std::size_t i) const {
        return m.unknown[i] > Real(0) ? m.gradient[i] : Real(0);
    }
    /// The part by which pressures at zero rise.
    Real rising_gradient(std::size_t i) const {
        return m.unknown[i] > Real(0) ? Real(0) : std::min(m.gradient[i], Real(0));
    }
    void follow_gradient() {
        parallel_for(m_near.size(), [&](std::size_t i) { m.direction[i] = free_gradient(i); });
    }

    template <class Term> Sums sum(const Term& term) {
        return parallel_reduce(
            m_near.size(), Sums{}, term, [](const Sums& x, const Sums& y) { return x + y; },
            m_sums);
    }
    /// a: squared rising gradient; b: what the free gradient can do; c: compression left, or too
    /// much undone.
    Sums measure() {
        const Sums sums = sum([&](std::size_t i) {
            const auto free = static_cast<double>(free_gradient(i));
            const auto rising = static_cast<double>(rising_gradient(i));
            const auto limited =
                std::min(free, static_cast<double>(m.unknown[i] / m_gradient_step));
            const Real per_target = m.scale[i] * m.volume[i];
            const double left = per_target > Real(0)
                                    ? (std::abs(free) - rising) / static_cast<double>(per_target)
                                    : 0.0;
            return Sums{rising * rising, limited * free, left};
        });
        m_error = sums.c;
        if (m_free == 0)
            m_free = sum([&](std::size_t i) {
                         return Sums{m.scale[i] > Real(0) ? 1.0 : 0.0, 0, 0};
                     }).a;
        return sums;
    }

    /// a: direction K direction; b: direction times gradient; c: squared direction. The ratio of a
    /// and c tells how long steps along the gradient may be.
    Sums measure_direction() {
        const Sums sums = sum([&](std::size_t i) {
            const auto d = static_cast<double>(m.direction[i]);
            return Sums{d * static_cast<double>(m.product[i]),
                        d * static_cast<double>(m.gradient[i]), d * d};
        });
        if (sums.a > 0)
            m_gradient_step = std::min(m_gradient_step, static_cast<Real>(sums.c / sums.a));
        return sums;
    }

    void move(Real length) {
        parallel_for(m_near.size(), [&](std::size_t i) {
            m.unknown[i] -= length * m.direction[i];
            m.gradient[i] -= length * m.product[i];
        });
    }

    /// A step of conjugate gradients. Where a pressure would become negative, a shorter one, and then
    /// a step along the gradient. Returns false if the direction leads nowhere.
    bool step_within(PressureSolve& solve) {
        multiply(m.direction);
        const Sums sums = measure_direction();
        if (!(sums.a > 0)) return false;
        const double length = sums.b / sums.a;
        const double longest = parallel_reduce(
            m_near.size(), infinite,
            [&](std::size_t i) {
                return m.direction[i] > Real(0) ? static_cast<double>(m.unknown[i] / m.direction[i])
                                                : infinite;
            },
            [](double x, double y) { return std::min(x, y); }, m_partials);
        if (length <= longest) {
            move(static_cast<Real>(length));
            const auto back =
                static_cast<Real>(sum([&](std::size_t i) {
                                      return Sums{static_cast<double>(free_gradient(i)) *
                                                      static_cast<double>(m.product[i]),
                                                  0, 0};
                                  }).a /
                                  sums.a);
            parallel_for(m_near.size(), [&](std::size_t i) {
                m.direction[i] = free_gradient(i) - back * m.direction[i];
            });
            return true;
        }
        move(static_cast<Real>(longest));
        parallel_for(m_near.size(), [&](std::size_t i) {
            m.unknown[i] = std::max(m.unknown[i] - m_gradient_step * free_gradient(i), Real(0));
        });
        ++solve.iterations;
        find_gradient();
        follow_gradient();
        return true;
    }

    /// A step that raises pressures from zero.
    bool step_out() {
        parallel_for(m_near.size(), [&](std::size_t i) { m.direction[i] = rising_gradient(i); });
        multiply(m.direction);
        const Sums sums = measure_direction();
        if (!(sums.a > 0)) return false;
        move(static_cast<Real>(sums.b / sums.a));
        follow_gradient();
        return true;
    }

    Matter<Real>& m;
    const Neighborhood<Real>& m_near;
    const Walls<Real>& m_walls;
    const Kernels<Real>& m_kernels;
    Real m_step;
    Partials<double>& m_partials;
    Partials<Sums> m_sums;
    Real m_gradient_step = Real(0.5); ///< Length of a step along the gradient
    double m_error = 0;               ///< Compression left, summed over the fluid [1]
    double m_free = 0;                ///< Number of unknowns
};

} // namespace

template <class Real>
PressureSolve solve_pressure(Matter<Real>& m, const Neighborhood<Real>& near,
                             const Walls<Real>& walls, const Kernels<Real>& kernels,
                             const Params& params, double dt, Partials<double>& partials) {
    const std::size_t n = near.size();
    const Real step = static_cast<Real>(dt);
    m.acceleration.resize(n + 1);
    m.acceleration[n].setZero();
    m.target.resize(n);
    m.shift.resize(n);
    // Velocities: what is compressed must not be compressed further, what is not may come together.
    parallel_for(n, [&](std::size_t i) {
        m.target[i] = std::min(m.compression[i] - Real(1), Real(0)) +
                      step * compression_rate(m, near, walls, kernels, m.velocity, i, true);
    });
    PressureSolve solve = PressureProblem<Real>(m, near, walls, kernels, dt, true, partials)
                              .solve(0.1 * params.pressure_tolerance, params.pressure_iterations);
    m.pressure_response.resize(n);
    parallel_for(n, [&](std::size_t i) {
        m.pressure_response[i] = m.velocity[i][3];
        m.velocity[i].template head<3>() += step * m.acceleration[i].template head<3>();
    });
    // Positions: fluid moves around bodies, which stay.
    parallel_for(n, [&](std::size_t i) {
        m.target[i] = m.compression[i] - Real(1) +
                      step * compression_rate(m, near, walls, kernels, m.velocity, i, true);
    });
    m.fluid_per_mass = m.per_mass;
    parallel_for(n, [&](std::size_t i) {
        m.velocity[i][3] = 0;
        if (m.group[i] != free_group) m.fluid_per_mass[i] = 0;
    });
    std::swap(m.per_mass, m.fluid_per_mass);
    const PressureSolve shifts = PressureProblem<Real>(m, near, walls, kernels, dt, false, partials)
                                     .solve(params.pressure_tolerance, params.pressure_iterations);
    const Real longest = static_cast<Real>(longest_shift * params.spacing);
    parallel_for(n, [&](std::size_t i) {
        const Vec3<Real> shift = step * step * m.acceleration[i].template head<3>();
        const Real length = shift.norm();
        m.shift[i] = length > longest ? Vec3<Real>(shift * (longest / length)) : shift;
        m.velocity[i][3] = m.pressure_response[i];
    });
    std::swap(m.per_mass, m.fluid_per_mass);
    solve.iterations += shifts.iterations;
    return solve;
}

template PressureSolve solve_pressure(Matter<float>&, const Neighborhood<float>&,
                                      const Walls<float>&, const Kernels<float>&, const Params&,
                                      double, Partials<double>&);
template PressureSolve solve_pressure(Matter<double>&, const Neighborhood<double>&,
                                      const Walls<double>&, const Kernels<double>&, const Params&,
                                      double, Partials<double>&);

} // namespace nendo::sph
