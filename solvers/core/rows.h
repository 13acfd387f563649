// SPDX-License-Identifier: Apache-2.0
// Groups of values that are declared once and used twice: as numbers in a material (Group<double>),
// and as columns in a state (Group<std::vector<Real>>). These functions copy between the two, value
// by value, in the order of the group's fields.
#pragma once

#include "core/fields.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace nendo {

/// Sets rows [begin, end) of the columns to the numbers.
template <template <class> class Group, class Real>
void set_rows(Group<std::vector<Real>>& columns, std::size_t begin, std::size_t end,
              const Group<double>& numbers) {
    std::vector<double> values;
    Group<double>::fields(numbers, [&](double value, const Field&) { values.push_back(value); });
    auto next = values.begin();
    Group<std::vector<Real>>::fields(columns, [&](std::vector<Real>& column, const Field&) {
        std::fill(column.begin() + static_cast<std::ptrdiff_t>(begin),
                  column.begin() + static_cast<std::ptrdiff_t>(end), static_cast<Real>(*next++));
    });
}

/// Reads row i of the columns into the numbers.
template <template <class> class Group, class Real>
void read_row(const Group<std::vector<Real>>& columns, std::size_t i, Group<double>& numbers) {
    std::vector<double> values;
    Group<std::vector<Real>>::fields(columns, [&](const std::vector<Real>& column, const Field&) {
        values.push_back(static_cast<double>(column[i]));
    });
    auto next = values.begin();
    Group<double>::fields(numbers, [&](double& value, const Field&) { value = *next++; });
}

/// Copies row `from` of some columns to row `to` of others.
template <template <class> class Group, class Real>
void copy_row(const Group<std::vector<Real>>& source, std::size_t from,
              Group<std::vector<Real>>& target, std::size_t to) {
    Group<double> numbers;
    read_row<Group>(source, from, numbers);
    set_rows<Group>(target, to, to + 1, numbers);
}

} // namespace nendo
