// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: values of new elements; the last number is used for all further components.
#pragma once

#include "GA/GA_Types.h"

#include <cstddef>
#include <utility>
#include <vector>

class GA_Defaults {
public:
    explicit GA_Defaults(fpreal32 value) : m_values{double(value)} {}
    explicit GA_Defaults(int32 value) : m_values{double(value)} {}

    static GA_Defaults standin_make(std::vector<double> values) {
        GA_Defaults defaults(0);
        defaults.m_values = std::move(values);
        return defaults;
    }
    double standin_at(int k) const {
        const auto i = static_cast<std::size_t>(k);
        return i < m_values.size() ? m_values[i] : m_values.back();
    }

private:
    std::vector<double> m_values;
};
