// SPDX-License-Identifier: Apache-2.0
// Converts the value tree of a file to a Geometry. Counts in the file are checked against its
// content before they are used.
#include "core/error.h"
#include "io/file.h"
#include "io/geo/column.h"
#include "io/geo/geo.h"
#include "io/geo/json.h"
#include "io/geo/scf.h"

#include <algorithm>
#include <array>
#include <new>
#include <numeric>
#include <set>
#include <stdexcept>

namespace nendo {

std::size_t read_count(const Value& record, std::string_view key, const GeoPlace& place) {
    const Value* value = record.find(key);
    const auto* count = value != nullptr ? value->get<std::int64_t>() : nullptr;
    if (count == nullptr) place.fail("'" + std::string(key) + "' is missing or not an integer");
    if (*count < 0 || *count > std::numeric_limits<std::int32_t>::max())
        place.inside(key).fail("the count " + std::to_string(*count) + " is invalid");
    return static_cast<std::size_t>(*count);
}

PageLayout read_page_layout(const Value& block, std::size_t count, std::size_t size,
                            const GeoPlace& place) {
    PageLayout layout;
    layout.page_size = read_count(block, "pagesize", place);
    // Houdini's pages have 1024 elements. Larger constant pages would let a small file claim all
    // memory.
    if (layout.page_size == 0 || layout.page_size > 1024)
        place.inside("pagesize").fail("the size of a page is invalid");
    layout.parts = {size};
    if (const Value* packing = block.find("packing")) {
        layout.parts.clear();
        std::size_t sum = 0;
        for (std::size_t k = 0; k < packing->count(); ++k) {
            layout.parts.push_back(number_as<std::uint8_t>(*packing, k, place.inside("packing")));
            sum += layout.parts.back();
        }
        if (sum != size) place.inside("packing").fail("the parts do not add up to a tuple");
    }
    if (const Value* flags = block.find("constantpageflags")) {
        const auto* parts = flags->get<Value::List>();
        if (parts == nullptr || parts->size() > layout.parts.size())
            place.inside("constantpageflags").fail("there must be one list for each part");
        const std::size_t pages = (count + layout.page_size - 1) / layout.page_size;
        for (const Value& part : *parts) {
            if (!part.is_array() || (part.count() != 0 && part.count() != pages))
                place.inside("constantpageflags").fail("there must be one flag for each page");
            std::vector<bool> constant(part.count());
            for (std::size_t page = 0; page < constant.size(); ++page)
                constant[page] = number_as<std::uint8_t>(part, page, place) != 0;
            layout.constant.push_back(std::move(constant));
        }
    }
    return layout;
}

namespace {

const Value* find_either(const Value& record, std::string_view name, std::string_view short_name) {
    const Value* value = record.find(name);
    return value != nullptr ? value : record.find(short_name);
}

const std::string& read_text(const Value& record, std::string_view key, const GeoPlace& place) {
    const Value* value = record.find(key);
    const auto* text = value != nullptr ? value->get<std::string>() : nullptr;
    if (text == nullptr) place.fail("'" + std::string(key) + "' is missing or not text");
    return *text;
}

/// Returns a definition and its data.
std::array<Value*, 2> pair_of(Value& entry, const GeoPlace& place) {
    auto* pair = entry.get<Value::List>();
    if (pair == nullptr || pair->size() != 2) place.fail("a definition and its data are expected");
    return {&(*pair)[0], &(*pair)[1]};
}

// ---- attributes

template <class T>
void read_numeric(Attribute& attribute, Value& block, std::size_t count, const GeoPlace& place) {
    attribute.values =
        read_column<T>(block, count, static_cast<std::size_t>(attribute.tuple_size), place);
}

void read_numbers(Attribute& attribute, Value& data, std::size_t count, const GeoPlace& place) {
    Value* block = data.find("values");
    if (block == nullptr) place.fail("'values' is missing");
    const std::string storage = read_text(*block, "storage", place);
    if (storage == "uint8") return read_numeric<std::uint8_t>(attribute, *block, count, place);
    if (storage == "int8") return read_numeric<std::int8_t>(attribute, *block, count, place);
    if (storage == "int16") return read_numeric<std::int16_t>(attribute, *block, count, place);
    if (storage == "int32") return read_numeric<std::int32_t>(attribute, *block, count, place);
    if (storage == "int64") return read_numeric<std::int64_t>(attribute, *block, count, place);
    if (storage == "fpreal64") return read_numeric<double>(attribute, *block, count, place);
    if (storage == "fpreal32" || storage == "fpreal16")
        return read_numeric<float>(attribute, *block, count, place);
    place.fail("the storage '" + storage + "' is unknown");
}

void read_strings(Attribute& attribute, Value& data, std::size_t count, const GeoPlace& place) {
    StringColumn column;
    const Value* table = data.find("strings");
    Value* block = data.find("indices");
    if (table == nullptr || block == nullptr) place.fail("'strings' or 'indices' is missing");
    if (const auto* list = table->get<Value::List>())
        for (const Value& entry : *list) {
            const auto* text = entry.get<std::string>();
            if (text == nullptr) place.inside("strings").fail("text is expected");
            column.table.push_back(*text);
        }
    column.indices = read_column<std::int32_t>(
        *block, count, static_cast<std::size_t>(attribute.tuple_size), place.inside("indices"));
    for (std::int32_t& index : column.indices)
        if (index < -1 || index >= static_cast<std::int64_t>(column.table.size()))
            place.inside("indices").fail("an index is outside the table of strings");
    attribute.values = std::move(column);
}

Attribute read_attribute(Value& entry, std::size_t count, const GeoPlace& owner) {
    const auto [definition, data] = pair_of(entry, owner);
    Attribute attribute;
    attribute.name = read_text(*definition, "name", owner);
    const GeoPlace place = owner.inside(attribute.name);
    if (const Value* scope = definition->find("scope"))
        if (const auto* text = scope->get<std::string>()) attribute.scope = *text;
    if (const Value* options = definition->find("options"))
        if (const Value* type = options->find("type"))
            if (const Value* value = type->find("value"))
                if (const auto* text = value->get<std::string>()) attribute.type_info = *text;

    const std::string type = read_text(*definition, "type", place);
    if (type != "numeric" && type != "string") {
        attribute.values = KeptAttribute{std::move(*definition), std::move(*data)};
        return attribute;
    }
    const std::size_t size = read_count(*data, "size", place);
    if (size < 1 || size > 255) place.inside("size").fail("the size of a tuple is invalid");
    attribute.tuple_size = static_cast<int>(size);
    if (type == "numeric")
        read_numbers(attribute, *data, count, place);
    else
        read_strings(attribute, *data, count, place);
    return attribute;
}

std::vector<Attribute> read_attributes(Value& all, std::string_view key, std::size_t count,
                                       const GeoPlace& place) {
    std::vector<Attribute> attributes;
    Value* list = all.find(key);
    if (list == nullptr) return attributes;
    auto* entries = list->get<Value::List>();
    if (entries == nullptr) place.inside(key).fail("this is not a list");
    std::set<std::string> names;
    for (Value& entry : *entries) {
        attributes.push_back(read_attribute(entry, count, place.inside(key)));
        if (!names.insert(attributes.back().name).second)
            place.inside(key).inside(attributes.back().name).fail("the attribute occurs twice");
    }
    return attributes;
}

// ---- primitives

class PrimitiveReader {
public:
    PrimitiveReader(Geometry& geometry, const GeoPlace& place)
        : m_geometry(geometry), m_place(place) {}

