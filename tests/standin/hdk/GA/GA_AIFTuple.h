// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests.
#pragma once

#include "GA/GA_Attribute.h"
