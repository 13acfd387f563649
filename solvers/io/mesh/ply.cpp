// SPDX-License-Identifier: Apache-2.0
// PLY: reads text or binary of either byte order, with properties of any type in any order.
#include "core/error.h"
#include "io/file.h"
#include "io/mesh/mesh_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <system_error>
#include <vector>

namespace nendo {
namespace {

enum class Format { text, little_endian, big_endian };
enum class PlyType { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

struct Property {
    std::string name;
    std::optional<PlyType> list_count; ///< Set if the property is a list
    PlyType type = PlyType::float32;
};

struct Element {
    std::string name;
    std::uint64_t count = 0;
    std::vector<Property> properties;
};

std::size_t bytes_of(PlyType type) {
    switch (type) {
    case PlyType::int8:
    case PlyType::uint8: return 1;
    case PlyType::int16:
    case PlyType::uint16: return 2;
    case PlyType::int32:
    case PlyType::uint32:
    case PlyType::float32: return 4;
    case PlyType::float64: return 8;
    }
    return 0;
}

std::optional<PlyType> type_named(std::string_view name) {
    if (name == "char" || name == "int8") return PlyType::int8;
    if (name == "uchar" || name == "uint8") return PlyType::uint8;
    if (name == "short" || name == "int16") return PlyType::int16;
    if (name == "ushort" || name == "uint16") return PlyType::uint16;
    if (name == "int" || name == "int32") return PlyType::int32;
    if (name == "uint" || name == "uint32") return PlyType::uint32;
    if (name == "float" || name == "float32") return PlyType::float32;
    if (name == "double" || name == "float64") return PlyType::float64;
    return std::nullopt;
}

class PlyReader {
public:
    PlyReader(std::string_view bytes, const std::string& path) : m_bytes(bytes), m_path(path) {}

    TexturedMesh read() {
        read_header();
        for (const Element& element : m_elements) {
            check_size(element);
            if (element.name == "vertex")
                read_points(element);
            else if (element.name == "face")
                read_faces(element);
            else
                skip(element);
        }
        if (m_mesh.triangles.empty())
            throw Error("the mesh has no faces", m_path, "export it as polygons");
        for (std::size_t i = 0; i < m_mesh.triangles.size(); ++i)
            for (const std::uint32_t corner : m_mesh.triangles[i])
                if (corner >= m_mesh.points.size())
                    throw Error("a face uses point " + std::to_string(corner) +
                                    ", but there are only " + std::to_string(m_mesh.points.size()),
                                m_path + " triangle " + std::to_string(i), remedy);
        return {std::move(m_mesh), std::move(m_uvs)};
    }

private:
    static constexpr const char* remedy = "repair the file, or export the mesh again";

    [[noreturn]] void fail(const std::string& what) const {
        throw Error(what, m_path + " byte " + std::to_string(m_offset), remedy);
    }

    // ---- header

    std::string_view next_line() {
        const std::size_t end = m_bytes.find('\n', m_offset);
        if (end == std::string_view::npos) fail("the header does not end");
        std::string_view line = m_bytes.substr(m_offset, end - m_offset);
        m_offset = end + 1;
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        return line;
    }

    static std::vector<std::string_view> words_of(std::string_view line) {
        std::vector<std::string_view> words;
        for (;;) {
            const std::size_t begin = line.find_first_not_of(" \t");
            if (begin == std::string_view::npos) return words;
            line.remove_prefix(begin);
            words.push_back(line.substr(0, line.find_first_of(" \t")));
            line.remove_prefix(words.back().size());
        }
    }

    void read_header() {
        if (m_bytes.substr(0, 3) != "ply" || next_line() != "ply")
            throw Error("this is not a PLY file", m_path, "export the mesh as .ply or .obj");
        bool has_format = false;
        for (;;) {
            const std::size_t start = m_offset;
            const std::vector<std::string_view> words = words_of(next_line());
            if (words.empty() || words[0] == "comment" || words[0] == "obj_info") continue;
            if (words[0] == "end_header") break;
            const std::size_t after = m_offset;
            m_offset = start; // Messages name the beginning of the line.
            if (words[0] == "format")
                read_format(words), has_format = true;
            else if (words[0] == "element")
                read_element(words);
            else if (words[0] == "property")
                read_property(words);
            else
                fail("'" + std::string(words[0]) + "' does not belong in a header");
            m_offset = after;
        }
        if (!has_format) fail("the header does not name a format");
    }

