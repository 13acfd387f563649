// SPDX-License-Identifier: Apache-2.0
// Neighbor lists of SPH particles, rebuilt once per substep: for each particle, all others within
// the support. Density is summed in the same pass, while the distances are at hand.
#pragma once

#include "core/memory.h"
#include "core/parallel.h"
#include "math/batch.h"
#include "neighbors/lists.h"
#include "sph/kernels.h"

#include <cstdint>
#include <vector>

namespace nendo::sph {

/// Group of free particles. Particles that share any higher group exert no pressure on each other:
/// something else holds them together.
inline constexpr std::int32_t free_group = 0;

template <class Real> class Neighborhood {
public:
    /// Finds the neighbors within `support` [m]. Points in spatial_order are fastest.
    void place(const std::vector<Vec3<Real>>& points, double support);

    std::size_t size() const { return m_points.size(); }
    /// The point in each slot. Slots are in the order of the points.
    const std::vector<std::uint32_t>& index() const { return m_index; }
    Vec3<Real> point(std::size_t slot) const { return m_points[slot]; }
    /// The slot that pads the lists to whole batches. It holds no particle.
    std::uint32_t padding_slot() const { return static_cast<std::uint32_t>(size()); }

    /// Builds the lists. `volume` [m^3] and `group` are indexed by slot; `volume` has a zero for
    /// padding_slot(). compression[i] = sum_j V_j W over all groups and i itself (Hirato, eq 3). The list
    /// of i holds the particles that exert pressure on it; its length is a multiple of eight.
    void find(const Kernels<Real>& kernels, const std::vector<Real>& volume,
              const std::vector<std::int32_t>& group, std::vector<Real>& compression);

    struct List {
        const std::uint32_t* begin;
        const std::uint32_t* end;
    };
    List of(std::size_t slot) const {
        return {m_near.data() + m_start[slot], m_near.data() + m_start[slot + 1]};
    }

    std::size_t bytes() const { return memory_of(m_lists, m_points, m_index, m_start, m_near); }

private:
    NeighborLists<Real> m_lists;
    std::vector<Vec3<Real>> m_points;
    std::vector<std::uint32_t> m_index;
    std::vector<std::uint32_t> m_start; ///< Start of each list in m_near
    std::vector<std::uint32_t> m_near;
};

extern template class Neighborhood<float>;
extern template class Neighborhood<double>;

} // namespace nendo::sph
