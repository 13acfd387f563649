// SPDX-License-Identifier: Apache-2.0
// A named column of points, whatever its type.
#pragma once

#include "core/fields.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace nendo {

/// `width` numbers for each point, one point after the other.
struct PointAttribute {
    using Values = std::variant<std::vector<float>, std::vector<std::int64_t>>;

    std::string name;
    int width = 1;
    Meaning meaning = Meaning::value;
    Values values;
};

using PointAttributes = std::vector<PointAttribute>;

} // namespace nendo
