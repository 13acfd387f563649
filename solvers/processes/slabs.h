// SPDX-License-Identifier: Apache-2.0
// Space cut into slabs along one axis, one for each process that shares a simulation.
#pragma once

#include "core/types.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace nendo {

struct Slabs {
    int axis = 0;
    std::vector<double> cuts; ///< Boundaries between the slabs, ascending [m]

    int count() const { return static_cast<int>(cuts.size()) + 1; }
    /// The slab that contains a coordinate [m] along the axis.
    int owner(double c) const {
        return static_cast<int>(std::upper_bound(cuts.begin(), cuts.end(), c) - cuts.begin());
    }
    /// Calls use(slab) for each slab within `margin` [m] of x.
    template <class Real, class Use>
    void for_each_near(const Vec3<Real>& x, double margin, const Use& use) const {
        const double c = static_cast<double>(x[axis]);
        for (int slab = owner(c - margin); slab <= owner(c + margin); ++slab) use(slab);
    }
    template <class Real> int owner(const Vec3<Real>& x) const {
        return owner(static_cast<double>(x[axis]));
    }
};

/// The non-empty bins along an axis in ascending order, with the number of particles in each.
using Histogram = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// The histogram of coordinates along an axis, in bins of `width` [m].
template <class Real>
Histogram count_bins(const std::vector<Vec3<Real>>& points, int axis, double width);
/// The sum of two histograms.
Histogram add_bins(const Histogram& a, const Histogram& b);
/// Cuts between bins, such that slabs hold shares as equal as whole bins allow.
std::vector<double> even_cuts(const Histogram& bins, double width, int slabs);
/// Number of particles in the fullest slab.
std::int64_t fullest(const Histogram& bins, double width, const std::vector<double>& cuts);
/// The axis along which the points extend farthest.
template <class Real> int longest_axis(const std::vector<Vec3<Real>>& points);

} // namespace nendo
