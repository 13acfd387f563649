// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests.
#pragma once

#include "UT/UT_Options.h"

class SIM_Options : public UT_Options {};
