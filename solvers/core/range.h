// SPDX-License-Identifier: Apache-2.0
// Whether a number is what its field allows, and how a person is told.
#pragma once

#include "core/fields.h"

#include <string>

namespace nendo {

/// As few digits as give the number back: "0.1", "1e-14".
std::string format_number(double value);

/// "a number above 0 [m]" for remedies; `kind` is "a number" or "a whole number".
std::string describe_range(const Field& f, const std::string& kind);

/// Throws when the value is outside what the field allows, or not finite; `where` is its place.
void check_range(double value, const Field& f, const std::string& where, const std::string& kind);

} // namespace nendo
