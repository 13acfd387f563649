// SPDX-License-Identifier: Apache-2.0
// Writes a Geometry to a file, with the keys in Houdini's order and its short names in binary
// files.
#include "core/error.h"
#include "io/file.h"
#include "io/geo/geo.h"
#include "io/geo/json.h"
#include "io/geo/scf.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <type_traits>

namespace nendo {
namespace {

constexpr std::string_view file_version = "20.5.0";
constexpr std::int64_t page_size = 1024; ///< Houdini's name of each storage type.

template <class T> constexpr std::string_view storage_name() {
    if constexpr (std::is_same_v<T, std::uint8_t>) return "uint8";
    if constexpr (std::is_same_v<T, std::int8_t>) return "int8";
    if constexpr (std::is_same_v<T, std::int16_t>) return "int16";
    if constexpr (std::is_same_v<T, std::int32_t>) return "int32";
    if constexpr (std::is_same_v<T, std::int64_t>) return "int64";
    if constexpr (std::is_same_v<T, float>) return "fpreal32";
    return "fpreal64";
}

std::int64_t signed_count(std::size_t n) {
    return static_cast<std::int64_t>(n);
}

// ---- attributes

/// Writes a column: in text a list per tuple, or one list of single values; in binary raw pages.
template <class T>
void write_column(JsonWriter& out, const std::vector<T>& values, int tuple_size) {
    const auto size = static_cast<std::size_t>(tuple_size);
    out.begin_list();
    out.entry("size", tuple_size);
    out.entry("storage", storage_name<T>());
    if (!out.is_text()) {
        out.entry("pagesize", page_size);
        out.word("rawpagedata");
        out.numbers(span_of(values));
    } else if (tuple_size == 1) {
        out.word("arrays");
        out.begin_list();
        out.numbers(span_of(values));
        out.end_list();
    } else {
        out.word("tuples");
        out.begin_list();
        for (std::size_t i = 0; i + size <= values.size(); i += size)
            out.numbers(Span<T>{values.data() + i, size});
        out.end_list();
    }
    out.end_list();
}

void write_definition(JsonWriter& out, const Attribute& attribute, std::string_view type) {
    out.begin_list();
    out.entry("scope", attribute.scope);
    out.entry("type", type);
    out.entry("name", attribute.name);
    out.word("options");
    out.begin_map();
    if (!attribute.type_info.empty()) {
        out.word("type");
        out.begin_map();
        out.entry("type", "string");
        out.entry("value", attribute.type_info);
        out.end_map();
    }
    out.end_map();
    out.end_list();
}

template <class T>
void write_values(JsonWriter& out, const Attribute& attribute, const std::vector<T>& values) {
    write_definition(out, attribute, "numeric");
    out.begin_list();
    out.entry("size", attribute.tuple_size);
    out.entry("storage", storage_name<T>());
    out.word("defaults");
    out.begin_list();
    out.entry("size", 1);
    out.entry("storage", std::is_integral_v<T> ? "int64" : "fpreal64");
    out.word("values");
    out.begin_list();
    if constexpr (std::is_integral_v<T>)
        out.integer(0);
    else
        out.real(0);
    out.end_list();
    out.end_list();
    out.word("values");
    write_column(out, values, attribute.tuple_size);
    out.end_list();
}

void write_values(JsonWriter& out, const Attribute& attribute, const StringColumn& column) {
    write_definition(out, attribute, "string");
    out.begin_list();
    out.entry("size", attribute.tuple_size);
    out.entry("storage", "int32");
    out.word("strings");
    out.begin_list();
    for (const std::string& text : column.table) out.text(text);
    out.end_list();
    out.word("indices");
    write_column(out, column.indices, attribute.tuple_size);
    out.end_list();
}

void write_values(JsonWriter& out, const Attribute&, const KeptAttribute& kept) {
    out.value(kept.definition);
    out.value(kept.data);
}

void write_attributes(JsonWriter& out, std::string_view key,
                      const std::vector<Attribute>& attributes) {
    if (attributes.empty()) return;
    out.word(key);
    out.begin_list();
    for (const Attribute& attribute : attributes) {
        out.begin_list();
        std::visit([&](const auto& values) { write_values(out, attribute, values); },
                   attribute.values);
        out.end_list();
    }
    out.end_list();
}

// ---- primitives

bool is_consecutive(const std::vector<std::int32_t>& vertices) {
    return std::adjacent_find(vertices.begin(), vertices.end(),
                              [](auto a, auto b) { return b != a + 1; }) == vertices.end();
}

/// Writes the run of Houdini 16 and later, for closed polygons with consecutive vertices.
void write_run(JsonWriter& out, const Polygons& polygons) {
    const bool text = out.is_text();
    const bool equal = std::adjacent_find(polygons.sizes.begin(), polygons.sizes.end(),
                                          std::not_equal_to<>()) == polygons.sizes.end();
    out.begin_list();
    out.entry("type", text ? "Polygon_run" : "p_r");
    out.end_list();
    out.begin_list();
    out.entry(text ? "startvertex" : "s_v",
              polygons.vertices.empty() ? 0 : polygons.vertices.front());
    out.entry(text ? "nprimitives" : "n_p", signed_count(polygons.sizes.size()));
    if (equal && polygons.sizes.size() > 1) {
        out.word(text ? "nvertices_rle" : "r_v");
        const std::vector<std::int64_t> run{polygons.sizes.front(),
                                            signed_count(polygons.sizes.size())};
        out.numbers(span_of(run));
    } else {
        out.word(text ? "nvertices" : "n_v");
        out.numbers(span_of(polygons.sizes));
    }
    out.end_list();
}

/// Writes the general run, which all versions since Houdini 12 can read.
void write_old_run(JsonWriter& out, const Polygons& polygons) {
    out.begin_list();
    out.entry("type", "run");
    out.entry("runtype", "Poly");
    out.word("varyingfields");
    out.begin_list();
    out.word("vertex");
    out.end_list();
    out.word("uniformfields");
    out.begin_map();
    out.word("closed");
    out.boolean(polygons.closed);
    out.end_map();
    out.end_list();
    out.begin_list();
    const std::int32_t* next = polygons.vertices.data();
    for (const std::int32_t size : polygons.sizes) {
        out.begin_list();
        out.numbers(Span<std::int32_t>{next, static_cast<std::size_t>(size)});
        out.end_list();
        next += size;
    }
    out.end_list();
}

void write_primitives(JsonWriter& out, const Geometry& geometry) {
    out.word("primitives");
    out.begin_list();
    for (const auto& block : geometry.primitives) {
        out.begin_list();
        if (const auto* kept = std::get_if<KeptPrimitives>(&block)) {
            out.value(kept->definition);
            out.value(kept->data);
        } else {
            const auto& polygons = std::get<Polygons>(block);
            if (polygons.closed && is_consecutive(polygons.vertices))
                write_run(out, polygons);
            else
                write_old_run(out, polygons);
        }
        out.end_list();
    }
    out.end_list();
}

// ---- groups and the rest

void write_groups(JsonWriter& out, std::string_view key, const std::vector<Group>& groups) {
    if (groups.empty()) return;
    out.word(key);
    out.begin_list();
    for (const Group& group : groups) {
        out.begin_list();
        out.begin_list();
        out.entry("name", group.name);
        out.end_list();
        out.begin_list();
        out.word("selection");
        out.begin_list();
        if (!group.order.empty()) {
            out.word("ordered");
            out.numbers(span_of(group.order));
        } else {
            out.word("unordered");
            out.begin_list();
            out.word("i8");
            const std::vector<std::int8_t> flags(group.members.begin(), group.members.end());
            out.numbers(span_of(flags));
            out.end_list();
        }
        out.end_list();
        out.end_list();
        out.end_list();
    }
    out.end_list();
}

template <class T>
void write_bounds(JsonWriter& out, const std::vector<T>& positions, int tuple_size) {
    std::vector<double> bounds; // Minimum and maximum of x, then y, then z.
    for (std::size_t axis = 0; axis < 3; ++axis) {
        T least = std::numeric_limits<T>::max(), greatest = std::numeric_limits<T>::lowest();
        for (std::size_t i = axis; i < positions.size(); i += static_cast<std::size_t>(tuple_size))
            least = std::min(least, positions[i]), greatest = std::max(greatest, positions[i]);
        bounds.push_back(static_cast<double>(least));
        bounds.push_back(static_cast<double>(greatest));
    }
    out.word("bounds");
    out.numbers(span_of(bounds));
}

void summarize(std::string& summary, const std::vector<Attribute>& attributes,
               std::string_view kind) {
    if (attributes.empty()) return;
    const std::string count = std::to_string(attributes.size());
    summary.append(count.size() < 6 ? 6 - count.size() : 0, ' ');
    summary.append(count).append(" ").append(kind).append(" attributes:\t");
    for (const Attribute& attribute : attributes)
        summary.append(&attribute == &attributes.front() ? "" : ", ").append(attribute.name);
    summary.append("\n");
}

void write_info(JsonWriter& out, const Geometry& geometry) {
    out.word("info");
    out.begin_map();
    if (const Attribute* p = find_attribute(geometry.point_attributes, "P");
        p != nullptr && geometry.point_count > 0 && p->tuple_size >= 3) {
        if (const auto* floats = std::get_if<std::vector<float>>(&p->values))
            write_bounds(out, *floats, p->tuple_size);
        if (const auto* doubles = std::get_if<std::vector<double>>(&p->values))
            write_bounds(out, *doubles, p->tuple_size);
    }
    std::string summary;
    summarize(summary, geometry.vertex_attributes, "vertex");
    summarize(summary, geometry.point_attributes, "point");
    summarize(summary, geometry.primitive_attributes, "primitive");
    summarize(summary, geometry.detail_attributes, "global");
    if (!summary.empty()) out.word("attribute_summary"), out.text(summary);
    out.entry("software", "Nendo");
    out.end_map();
}

// ---- checks and sizes

std::size_t value_count(const Attribute& attribute) {
    return std::visit(
        [](const auto& values) -> std::size_t {
            using Column = std::decay_t<decltype(values)>;
            if constexpr (std::is_same_v<Column, StringColumn>)
                return values.indices.size();
            else if constexpr (std::is_same_v<Column, KeptAttribute>)
                return 0;
            else
                return values.size();
        },
        attribute.values);
}

void check_attributes(const std::vector<Attribute>& attributes, std::size_t count,
                      std::string_view kind, const std::string& path) {
    for (const Attribute& attribute : attributes) {
        if (std::holds_alternative<KeptAttribute>(attribute.values)) continue;
        const std::size_t expected = count * static_cast<std::size_t>(attribute.tuple_size);
        if (value_count(attribute) != expected)
            throw Error(std::string(kind) + " attribute '" + attribute.name + "' has " +
                            std::to_string(value_count(attribute)) + " values, not " +
                            std::to_string(expected),
                        path, "give every element a value");
    }
}

void check(const Geometry& geometry, const std::string& path) {
    check_attributes(geometry.vertex_attributes, geometry.vertex_count(), "vertex", path);
    check_attributes(geometry.point_attributes, geometry.point_count, "point", path);
    check_attributes(geometry.primitive_attributes, geometry.primitive_count, "primitive", path);
    check_attributes(geometry.detail_attributes, 1, "detail", path);
    if (geometry.point_count > 0 && find_attribute(geometry.point_attributes, "P") == nullptr)
        throw Error("the points have no attribute P", path, "give every point a position");
}

std::size_t expected_bytes(const Geometry& geometry, bool text) {
    std::size_t values = geometry.vertex_count() * 2;
    for (const auto* list : {&geometry.vertex_attributes, &geometry.point_attributes,
                             &geometry.primitive_attributes, &geometry.detail_attributes})
        for (const Attribute& attribute : *list)
            values += value_count(attribute) *
                      (std::holds_alternative<std::vector<double>>(attribute.values) ||
                               std::holds_alternative<std::vector<std::int64_t>>(attribute.values)
                           ? 2
                           : 1);
    return 65536 + values * (text ? 11 : 4);
}

} // namespace

std::string format_geometry(const std::string& path, const Geometry& geometry) {
    const bool text = has_suffix(path, ".geo");
    const bool compressed = has_suffix(path, ".bgeo.sc");
    if (!text && !compressed && !has_suffix(path, ".bgeo"))
        throw Error("the file name does not show the format of the geometry", path,
                    "end it in .bgeo.sc, .bgeo or .geo");
    check(geometry, path);

    const auto writer = text ? make_text_writer(expected_bytes(geometry, true), path)
                             : make_binary_writer(expected_bytes(geometry, false));
    JsonWriter& out = *writer;
    out.begin_list();
    out.entry("fileversion", file_version);
    out.word("hasindex");
    out.boolean(false);
    out.entry("pointcount", signed_count(geometry.point_count));
    out.entry("vertexcount", signed_count(geometry.vertex_count()));
    out.entry("primitivecount", signed_count(geometry.primitive_count));
    write_info(out, geometry);
    out.word("topology");
    out.begin_list();
    out.word("pointref");
    out.begin_list();
    out.word("indices");
    out.numbers(span_of(geometry.vertex_points));
    out.end_list();
    out.end_list();
    out.word("attributes");
    out.begin_list();
    write_attributes(out, "vertexattributes", geometry.vertex_attributes);
    write_attributes(out, "pointattributes", geometry.point_attributes);
    write_attributes(out, "primitiveattributes", geometry.primitive_attributes);
    write_attributes(out, "globalattributes", geometry.detail_attributes);
    out.end_list();
    write_primitives(out, geometry);
    write_groups(out, "vertexgroups", geometry.vertex_groups);
    write_groups(out, "pointgroups", geometry.point_groups);
    write_groups(out, "primitivegroups", geometry.primitive_groups);
    for (const Member& member : geometry.kept) out.word(member.key), out.value(member.value);
    out.end_list();
    std::string bytes = out.take();
    return compressed ? pack_scf(bytes) : bytes;
}

void write_geometry(const std::string& path, const Geometry& geometry) {
    write_file_atomically(path, format_geometry(path, geometry));
}

} // namespace nendo
