// SPDX-License-Identifier: Apache-2.0
// Nearest points by a tree that halves the points along the longest side of their box.
#include "geometry/nearest.h"

#include "core/error.h"
#include "core/parallel.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace nendo {
namespace {

/// A k-d tree: points sorted along the longest side of their box and split at the median.
class KdTree {
public:
    explicit KdTree(const std::vector<Vec3d>& points) : m_points(points), m_order(points.size()) {
        std::iota(m_order.begin(), m_order.end(), 0u);
        m_axis.resize(points.size());
        split(0, points.size());
    }

    std::uint32_t nearest(const Vec3d& place) const {
        Best best;
        search(0, m_order.size(), place, best);
        return best.index;
    }

private:
    struct Best {
        double distance2 = infinite;
        std::uint32_t index = 0;
    };

    void split(std::size_t begin, std::size_t end) {
        if (end - begin < 2) return;
        Vec3d low = m_points[m_order[begin]], high = low;
        for (std::size_t i = begin; i < end; ++i) {
            low = low.cwiseMin(m_points[m_order[i]]);
            high = high.cwiseMax(m_points[m_order[i]]);
        }
        Eigen::Index axis = 0;
        (high - low).maxCoeff(&axis);
        const std::size_t middle = begin + (end - begin) / 2;
        std::nth_element(
            m_order.begin() + std::ptrdiff_t(begin), m_order.begin() + std::ptrdiff_t(middle),
            m_order.begin() + std::ptrdiff_t(end), [&](std::uint32_t a, std::uint32_t b) {
                return m_points[a][axis] < m_points[b][axis];
            });
        m_axis[middle] = static_cast<std::uint8_t>(axis);
        split(begin, middle);
        split(middle + 1, end);
    }

    void search(std::size_t begin, std::size_t end, const Vec3d& place, Best& best) const {
        if (begin == end) return;
        const std::size_t middle = begin + (end - begin) / 2;
        const std::uint32_t index = m_order[middle];
        const double distance2 = (m_points[index] - place).squaredNorm();
        if (distance2 < best.distance2 || (distance2 == best.distance2 && index < best.index))
            best = {distance2, index};
        if (end - begin == 1) return;
        const double side = place[m_axis[middle]] - m_points[index][m_axis[middle]];
        const bool right = side > 0;
        search(right ? middle + 1 : begin, right ? end : middle, place, best);
        if (side * side <= best.distance2)
            search(right ? begin : middle + 1, right ? middle : end, place, best);
    }

    const std::vector<Vec3d>& m_points;
    std::vector<std::uint32_t> m_order;
    std::vector<std::uint8_t> m_axis; ///< Split axis, at the median of each range
};

void check_finite(const std::vector<Vec3d>& points, const char* name) {
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!points[i].allFinite())
            throw Error("the position is not finite", std::string(name) + " " + std::to_string(i),
                        "remove it or set its position");
}

} // namespace

std::vector<std::uint32_t> nearest_points(const std::vector<Vec3d>& points,
                                          const std::vector<Vec3d>& places) {
    check_finite(points, "point");
    check_finite(places, "position");
    if (points.empty() && !places.empty())
        throw Error("there are no points", "nearest point", "add points");
    const KdTree tree(points);
    std::vector<std::uint32_t> nearest(places.size());
    parallel_for(places.size(), [&](std::size_t i) { nearest[i] = tree.nearest(places[i]); });
    return nearest;
}

} // namespace nendo
