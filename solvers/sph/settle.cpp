// SPDX-License-Identifier: Apache-2.0
// Settles fluid by the motion of its own pressure, without gravity or viscosity, stopped whenever it
// begins to slow down: the fluid is at rest where its pressure energy is least.
#include "sph/settle.h"

#include "core/range.h"
#include "sph/fluid.h"
#include "sph/walls.h"

#include <algorithm>
#include <cmath>

namespace nendo::sph {

namespace {

constexpr double crowded = 1.02; ///< Compression from which fluid is settled
constexpr double settled = 1.01; ///< Compression at which it is
constexpr double at_rest =
    1.005; ///< Compression at which it has no pressure: fluid at the bottom of
           ///< a tank has a little, and stays
constexpr double too_near = 0.9; ///< Distance from a wall that is settled, in clearances
constexpr int most_steps = 400;
constexpr double furthest_step = 0.1; ///< Longest displacement in one step [spacings]

/// One settling: the scratch memory of the fluid solve, and the motion.
template <class Real> class Settler {
public:
    Settler(Placement<Real>& placement, const std::vector<MovedShape>& colliders,
            const Params& params)
        : m_placement(placement), m_colliders(colliders), m_params(params),
          m_kernels(params.spacing, params.support_radius()), m_start(placement.x) {
        // Only the geometry counts: the density is 1, and so is the speed of sound.
        m_params.pressure = Pressure::state_equation;
        m_params.stiffness = 1;
        m_params.tension = false;
        m_params.surface_tension = 0;
    }

    Settling run() {
        look();
        Settling result;
        if (!needs_settling()) return result;
        const std::size_t n = m_placement.x.size();
        m_velocity.assign(n, Vec3<Real>::Zero());
        const double dt = 0.3 * m_params.support_radius();
        for (int step = 0; step < most_steps; ++step) {
            leave_walls();
            look();
            if (most_compressed() < settled) break;
            push(static_cast<Real>(dt));
        }
        leave_walls();
        look();
        result.compression = most_compressed();
        for (std::size_t i = 0; i < n; ++i) {
            const auto moved = static_cast<double>((m_placement.x[i] - m_start[i]).norm());
            result.furthest = std::max(result.furthest, moved);
            result.moved += moved > 0.01 * m_params.spacing ? 1 : 0;
        }
        return result;
    }

private:
    /// Finds neighbors, walls and density at the present positions.
    void look() {
        m_near.place(m_placement.x, m_params.support_radius());
        m_matter.resize(m_near.size());
        parallel_for(m_near.size(), [&](std::size_t slot) {
            const std::uint32_t i = m_near.index()[slot];
            const Real volume = m_placement.volume[i];
            m_matter.position[slot] << m_placement.x[i], volume;
            m_matter.velocity[slot].setZero();
            m_matter.volume[slot] = volume;
            m_matter.per_mass[slot] = m_placement.moves[i] != 0 ? Real(1) / volume : Real(0);
            m_matter.viscosity[slot] = 0;
            m_matter.rest_density[slot] = 1;
            m_matter.group[slot] = m_placement.group[i];
        });
        m_near.find(m_kernels, m_matter.volume, m_matter.group, m_matter.compression);
        m_walls.find(m_colliders, m_near, m_kernels);
        m_walls.add_density(m_matter.compression);
    }

    bool moves(std::size_t slot) const { return m_matter.per_mass[slot] > Real(0); }

    double most_compressed() {
        return parallel_reduce(
            m_near.size(), 0.0,
            [&](std::size_t slot) {
                return moves(slot) ? static_cast<double>(m_matter.compression[slot]) : 0.0;
            },
            [](double a, double b) { return std::max(a, b); }, m_partials);
    }

    bool needs_settling() {
        for (std::size_t slot = 0; slot < m_near.size(); ++slot)
            if (moves(slot) && is_crowded(slot)) return true;
        return false;
    }

    bool is_crowded(std::size_t slot) const {
        const std::uint32_t i = m_near.index()[slot];
        const auto clearance = static_cast<double>(m_placement.clearance[i]);
        for (const Wall<Real>& wall : m_walls.of(slot))
            if (static_cast<double>(wall.distance) < too_near * clearance) return true;
        return static_cast<double>(m_matter.compression[slot]) > crowded;
    }

    /// Moves what is too close to walls away from them, and stops its motion into them.
    void leave_walls() {
        parallel_for(m_near.size(), [&](std::size_t slot) {
            if (!moves(slot)) return;
            const std::uint32_t i = m_near.index()[slot];
            const auto clearance = static_cast<double>(m_placement.clearance[i]);
            for (int look = 0; look < 4; ++look)
                for (const Wall<Real>& wall : m_walls.of(slot)) {
                    const MovedShape& shape = m_colliders[wall.collider];
                    const Vec3d x = m_placement.x[i].template cast<double>();
                    const double depth = clearance - shape.distance(x);
                    if (!(depth > 0)) continue;
                    const Vec3<Real> normal = shape.normal(x).template cast<Real>();
                    m_placement.x[i] += static_cast<Real>(depth) * normal;
                    m_velocity[i] -= std::min(m_velocity[i].dot(normal), Real(0)) * normal;
                }
        });
    }

    /// One step of motion by pressure. Motion that pressure works against is stopped.
    void push(Real dt) {
        parallel_for(m_near.size(),
                     [&](std::size_t slot) { m_matter.compression[slot] -= Real(at_rest - 1); });
        state_equation(m_matter, m_kernels, m_params);
        add_forces(m_matter, m_near, m_walls, m_kernels, m_params);
        const double power = parallel_reduce(
            m_near.size(), 0.0,
            [&](std::size_t slot) {
                const Vec3<Real> force = m_matter.force[slot].template head<3>();
                return moves(slot)
                           ? static_cast<double>(force.dot(m_velocity[m_near.index()[slot]]))
                           : 0.0;
            },
            [](double a, double b) { return a + b; }, m_partials);
        const Real kept = power < 0 ? Real(0) : Real(0.9);
        const Real longest = static_cast<Real>(furthest_step * m_params.spacing);
        parallel_for(m_near.size(), [&](std::size_t slot) {
            if (!moves(slot)) return;
            const std::uint32_t i = m_near.index()[slot];
            Vec3<Real>& v = m_velocity[i];
            v = kept * v + dt * m_matter.per_mass[slot] * m_matter.force[slot].template head<3>();
            const Real step = dt * v.norm();
            if (step > longest) v *= longest / step;
            m_placement.x[i] += dt * v;
        });
    }

    Placement<Real>& m_placement;
    const std::vector<MovedShape>& m_colliders;
    Params m_params;
    Kernels<Real> m_kernels;
    std::vector<Vec3<Real>> m_start; ///< Positions as they were placed
    std::vector<Vec3<Real>> m_velocity;
    Neighborhood<Real> m_near;
    Matter<Real> m_matter;
    Walls<Real> m_walls;
    Partials<double> m_partials;
};

} // namespace

template <class Real>
Settling settle(Placement<Real>& placement, const std::vector<MovedShape>& colliders,
                const Params& params) {
    return Settler<Real>(placement, colliders, params).run();
}

std::string settling_warning(const Settling& settling, double spacing) {
    if (settling.moved == 0) return "";
    const auto percent = [](double share) { return format_number(std::round(1000 * share) / 10); };
    std::string text = std::to_string(settling.moved) +
                       " particles of fluid were placed too close to walls or to other matter, and "
                       "moved by up to " +
                       percent(settling.furthest / spacing) + " % of a spacing before they started";
    if (settling.compression > crowded)
        text += "; the fluid does not fit, and is still compressed by up to " +
                percent(settling.compression - 1) + " %";
    return text + ": leave half a spacing between fluid and walls, and a spacing between fluids";
}

template Settling settle(Placement<float>&, const std::vector<MovedShape>&, const Params&);
template Settling settle(Placement<double>&, const std::vector<MovedShape>&, const Params&);

} // namespace nendo::sph
