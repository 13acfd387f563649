// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests.
#pragma once

#include "UT/UT_Matrix4.h"