    void read(Value& entry) {
        const auto [definition, data] = pair_of(entry, m_place);
        const std::string type = read_text(*definition, "type", m_place);
        if (type == "Polygon_run" || type == "p_r") return read_run(*data, true);
        if (type == "PolygonCurve_run" || type == "c_r") return read_run(*data, false);
        if (type == "Poly") return read_polygon(*data);
        const Value* run_type = definition->find("runtype");
        const auto* kind = run_type != nullptr ? run_type->get<std::string>() : nullptr;
        if (type == "run" && kind != nullptr && *kind == "Poly" && read_old_run(*definition, *data))
            return;
        keep(type, *definition, *data);
    }

private:
    void add(bool closed, const std::vector<std::int32_t>& vertices) {
        for (const std::int32_t v : vertices)
            if (v < 0 || v >= static_cast<std::int64_t>(m_geometry.vertex_count()))
                m_place.fail("vertex " + std::to_string(v) + " does not exist");
        m_geometry.add_polygon(closed, vertices.data(), vertices.size());
    }

    std::vector<std::int32_t> vertices_of(Value& list) const {
        return move_numbers<std::int32_t>(list, list.count(), m_place.inside("vertex"));
    }

    bool closed_in(const Value& record) const {
        Number closed;
        const Value* value = record.find("closed");
        return value == nullptr || !number_of(*value, closed) || closed.integer != 0;
    }

