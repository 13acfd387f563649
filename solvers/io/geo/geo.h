// SPDX-License-Identifier: Apache-2.0
// Houdini geometry in memory, and as files: .geo (text), .bgeo (binary) and .bgeo.sc (compressed).
// What Nendo does not know (kinds of primitives and attributes) is kept and written back as it is.
#pragma once

#include "io/geo/value.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace nendo {

/// Values of a string attribute: table[indices[i]], or the empty string where the index is -1.
struct StringColumn {
    std::vector<std::string> table;
    std::vector<std::int32_t> indices;

    std::string_view at(std::size_t i) const;
};

/// An attribute of a kind that is only passed on.
struct KeptAttribute {
    Value definition;
    Value data;
};

struct Attribute {
    using Values =
        std::variant<std::vector<std::uint8_t>, std::vector<std::int8_t>, std::vector<std::int16_t>,
                     std::vector<std::int32_t>, std::vector<std::int64_t>, std::vector<float>,
                     std::vector<double>, StringColumn, KeptAttribute>;

    std::string name;
    std::string scope = "public";
    std::string type_info; ///< "point", "vector", "matrix" ...; empty: not transformed.
    int tuple_size = 1;
    Values values; ///< tuple_size entries for each element, one element after the other.
};

/// Polygons in a row, all closed or all open.
struct Polygons {
    bool closed = true;
    std::vector<std::int32_t> sizes;    ///< Vertices of each polygon.
    std::vector<std::int32_t> vertices; ///< Vertex numbers, polygon after polygon.
};

/// Primitives of a kind that is only passed on.
struct KeptPrimitives {
    std::size_t count = 1;
    Value definition;
    Value data;
};

struct Group {
    std::string name;
    std::vector<std::uint8_t> members; ///< 1 for each element that belongs to it, else 0.
    std::vector<std::int64_t> order;   ///< The members in order, when the group has one.
};

struct Geometry {
    std::size_t point_count = 0;
    std::size_t primitive_count = 0;
    std::vector<std::int32_t> vertex_points; ///< The point of each vertex, or -1.
    std::vector<std::variant<Polygons, KeptPrimitives>> primitives;

    std::vector<Attribute> vertex_attributes;
    std::vector<Attribute> point_attributes;
    std::vector<Attribute> primitive_attributes;
    std::vector<Attribute> detail_attributes;

    std::vector<Group> vertex_groups;
    std::vector<Group> point_groups;
    std::vector<Group> primitive_groups;

    std::vector<Member> kept; ///< Other parts of the file, by key.

    std::size_t vertex_count() const { return vertex_points.size(); }
    /// Adds polygons, joining them to the last ones when these are of the same kind.
    void add_polygon(bool closed, const std::int32_t* vertices, std::size_t count);
};

const Attribute* find_attribute(const std::vector<Attribute>& attributes, std::string_view name);

/// The numbers of an attribute, whatever their type; none of strings and of kinds passed on.
std::vector<double> attribute_numbers(const Attribute& attribute);

/// The same points, topology, attributes, groups and primitives, whatever wrote them and when.
bool same_content(const Geometry& a, const Geometry& b);

/// Reads any of the three formats; the content decides, not the name. Every fault of the file is
/// an Error with the place in it.
Geometry read_geometry(const std::string& path);
Geometry parse_geometry(std::string_view bytes, const std::string& path);

/// The name decides the format: .geo, .bgeo or .bgeo.sc. Written atomically, the same bytes for
/// the same content.
void write_geometry(const std::string& path, const Geometry& geometry);
std::string format_geometry(const std::string& path, const Geometry& geometry);

} // namespace nendo
