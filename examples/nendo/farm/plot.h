// SPDX-License-Identifier: Apache-2.0
// Plots as inline SVG: lines over an axis, or dots.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace nendo::cli::farm {

struct Series {
    std::string name;
    std::string color;
    std::vector<std::pair<double, double>> points; ///< Those that are not finite are left out
};

struct Plot {
    std::string title;
    std::string axis; ///< What runs to the right
    std::vector<Series> series;
    bool dots = false;
};

/// Well apart from those of the others; `index` of `count`.
std::string series_color(std::size_t index, std::size_t count);

std::string escape_html(const std::string& text);

std::string draw_svg(const Plot& plot);

} // namespace nendo::cli::farm
