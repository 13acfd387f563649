// SPDX-License-Identifier: Apache-2.0
// Packs numbers, texts and table rows into bytes for another process that runs the same program.
#pragma once

#include "core/error.h"
#include "core/fields.h"
#include "processes/exchange.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace nendo {

class Packer {
public:
    template <class T> void number(T value) {
        static_assert(std::is_arithmetic_v<T>);
        add(&value, sizeof value);
    }
    void text(const std::string& value) {
        number<std::uint64_t>(value.size());
        add(value.data(), value.size());
    }
    /// Packs the entries `rows` of a column, in that order.
    template <class T>
    void entries(const std::vector<T>& column, const std::vector<std::uint32_t>& rows) {
        const std::size_t begin = m_bytes.size();
        m_bytes.resize(begin + rows.size() * sizeof(T));
        char* to = m_bytes.data() + begin;
        for (const std::uint32_t row : rows) {
            std::memcpy(to, static_cast<const void*>(&column[row]), sizeof(T));
            to += sizeof(T);
        }
    }
    /// Packs the rows `rows` of a table, in that order.
    template <class Table> void rows(const Table& table, const std::vector<std::uint32_t>& rows) {
        number<std::uint64_t>(rows.size());
        for_each_field(table, [&](const auto& column, const Field&) { entries(column, rows); });
    }
    template <class Table> void all_rows(const Table& table) {
        number<std::uint64_t>(table.id.size());
        for_each_field(table, [&](const auto& column, const Field&) {
            add(column.data(), column.size() * sizeof(column[0]));
        });
    }
    /// Packs the members of a struct of numbers.
    template <class Object> void members(const Object& object) {
        for_each_field(object, [&](const auto& member, const Field&) { number(member); });
    }

    Bytes release() { return std::move(m_bytes); }

private:
    void add(const void* data, std::size_t size) {
        const char* const from = static_cast<const char*>(data);
        m_bytes.insert(m_bytes.end(), from, from + size);
    }

    Bytes m_bytes;
};

/// Unpacks bytes in the order in which a Packer packed them.
class Unpacker {
public:
    explicit Unpacker(Bytes bytes) : m_bytes(std::move(bytes)) {}

    template <class T> T number() {
        T value;
        std::memcpy(&value, next(sizeof(T)), sizeof(T));
        return value;
    }
    std::string text() {
        const auto size = static_cast<std::size_t>(number<std::uint64_t>());
        const char* const from = next(size);
        return {from, from + size};
    }
    /// Appends `count` entries to a column.
    template <class T> void append_entries(std::vector<T>& column, std::size_t count) {
        const std::size_t before = column.size();
        column.resize(before + count);
        if (count == 0) return;
        std::memcpy(static_cast<void*>(column.data() + before), next(count * sizeof(T)),
                    count * sizeof(T));
    }
    /// Appends rows to a table. Returns how many.
    template <class Table> std::size_t append_rows(Table& table) {
        const auto count = static_cast<std::size_t>(number<std::uint64_t>());
        for_each_field(table, [&](auto& column, const Field&) { append_entries(column, count); });
        return count;
    }
    template <class Object> void members(Object& object) {
        for_each_field(object, [&](auto& member, const Field&) {
            member = number<std::decay_t<decltype(member)>>();
        });
    }

private:
    const char* next(std::size_t size) {
        if (size > m_bytes.size() - m_at)
            throw Error("a message ends too early", "exchange between processes",
                        "start the same version of nendo on all machines");
        m_at += size;
        return m_bytes.data() + (m_at - size);
    }

    Bytes m_bytes;
    std::size_t m_at = 0;
};

} // namespace nendo
