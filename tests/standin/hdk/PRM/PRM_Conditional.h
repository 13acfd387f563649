// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: rules are kept as text.
#pragma once

#include <map>
#include <string>

enum PRM_ConditionalType { PRM_CONDTYPE_DISABLE = 0, PRM_CONDTYPE_HIDE };

class PRM_ConditionalBase {
public:
    virtual ~PRM_ConditionalBase() = default;
};

class PRM_ConditionalGroup : public PRM_ConditionalBase {
public:
    PRM_ConditionalGroup() = default;
    void addConditional(const char* conditional, PRM_ConditionalType type) {
        standin_rules[type] = conditional;
    }

    std::map<PRM_ConditionalType, std::string> standin_rules;
};
