// SPDX-License-Identifier: Apache-2.0
// Wavefront OBJ: positions, faces and, on request, texture coordinates. Everything else is skipped.
#include "core/error.h"
#include "io/mesh/mesh_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <system_error>
#include <utility>
#include <vector>

namespace nendo {
namespace {

class ObjReader {
public:
    ObjReader(std::string_view text, const std::string& path) : m_rest(text), m_path(path) {}

    /// Reads texture coordinates too. Points on seams are split.
    TexturedMesh read_textured() {
        m_wants_uv = true;
        TexturedMesh textured;
        textured.mesh = read();
        const auto none = [](std::uint32_t uv) { return uv == no_uv; };
        if (m_corner_uvs.empty() || std::any_of(m_corner_uvs.begin(), m_corner_uvs.end(), none))
            return textured;
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> names;
        std::vector<Vec3d> points;
        std::size_t corner = 0;
        for (auto& triangle : textured.mesh.triangles)
            for (std::uint32_t& point : triangle) {
                const std::uint32_t uv = m_corner_uvs[corner++];
                if (uv >= m_uvs.size())
                    throw Error("a face uses texture point " + std::to_string(uv + 1) +
                                    ", but there are only " + std::to_string(m_uvs.size()),
                                m_path, "export the mesh again");
                const auto [name, fresh] =
                    names.emplace(std::pair(point, uv), static_cast<std::uint32_t>(points.size()));
                if (fresh) {
                    points.push_back(textured.mesh.points[point]);
                    textured.uv.push_back(m_uvs[uv]);
                }
                point = name->second;
            }
        textured.mesh.points = std::move(points);
        return textured;
    }

    TriMesh read() {
        std::string joined;
        while (!m_rest.empty()) {
            std::string_view line = next_line();
            if (!line.empty() && line.back() == '\\') {
                joined.assign(line);
                while (!joined.empty() && joined.back() == '\\' && !m_rest.empty()) {
                    joined.back() = ' ';
                    joined.append(next_line());
                }
                line = joined;
            }
            const std::string_view keyword = next_word(line);
            if (keyword == "v") read_point(line);
            if (keyword == "vt" && m_wants_uv) read_uv(line);
            if (keyword == "f") read_face(line);
        }
        if (m_mesh.triangles.empty())
            throw Error("the mesh has no faces", m_path, "export it as polygons");
        if (m_largest >= m_mesh.points.size())
            fail_at(m_largest_line, "a face uses point " + std::to_string(m_largest + 1) +
                                        ", but there are only " +
                                        std::to_string(m_mesh.points.size()));
        return std::move(m_mesh);
    }

private:
    [[noreturn]] void fail_at(std::size_t line, const std::string& what) const {
        throw Error(what, m_path + " line " + std::to_string(line),
                    "repair this line, or export the mesh again");
    }

    std::string_view next_line() {
        const std::size_t end = m_rest.find('\n');
        std::string_view line = m_rest.substr(0, end);
        m_rest.remove_prefix(end == std::string_view::npos ? m_rest.size() : end + 1);
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        ++m_line;
        return line;
    }

    /// Returns the next word. Words end at blanks; a comment ends the line.
    static std::string_view next_word(std::string_view& line) {
        const std::size_t begin = line.find_first_not_of(" \t");
        if (begin == std::string_view::npos || line[begin] == '#') return line = {};
        line.remove_prefix(begin);
        const std::string_view word = line.substr(0, line.find_first_of(" \t"));
        line.remove_prefix(word.size());
        return word;
    }

    /// Reads the next word as a number. `missing` is the error message if there is none.
    double next_number(std::string_view& line, const char* missing) {
        double number = 0;
        std::string_view word = next_word(line);
        if (!word.empty() && word.front() == '+') word.remove_prefix(1);
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
        if (word.empty() || error == std::errc::invalid_argument ||
            end != word.data() + word.size())
            fail_at(m_line, missing);
        if (error != std::errc() || !std::isfinite(number))
            fail_at(m_line, "a coordinate is not finite");
        return number;
    }

    void read_point(std::string_view line) {
        Vec3d point;
        for (int k = 0; k < 3; ++k) point[k] = next_number(line, "a point needs three coordinates");
        m_mesh.points.push_back(point);
    }

    void read_uv(std::string_view line) {
        Vec3<float> uv(0, 0, 0);
        for (int k = 0; k < 2; ++k)
            uv[k] = static_cast<float>(next_number(line, "a texture point needs two coordinates"));
        m_uvs.push_back(uv);
    }

