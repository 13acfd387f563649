// SPDX-License-Identifier: Apache-2.0
// Space cut into slabs across one axis, one for each process that shares a simulation.
#pragma once

#include "core/types.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace nendo {

struct Slabs {
    int axis = 0;
    std::vector<double> cuts; ///< Where one ends and the next begins, ascending [m]

    int count() const { return static_cast<int>(cuts.size()) + 1; }
    /// The slab in which a coordinate [m] along the axis is.
    int owner(double c) const {
        return static_cast<int>(std::upper_bound(cuts.begin(), cuts.end(), c) - cuts.begin());
    }
    /// use(slab) for each slab of which x is within `margin` [m].
    template <class Real, class Use>
    void for_each_near(const Vec3<Real>& x, double margin, const Use& use) const {
        const double c = static_cast<double>(x[axis]);
        for (int slab = owner(c - margin); slab <= owner(c + margin); ++slab) use(slab);
    }
    template <class Real> int owner(const Vec3<Real>& x) const {
        return owner(static_cast<double>(x[axis]));
    }
};

/// Bins along an axis that are not empty, ascending, and how many particles are in each.
using Histogram = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// The histogram of coordinates along an axis, in bins of `width` [m].
template <class Real>
Histogram count_bins(const std::vector<Vec3<Real>>& points, int axis, double width);
/// Two of them together.
Histogram add_bins(const Histogram& a, const Histogram& b);
/// Cuts between bins, so that slabs hold as equal parts as whole bins allow.
std::vector<double> even_cuts(const Histogram& bins, double width, int slabs);
/// What the fullest slab holds.
std::int64_t fullest(const Histogram& bins, double width, const std::vector<double>& cuts);
/// The axis along which points reach farthest.
template <class Real> int longest_axis(const std::vector<Vec3<Real>>& points);

} // namespace nendo
