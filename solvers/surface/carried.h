// SPDX-License-Identifier: Apache-2.0
// The particle attributes that a surface carries on to its mesh, besides velocity and body.
#pragma once

#include "core/fields.h"

#include <array>
#include <string_view>

namespace nendo {

struct CarriedAttribute {
    std::string_view name;
    int width = 1;
    Meaning meaning = Meaning::value;
    bool is_integer = false; ///< Integers come from the nearest particle, other values are blended
};

/// Each is carried if the particles have it.
inline constexpr std::array<CarriedAttribute, 6> carried_attributes{{
    {"Cd", 3},
    {"temperature"},
    {"melted"},
    {"rest", 3, Meaning::point},
    {"uv", 3},
    {"id", 1, Meaning::value, true},
}};

} // namespace nendo
