// SPDX-License-Identifier: Apache-2.0
// Numbers as colors.
#pragma once

#include "core/types.h"

namespace nendo {

enum class Ramp { heat, blue_to_red, gray };

/// Linear red, green, blue of a value in [0, 1]; values outside have the color of the nearer end.
Vec3d ramp_color(Ramp ramp, double value);

} // namespace nendo
