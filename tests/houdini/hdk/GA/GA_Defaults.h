// Stand-in for tests: what new elements hold; the last number serves the components after it.
#pragma once

#include "GA/GA_Types.h"

#include <cstddef>
#include <vector>

class GA_Defaults {
public:
    GA_Defaults(fpreal32 value) : m_values{double(value)} {}
    GA_Defaults(fpreal64 value) : m_values{value} {}
    GA_Defaults(int32 value) : m_values{double(value)} {}
    GA_Defaults(int64 value) : m_values{double(value)} {}
    GA_Defaults(const fpreal32* values, int count) : m_values(values, values + count) {}
    GA_Defaults(const fpreal64* values, int count) : m_values(values, values + count) {}

    double standin_at(int k) const {
        const auto i = static_cast<std::size_t>(k);
        return i < m_values.size() ? m_values[i] : m_values.back();
    }

private:
    std::vector<double> m_values;
};
