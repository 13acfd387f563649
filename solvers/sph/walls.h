// SPDX-License-Identifier: Apache-2.0
// Colliders as seen by fluid: what lies behind their surface adds to the density of particles near
// them, as a function of distance alone. So density is right up to the wall, pressure keeps fluid
// from it, nothing leaks, and no energy comes from nowhere.
#pragma once

#include "scene/scene.h"
#include "sph/neighborhood.h"

#include <vector>

namespace nendo::sph {

/// One wall near one particle.
template <class Real> struct Wall {
    std::uint32_t slot;
    Vec3<Real> normal;   ///< Away from the wall
    Vec3<Real> velocity; ///< Of the wall [m/s]
    Real density;        ///< What it adds to the density over rest density [1]
    Real slope;          ///< Of that towards the wall [1/m]
    Real filled;         ///< Part of the kernel that lies behind it [1]
    Real cut;            ///< Slope of that [1/m]
    Real drag;           ///< Integral of lap W_vis, 0 for a wall without friction [1/m^2]
};

template <class Real> class Walls {
public:
    /// Finds the walls within the support of each particle. Friction of a collider 0: fluid slides
    /// freely; 1 or more: it sticks; between them: part of the drag.
    void find(const std::vector<MovedShape>& colliders, const Neighborhood<Real>& near,
              const Kernels<Real>& kernels);
    /// Adds what walls fill to the density over rest density of the particles near them.
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

private:
    std::vector<std::uint32_t> m_start; ///< Of each slot; empty: there is no wall anywhere
    std::vector<Wall<Real>> m_walls;
    std::vector<std::vector<Wall<Real>>> m_blocks; ///< Scratch
};

extern template class Walls<float>;
extern template class Walls<double>;

} // namespace nendo::sph
