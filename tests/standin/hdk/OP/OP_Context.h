// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: the time of a cook.
#pragma once

#include "SYS/SYS_Types.h"

class OP_Context {
public:
    fpreal getTime() const { return standin_time; }

    fpreal standin_time = 0; ///< [s]
};
