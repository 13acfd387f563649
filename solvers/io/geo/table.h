// SPDX-License-Identifier: Apache-2.0
// Converts a solver's tables to point attributes of a Geometry, and its single values to detail
// attributes, by the names that the fields declare, and back to the same bits.
//
// Geometry files contain finite numbers. A value that may be none (infinite) is stored as the
// largest number of its type, so that every format and every reader shows a number, and is read
// back as infinite.
#pragma once

#include "core/error.h"
#include "core/fields.h"
#include "core/table.h"
#include "io/geo/geo.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace nendo {

namespace geo_detail {

inline std::string type_info_of(const Field& f, bool is_integer) {
    switch (f.meaning_) {
    case Meaning::point: return "point";
    case Meaning::vector: return "vector";
    case Meaning::matrix: return "matrix";
    case Meaning::quaternion: return "quaternion";
    case Meaning::value: break;
    }
    // Ids must not be blended when points are fused or interpolated.
    return is_integer && f.name_ == "id" ? "nonarithmetic_integer" : "";
}

[[noreturn]] void fail_missing(const Field& f, const std::vector<Attribute>& known,
                               const std::string& where);
[[noreturn]] void fail_shape(const Field& f, const Attribute& found, int width, bool is_integer,
                             const std::string& where);

/// The stored type: a byte for bool, otherwise the type itself.
template <class Scalar>
using Stored = std::conditional_t<std::is_same_v<Scalar, bool>, std::uint8_t, Scalar>;

template <class Scalar> Stored<Scalar> to_stored(Scalar value, const Field& f, std::size_t row) {
    if constexpr (std::is_floating_point_v<Scalar>) {
        if (std::isfinite(value)) return value;
        if (f.may_be_none_ && value > 0) return std::numeric_limits<Scalar>::max();
        throw Error("the value is not finite",
                    std::string(f.name_) + " of element " + std::to_string(row),
                    "repair the state before writing it");
    } else {
        return static_cast<Stored<Scalar>>(value);
    }
}

template <class Scalar, class Found>
Scalar from_stored(Found value, const Field& f, std::size_t row, const std::string& where) {
    const auto misfit = [&]() {
        return Error("value " + std::to_string(value) + " does not fit the column",
                     where + " " + std::string(f.name_) + " of element " + std::to_string(row),
                     "repair the value, or read it with more precision");
    };
    if constexpr (std::is_floating_point_v<Scalar>) {
        if (f.may_be_none_ && value >= std::numeric_limits<Found>::max())
            return std::numeric_limits<Scalar>::infinity();
        const auto result = static_cast<Scalar>(value);
        if (std::isfinite(value) && !std::isfinite(result)) throw misfit();
        return result;
    } else if constexpr (std::is_same_v<Scalar, bool>) {
        return value != 0;
    } else {
        const auto wide = static_cast<std::int64_t>(value);
        if (wide < static_cast<std::int64_t>(std::numeric_limits<Scalar>::min()) ||
            wide > static_cast<std::int64_t>(std::numeric_limits<Scalar>::max()))
            throw misfit();
        return static_cast<Scalar>(value);
    }
}

/// Makes an attribute of `count` elements, where at(i) returns element i.
template <class T, class At>
Attribute make_attribute(std::size_t count, const Field& f, const At& at) {
    using Traits = ElementTraits<T>;
    using Scalar = typename Traits::Scalar;
    constexpr auto width = static_cast<std::size_t>(Traits::width);
    std::vector<Stored<Scalar>> values(count * width);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t k = 0; k < width; ++k)
            values[i * width + k] =
                to_stored<Scalar>(Traits::get(at(i), static_cast<int>(k)), f, i);
    Attribute attribute;
    attribute.name = f.name_;
    attribute.type_info = type_info_of(f, std::is_integral_v<Scalar>);
    attribute.tuple_size = Traits::width;
    attribute.values = std::move(values);
    return attribute;
}

