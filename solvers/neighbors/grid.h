// SPDX-License-Identifier: Apache-2.0
// Neighbor search of all solvers: points sorted into the cells of a uniform grid. The grid is
// hashed, so space is unbounded and memory grows with the number of points.
#pragma once

#include "core/memory.h"
#include "core/parallel.h"
#include "core/types.h"
#include "neighbors/candidates.h"
#include "neighbors/key_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace nendo {

/// Integer coordinates of a cell.
struct Cell {
    std::int64_t x = 0, y = 0, z = 0;
    bool operator==(const Cell& o) const { return x == o.x && y == o.y && z == o.z; }
};

/// The cell of a point. Points more than 2^60 cells from the origin share the outermost cells.
template <class Real> Cell cell_of(const Vec3<Real>& point, double cell_size) {
    constexpr double most = std::int64_t(1) << 60; // Its neighbors fit 64 bits too.
    const auto index = [&](Real c) {
        const double at = std::floor(static_cast<double>(c) / cell_size);
        return static_cast<std::int64_t>(std::max(-most, std::min(most, at)));
    };
    return {index(point.x()), index(point.y()), index(point.z())};
}

/// A key for a cell. Cells that are 2^bits apart share a key.
template <unsigned bits = 21> std::uint64_t key_of(const Cell& cell) {
    const std::uint64_t mask = (1u << bits) - 1;
    return (static_cast<std::uint64_t>(cell.x) & mask) |
           (static_cast<std::uint64_t>(cell.y) & mask) << bits |
           (static_cast<std::uint64_t>(cell.z) & mask) << 2 * bits;
}

/// Bits per axis in the key of a block of cells, which leaves six bits for the cell in the block.
/// Blocks that are 2^19 apart share a key; the positions of their points tell them apart.
inline constexpr unsigned block_bits = 19;

/// Calls use(key) for the 27 blocks around the block `key`, which is in the middle.
template <class Use> void for_each_block_around(std::uint64_t key, const Use& use) {
    const auto axis = [&](unsigned a) { return static_cast<std::int64_t>(key >> a * block_bits); };
    for (std::int64_t z = -1; z <= 1; ++z)
        for (std::int64_t y = -1; y <= 1; ++y)
            for (std::int64_t x = -1; x <= 1; ++x)
                use(key_of<block_bits>({axis(0) + x, axis(1) + y, axis(2) + z}));
}

/// An order that keeps neighbors close in memory: cells along a Morton curve, then ids. It depends
/// only on positions and ids, never on the order of the input.
template <class Real>
void spatial_order(const std::vector<Vec3<Real>>& points, const std::vector<std::int64_t>& ids,
                   double cell_size, std::vector<std::uint32_t>& order);

