// SPDX-License-Identifier: Apache-2.0
// Converts the tables of a solver to points of a Houdini geometry, and single values to detail
// attributes, by the names that the fields declare, and back to the same bits. A new column needs
// no new code.
//
// A 3x3 matrix is nine numbers, row by row. A value that may be none (infinite) is the largest
// number of its type. Both are as in the geometry files that the command line writes.
#pragma once

#include "core/error.h"
#include "core/fields.h"
#include "core/table.h"
#include "io/geo/table.h"

#include <GA/GA_AIFTuple.h>
#include <GA/GA_Handle.h>
#include <GU/GU_Detail.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace nendo::houdini {

/// The point or primitive of each id.
using Places = std::unordered_map<std::int64_t, GA_Offset>;

/// Offsets of all points, by index.
std::vector<GA_Offset> point_offsets(const GU_Detail& gdp);

namespace detail {

template <class Scalar> constexpr GA_Storage storage_of() {
    static_assert(std::is_same_v<Scalar, float> || std::is_same_v<Scalar, double> ||
                      std::is_same_v<Scalar, std::int32_t> || std::is_same_v<Scalar, std::int64_t>,
                  "Houdini has no handle for such a column");
    if constexpr (std::is_same_v<Scalar, float>) return GA_STORE_REAL32;
    if constexpr (std::is_same_v<Scalar, double>) return GA_STORE_REAL64;
    if constexpr (std::is_same_v<Scalar, std::int32_t>) return GA_STORE_INT32;
    if constexpr (std::is_same_v<Scalar, std::int64_t>) return GA_STORE_INT64;
}

/// Layout of the values of a field in an attribute.
struct Shape {
    std::string_view name;
    int width;
    GA_Storage storage;
    bool is_integer;
    Meaning meaning;
};

template <class T> Shape shape_of(const Field& f) {
    using Traits = ElementTraits<T>;
    return {f.name_, Traits::width, storage_of<typename Traits::Scalar>(),
            std::is_integral_v<typename Traits::Scalar>, f.meaning_};
}

/// Throws unless the attribute has numbers of the right kind and count. Reading accepts any
/// precision; writing needs one that holds the values. `where` names the geometry in the message.
void check_attribute(const GA_Attribute& attribute, const Shape& shape, bool to_write,
                     const std::string& where);
GA_Attribute* find_or_create(GU_Detail& gdp, GA_AttributeOwner owner, const Shape& shape,
                             const std::string& where);

/// Handles for the numbers of a column. Integers are read as 64 bits, so that from_stored() can
/// check whether they fit.
template <class Scalar> struct Handles;
template <> struct Handles<float> {
    using Read = GA_ROHandleF;
    using Write = GA_RWHandleF;
};
template <> struct Handles<double> {
    using Read = GA_ROHandleD;
    using Write = GA_RWHandleD;
};
template <> struct Handles<std::int32_t> {
    using Read = GA_ROHandleID;
    using Write = GA_RWHandleI;
};
template <> struct Handles<std::int64_t> {
    using Read = GA_ROHandleID;
    using Write = GA_RWHandleID;
};

/// Throws if an integer does not fit the attribute.
void check_fits(std::int64_t value, const GA_Attribute& attribute, const std::string& where);

/// Reads at(i) from the attribute at offsets[i]. False if there is no such attribute.
template <class T, class At>
bool read_attribute(const GU_Detail& gdp, GA_AttributeOwner owner,
                    const std::vector<GA_Offset>& offsets, const Field& f, const std::string& where,
                    const At& at) {
    using Traits = ElementTraits<T>;
    using Scalar = typename Traits::Scalar;
    const GA_Attribute* found = gdp.findAttribute(owner, std::string(f.name_).c_str());
    if (found == nullptr) return false;
    check_attribute(*found, shape_of<T>(f), false, where);
    const typename Handles<Scalar>::Read handle(found);
    for (std::size_t i = 0; i < offsets.size(); ++i)
        for (int k = 0; k < Traits::width; ++k)
            Traits::set(at(i), k,
                        geo_detail::from_stored<Scalar>(handle.get(offsets[i], k), f, i, where));
    return true;
}

/// Writes at(i) to the attribute at offsets[i]; creates the attribute if it does not exist.
template <class T, class At>
void write_attribute(GU_Detail& gdp, GA_AttributeOwner owner, const std::vector<GA_Offset>& offsets,
                     const Field& f, const std::string& where, const At& at) {
    using Traits = ElementTraits<T>;
    using Scalar = typename Traits::Scalar;
    GA_Attribute* attribute = find_or_create(gdp, owner, shape_of<T>(f), where);
    const typename Handles<Scalar>::Write handle(attribute);
    for (std::size_t i = 0; i < offsets.size(); ++i)
        for (int k = 0; k < Traits::width; ++k) {
            const Scalar value = geo_detail::to_stored<Scalar>(Traits::get(at(i), k), f, i);
            if constexpr (std::is_integral_v<Scalar>) check_fits(value, *attribute, where);
            handle.set(offsets[i], k, value);
        }
    handle.bumpDataId();
}

/// Writes row i of the table to the point offsets[i].
template <class Table>
void write_columns(const Table& table, const std::vector<GA_Offset>& offsets, GU_Detail& gdp,
                   const std::string& where) {
    for_each_field(table, [&](const auto& column, const Field& f) {
        using T = typename std::decay_t<decltype(column)>::value_type;
        write_attribute<T>(gdp, GA_ATTRIB_POINT, offsets, f, where,
                           [&](std::size_t i) -> const T& { return column[i]; });
    });
}

/// The point of each id. Deletes points without an id, and adds points for ids without one.
std::vector<GA_Offset> match_points(GU_Detail& gdp, const std::vector<std::int64_t>& ids,
                                    const Places& places);

} // namespace detail