    void read_format(const std::vector<std::string_view>& words) {
        const std::string_view name = words.size() > 1 ? words[1] : "";
        if (name == "ascii")
            m_format = Format::text;
        else if (name == "binary_little_endian")
            m_format = Format::little_endian;
        else if (name == "binary_big_endian")
            m_format = Format::big_endian;
        else
            fail("the format '" + std::string(name) + "' is unknown");
    }

    void read_element(const std::vector<std::string_view>& words) {
        Element element;
        if (words.size() != 3) fail("an element needs a name and a count");
        element.name = words[1];
        for (const Element& other : m_elements)
            if (other.name == element.name) fail("there are two elements '" + element.name + "'");
        const char* const end = words[2].data() + words[2].size();
        const auto result = std::from_chars(words[2].data(), end, element.count);
        if (result.ec != std::errc() || result.ptr != end)
            fail("'" + std::string(words[2]) + "' is not a count");
        m_elements.push_back(std::move(element));
    }

    PlyType read_type(std::string_view name) const {
        const std::optional<PlyType> type = type_named(name);
        if (!type) fail("the type '" + std::string(name) + "' is unknown");
        return *type;
    }

    void read_property(const std::vector<std::string_view>& words) {
        if (m_elements.empty()) fail("a property comes before the first element");
        Property property;
        const bool is_list = words.size() > 1 && words[1] == "list";
        if (words.size() != (is_list ? 5u : 3u)) fail("a property needs a type and a name");
        if (is_list) property.list_count = read_type(words[2]);
        property.type = read_type(words[is_list ? 3 : 1]);
        property.name = words.back();
        m_elements.back().properties.push_back(std::move(property));
    }

    // ---- values

    /// Checks that the announced rows can fit in the file, before anything is allocated.
    void check_size(const Element& element) const {
        std::uint64_t least = 0;
        for (const Property& property : element.properties)
            least += m_format == Format::text
                         ? 2
                         : bytes_of(property.list_count.value_or(property.type));
        const std::uint64_t left = m_bytes.size() - m_offset + 1;
        if (least > 0 && element.count > left / least)
            fail("the file ends before its " + std::to_string(element.count) + " elements '" +
                 element.name + "'");
    }

    double value(PlyType type) { return m_format == Format::text ? text_value() : raw_value(type); }

    double text_value() {
        while (m_offset < m_bytes.size() &&
               std::string_view(" \t\r\n").find(m_bytes[m_offset]) != std::string_view::npos)
            ++m_offset;
        const char* begin = m_bytes.data() + m_offset;
        const char* const end = m_bytes.data() + m_bytes.size();
        if (begin == end) fail("the file ends too early");
        if (*begin == '+') ++begin;
        double number = 0;
        const auto result = std::from_chars(begin, end, number);
        if (result.ec != std::errc()) fail("this is not a number");
        m_offset = static_cast<std::size_t>(result.ptr - m_bytes.data());
        return number;
    }

    double raw_value(PlyType type) {
        switch (type) {
        case PlyType::int8: return raw<std::int8_t>();
        case PlyType::uint8: return raw<std::uint8_t>();
        case PlyType::int16: return raw<std::int16_t>();
        case PlyType::uint16: return raw<std::uint16_t>();
        case PlyType::int32: return raw<std::int32_t>();
        case PlyType::uint32: return raw<std::uint32_t>();
        case PlyType::float32: return static_cast<double>(raw<float>());
        case PlyType::float64: return raw<double>();
        }
        return 0;
    }

    template <class T> T raw() {
        if (m_bytes.size() - m_offset < sizeof(T)) fail("the file ends too early");
        std::array<char, sizeof(T)> bytes;
        std::copy_n(m_bytes.data() + m_offset, sizeof(T), bytes.data());
        if (m_format == Format::big_endian) std::reverse(bytes.begin(), bytes.end());
        T number;
        std::memcpy(&number, bytes.data(), sizeof(T));
        m_offset += sizeof(T);
        return number;
    }

