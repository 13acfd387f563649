// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: offsets to work on.
#pragma once

#include "GA/GA_Types.h"

#include <vector>

class GA_ElementGroup;

class GA_Range {
public:
    GA_Range() = default;
    explicit GA_Range(const GA_ElementGroup& group);
    const std::vector<GA_Offset>& standin_offsets() const { return m_offsets; }

protected:
    std::vector<GA_Offset> m_offsets;
};
