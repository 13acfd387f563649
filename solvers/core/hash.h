// SPDX-License-Identifier: Apache-2.0
// The hash of a state. States with the same bits have the same hash, whatever the order of their
// rows.
#pragma once

#include "core/fields.h"
#include "core/table.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

namespace nendo {

/// Incremental 64-bit XXH3.
class Hasher {
public:
    Hasher();
    ~Hasher();
    Hasher(const Hasher&) = delete;
    Hasher& operator=(const Hasher&) = delete;

    void add(const void* data, std::size_t bytes);
    void add(std::string_view text); ///< Adds the length too, so that texts cannot run together
    std::uint64_t digest() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

namespace hash_detail {

/// Order of the rows by id. Rows with the same id (pairs, links) follow their other integer columns.
template <class Table> std::vector<std::uint32_t> canonical_order(const Table& table) {
    std::vector<std::uint32_t> order = order_by_id(table);
    const auto same_id = [&](std::uint32_t a, std::uint32_t b) {
        return table.id[a] == table.id[b];
    };
    if (std::adjacent_find(order.begin(), order.end(), same_id) == order.end()) return order;

    std::vector<std::vector<std::int64_t>> keys;
    for_each_field(table, [&](const auto& column, const Field&) {
        using T = typename std::decay_t<decltype(column)>::value_type;
        if constexpr (std::is_integral_v<T>) keys.emplace_back(column.begin(), column.end());
    });
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        if (table.id[a] != table.id[b]) return table.id[a] < table.id[b];
        for (const std::vector<std::int64_t>& key : keys)
            if (key[a] != key[b]) return key[a] < key[b];
        return false;
    });
    return order;
}

/// Adds the numbers of `count` elements; at(i) returns element i.
template <class T, class At>
void add_elements(Hasher& hasher, std::size_t count, const Field& f, const At& at) {
    using Traits = ElementTraits<T>;
    using Scalar = typename Traits::Scalar;
    using Stored = std::conditional_t<std::is_same_v<Scalar, bool>, std::uint8_t, Scalar>;
    constexpr std::size_t block = 4096;
    const std::uint64_t shape[] = {count, static_cast<std::uint64_t>(Traits::width), sizeof(Scalar),
                                   std::is_floating_point_v<Scalar> ? 1u : 0u};
    hasher.add(f.name_);
    hasher.add(shape, sizeof shape);
    std::vector<Stored> buffer;
    buffer.reserve(block * static_cast<std::size_t>(Traits::width));
    for (std::size_t begin = 0; begin < count; begin += block) {
        buffer.clear();
        for (std::size_t i = begin; i < std::min(count, begin + block); ++i)
            for (int k = 0; k < Traits::width; ++k) buffer.push_back(Traits::get(at(i), k));
        hasher.add(buffer.data(), buffer.size() * sizeof(Scalar));
    }
}

} // namespace hash_detail

/// Hash of every column of every table and of the details. Two states have the same hash if their
/// rows hold the same bits, in any order. The rows of a table must differ in their integer columns.
template <class State> std::uint64_t hash_state(const State& state) {
    Hasher hasher;
    State::tables(state, [&](const auto& table, std::string_view name) {
        hasher.add(name);
        const std::vector<std::uint32_t> order = hash_detail::canonical_order(table);
        for_each_field(table, [&](const auto& column, const Field& f) {
            using T = typename std::decay_t<decltype(column)>::value_type;
            hash_detail::add_elements<T>(hasher, order.size(), f, [&](std::size_t i) -> const T& {
                return column[order[i]];
            });
        });
    });
    for_each_field(state.details, [&](const auto& member, const Field& f) {
        using T = std::decay_t<decltype(member)>;
        hash_detail::add_elements<T>(hasher, 1, f, [&](std::size_t) -> const T& { return member; });
    });
    return hasher.digest();
}

} // namespace nendo
