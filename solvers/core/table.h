// SPDX-License-Identifier: Apache-2.0
// Operations on any table (a struct of vectors declared with fields): resize, reorder, erase, count
// bytes, check. They are written once here, for the tables of all solvers.
#pragma once

#include "core/error.h"
#include "core/fields.h"
#include "core/parallel.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace nendo {

/// Number of rows.
template <class Table> std::size_t table_size(const Table& table) {
    return table.id.size();
}

/// Resizes every column to `n` entries. New entries are zero.
template <class Table> void resize_table(Table& table, std::size_t n) {
    for_each_field(table, [&](auto& column, const Field&) {
        using T = typename std::decay_t<decltype(column)>::value_type;
        if constexpr (std::is_arithmetic_v<T>)
            column.resize(n, T(0));
        else
            column.resize(n, T(T::Zero()));
    });
}

/// Reorders the rows: new[i] = old[order[i]]. `order` may be shorter than the table; rows that it
/// leaves out are dropped.
template <class Table> void gather_table(Table& table, const std::vector<std::uint32_t>& order) {
    for_each_field(table, [&](auto& column, const Field&) {
        std::decay_t<decltype(column)> gathered(order.size());
        for (std::size_t i = 0; i < order.size(); ++i) gathered[i] = column[order[i]];
        column.swap(gathered);
    });
}

/// Erases the rows whose mark is not zero. The others keep their order.
template <class Table> void erase_marked(Table& table, const std::vector<std::uint8_t>& marked) {
    for_each_field(table, [&](auto& column, const Field&) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < column.size(); ++i)
            if (marked[i] == 0) column[kept++] = column[i];
        column.resize(kept);
    });
}

/// Bytes in the columns.
template <class Table> std::size_t table_bytes(const Table& table) {
    std::size_t bytes = 0;
    for_each_field(table, [&](const auto& column, const Field&) {
        bytes += column.size() * sizeof(typename std::decay_t<decltype(column)>::value_type);
    });
    return bytes;
}

/// True if all numbers of entry i are finite and within the range of the column's field.
template <class Column> bool is_sound(const Column& column, std::size_t i, const Field& f) {
    using Traits = ElementTraits<typename Column::value_type>;
    bool sound = true;
    for (int k = 0; k < Traits::width; ++k) {
        const auto value = Traits::get(column[i], k);
        const auto v = static_cast<double>(value);
        const bool none = f.may_be_none_ && std::isinf(value) && value > 0;
        const bool inside = v >= f.min_ && v <= f.max_ && !(f.above_min_ && v <= f.min_);
        sound = sound && inside && (std::isfinite(value) || none);
    }
    return sound;
}

/// Throws if the columns differ in length, or if a value is not finite or out of range where its
/// field does not allow it. `where` names the table in the message.
template <class Table> void check_table(const Table& table, const std::string& where) {
    const std::size_t n = table_size(table);
    Partials<std::size_t> partials;
    for_each_field(table, [&](const auto& column, const Field& f) {
        using T = typename std::decay_t<decltype(column)>::value_type;
        using Traits = ElementTraits<T>;
        const std::string name(f.name_);
        if (column.size() != n)
            throw Error("the column has " + std::to_string(column.size()) + " entries, not " +
                            std::to_string(n),
                        where + "." + name, "write the same number of entries to all columns");
        if constexpr (std::is_floating_point_v<typename Traits::Scalar>) {
            const std::size_t wrong = parallel_reduce(
                n, n, [&](std::size_t i) { return is_sound(column, i, f) ? n : i; },
                [](std::size_t a, std::size_t b) { return std::min(a, b); }, partials);
            if (wrong == n) return;
            const std::string place =
                where + "." + name + "[id " + std::to_string(table.id[wrong]) + "]";
            for (int k = 0; k < Traits::width; ++k)
                if (const auto value = Traits::get(column[wrong], k);
                    !std::isfinite(value) && !(f.may_be_none_ && value > 0))
                    throw Error("the value is not finite", place, "remove or repair this particle");
            for (int k = 0; k < Traits::width; ++k) {
                const auto v = static_cast<double>(Traits::get(column[wrong], k));
                if (v < f.min_ || v > f.max_ || (f.above_min_ && v <= f.min_))
                    throw Error("the value " + std::to_string(v) + " is out of range", place,
                                "repair this particle");
            }
        }
    });
}

/// Row numbers sorted by id. Tables are hashed and compared in this order.
template <class Table> std::vector<std::uint32_t> order_by_id(const Table& table) {
    std::vector<std::uint32_t> order(table_size(table));
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return table.id[a] < table.id[b]; });
    return order;
}

} // namespace nendo
