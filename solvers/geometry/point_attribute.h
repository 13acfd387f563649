// SPDX-License-Identifier: Apache-2.0
// A named attribute of points, of any type.
#pragma once

#include "core/fields.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace nendo {

/// `width` numbers per point, one point after another.
struct PointAttribute {
    using Values = std::variant<std::vector<float>, std::vector<std::int64_t>>;

    std::string name;
    int width = 1;
    Meaning meaning = Meaning::value;
    Values values;
};

using PointAttributes = std::vector<PointAttribute>;

} // namespace nendo
