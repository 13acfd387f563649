// Who is near: points in the cells of a uniform grid that is hashed, so that space has no bounds
// and memory follows the points. All solvers search here.
#pragma once

#include "core/parallel.h"
#include "core/types.h"

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

template <class Real> Cell cell_of(const Vec3<Real>& point, double cell_size) {
    const auto index = [&](Real c) {
        return static_cast<std::int64_t>(std::floor(static_cast<double>(c) / cell_size));
    };
    return {index(point.x()), index(point.y()), index(point.z())};
}

/// The order that keeps neighbours close in memory: Morton's curve over cells, then ids. It depends
/// on positions and ids alone, never on the order of the input.
template <class Real>
void spatial_order(const std::vector<Vec3<Real>>& points, const std::vector<std::int64_t>& ids,
                   double cell_size, std::vector<std::uint32_t>& order);

template <class Real> class Grid {
public:
    /// Sorts the points into cells of `cell_size` [m]; inside a cell they keep their order.
    void build(const std::vector<Vec3<Real>>& points, double cell_size);

    double cell_size() const { return m_cell_size; }
    std::size_t size() const { return m_index.size(); }
    std::size_t bytes() const;

    /// The points of up to 27 cells around one cell, found once for all queries from that cell.
    class Around {
    public:
        explicit Around(const Grid& grid) : m_grid(grid) {}

        /// visit(index, squared distance [m^2]) for all points within `radius` <= cell size of x,
        /// always in the same order.
        template <class Visit> void visit(const Vec3<Real>& x, Real radius, const Visit& visit) {
            const Cell cell = cell_of(x, m_grid.m_cell_size);
            if (!m_found || !(cell == m_cell)) find(cell);
            for (int run = 0; run < m_runs; ++run)
                m_grid.visit_slots(m_begin[run], m_end[run], x, radius * radius, visit);
        }

    private:
        void find(const Cell& cell);

        const Grid& m_grid;
        Cell m_cell;
        bool m_found = false;
        int m_runs = 0;
        std::array<std::uint32_t, 27> m_begin{};
        std::array<std::uint32_t, 27> m_end{};
    };

    /// visit(index, squared distance [m^2]) for all points within `radius` <= cell size of x. For
    /// small radii and single queries; many queries in order of space go through Around.
    template <class Visit> void visit(const Vec3<Real>& x, Real radius, const Visit& visit) const {
        const Cell low = cell_of(Vec3<Real>(x - Vec3<Real>::Constant(radius)), m_cell_size);
        const Cell high = cell_of(Vec3<Real>(x + Vec3<Real>::Constant(radius)), m_cell_size);
        const Real limit = radius * radius;
        for (std::int64_t i = low.x; i <= high.x; ++i)
            for (std::int64_t j = low.y; j <= high.y; ++j)
                for (std::int64_t k = low.z; k <= high.z; ++k) {
                    const auto [begin, end] = range(Cell{i, j, k});
                    visit_slots(begin, end, x, limit, visit);
                }
    }

private:
    /// Few of the slots are near, and which ones can't be guessed: the near ones are collected
    /// without a branch, then visited.
    template <class Visit>
    void visit_slots(std::uint32_t begin, std::uint32_t end, const Vec3<Real>& x, Real limit,
                     const Visit& visit) const {
        constexpr std::uint32_t chunk = 32;
        std::array<std::uint32_t, chunk> near;
        std::array<Real, chunk> squared;
        for (std::uint32_t first = begin; first < end; first += chunk) {
            const std::uint32_t last = std::min(end, first + chunk);
            std::uint32_t count = 0;
            for (std::uint32_t k = first; k != last; ++k) {
                const Real r2 = (m_point[k] - x).squaredNorm();
                near[count] = k;
                squared[count] = r2;
                count += r2 < limit ? 1u : 0u;
            }
            for (std::uint32_t k = 0; k != count; ++k) visit(m_index[near[k]], squared[k]);
        }
    }

    /// The run of slots that holds the points of a cell.
    std::pair<std::uint32_t, std::uint32_t> range(const Cell& cell) const;

    double m_cell_size = 1;
    std::uint64_t m_mask = 0;
    std::vector<std::uint32_t> m_start;  ///< First slot of each bucket
    std::vector<std::uint64_t> m_key;    ///< Cell of each slot
    std::vector<std::uint32_t> m_index;  ///< Point in each slot
    std::vector<Vec3<Real>> m_point;     ///< Its position
    std::vector<std::uint64_t> m_key_of; ///< Cell of each point: scratch
    std::vector<std::uint32_t> m_cursor; ///< Next free slot of each bucket: scratch
};

} // namespace nendo
