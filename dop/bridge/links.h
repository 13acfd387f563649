// SPDX-License-Identifier: Apache-2.0
// Converts tables whose rows join particles (springs, faces) to polygons of a Houdini geometry and
// back: one polygon per row, with a corner at each of its particles. Corners are points with the id
// and the position of their particle; the other columns are attributes of the polygons.
#pragma once

#include "dop/bridge/geometry.h"

#include <array>

namespace nendo::houdini {

/// Position of the particle of each id [m].
using Positions = std::unordered_map<std::int64_t, Vec3<float>>;

template <class Particles> Positions positions_of(const Particles& particles) {
    Positions positions;
    positions.reserve(particles.id.size());
    for (std::size_t i = 0; i < particles.id.size(); ++i)
        positions[particles.id[i]] = particles.x[i];
    return positions;
}

namespace detail {

/// The points at the corners.
struct Corners {
    std::vector<std::int64_t> id;
    std::vector<Vec3<float>> x; ///< [m]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.id, field("id"));
        visit(self.x, field("P").unit("m").meaning(Meaning::point));
    }
};

/// Polygons, and the ids at their corners, one polygon after another.
struct Polygons {
    std::vector<GA_Offset> offsets;
    std::vector<std::int64_t> corners;
};

/// Throws if a polygon has another number of corners, or a corner has no id.
Polygons find_polygons(const GU_Detail& gdp, std::size_t corners, const std::string& where);
/// The polygon of each row of corners: the one in `offsets` if it exists and has these corners,
/// otherwise a new one. Other polygons are deleted, and so are points that are not corners.
std::vector<GA_Offset> match_polygons(GU_Detail& gdp, const Polygons& wanted, std::size_t corners,
                                      const Positions& positions, const std::string& where);

/// Calls visit(column, field) for each column that is not a corner.
template <class Table, class Visit> void for_each_value(Table& table, const Visit& visit) {
    const auto corners = std::decay_t<Table>::corners(table);
    for_each_field(table, [&](auto& column, const Field& f) {
        for (const auto* corner : corners)
            if (static_cast<const void*>(corner) == static_cast<const void*>(&column)) return;
        visit(column, f);
    });
}

} // namespace detail

/// Reads the columns by name, one row per polygon, and stores the polygons in `offsets`. Returns
/// the names of the columns that the geometry lacks, which are zero then, except optional ones.
template <class Table>
std::vector<std::string> polygons_to_table(const GU_Detail& gdp, Table& table,
                                           std::vector<GA_Offset>& offsets,
                                           const std::string& where) {
    Table result{};
    const auto corners = Table::corners(result);
    const detail::Polygons found = detail::find_polygons(gdp, corners.size(), where);
    resize_table(result, found.offsets.size());
    for (std::size_t i = 0; i < found.corners.size(); ++i)
        (*corners[i % corners.size()])[i / corners.size()] = found.corners[i];
    std::vector<std::string> missing;
    detail::for_each_value(result, [&](auto& column, const Field& f) {
        using T = typename std::decay_t<decltype(column)>::value_type;
        const bool there =
            detail::read_attribute<T>(gdp, GA_ATTRIB_PRIMITIVE, found.offsets, f, where,
                                      [&](std::size_t i) -> T& { return column[i]; });
        if (!there && !f.optional_) missing.emplace_back(f.name_);
    });
    table = std::move(result);
    offsets = found.offsets;
    return missing;
}

/// Makes the polygons match the table. Each row is written to the polygon of its id, whose other
/// attributes are kept; polygons that are not in the table are deleted, and rows without one get a
/// new one.
template <class Table>
void table_to_polygons(const Table& table, const Places& places, const Positions& positions,
                       GU_Detail& gdp, const std::string& where) {
    const auto corners = Table::corners(table);
    detail::Polygons wanted;
    for (std::size_t i = 0; i < table.id.size(); ++i) {
        const auto place = places.find(table.id[i]);
        wanted.offsets.push_back(place == places.end() ? GA_INVALID_OFFSET : place->second);
        for (const auto* corner : corners) wanted.corners.push_back((*corner)[i]);
    }
    const std::vector<GA_Offset> offsets =
        detail::match_polygons(gdp, wanted, corners.size(), positions, where);
    detail::for_each_value(table, [&](const auto& column, const Field& f) {
        using T = typename std::decay_t<decltype(column)>::value_type;
        detail::write_attribute<T>(gdp, GA_ATTRIB_PRIMITIVE, offsets, f, where,
                                   [&](std::size_t i) -> const T& { return column[i]; });
    });
}

} // namespace nendo::houdini
