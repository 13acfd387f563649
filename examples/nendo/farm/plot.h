// SPDX-License-Identifier: Apache-2.0
// Line and dot plots as inline SVG.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace nendo::cli::farm {

struct Series {
    std::string name;
    std::string color;
    std::vector<std::pair<double, double>> points; ///< Points that are not finite are skipped
};

struct Plot {
    std::string title;
    std::string axis; ///< Label of the horizontal axis
    std::vector<Series> series;
    bool dots = false;
};

/// The color of series `index` of `count`, clearly different from the others.
std::string series_color(std::size_t index, std::size_t count);

std::string escape_html(const std::string& text);

std::string draw_svg(const Plot& plot);

} // namespace nendo::cli::farm