    void read_polygon(Value& data) {
        Value* vertices = data.find("vertex");
        if (vertices == nullptr || !vertices->is_array()) m_place.fail("'vertex' is missing");
        add(closed_in(data), vertices_of(*vertices));
    }

    /// Houdini 12 to 15: fields that all polygons share, and fields that vary. Returns false if
    /// anything but the vertices varies.
    bool read_old_run(const Value& definition, Value& data) {
        const Value* varying = definition.find("varyingfields");
        const Value* uniform = definition.find("uniformfields");
        const auto* fields = varying != nullptr ? varying->get<Value::List>() : nullptr;
        if (fields == nullptr || fields->size() != 1) return false;
        const auto* field = (*fields)[0].get<std::string>();
        if (field == nullptr || *field != "vertex") return false;
        auto* polygons = data.get<Value::List>();
        if (polygons == nullptr) return false;
        for (Value& polygon : *polygons) {
            auto* values = polygon.get<Value::List>();
            if (values == nullptr || values->size() != 1 || !(*values)[0].is_array())
                m_place.fail("a polygon's list of vertices is expected");
            add(uniform == nullptr || closed_in(*uniform), vertices_of((*values)[0]));
        }
        return true;
    }

    /// Since Houdini 16: consecutive vertices, split by the polygons' sizes.
    void read_run(const Value& data, bool closed) {
        const auto count_of = [&](const char* name, const char* short_name) {
            const bool is_short = data.find(name) == nullptr;
            return read_count(data, is_short ? short_name : name, m_place);
        };
        std::size_t next = count_of("startvertex", "s_v");
        const std::size_t polygons = count_of("nprimitives", "n_p");
        const Value* sizes = find_either(data, "nvertices", "n_v");
        const Value* runs = find_either(data, "nvertices_rle", "r_v");
        std::size_t read = 0;
        const auto add_many = [&](std::size_t size, std::size_t repeats) {
            if (repeats > polygons - read || next > m_geometry.vertex_count() ||
                (size > 0 && repeats > (m_geometry.vertex_count() - next) / size) ||
                (size == 0 && repeats > (1u << 20)))
                m_place.fail("the polygons need more vertices than there are");
            std::vector<std::int32_t> vertices(size);
            for (std::size_t i = 0; i < repeats; ++i, next += size) {
                std::iota(vertices.begin(), vertices.end(), static_cast<std::int32_t>(next));
                add(closed, vertices);
            }
            read += repeats;
        };
        if (sizes != nullptr)
            for (std::size_t i = 0; i < sizes->count(); ++i)
                add_many(number_as<std::uint32_t>(*sizes, i, m_place), 1);
        else if (runs != nullptr)
            for (std::size_t i = 0; i + 1 < runs->count(); i += 2)
                add_many(number_as<std::uint32_t>(*runs, i, m_place),
                         number_as<std::uint32_t>(*runs, i + 1, m_place));
        if (read != polygons) m_place.fail("the sizes of the polygons are missing");
    }

