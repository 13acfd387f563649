// Who feels whom, found once a substep: particles in slots (near ones near in memory), and for each
// the slots within the support. Density is summed on the way, while distances are at hand.
#pragma once

#include "core/parallel.h"
#include "math/batch.h"
#include "neighbours/grid.h"
#include "sph/kernels.h"

#include <cstdint>
#include <vector>

namespace nendo::sph {

/// Particles of equal group above this do not press on each other: something else holds them.
inline constexpr std::int32_t free_group = 0;

template <class Real> class Neighbourhood {
public:
    /// Puts the points into slots, for a search within `support` [m].
    void place(const std::vector<Vec3<Real>>& points, double support);

    std::size_t size() const { return m_grid.size(); }
    /// The point in each slot.
    const std::vector<std::uint32_t>& index() const { return m_grid.index(); }
    Vec3<Real> point(std::size_t slot) const { return m_grid.point(slot); }
    /// The slot that fills up lists: nobody is there.
    std::uint32_t nobody() const { return static_cast<std::uint32_t>(size()); }

    /// Finds all lists. `volume` [m^3] and `group` are by slot, `volume` with a zero for nobody().
    /// compression[i] = sum_j V_j W, its own among them, over all groups [S002 eq 3]. Lists have
    /// those that press on i, and i itself where it is free; their lengths are multiples of eight.
    void find(const Kernels<Real>& kernels, const std::vector<Real>& volume,
              const std::vector<std::int32_t>& group, std::vector<Real>& compression);

    struct List {
        const std::uint32_t* begin;
        const std::uint32_t* end;
    };
    List of(std::size_t slot) const {
        const Block& block = m_blocks[slot / block_size];
        const std::size_t row = slot % block_size;
        const std::uint32_t* const data = block.slot.data();
        return {data + block.start[row], data + block.start[row + 1]};
    }

    std::size_t bytes() const;

private:
    /// The lists of block_size slots, one after the other.
    struct Block {
        std::vector<std::uint32_t> start;
        std::vector<std::uint32_t> slot;
    };

    Grid<Real> m_grid;
    std::vector<Block> m_blocks;
};

extern template class Neighbourhood<float>;
extern template class Neighbourhood<double>;

} // namespace nendo::sph
