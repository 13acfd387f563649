// SPDX-License-Identifier: Apache-2.0
// Helping a person who mistyped a name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nendo {

/// How many letters must change to turn a into b.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// "did you mean 'x'?" when a known name is near, else the list of the known ones.
std::string suggest(std::string_view name, const std::vector<std::string_view>& known);

} // namespace nendo
