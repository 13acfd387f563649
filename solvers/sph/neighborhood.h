// SPDX-License-Identifier: Apache-2.0
// Who feels whom, found once a substep: for each particle those within the support. Density is summed
// on the way, while distances are at hand.
#pragma once

#include "core/parallel.h"
#include "math/batch.h"
#include "neighbors/lists.h"
#include "sph/kernels.h"

#include <cstdint>
#include <vector>

namespace nendo::sph {

/// Particles of equal group above this do not press on each other: something else holds them.
inline constexpr std::int32_t free_group = 0;

template <class Real> class Neighborhood {
public:
    /// Finds who is near whom, within `support` [m]. Points are best in spatial_order.
    void place(const std::vector<Vec3<Real>>& points, double support);

    std::size_t size() const { return m_points.size(); }
    /// The point in each slot: slots are in the order of the points.
    const std::vector<std::uint32_t>& index() const { return m_index; }
    Vec3<Real> point(std::size_t slot) const { return m_points[slot]; }
    /// The slot that fills up lists: nobody is there.
    std::uint32_t nobody() const { return static_cast<std::uint32_t>(size()); }

    /// Makes the lists. `volume` [m^3] and `group` are by slot, `volume` with a zero for nobody().
    /// compression[i] = sum_j V_j W, its own among them, over all groups (Hirato, eq 3). Lists have
    /// those that press on i; their lengths are multiples of eight.
    void find(const Kernels<Real>& kernels, const std::vector<Real>& volume,
              const std::vector<std::int32_t>& group, std::vector<Real>& compression);

    struct List {
        const std::uint32_t* begin;
        const std::uint32_t* end;
    };
    List of(std::size_t slot) const {
        return {m_near.data() + m_start[slot], m_near.data() + m_start[slot + 1]};
    }

    std::size_t bytes() const;

private:
    NeighborLists<Real> m_lists;
    std::vector<Vec3<Real>> m_points;
    std::vector<std::uint32_t> m_index;
    std::vector<std::uint32_t> m_start; ///< Of each list
    std::vector<std::uint32_t> m_near;
};

extern template class Neighborhood<float>;
extern template class Neighborhood<double>;

} // namespace nendo::sph
