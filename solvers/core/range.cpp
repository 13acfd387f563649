// SPDX-License-Identifier: Apache-2.0
// Formatting of numbers and ranges, and the range check with its message.
#include "core/range.h"

#include "core/error.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace nendo {

std::string format_number(double value) {
    char text[400];
    int digits = 1;
    do std::snprintf(text, sizeof text, "%.*g", digits, value);
    while (std::strtod(text, nullptr) != value && ++digits <= 17);
    const double size = std::abs(value);
    if (size >= 1e-4 && size < 1e16) {
        const int whole = static_cast<int>(std::floor(std::log10(size))) + 1;
        std::snprintf(text, sizeof text, "%.*f", digits > whole ? digits - whole : 0, value);
    }
    return text;
}

std::string describe_range(const Field& f, const std::string& kind) {
    std::string text = kind;
    if (f.min_ > -infinite)
        text += (f.above_min_ ? " above " : " of at least ") + format_number(f.min_);
    if (f.max_ < infinite)
        text += (f.min_ > -infinite ? " and" : "") + (" at most " + format_number(f.max_));
    if (f.unit_ != "1") text += " [" + std::string(f.unit_) + "]";
    if (f.may_be_none_) text += " or null for no limit";
    return text;
}

void check_range(double value, const Field& f, const std::string& where, const std::string& kind) {
    const bool low = f.above_min_ ? value <= f.min_ : value < f.min_;
    if (!std::isfinite(value) || low || value > f.max_)
        throw Error("the value is " + (std::isfinite(value) ? format_number(value) : "not finite"),
                    where, "use " + describe_range(f, kind));
}

} // namespace nendo
