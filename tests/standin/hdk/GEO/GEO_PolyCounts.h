// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: numbers of corners of polygons, run by run.
#pragma once

#include "GA/GA_Types.h"

#include <utility>
#include <vector>

class GEO_PolyCounts {
public:
    void append(GA_Size size, GA_Size count = 1) { standin_runs.emplace_back(size, count); }

    std::vector<std::pair<GA_Size, GA_Size>> standin_runs;
};
