// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests.
#pragma once

#include "UT/UT_Array.h"

using UT_IntArray = UT_ValArray<int>;
using UT_Int32Array = UT_ValArray<int32>;
using UT_Int64Array = UT_ValArray<int64>;
