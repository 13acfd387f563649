// SPDX-License-Identifier: Apache-2.0
// Histograms of particles along an axis, and the cuts that share them evenly between processes.
#include "processes/slabs.h"

#include <cmath>

namespace nendo {

template <class Real>
Histogram count_bins(const std::vector<Vec3<Real>>& points, int axis, double width) {
    std::vector<std::int64_t> bins;
    bins.reserve(points.size());
    for (const Vec3<Real>& x : points)
        bins.push_back(static_cast<std::int64_t>(std::floor(static_cast<double>(x[axis]) / width)));
    std::sort(bins.begin(), bins.end());
    Histogram counts;
    for (const std::int64_t bin : bins) {
        if (counts.empty() || counts.back().first != bin) counts.emplace_back(bin, 0);
        ++counts.back().second;
    }
    return counts;
}

Histogram add_bins(const Histogram& a, const Histogram& b) {
    Histogram sum;
    std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(sum));
    std::size_t kept = 0;
    for (std::size_t k = 0; k < sum.size(); ++k) {
        if (kept > 0 && sum[kept - 1].first == sum[k].first)
            sum[kept - 1].second += sum[k].second;
        else
            sum[kept++] = sum[k];
    }
    sum.resize(kept);
    return sum;
}

std::vector<double> even_cuts(const Histogram& bins, double width, int slabs) {
    std::int64_t all = 0;
    for (const auto& bin : bins) all += bin.second;
    std::vector<double> cuts;
    std::int64_t before = 0; // particles below the next bin
    std::size_t next = 0;
    for (int slab = 1; slab < slabs; ++slab) {
        const double wanted = static_cast<double>(all) * slab / slabs;
        // The next bin goes below the cut if at least half of it is wanted there.
        while (next < bins.size() &&
               static_cast<double>(before) + 0.5 * static_cast<double>(bins[next].second) <= wanted)
            before += bins[next++].second;
        const std::int64_t edge = next < bins.size() ? bins[next].first
                                  : bins.empty()     ? 0
                                                     : bins.back().first + 1;
        cuts.push_back(static_cast<double>(edge) * width);
    }
    return cuts;
}

std::int64_t fullest(const Histogram& bins, double width, const std::vector<double>& cuts) {
    const Slabs slabs{0, cuts};
    std::vector<std::int64_t> held(static_cast<std::size_t>(slabs.count()), 0);
    for (const auto& [bin, count] : bins) {
        const double middle = (static_cast<double>(bin) + 0.5) * width;
        held[static_cast<std::size_t>(slabs.owner(middle))] += count;
    }
    return *std::max_element(held.begin(), held.end());
}

template <class Real> int longest_axis(const std::vector<Vec3<Real>>& points) {
    if (points.empty()) return 0;
    Vec3<Real> low = points.front(), high = low;
    for (const Vec3<Real>& x : points) {
        low = low.cwiseMin(x);
        high = high.cwiseMax(x);
    }
    int axis = 0;
    (high - low).maxCoeff(&axis);
    return axis;
}

template Histogram count_bins(const std::vector<Vec3<float>>&, int, double);
template Histogram count_bins(const std::vector<Vec3<double>>&, int, double);
template int longest_axis(const std::vector<Vec3<float>>&);
template int longest_axis(const std::vector<Vec3<double>>&);

} // namespace nendo
