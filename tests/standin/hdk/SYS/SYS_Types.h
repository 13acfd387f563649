// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: number types.
#pragma once

#include <cstdint>

using int32 = std::int32_t;
using int64 = std::int64_t;
using exint = std::int64_t;
using fpreal = double;
using fpreal32 = float;
using fpreal64 = double;
