// SPDX-License-Identifier: Apache-2.0
// Color ramps, which show numbers as colors.
#pragma once

#include "core/types.h"

namespace nendo {

enum class Ramp { heat, blue_to_red, gray };

/// Linear RGB color of a value in [0, 1]. Values outside get the color of the nearer end.
Vec3d ramp_color(Ramp ramp, double value);

} // namespace nendo
