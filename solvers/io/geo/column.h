// SPDX-License-Identifier: Apache-2.0
// Reads the numbers of an attribute in a geometry file: tuples, arrays, or pages of raw data.
#pragma once

#include "core/error.h"
#include "io/geo/value.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace nendo {

/// Makes text of a file safe for a message of one line.
inline std::string on_one_line(std::string text) {
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
    return text;
}

/// Position of a reader in a file, for messages.
struct GeoPlace {
    const std::string& path;
    std::string key;

    [[noreturn]] void fail(const std::string& what) const {
        throw Error(on_one_line(what), path + " [" + on_one_line(key) + "]",
                    "the file is damaged or was written incorrectly; write it again");
    }
    GeoPlace inside(std::string_view name) const {
        return {path, key.empty() ? std::string(name) : key + "." + std::string(name)};
    }
};

/// The layout of pages: the number of elements per page, the parts that a tuple is split into, and
/// for each part the pages in which all elements share one value.
struct PageLayout {
    std::size_t page_size = 0;
    std::vector<std::size_t> parts;
    std::vector<std::vector<bool>> constant;

    bool is_constant(std::size_t part, std::size_t page) const {
        return part < constant.size() && !constant[part].empty() && constant[part][page];
    }
};

std::size_t read_count(const Value& record, std::string_view key, const GeoPlace& place);
PageLayout read_page_layout(const Value& block, std::size_t count, std::size_t size,
                            const GeoPlace& place);

/// Returns the number as a T; exact if T is an integer type.
template <class T> T convert_number(const Number& number, const GeoPlace& place) {
    if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(number.real);
    } else {
        if (!number.is_integer && number.real != std::floor(number.real))
            place.fail("a value is not an integer");
        const double lowest = static_cast<double>(std::numeric_limits<T>::min());
        const double highest = static_cast<double>(std::numeric_limits<T>::max());
        if (number.is_integer) {
            if (number.integer < std::numeric_limits<T>::min() ||
                number.integer > std::numeric_limits<T>::max())
                place.fail("a value does not fit its type");
            return static_cast<T>(number.integer);
        }
        if (!(number.real >= lowest && number.real < highest))
            place.fail("a value does not fit its type");
        return static_cast<T>(number.real);
    }
}

template <class T> T number_as(const Value& array, std::size_t i, const GeoPlace& place) {
    Number number;
    if (!number_at(array, i, number)) place.fail("a number is expected");
    return convert_number<T>(number, place);
}

/// Returns all numbers of a flat array of known length; moves the vector itself if the types agree.
template <class T>
std::vector<T> move_numbers(Value& array, std::size_t count, const GeoPlace& place) {
    if (!array.is_array() || array.count() != count)
        place.fail(std::to_string(array.count()) + " values where " + std::to_string(count) +
                   " are needed");
    if (auto* numbers = array.get<Numbers>())
        if (auto* same = std::get_if<std::vector<T>>(numbers)) return std::move(*same);
    std::vector<T> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = number_as<T>(array, i, place);
    return values;
}

template <class T>
std::vector<T> read_pages(Value& raw, const PageLayout& layout, std::size_t count, std::size_t size,
                          const GeoPlace& place) {
    const std::size_t pages = (count + layout.page_size - 1) / layout.page_size;
    const auto rows_in = [&](std::size_t page) {
        return std::min(layout.page_size, count - page * layout.page_size);
    };
    // Compute the sum before allocating anything: a wrong count must not cost memory.
    std::size_t needed = 0;
    for (std::size_t page = 0; page < pages; ++page)
        for (std::size_t k = 0; k < layout.parts.size(); ++k)
            needed += layout.parts[k] * (layout.is_constant(k, page) ? 1 : rows_in(page));
    if (raw.count() != needed)
        place.fail(std::to_string(raw.count()) + " values where " + std::to_string(needed) +
                   " are needed");
    if (needed == count * size && layout.parts.size() == 1)
        return move_numbers<T>(raw, needed, place);

    std::vector<T> values(count * size);
    std::size_t next = 0;
    for (std::size_t page = 0; page < pages; ++page) {
        std::size_t offset = 0;
        for (std::size_t k = 0; k < layout.parts.size(); ++k) {
            const std::size_t width = layout.parts[k];
            const bool constant = layout.is_constant(k, page);
            for (std::size_t row = 0; row < rows_in(page); ++row)
                for (std::size_t c = 0; c < width; ++c)
                    values[(page * layout.page_size + row) * size + offset + c] =
                        number_as<T>(raw, next + (constant ? 0 : row * width) + c, place);
            next += width * (constant ? 1 : rows_in(page));
            offset += width;
        }
    }
    return values;
}

/// Reads the block of an attribute ("values" or "indices") as one flat column.
template <class T>
std::vector<T> read_column(Value& block, std::size_t count, std::size_t size,
                           const GeoPlace& place) {
    if (Value* raw = block.find("rawpagedata")) {
        if (!raw->is_array()) place.fail("'rawpagedata' is not a list");
        return read_pages<T>(*raw, read_page_layout(block, count, size, place), count, size, place);
    }
    const bool by_component = block.find("arrays") != nullptr;
    Value* table = block.find(by_component ? "arrays" : "tuples");
    if (table == nullptr) place.fail("there is neither 'tuples' nor 'arrays' nor 'rawpagedata'");
    auto* rows = table->get<Value::List>();
    const std::size_t row_count = by_component ? size : count;
    const std::size_t row_size = by_component ? count : size;
    if (rows == nullptr || rows->size() != row_count)
        place.fail(std::to_string(table->count()) + " values where " + std::to_string(row_count) +
                   " are needed");
    for (const Value& row : *rows)
        if (row.count() != row_size)
            place.fail(std::to_string(row.count()) + " values where " + std::to_string(row_size) +
                       " are needed");
    std::vector<T> values(count * size);
    for (std::size_t i = 0; i < row_count; ++i)
        for (std::size_t k = 0; k < row_size; ++k)
            values[by_component ? k * size + i : i * size + k] = number_as<T>((*rows)[i], k, place);
    return values;
}

} // namespace nendo
