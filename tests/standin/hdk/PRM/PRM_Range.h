// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests.
#pragma once

#include <SYS/SYS_Types.h>

enum PRM_RangeFlag { PRM_RANGE_FREE = 0, PRM_RANGE_UI = 1, PRM_RANGE_RESTRICTED = 3 };

class PRM_Range {
public:
    PRM_Range(PRM_RangeFlag low_flag = PRM_RANGE_UI, fpreal low = 0,
              PRM_RangeFlag high_flag = PRM_RANGE_UI, fpreal high = 1)
        : standin_low_flag(low_flag), standin_low(low), standin_high_flag(high_flag),
          standin_high(high) {}

    PRM_RangeFlag standin_low_flag;
    fpreal standin_low;
    PRM_RangeFlag standin_high_flag;
    fpreal standin_high;
};
