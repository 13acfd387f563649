// SPDX-License-Identifier: Apache-2.0
// The color stops of the ramps, and their interpolation.
#include "math/ramp.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace nendo {
namespace {

/// Colors at equally spaced values from 0 to 1.
const std::vector<Vec3d>& stops_of(Ramp ramp) {
    static const std::vector<Vec3d> heat = {{0, 0, 0}, {0.5, 0, 0}, {1, 0.25, 0}, {1, 1, 0.5}};
    static const std::vector<Vec3d> blue_to_red = {
        {0, 0, 1}, {0, 1, 1}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0}};
    static const std::vector<Vec3d> gray = {{0, 0, 0}, {1, 1, 1}};
    switch (ramp) {
    case Ramp::heat: return heat;
    case Ramp::blue_to_red: return blue_to_red;
    case Ramp::gray: break;
    }
    return gray;
}

} // namespace

Vec3d ramp_color(Ramp ramp, double value) {
    const std::vector<Vec3d>& stops = stops_of(ramp);
    const double last = static_cast<double>(stops.size() - 1);
    const double place = last * (value > 0 ? std::min(value, 1.0) : 0.0);
    const double below = std::min(std::floor(place), last - 1);
    const auto i = static_cast<std::size_t>(below);
    return stops[i] + (place - below) * (stops[i + 1] - stops[i]);
}

} // namespace nendo