    std::uint64_t list_length(const Property& property) {
        const double length = value(*property.list_count);
        if (!(length >= 0 && length <= static_cast<double>(m_bytes.size() - m_offset)))
            fail("the length of a list is invalid");
        return static_cast<std::uint64_t>(length);
    }

    void skip(const Property& property) {
        const std::uint64_t n = property.list_count ? list_length(property) : 1;
        for (std::uint64_t i = 0; i < n; ++i) value(property.type);
    }

    void skip(const Element& element) {
        if (element.properties.empty()) return;
        for (std::uint64_t i = 0; i < element.count; ++i)
            for (const Property& property : element.properties) skip(property);
    }

    // ---- elements

    void read_points(const Element& element) {
        static constexpr std::array<std::string_view, 12> names{
            "x", "y", "z", "vx", "vy", "vz", "s", "t", "u", "v", "texture_u", "texture_v"};
        static constexpr std::size_t uv = 6; // First name of a uv; its three pairs are equivalent.
        std::vector<int> roles;              // Index in `values`, or -1.
        std::array<bool, 8> found{};
        for (const Property& property : element.properties) {
            const auto at = std::find(names.begin(), names.end(), property.name);
            const bool known = at != names.end() && !property.list_count;
            const auto name = static_cast<std::size_t>(at - names.begin());
            roles.push_back(known ? static_cast<int>(name < uv ? name : uv + name % 2) : -1);
            if (known) found[static_cast<std::size_t>(roles.back())] = true;
        }
        if (!found[0] || !found[1] || !found[2]) fail("the points have no x, y and z");
        const bool moves = found[3] && found[4] && found[5];
        const bool textured = found[uv] && found[uv + 1];
        m_mesh.points.reserve(element.count);
        for (std::uint64_t i = 0; i < element.count; ++i) {
            std::array<double, 8> values{};
            for (std::size_t k = 0; k < roles.size(); ++k) {
                const Property& property = element.properties[k];
                if (roles[k] < 0) {
                    skip(property);
                    continue;
                }
                const double number = value(property.type);
                if (!std::isfinite(number) && std::size_t(roles[k]) < uv)
                    fail("a coordinate is not finite");
                values[static_cast<std::size_t>(roles[k])] = number;
            }
            m_mesh.points.emplace_back(values[0], values[1], values[2]);
            if (moves) m_mesh.velocities.emplace_back(values[3], values[4], values[5]);
            if (textured)
                m_uvs.emplace_back(static_cast<float>(values[uv]),
                                   static_cast<float>(values[uv + 1]), 0.0f);
        }
    }

    void read_faces(const Element& element) {
        const auto is_corners = [](const Property& property) {
            return property.list_count &&
                   (property.name == "vertex_indices" || property.name == "vertex_index");
        };
        if (element.count > 0 &&
            std::none_of(element.properties.begin(), element.properties.end(), is_corners))
            fail("the faces have no list 'vertex_indices'");
        std::vector<std::uint32_t> corners;
        for (std::uint64_t i = 0; i < element.count; ++i)
            for (const Property& property : element.properties) {
                if (!is_corners(property)) {
                    skip(property);
                    continue;
                }
                corners.clear();
                const std::uint64_t n = list_length(property);
                if (n < 3) fail("a face needs three points or more");
                for (std::uint64_t k = 0; k < n; ++k) {
                    const double corner = value(property.type);
                    if (!(corner >= 0 && corner < 4294967295.0) || corner != std::floor(corner))
                        fail("this is not the index of a point");
                    corners.push_back(static_cast<std::uint32_t>(corner));
                }
                for (std::size_t k = 2; k < corners.size(); ++k)
                    m_mesh.triangles.push_back({corners[0], corners[k - 1], corners[k]});
            }
    }