    void keep(const std::string& type, Value& definition, Value& data) {
        KeptPrimitives kept;
        if (type == "run") {
            kept.count = data.count();
        } else if (const Value* n = find_either(data, "nprimitives", "n_p")) {
            Number number;
            // The primitives of all runs have at least one vertex each.
            if (!number_of(*n, number) || number.integer < 0 ||
                number.integer >
                    static_cast<std::int64_t>(m_geometry.vertex_count() - m_kept_in_runs))
                m_place.fail("the number of primitives is invalid");
            kept.count = static_cast<std::size_t>(number.integer);
            m_kept_in_runs += kept.count;
        }
        m_geometry.primitive_count += kept.count;
        kept.definition = std::move(definition);
        kept.data = std::move(data);
        m_geometry.primitives.emplace_back(std::move(kept));
    }

    Geometry& m_geometry;
    const GeoPlace& m_place;
    std::size_t m_kept_in_runs = 0;
};

void read_primitives(Value& root, Geometry& geometry, const GeoPlace& place) {
    if (Value* primitives = root.find("primitives")) {
        auto* entries = primitives->get<Value::List>();
        if (entries == nullptr) place.inside("primitives").fail("this is not a list");
        const GeoPlace inside = place.inside("primitives");
        PrimitiveReader reader(geometry, inside);
        for (Value& entry : *entries) reader.read(entry);
    }
    const std::size_t claimed = read_count(root, "primitivecount", place);
    if (claimed != geometry.primitive_count)
        place.inside("primitivecount")
            .fail(std::to_string(claimed) + " primitives are announced, but " +
                  std::to_string(geometry.primitive_count) + " are present");
}

void read_topology(Value& root, Geometry& geometry, const GeoPlace& place) {
    const std::size_t claimed = read_count(root, "vertexcount", place);
    Value* topology = root.find("topology");
    Value* pointref = topology != nullptr ? topology->find("pointref") : nullptr;
    Value* indices = pointref != nullptr ? pointref->find("indices") : nullptr;
    if (indices == nullptr && claimed == 0) return;
    const GeoPlace inside = place.inside("topology.pointref.indices");
    if (indices == nullptr) inside.fail("the points of the vertices are missing");
    geometry.vertex_points = move_numbers<std::int32_t>(*indices, claimed, inside);
    for (const std::int32_t point : geometry.vertex_points)
        if (point < -1 || point >= static_cast<std::int64_t>(geometry.point_count))
            inside.fail("point " + std::to_string(point) + " does not exist");
}

// ---- groups

void read_membership(Group& group, Value& selection, std::size_t count, const GeoPlace& place) {
    if (Value* ordered = selection.find("ordered")) {
        group.order = move_numbers<std::int64_t>(*ordered, ordered->count(), place);
        group.members.assign(count, 0);
        for (const std::int64_t i : group.order) {
            if (i < 0 || i >= static_cast<std::int64_t>(count))
                place.fail("member " + std::to_string(i) + " does not exist");
            group.members[static_cast<std::size_t>(i)] = 1;
        }
        return;
    }
    Value* unordered = selection.find("unordered");
    Value* bytes = unordered != nullptr ? unordered->find("i8") : nullptr;
    Value* runs = unordered != nullptr ? unordered->find("boolRLE") : nullptr;
    if (bytes != nullptr) {
        if (bytes->count() != count) place.fail("there must be one flag for each element");
        for (std::size_t i = 0; i < count; ++i)
            group.members.push_back(number_as<std::int64_t>(*bytes, i, place) != 0 ? 1 : 0);
    } else if (runs != nullptr) {
        for (std::size_t i = 0; i + 1 < runs->count(); i += 2) {
            const auto length = number_as<std::uint32_t>(*runs, i, place);
            const auto member = number_as<std::uint8_t>(*runs, i + 1, place);
            if (length > count - group.members.size())
                place.fail("there are more flags than elements");
            group.members.insert(group.members.end(), length, member != 0 ? 1 : 0);
        }
    }
    if (group.members.size() != count) place.fail("the members of the group are missing");
}

std::vector<Group> read_groups(Value& root, std::string_view key, std::size_t count,
                               const GeoPlace& place) {
    std::vector<Group> groups;
    Value* list = root.find(key);
    if (list == nullptr) return groups;
    auto* entries = list->get<Value::List>();
    if (entries == nullptr) place.inside(key).fail("this is not a list");
    for (Value& entry : *entries) {
        const auto [definition, data] = pair_of(entry, place.inside(key));
        Group group;
        group.name = read_text(*definition, "name", place.inside(key));
        const GeoPlace inside = place.inside(key).inside(group.name);
        Value* selection = data->find("selection");
        if (selection == nullptr) inside.fail("'selection' is missing");
        read_membership(group, *selection, count, inside);
        groups.push_back(std::move(group));
    }
    return groups;
}

// ---- the whole file

void keep_unknown_parts(Value& root, Geometry& geometry) {
    static constexpr std::string_view known[] = {"fileversion", "hasindex",        "pointcount",
                                                 "vertexcount", "primitivecount",  "info",
                                                 "topology",    "attributes",      "primitives",
                                                 "pointgroups", "primitivegroups", "vertexgroups",
                                                 "index",       "indexposition"};
    auto* list = root.get<Value::List>();
    for (std::size_t i = 0; list != nullptr && i + 1 < list->size(); i += 2) {
        const auto* key = (*list)[i].get<std::string>();
        if (key != nullptr &&
            std::find(std::begin(known), std::end(known), *key) == std::end(known))
            geometry.kept.push_back({*key, std::move((*list)[i + 1])});
    }
}

Geometry geometry_of(Value& root, const std::string& path) {
    const GeoPlace place{path, ""};
    if (root.find("fileversion") == nullptr || root.find("pointcount") == nullptr)
        throw Error("this is not Houdini geometry", path,
                    "use a .geo, .bgeo or .bgeo.sc file of Houdini 12 or later");
    Geometry geometry;
    geometry.point_count = read_count(root, "pointcount", place);
    read_topology(root, geometry, place);
    read_primitives(root, geometry, place);
    if (Value* all = root.find("attributes")) {
        const GeoPlace inside = place.inside("attributes");
        geometry.vertex_attributes =
            read_attributes(*all, "vertexattributes", geometry.vertex_count(), inside);
        geometry.point_attributes =
            read_attributes(*all, "pointattributes", geometry.point_count, inside);
        geometry.primitive_attributes =
            read_attributes(*all, "primitiveattributes", geometry.primitive_count, inside);
        geometry.detail_attributes = read_attributes(*all, "globalattributes", 1, inside);
    }
    // Only positions prove that the announced points are present.
    const Attribute* positions = find_attribute(geometry.point_attributes, "P");
    const bool are_numbers =
        positions != nullptr && (std::holds_alternative<std::vector<float>>(positions->values) ||
                                 std::holds_alternative<std::vector<double>>(positions->values));
    if (geometry.point_count > 0 && (!are_numbers || positions->tuple_size < 3))
        place.inside("attributes.pointattributes.P").fail("the points have no positions");

    geometry.vertex_groups = read_groups(root, "vertexgroups", geometry.vertex_count(), place);
    geometry.point_groups = read_groups(root, "pointgroups", geometry.point_count, place);
    geometry.primitive_groups =
        read_groups(root, "primitivegroups", geometry.primitive_count, place);
    keep_unknown_parts(root, geometry);
    return geometry;
}

} // namespace

Geometry parse_geometry(std::string_view bytes, const std::string& path) try {
    std::string unpacked;
    if (is_scf(bytes)) {
        unpacked = unpack_scf(bytes, path);
        bytes = unpacked;
    }
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) throw Error("the file is empty", path, "write it again");
    if (is_binary_json(bytes)) {
        Value root = read_binary_json(bytes, path);
        return geometry_of(root, path);
    }
    if (bytes[first] != '[' && bytes[first] != '{')
        throw Error("this is not Houdini geometry", path,
                    "use a .geo, .bgeo or .bgeo.sc file of Houdini 12 or later");
    Value root = read_text_json(bytes, path);
    return geometry_of(root, path);
} catch (const std::bad_alloc&) {
    throw Error("there is not enough memory to read the file", path,
                "free memory, or check that the file is complete");
} catch (const std::length_error&) {
    throw Error("there is not enough memory to read the file", path,
                "free memory, or check that the file is complete");
}

Geometry read_geometry(const std::string& path) {
    return parse_geometry(read_file(path), path);
}

} // namespace nendo
