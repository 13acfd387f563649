// SPDX-License-Identifier: Apache-2.0
// How many bytes a state or a workspace holds, found by visiting its members. A workspace lists
// them once in columns(); a test compares that list with the size of the struct.
#pragma once

#include "core/parallel.h"
#include "core/table.h"

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace nendo {

namespace memory_detail {

template <class T, class = void> inline constexpr bool counts_itself = false;
template <class T>
inline constexpr bool counts_itself<T, std::void_t<decltype(std::declval<const T&>().bytes())>> =
    true;
template <class T, class = void> inline constexpr bool has_columns = false;
template <class T>
inline constexpr bool
    has_columns<T, std::void_t<decltype(T::columns(std::declval<T&>(), [](auto&) {}))>> = true;
template <class T, class = void> inline constexpr bool has_tables = false;
template <class T>
inline constexpr bool
    has_tables<T, std::void_t<decltype(T::tables(std::declval<T&>(),
                                                 [](auto&, std::string_view) {}))>> = true;
template <class T, class = void> inline constexpr bool has_fields = false;
template <class T>
inline constexpr bool
    has_fields<T, std::void_t<decltype(T::fields(std::declval<T&>(),
                                                 [](auto&, const Field&) {}))>> = true;
template <class T> inline constexpr bool is_vector = false;
template <class T, class A> inline constexpr bool is_vector<std::vector<T, A>> = true;

} // namespace memory_detail

/// Bytes on the heap behind `object`: a vector, a table, a state, a workspace, or anything that has
/// bytes(). Single values have none.
template <class T> std::size_t memory_of(const T& object) {
    using namespace memory_detail;
    std::size_t bytes = 0;
    if constexpr (counts_itself<T>) {
        bytes = object.bytes();
    } else if constexpr (is_vector<T>) {
        bytes = object.capacity() * sizeof(typename T::value_type);
        if constexpr (!std::is_trivially_copyable_v<typename T::value_type>)
            for (const auto& inner : object) bytes += memory_of(inner);
    } else if constexpr (has_columns<T>) {
        T::columns(object, [&](const auto& member) { bytes += memory_of(member); });
    } else if constexpr (has_tables<T>) {
        T::tables(object, [&](const auto& table, std::string_view) { bytes += memory_of(table); });
    } else if constexpr (has_fields<T>) {
        for_each_field(object,
                       [&](const auto& column, const Field&) { bytes += memory_of(column); });
    }
    return bytes;
}

} // namespace nendo
