// SPDX-License-Identifier: Apache-2.0
// Houdini geometry in memory and as files: .geo (text), .bgeo (binary) and .bgeo.sc (compressed).
// Kinds of primitives and attributes that Nendo does not know are kept and written back unchanged.
#pragma once

#include "io/geo/value.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace nendo {

/// Values of a string attribute: table[indices[i]], or the empty string if the index is -1.
struct StringColumn {
    std::vector<std::string> table;
    std::vector<std::int32_t> indices;

    std::string_view at(std::size_t i) const;
};

/// An attribute of an unknown kind, passed on unchanged.
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
    std::string type_info; ///< "point", "vector", "matrix" ...; empty: not transformed
    int tuple_size = 1;
    Values values; ///< tuple_size entries per element, one element after another
};

/// Consecutive polygons, all closed or all open.
struct Polygons {
    bool closed = true;
    std::vector<std::int32_t> sizes;    ///< Number of vertices of each polygon
    std::vector<std::int32_t> vertices; ///< Vertex indices, polygon after polygon
};

/// Primitives of an unknown kind, passed on unchanged.
struct KeptPrimitives {
    std::size_t count = 1;
    Value definition;
    Value data;
};

struct Group {
    std::string name;
    std::vector<std::uint8_t> members; ///< 1 for each element that belongs to it, else 0
    std::vector<std::int64_t> order;   ///< The members in order, if the group is ordered
};

struct Geometry {
    std::size_t point_count = 0;
    std::size_t primitive_count = 0;
    std::vector<std::int32_t> vertex_points; ///< The point of each vertex, or -1
    std::vector<std::variant<Polygons, KeptPrimitives>> primitives;

    std::vector<Attribute> vertex_attributes;
    std::vector<Attribute> point_attributes;
    std::vector<Attribute> primitive_attributes;
    std::vector<Attribute> detail_attributes;

    std::vector<Group> vertex_groups;
    std::vector<Group> point_groups;
    std::vector<Group> primitive_groups;

    std::vector<Member> kept; ///< Other parts of the file, by key

    std::size_t vertex_count() const { return vertex_points.size(); }
    /// Adds a polygon, to the last block of polygons if that is of the same kind.
    void add_polygon(bool closed, const std::int32_t* vertices, std::size_t count);
};

const Attribute* find_attribute(const std::vector<Attribute>& attributes, std::string_view name);

/// Returns the numbers of an attribute of any numeric type; empty for strings and unknown kinds.
std::vector<double> attribute_numbers(const Attribute& attribute);

/// True if points, topology, attributes, groups and primitives are equal, whatever program wrote
/// them.
bool same_content(const Geometry& a, const Geometry& b);

/// Reads any of the three formats, detected from the content, not the name. Every error in the file
/// throws an Error with its place.
Geometry read_geometry(const std::string& path);
Geometry parse_geometry(std::string_view bytes, const std::string& path);

/// Writes the format of the file extension, .geo, .bgeo or .bgeo.sc, atomically. Equal content
/// gives equal bytes.
void write_geometry(const std::string& path, const Geometry& geometry);
std::string format_geometry(const std::string& path, const Geometry& geometry);

} // namespace nendo