/// Points are stored in slots, cell by cell; cells that are adjacent in x are adjacent in memory.
/// Cells may share a bucket by chance; the distance test of every query tells them apart. A query
/// finds points by row of cells, within a row by x, and within a cell in input order, so the order
/// does not depend on the other points in the grid.
template <class Real> class Grid {
public:
    /// Runs of slots, one or two for each row of cells. If rows share buckets by chance, their runs
    /// overlap, and only the points in a run's own row count.
    struct Runs {
        int count = 0;
        bool overlap = false;
        std::array<std::uint32_t, 18> begin, end;
        std::array<std::int64_t, 18> y, z; ///< Cell coordinates of each run's row
        std::uint64_t seen = 0; ///< One bit per group of buckets that a run begins or ends in
        void add(std::uint32_t first, std::uint32_t last, std::int64_t row_y, std::int64_t row_z,
                 std::uint64_t where);
        /// Upper bound of the number of slots in the runs.
        std::uint32_t slots() const {
            std::uint32_t sum = 0;
            for (int k = 0; k < count; ++k) sum += end[k] - begin[k];
            return sum;
        }
    };

    /// Sorts the points into cells of `cell_size` [m]. Inside a cell they keep their order.
    void build(const std::vector<Vec3<Real>>& points, double cell_size);

    double cell_size() const { return m_cell_size; }
    std::size_t size() const { return m_index.size(); }
    std::size_t bytes() const {
        return memory_of(m_start, m_index, m_x, m_y, m_z, m_bucket_of, m_cursor);
    }
    /// The point in each slot.
    const std::vector<std::uint32_t>& index() const { return m_index; }
    Vec3<Real> point(std::size_t slot) const { return {m_x[slot], m_y[slot], m_z[slot]}; }
    Columns<Real> columns() const { return {m_x.data(), m_y.data(), m_z.data(), nullptr}; }
    /// The slots of a cell and of the 26 cells around it.
    Runs runs_around(const Cell& cell) const {
        return runs({cell.x - 1, cell.y - 1, cell.z - 1}, {cell.x + 1, cell.y + 1, cell.z + 1});
    }

    /// Calls use(begin, end) for the slots of the runs, in order, each slot once.
    template <class Use> void for_each_range(const Runs& runs, const Use& use) const {
        for (int k = 0; k < runs.count; ++k) {
            if (!runs.overlap) {
                use(runs.begin[k], runs.end[k]);
                continue;
            }
            for (std::uint32_t slot = runs.begin[k]; slot < runs.end[k]; ++slot) {
                const Cell cell = cell_of(point(slot), m_cell_size);
                if (cell.y == runs.y[k] && cell.z == runs.z[k]) use(slot, slot + 1);
            }
        }
    }

    /// Remembers the slots around one cell, so that they are found once for all queries from it.
    class Around {
    public:
        explicit Around(const Grid& grid) : m_grid(grid) {}

        /// Calls use(slots, squared distances [m^2], count) for all points within `radius` <= cell
        /// size of x, a few at a time, always in the same order.
        template <class Use> void collect(const Vec3<Real>& x, Real radius, const Use& use) {
            const Cell cell = cell_of(x, m_grid.m_cell_size);
            if (!m_found || !(cell == m_cell)) {
                m_runs = m_grid.runs_around(cell);
                m_cell = cell;
                m_found = true;
            }
            m_grid.collect_runs(m_runs, x, radius, use);
        }
        /// Like collect(), one by one: calls visit(slot, squared distance).
        template <class Visit> void visit(const Vec3<Real>& x, Real radius, const Visit& visit) {
            collect(x, radius, one_by_one(visit));
        }

    private:
        const Grid& m_grid;
        Cell m_cell;
        bool m_found = false;
        Runs m_runs;
    };

    /// Calls use(slot, near slots, their count) for every slot with the slots within `radius` <= cell
    /// size of its point, including itself. In crowded places they come in several calls. Slots are
    /// processed in any order, on all threads.
    template <class Use> void for_each_near(Real radius, const Use& use) const {
        parallel_blocks(size(), [&](std::size_t begin, std::size_t end) {
            const auto last = static_cast<std::uint32_t>(end);
            for (auto slot = static_cast<std::uint32_t>(begin); slot < last;)
                slot = near_in_cell(slot, last, radius, use);
        });
    }

    /// Calls visit(point, squared distance [m^2]) for all points within `radius` <= cell size of x.
    /// For small radii and single queries; use Around for many queries in spatial order.
    template <class Visit> void visit(const Vec3<Real>& x, Real radius, const Visit& visit) const {
        const Runs near = runs(cell_of(Vec3<Real>(x - Vec3<Real>::Constant(radius)), m_cell_size),
                               cell_of(Vec3<Real>(x + Vec3<Real>::Constant(radius)), m_cell_size));
        collect_runs(near, x, radius,
                     one_by_one([&](std::uint32_t slot, Real r2) { visit(m_index[slot], r2); }));
    }

private:
    /// The slots of the cells from `low` to `high`, at most three per axis.
    Runs runs(const Cell& low, const Cell& high) const;
    /// Hash of a row of cells: the bucket of x = 0, before masking.
    static std::uint64_t row_of(std::int64_t y, std::int64_t z) { return mix(key_of({0, y, z})); }
    std::uint64_t bucket_of(std::uint64_t row, std::int64_t x) const {
        return (row + static_cast<std::uint64_t>(x)) & m_mask;
    }

    /// Does the work of for_each_near() for the slots from `first` on that share a cell. Returns the
    /// next slot.
    template <class Use>
    std::uint32_t near_in_cell(std::uint32_t first, std::uint32_t end, Real radius,
                               const Use& use) const {
        const Cell cell = cell_of(point(first), m_cell_size);
        Vec3<Real> low = point(first), high = low;
        std::uint32_t last = first + 1;
        for (; last < end && cell_of(point(last), m_cell_size) == cell; ++last) {
            low = low.cwiseMin(point(last));
            high = high.cwiseMax(point(last));
        }
        const Vec3<Real> reach = Vec3<Real>::Constant(radius);
        const Runs around = runs(cell_of(Vec3<Real>(low - reach), m_cell_size),
                                 cell_of(Vec3<Real>(high + reach), m_cell_size));
        std::array<std::uint32_t, Candidates<Real>::capacity + lanes> near;
        Candidates<Real> candidates(low, high, radius * radius);
        const bool crowded = around.slots() > candidates.capacity;
        if (!crowded)
            for_each_range(around, [&](std::uint32_t from, std::uint32_t to) {
                candidates.add(columns(), from, to);
            });
        candidates.finish();
        for (std::uint32_t slot = first; slot < last; ++slot) {
            if (crowded)
                collect_runs(around, point(slot), radius,
                             [&](const std::uint32_t* some, const Real*, std::uint32_t count) {
                                 use(slot, some, count);
                             });
            else
                use(slot, near.data(),
                    candidates.template row<false>(point(slot), candidates.none, near.data(),
                                                   nullptr));
        }
        return last;
    }

    template <class Visit> static auto one_by_one(const Visit& visit) {
        return [&visit](const std::uint32_t* slot, const Real* r2, std::uint32_t count) {
            for (std::uint32_t k = 0; k < count; ++k) visit(slot[k], r2[k]);
        };
    }

    template <class Use>
    void collect_runs(const Runs& near, const Vec3<Real>& x, Real radius, const Use& use) const {
        // Enough for matter at rest within two spacings, so that there is usually one call.
        constexpr std::uint32_t capacity = 64;
        std::array<std::uint32_t, capacity> slot;
        std::array<Real, capacity> r2;
        std::uint32_t count = 0;
        const Vec3<Real> p = x; // a copy, because stores through `slot` and `r2` might alias x
        const Real limit = radius * radius;
        const Real* const xs = m_x.data();
        const Real* const ys = m_y.data();
        const Real* const zs = m_z.data();
        for_each_range(near, [&](std::uint32_t begin, std::uint32_t end) {
            for (std::uint32_t k = begin; k < end; k += lanes) {
                count += pack_near(xs + k, ys + k, zs + k, p.data(), limit, k, end - k,
                                   &slot[count], &r2[count]);
                if (count + lanes <= capacity) continue;
                use(slot.data(), r2.data(), count);
                count = 0;
            }
        });
        use(slot.data(), r2.data(), count);
    }

    double m_cell_size = 1;
    std::uint64_t m_mask = 0;
    std::vector<std::uint32_t> m_start;     ///< First slot of each bucket
    std::vector<std::uint32_t> m_index;     ///< Point in each slot
    std::vector<Real> m_x, m_y, m_z;        ///< Its position, padded for the last SIMD load
    std::vector<std::uint32_t> m_bucket_of; ///< Bucket of each point (scratch)
    std::vector<std::uint32_t> m_cursor;    ///< Next free slot of each bucket (scratch)
};

} // namespace nendo
