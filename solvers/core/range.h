// SPDX-License-Identifier: Apache-2.0
// Checks a number against the range of its field, and words the message if it is outside.
#pragma once

#include "core/fields.h"

#include <string>

namespace nendo {

/// The shortest text that reads back as the same number: "0.1", "1e-14".
std::string format_number(double value);

/// The allowed range in words, such as "a number above 0 [m]". `kind` is "a number" or "a whole
/// number".
std::string describe_range(const Field& f, const std::string& kind);

/// Throws if the value is not finite or outside the range of its field. `where` names it in the
/// message.
void check_range(double value, const Field& f, const std::string& where, const std::string& kind);

} // namespace nendo