    std::string_view m_bytes;
    const std::string& m_path;
    std::size_t m_offset = 0;
    Format m_format = Format::text;
    std::vector<Element> m_elements;
    TriMesh m_mesh;
    std::vector<Vec3<float>> m_uvs; ///< One per point, or none
};

} // namespace

TriMesh parse_ply(std::string_view bytes, const std::string& path) {
    return PlyReader(bytes, path).read().mesh;
}

TexturedMesh parse_textured_ply(std::string_view bytes, const std::string& path) {
    TexturedMesh textured = PlyReader(bytes, path).read();
    for (std::size_t i = 0; i < textured.uv.size(); ++i)
        if (!textured.uv[i].allFinite())
            throw Error("a texture coordinate is not finite", path + " point " + std::to_string(i),
                        "repair the file, or export the mesh again");
    return textured;
}

namespace {

/// Names of an attribute's properties, following the conventions of other programs where they
/// exist.
std::vector<std::string> property_names(const PointAttribute& a) {
    if (a.name == "Cd" && a.width == 3) return {"red", "green", "blue"};
    if (a.name == "uv" && a.width >= 2) return {"s", "t"};
    if (a.width == 1) return {a.name};
    std::vector<std::string> names;
    for (int k = 0; k < a.width; ++k) names.push_back(a.name + "_" + std::to_string(k));
    return names;
}

bool is_color(const PointAttribute& a) {
    return a.name == "Cd" && a.width == 3 && std::holds_alternative<std::vector<float>>(a.values);
}

const char* property_type(const PointAttribute& a) {
    if (is_color(a)) return "uchar";
    return std::holds_alternative<std::vector<float>>(a.values) ? "float" : "int";
}

void put_attribute(std::string& out, const PointAttribute& a, std::size_t point) {
    const std::size_t first = point * static_cast<std::size_t>(a.width);
    const std::size_t count = property_names(a).size();
    for (std::size_t k = first; k < first + count; ++k) {
        if (const auto* numbers = std::get_if<std::vector<float>>(&a.values)) {
            if (is_color(a))
                put_bytes(out, static_cast<std::uint8_t>(
                                   std::lround(255 * std::clamp((*numbers)[k], 0.0f, 1.0f))));
            else
                put_bytes(out, (*numbers)[k]);
            continue;
        }
        const std::int64_t value = std::get<std::vector<std::int64_t>>(a.values)[k];
        if (value < INT32_MIN || value > INT32_MAX)
            throw Error("value " + std::to_string(value) + " of " + a.name +
                            " does not fit into a PLY integer",
                        "", "write the mesh as .bgeo.sc");
        put_bytes(out, static_cast<std::int32_t>(value));
    }
}

} // namespace

std::string format_ply(const TriMesh& mesh, const PointAttributes& attributes) {
    const bool moves = !mesh.velocities.empty();
    if (moves && mesh.velocities.size() != mesh.points.size())
        throw Error("the mesh has " + std::to_string(mesh.velocities.size()) + " velocities for " +
                        std::to_string(mesh.points.size()) + " points",
                    "", "give every point a velocity, or none");
    std::string out = "ply\nformat binary_little_endian 1.0\ncomment Nendo\nelement vertex " +
                      std::to_string(mesh.points.size()) +
                      "\nproperty double x\nproperty double y\nproperty double z\n";
    if (moves) out += "property double vx\nproperty double vy\nproperty double vz\n";
    for (const PointAttribute& a : attributes)
        for (const std::string& name : property_names(a))
            out += std::string("property ") + property_type(a) + " " + name + "\n";
    out += "element face " + std::to_string(mesh.triangles.size()) +
           "\nproperty list uchar int vertex_indices\nend_header\n";
    out.reserve(out.size() + mesh.points.size() * (moves ? 48 : 24) + mesh.triangles.size() * 13);
    for (std::size_t i = 0; i < mesh.points.size(); ++i) {
        for (int k = 0; k < 3; ++k) put_bytes(out, mesh.points[i][k]);
        for (int k = 0; moves && k < 3; ++k) put_bytes(out, mesh.velocities[i][k]);
        for (const PointAttribute& a : attributes) put_attribute(out, a, i);
    }
    for (const auto& triangle : mesh.triangles) {
        put_bytes(out, std::uint8_t{3});
        for (const std::uint32_t corner : triangle) put_bytes(out, corner);
    }
    return out;
}

} // namespace nendo
