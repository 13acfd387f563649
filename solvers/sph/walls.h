// SPDX-License-Identifier: Apache-2.0
// Colliders as seen by fluid. The volume behind their surface adds to the density of nearby
// particles, as a function of distance alone, so that density is right up to the wall and its slope
// is the pressure of the wall. What comes closer than its own radius is stopped by contact, which
// only takes energy: a pressure steep enough to stop anything would throw back what a substep has
// carried too deep, faster than it came.
#pragma once

#include "core/memory.h"
#include "scene/scene.h"
#include "sph/neighborhood.h"

#include <vector>

namespace nendo::sph {

/// One wall near one particle.
template <class Real> struct Wall {
    std::uint32_t slot;
    std::uint32_t collider; ///< Index in the list of colliders
    Real distance;          ///< Distance from the wall at the start of the substep [m]
    Vec3<Real> normal;      ///< Points away from the wall
    Vec3<Real> velocity;    ///< Velocity of the wall [m/s]
    Real density;           ///< Added to density over rest density [1]
    Real slope;             ///< Slope of `density` toward the wall [1/m]
    Real filled;            ///< Share of the kernel that lies behind the wall [1]
    Real cut;               ///< Slope of `filled` toward the wall [1/m]
    Real drag;              ///< Integral of lap W_vis; 0 without friction [1/m^2]
};

template <class Real> class Walls {
public:
    /// Finds the walls within the support of each particle. With a collider friction of 0, fluid
    /// slides freely; with 1 or more it sticks; in between, it feels that share of the drag.
    void find(const std::vector<MovedShape>& colliders, const Neighborhood<Real>& near,
              const Kernels<Real>& kernels);
    /// Adds the contribution of walls to density over rest density.
    void add_density(std::vector<Real>& compression) const;

    struct Range {
        const Wall<Real>* first;
        const Wall<Real>* last;
        const Wall<Real>* begin() const { return first; }
        const Wall<Real>* end() const { return last; }
    };
    Range of(std::size_t slot) const {
        if (m_start.empty()) return {nullptr, nullptr};
        return {m_walls.data() + m_start[slot], m_walls.data() + m_start[slot + 1]};
    }
    /// Velocity [m/s] that stops the particle in `slot` at its walls: over dt [s] it comes no closer
    /// to them than `clearance` [m], or than it is already. In the frame of each wall the result is
    /// never faster than v. `friction` says whether Coulomb friction acts on the
    /// contact; fluid is slowed down by the drag of walls instead.
    Vec3d stop(std::size_t slot, const std::vector<MovedShape>& colliders, const Vec3d& x,
               const Vec3d& v, double clearance, double dt, bool friction) const;
    std::size_t bytes() const { return memory_of(m_start, m_walls, m_blocks); }

private:
    std::vector<std::uint32_t>
        m_start; ///< First wall of each slot; empty if there are no colliders
    std::vector<Wall<Real>> m_walls;
    std::vector<std::vector<Wall<Real>>> m_blocks; ///< Scratch
};

extern template class Walls<float>;
extern template class Walls<double>;

} // namespace nendo::sph