    /// Parses an index: from 1 on, or negative to count back from the last of `count`.
    std::uint32_t index_of(std::string_view digits, std::size_t count, std::string_view word) {
        std::int64_t number = 0;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (error != std::errc() || end != digits.data() + digits.size() || number == 0)
            fail_at(m_line, "'" + std::string(word) + "' is not the index of a point");
        const std::int64_t index =
            number > 0 ? number - 1 : static_cast<std::int64_t>(count) + number;
        if (index < 0 || index >= UINT32_MAX)
            fail_at(m_line, "a face uses point " + std::to_string(number) + ", but there are " +
                                std::to_string(count));
        return static_cast<std::uint32_t>(index);
    }

    /// Returns the texture point of "7/1" or "7/1/3", or no_uv if there is none.
    std::uint32_t uv_index(std::string_view word) {
        const std::size_t slash = word.find('/');
        if (slash == std::string_view::npos) return no_uv;
        const std::string_view rest = word.substr(slash + 1);
        const std::string_view digits = rest.substr(0, rest.find('/'));
        return digits.empty() ? no_uv : index_of(digits, m_uvs.size(), word);
    }

    /// Parses "7", "7/1", "7//3" or "7/1/3".
    std::uint32_t point_index(std::string_view word) {
        const std::uint32_t index =
            index_of(word.substr(0, word.find('/')), m_mesh.points.size(), word);
        // Points may come after the faces that use them, so the largest index is checked at the
        // end.
        if (index > m_largest || m_largest_line == 0) {
            m_largest = index;
            m_largest_line = m_line;
        }
        return index;
    }

    void read_face(std::string_view line) {
        m_corners.clear();
        m_face_uvs.clear();
        for (;;) {
            const std::string_view word = next_word(line);
            if (word.empty()) break;
            m_corners.push_back(point_index(word));
            if (m_wants_uv) m_face_uvs.push_back(uv_index(word));
        }
        if (m_corners.size() < 3) fail_at(m_line, "a face needs three points or more");
        for (std::size_t i = 2; i < m_corners.size(); ++i)
            m_mesh.triangles.push_back({m_corners[0], m_corners[i - 1], m_corners[i]});
        for (std::size_t i = 2; m_wants_uv && i < m_corners.size(); ++i)
            m_corner_uvs.insert(m_corner_uvs.end(),
                                {m_face_uvs[0], m_face_uvs[i - 1], m_face_uvs[i]});
    }

    static constexpr std::uint32_t no_uv = UINT32_MAX;

    std::string_view m_rest;
    const std::string& m_path;
    std::size_t m_line = 0;
    std::uint64_t m_largest = 0;
    std::size_t m_largest_line = 0;
    std::vector<std::uint32_t> m_corners, m_face_uvs;
    TriMesh m_mesh;
    bool m_wants_uv = false;
    std::vector<Vec3<float>> m_uvs;
    std::vector<std::uint32_t> m_corner_uvs; ///< Texture point of each triangle corner
};

template <class T> void put_number(std::string& out, T value) {
    char buffer[40];
    out.push_back(' ');
    out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

} // namespace

TriMesh parse_obj(std::string_view text, const std::string& path) {
    return ObjReader(text, path).read();
}

TexturedMesh parse_textured_obj(std::string_view text, const std::string& path) {
    return ObjReader(text, path).read_textured();
}

std::string format_obj(const TriMesh& mesh, const PointAttributes& attributes) {
    std::string out = "# Nendo\n";
    const auto uv = std::find_if(attributes.begin(), attributes.end(), [](const PointAttribute& a) {
        return a.name == "uv" && a.width >= 2 &&
               std::holds_alternative<std::vector<float>>(a.values);
    });
    const bool textured = uv != attributes.end();
    out.reserve(mesh.points.size() * 40 + mesh.triangles.size() * 24);
    for (const Vec3d& p : mesh.points) {
        out.push_back('v');
        for (int k = 0; k < 3; ++k) put_number(out, p[k]);
        out.push_back('\n');
    }
    for (std::size_t i = 0; textured && i < mesh.points.size(); ++i) {
        const auto& values = std::get<std::vector<float>>(uv->values);
        out += "vt";
        for (std::size_t k = 0; k < 2; ++k)
            put_number(out, values[i * static_cast<std::size_t>(uv->width) + k]);
        out.push_back('\n');
    }
    for (const auto& triangle : mesh.triangles) {
        out.push_back('f');
        for (const std::uint32_t corner : triangle) {
            put_number(out, std::uint64_t{corner} + 1);
            if (textured) out += "/" + std::to_string(std::uint64_t{corner} + 1);
        }
        out.push_back('\n');
    }
    return out;
}

} // namespace nendo
