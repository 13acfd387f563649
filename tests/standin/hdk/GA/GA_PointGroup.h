// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: a set of points.
#pragma once

#include "GA/GA_Detail.h"
