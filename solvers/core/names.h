// SPDX-License-Identifier: Apache-2.0
// Suggestions for mistyped names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nendo {

/// Number of letters to insert, delete or replace to turn a into b (Levenshtein distance).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// Returns "did you mean 'x'?" if a known name is close, otherwise the list of known names.
std::string suggest(std::string_view name, const std::vector<std::string_view>& known);

} // namespace nendo
