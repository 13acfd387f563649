// SPDX-License-Identifier: Apache-2.0
// How many bytes a state or a workspace holds, found by visiting its members. A workspace lists
// them once in columns(); a test compares that list with the size of the struct.
#pragma once

#include "core/fields.h"

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace nendo {

namespace memory_detail {

struct AnyVisitor {
    template <class... Visited> void operator()(Visited&&...) const {}
};

template <class T, class = void> inline constexpr bool counts_itself = false;
template <class T>
inline constexpr bool counts_itself<T, std::void_t<decltype(std::declval<const T&>().bytes())>> =
    true;
template <class T, class = void> inline constexpr bool has_columns = false;
template <class T>
inline constexpr bool
    has_columns<T, std::void_t<decltype(T::columns(std::declval<T&>(), AnyVisitor{}))>> = true;
template <class T, class = void> inline constexpr bool has_tables = false;
template <class T>
inline constexpr bool
    has_tables<T, std::void_t<decltype(T::tables(std::declval<T&>(), AnyVisitor{}))>> = true;
template <class T, class = void> inline constexpr bool has_fields = false;
template <class T>
inline constexpr bool
    has_fields<T, std::void_t<decltype(T::fields(std::declval<T&>(), AnyVisitor{}))>> = true;
template <class T> inline constexpr bool is_vector = false;
template <class T, class A> inline constexpr bool is_vector<std::vector<T, A>> = true;
template <class T> inline constexpr bool is_array = false;
template <class T, std::size_t n> inline constexpr bool is_array<std::array<T, n>> = true;

} // namespace memory_detail

/// Bytes on the heap behind `object`: a vector, a table, a state, a workspace, or anything that has
/// bytes(). Single values have none.
template <class T> std::size_t memory_of(const T& object);

/// Bytes on the heap behind all of them.
template <class First, class Second, class... More>
std::size_t memory_of(const First& first, const Second& second, const More&... more) {
    return memory_of(first) + memory_of(second) + (memory_of(more) + ... + 0);
}

template <class T> std::size_t memory_of(const T& object) {
    using namespace memory_detail;
    std::size_t bytes = 0;
    if constexpr (counts_itself<T>) {
        bytes = object.bytes();
    } else if constexpr (is_vector<T>) {
        bytes = object.capacity() * sizeof(typename T::value_type);
        if constexpr (!std::is_trivially_copyable_v<typename T::value_type>)
            for (const auto& inner : object) bytes += memory_of(inner);
    } else if constexpr (is_array<T>) {
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