/// Fills in at(i) for each of `count` elements from the attribute that the field names.
template <class T, class At>
void read_attribute_into(const std::vector<Attribute>& attributes, std::size_t count,
                         const Field& f, const std::string& where, const At& at) {
    using Traits = ElementTraits<T>;
    using Scalar = typename Traits::Scalar;
    constexpr auto width = static_cast<std::size_t>(Traits::width);
    const Attribute* found = find_attribute(attributes, f.name_);
    if (found == nullptr && f.optional_) return;
    if (found == nullptr) fail_missing(f, attributes, where);
    std::visit(
        [&](const auto& values) {
            using Column = std::decay_t<decltype(values)>;
            constexpr bool is_integer = std::is_integral_v<Scalar>;
            if constexpr (std::is_same_v<Column, StringColumn> ||
                          std::is_same_v<Column, KeptAttribute>) {
                fail_shape(f, *found, Traits::width, is_integer, where);
            } else {
                using Found = typename Column::value_type;
                if constexpr (std::is_integral_v<Found> != is_integer) {
                    fail_shape(f, *found, Traits::width, is_integer, where);
                } else {
                    if (found->tuple_size != Traits::width || values.size() != count * width)
                        fail_shape(f, *found, Traits::width, is_integer, where);
                    for (std::size_t i = 0; i < count; ++i)
                        for (std::size_t k = 0; k < width; ++k)
                            Traits::set(at(i), static_cast<int>(k),
                                        from_stored<Scalar>(values[i * width + k], f, i, where));
                }
            }
        },
        found->values);
}

/// Houdini lists P first.
inline void add_attribute(std::vector<Attribute>& attributes, Attribute attribute) {
    const auto place = attribute.name == "P" ? attributes.begin() : attributes.end();
    attributes.insert(place, std::move(attribute));
}

} // namespace geo_detail

/// Converts each column to a point attribute. The geometry must be empty or have the same number of
/// points.
template <class Table> void table_to_points(const Table& table, Geometry& geometry) {
    const std::size_t n = table_size(table);
    if (geometry.point_attributes.empty()) geometry.point_count = n;
    if (geometry.point_count != n)
        throw Error("the table has " + std::to_string(n) + " rows, not " +
                        std::to_string(geometry.point_count),
                    "", "write tables of different lengths to different files");
    for_each_field(table, [&](const auto& column, const Field& f) {
        using T = typename std::decay_t<decltype(column)>::value_type;
        geo_detail::add_attribute(geometry.point_attributes,
                                  geo_detail::make_attribute<T>(
                                      n, f, [&](std::size_t i) -> const T& { return column[i]; }));
    });
}

/// Reads the columns by name; other attributes are ignored. A real column accepts either precision,
/// an integer column any integer type that holds its values. `where` (the file) is used in
/// messages.
template <class Table>
void points_to_table(const Geometry& geometry, Table& table, const std::string& where) {
    const std::size_t n = geometry.point_count;
    Table result{};
    resize_table(result, n);
    for_each_field(result, [&](auto& column, const Field& f) {
        using T = typename std::decay_t<decltype(column)>::value_type;
        geo_detail::read_attribute_into<T>(geometry.point_attributes, n, f, where,
                                           [&](std::size_t i) -> T& { return column[i]; });
    });
    table = std::move(result);
}

/// Converts single values (numbers, flags, vectors) to detail attributes.
template <class Details> void details_to_attributes(const Details& details, Geometry& geometry) {
    for_each_field(details, [&](const auto& member, const Field& f) {
        using T = std::decay_t<decltype(member)>;
        geometry.detail_attributes.push_back(
            geo_detail::make_attribute<T>(1, f, [&](std::size_t) -> const T& { return member; }));
    });
}

template <class Details>
void attributes_to_details(const Geometry& geometry, Details& details, const std::string& where) {
    Details result{};
    for_each_field(result, [&](auto& member, const Field& f) {
        using T = std::decay_t<decltype(member)>;
        geo_detail::read_attribute_into<T>(geometry.detail_attributes, 1, f, where,
                                           [&](std::size_t) -> T& { return member; });
    });
    details = std::move(result);
}

} // namespace nendo