/// Reads the columns by name, one row per point. Returns the names of the columns that the geometry
/// lacks, which are zero then, except optional ones.
template <class Table>
std::vector<std::string> points_to_table(const GU_Detail& gdp, const std::vector<GA_Offset>& points,
                                         Table& table, const std::string& where) {
    std::vector<std::string> missing;
    Table result{};
    resize_table(result, points.size());
    for_each_field(result, [&](auto& column, const Field& f) {
        using T = typename std::decay_t<decltype(column)>::value_type;
        const bool found = detail::read_attribute<T>(
            gdp, GA_ATTRIB_POINT, points, f, where, [&](std::size_t i) -> T& { return column[i]; });
        if (!found && !f.optional_) missing.emplace_back(f.name_);
    });
    table = std::move(result);
    return missing;
}

/// Makes the points match the table. Each row is written to the point of its id, whose other
/// attributes are kept; points that are not in the table are deleted, and rows without a point get
/// a new one. Returns the points of all rows.
template <class Table>
Places table_to_points(const Table& table, const Places& places, GU_Detail& gdp,
                       const std::string& where) {
    const std::vector<GA_Offset> offsets = detail::match_points(gdp, table.id, places);
    detail::write_columns(table, offsets, gdp, where);
    Places now;
    now.reserve(offsets.size());
    for (std::size_t i = 0; i < offsets.size(); ++i) now[table.id[i]] = offsets[i];
    return now;
}

/// Makes the points match a table whose ids are not unique: one point per row, in order.
template <class Table>
void rows_to_points(const Table& table, GU_Detail& gdp, const std::string& where) {
    std::vector<std::int64_t> rows(table_size(table));
    Places places;
    const std::vector<GA_Offset> points = point_offsets(gdp);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i] = static_cast<std::int64_t>(i);
        if (i < points.size()) places[rows[i]] = points[i];
    }
    const std::vector<GA_Offset> offsets = detail::match_points(gdp, rows, places);
    detail::write_columns(table, offsets, gdp, where);
}

/// Throws if a column can't be written to the attribute of its name.
template <class Table> void check_writable(const GU_Detail& gdp, const std::string& where) {
    Table table{};
    for_each_field(table, [&](const auto& column, const Field& f) {
        using T = typename std::decay_t<decltype(column)>::value_type;
        const GA_Attribute* found =
            gdp.findAttribute(GA_ATTRIB_POINT, std::string(f.name_).c_str());
        if (found != nullptr) detail::check_attribute(*found, detail::shape_of<T>(f), true, where);
    });
}

/// Reads single values by name. False, with `details` unchanged, if none of them exists.
template <class Details>
bool detail_to_details(const GU_Detail& gdp, Details& details, const std::string& where) {
    const std::vector<GA_Offset> whole = {GA_Offset(0)};
    Details result{};
    std::vector<std::string> missing;
    std::size_t count = 0;
    for_each_field(result, [&](auto& member, const Field& f) {
        using T = std::decay_t<decltype(member)>;
        ++count;
        if (!detail::read_attribute<T>(gdp, GA_ATTRIB_DETAIL, whole, f, where,
                                       [&](std::size_t) -> T& { return member; }))
            missing.emplace_back(f.name_);
    });
    if (missing.size() == count) return false;
    if (!missing.empty())
        throw Error("detail attribute '" + missing.front() + "' is missing", where,
                    "keep the attributes that the solver wrote, or delete all of them to start "
                    "over");
    details = std::move(result);
    return true;
}

template <class Details>
void details_to_detail(const Details& details, GU_Detail& gdp, const std::string& where) {
    const std::vector<GA_Offset> whole = {GA_Offset(0)};
    for_each_field(details, [&](const auto& member, const Field& f) {
        using T = std::decay_t<decltype(member)>;
        detail::write_attribute<T>(gdp, GA_ATTRIB_DETAIL, whole, f, where,
                                   [&](std::size_t) -> const T& { return member; });
    });
}

/// Writes pairs of ids as an array attribute: the point of the first id lists the second ids. Pairs
/// whose first point does not exist are dropped.
void pairs_to_points(const std::vector<std::int64_t>& first,
                     const std::vector<std::int64_t>& second, const Places& places, GU_Detail& gdp,
                     const std::string& name, const std::string& where);
/// Reads the pairs back; point i has the id ids[i].
void points_to_pairs(const GU_Detail& gdp, const std::vector<GA_Offset>& points,
                     const std::vector<std::int64_t>& ids, const std::string& name,
                     const std::string& where, std::vector<std::int64_t>& first,
                     std::vector<std::int64_t>& second);

} // namespace nendo::houdini
