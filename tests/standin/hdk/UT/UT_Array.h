// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: arrays whose elements are read by ().
#pragma once

#include "SYS/SYS_Types.h"

#include <cstddef>
#include <vector>

template <class T> class UT_Array {
public:
    exint size() const { return static_cast<exint>(m_items.size()); }
    void setSize(exint n) { m_items.resize(static_cast<std::size_t>(n)); }
    exint append(const T& item) { return m_items.push_back(item), size() - 1; }
    T& operator()(exint i) { return m_items.at(static_cast<std::size_t>(i)); }
    const std::vector<T>& standin_items() const { return m_items; }

private:
    std::vector<T> m_items;
};

template <class T> class UT_ValArray : public UT_Array<T> {};
