// SPDX-License-Identifier: Apache-2.0
#include "farm/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace nendo::cli::farm {

namespace {

/// One axis of a plot: maps numbers to pixels.
struct Axis {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    double tick = 1;
    double from = 0, to = 1; ///< [pixels]

    void hold(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    /// Extends the range to ticks at both ends, and to a length above 0.
    void round() {
        if (!(low <= high)) low = 0, high = 1;
        if (low == high) high = low + std::max(1e-9, std::abs(low) * 0.1);
        tick = nice_step((high - low) / 4);
        low = std::floor(low / tick + 1e-9) * tick;
        high = std::ceil(high / tick - 1e-9) * tick;
    }
    static double nice_step(double rough) {
        const double power = std::pow(10, std::floor(std::log10(rough)));
        for (const double nice : {1.0, 2.0, 5.0})
            if (rough <= nice * power * 1.001) return nice * power;
        return 10 * power;
    }
    double pixel(double value) const { return from + (value - low) / (high - low) * (to - from); }
};

std::string label(double value, double step) {
    return fmt::format("{:.4g}", std::abs(value) < step * 1e-6 ? 0.0 : value);
}

} // namespace

std::string series_color(std::size_t index, std::size_t count) {
    const std::size_t hues = std::max<std::size_t>(1, count);
    return fmt::format("hsl({},65%,{}%)", 360 * index / hues, index % 2 == 0 ? 40 : 55);
}

std::string escape_html(const std::string& text) {
    std::string safe;
    for (const char c : text) {
        if (c == '&')
            safe += "&amp;";
        else if (c == '<')
            safe += "&lt;";
        else if (c == '>')
            safe += "&gt;";
        else if (c == '"')
            safe += "&quot;";
        else
            safe += c;
    }
    return safe;
}

std::string draw_svg(const Plot& plot) {
    constexpr int width = 440, height = 260;
    Axis x, y;
    for (const Series& series : plot.series)
        for (const auto& [at, value] : series.points)
            if (std::isfinite(at) && std::isfinite(value)) {
                x.hold(at);
                y.hold(value);
            }
    x.round();
    y.round();
    x.from = 62, x.to = width - 30;
    y.from = height - 40, y.to = 30;
    std::string text = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
        "{1}\" font-family=\"sans-serif\" font-size=\"11\" fill=\"#444\">\n"
        "<text x=\"{2}\" y=\"18\" font-size=\"13\" font-weight=\"600\">{3}</text>\n"
        "<text x=\"{4}\" y=\"{5}\" text-anchor=\"end\">{6}</text>\n",
        width, height, x.from, escape_html(plot.title), x.to, height - 6, escape_html(plot.axis));
    for (double value = y.low; value <= y.high + y.tick / 2; value += y.tick)
        text += fmt::format("<path d=\"M{0} {2:.1f}H{1}\" stroke=\"#e4e4e4\"/><text x=\"{3}\" "
                            "y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
                            x.from, x.to, y.pixel(value), x.from - 5, y.pixel(value) + 4,
                            label(value, y.tick));
    for (double value = x.low; value <= x.high + x.tick / 2; value += x.tick)
        text += fmt::format("<path d=\"M{0:.1f} {1}v4\" stroke=\"#999\"/><text x=\"{0:.1f}\" "
                            "y=\"{2}\" text-anchor=\"middle\">{3}</text>\n",
                            x.pixel(value), y.from, y.from + 16, label(value, x.tick));
    for (const Series& series : plot.series) {
        std::string line;
        for (const auto& [at, value] : series.points) {
            if (!std::isfinite(at) || !std::isfinite(value)) continue;
            line += plot.dots ? fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>",
                                            x.pixel(at), y.pixel(value))
                              : fmt::format("{}{:.1f} {:.1f}", line.empty() ? "M" : "L",
                                            x.pixel(at), y.pixel(value));
        }
        if (line.empty()) continue;
        const std::string name = "<title>" + escape_html(series.name) + "</title>";
        text += plot.dots ? fmt::format("<g fill=\"{}\">{}{}</g>\n", series.color, name, line)
                          : fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" "
                                        "stroke-width=\"1.6\">{}</path>\n",
                                        line, series.color, name);
    }
    return text + "</svg>\n";
}

} // namespace nendo::cli::farm
