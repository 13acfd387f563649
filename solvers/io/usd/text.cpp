// SPDX-License-Identifier: Apache-2.0
// Formats names, values and prims of USD text layers.
#include "io/usd/text.h"

#include "core/error.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace nendo {
namespace {

template <class Real> void put_finite(std::string& out, Real value) {
    if (!std::isfinite(value))
        throw Error("a value is not finite", "USD", "look for it with nendo info");
    char buffer[32];
    out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

void put_tuple(std::string& out, const Vec3d& v) {
    out += '(';
    for (int k = 0; k < 3; ++k) {
        if (k > 0) out += ", ";
        put_finite(out, static_cast<float>(v[k]));
    }
    out += ')';
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

} // namespace

std::string usd_string(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (c == '\n')
            out += "\\n";
        else
            out += c;
    }
    return out + '"';
}

std::string usd_asset(std::string_view path) {
    // A path that contains an at sign is enclosed in three.
    const char* mark = path.find('@') == std::string_view::npos ? "@" : "@@@";
    return mark + std::string(path) + mark;
}

std::string usd_name(std::string_view text) {
    std::string name;
    for (const char c : text) name += is_letter(c) || (c >= '0' && c <= '9') ? c : '_';
    return !name.empty() && is_letter(name.front()) ? name : '_' + name;
}

std::string usd_number(double value) {
    std::string out;
    put_finite(out, static_cast<float>(value));
    return out;
}

std::string usd_tuple(const Vec3d& v) {
    std::string out;
    put_tuple(out, v);
    return out;
}

std::string usd_matrix(const Eigen::Matrix4d& matrix) {
    std::string out = "(";
    for (int column = 0; column < 4; ++column) {
        out += column > 0 ? ", (" : " (";
        for (int row = 0; row < 4; ++row) {
            if (row > 0) out += ", ";
            put_finite(out, matrix(row, column));
        }
        out += ')';
    }
    return out + " )";
}

std::string usd_array(const std::vector<Vec3d>& vectors) {
    std::string out = "[";
    out.reserve(32 * vectors.size() + 2);
    for (const Vec3d& v : vectors) {
        if (out.size() > 1) out += ", ";
        put_tuple(out, v);
    }
    return out + ']';
}

std::string usd_array(const std::vector<double>& numbers, int width) {
    std::string out = "[";
    out.reserve(12 * numbers.size() + 2);
    const auto step = static_cast<std::size_t>(width);
    for (std::size_t i = 0; i + step <= numbers.size(); i += step) {
        if (i > 0) out += ", ";
        if (width > 1) out += '(';
        for (std::size_t k = 0; k < step; ++k) {
            if (k > 0) out += ", ";
            put_finite(out, static_cast<float>(numbers[i + k]));
        }
        if (width > 1) out += ')';
    }
    return out + ']';
}

std::string usd_array(const std::vector<std::int64_t>& numbers) {
    std::string out = "[";
    out.reserve(8 * numbers.size() + 2);
    for (const std::int64_t number : numbers) {
        if (out.size() > 1) out += ", ";
        out += std::to_string(number);
    }
    return out + ']';
}

// ---- the layer ---------------------------------------------------------------------------------

UsdText::UsdText(const std::vector<std::string>& metadata) {
    add_metadata(metadata);
    m_text += '\n';
}

void UsdText::indent() {
    m_text.append(static_cast<std::size_t>(4 * m_depth), ' ');
}

void UsdText::add_metadata(const std::vector<std::string>& metadata) {
    if (metadata.empty()) return;
    if (m_depth > 0 || m_text.back() != '\n') m_text += ' ';
    m_text += "(\n";
    ++m_depth;
    for (const std::string& entry : metadata) line(entry);
    --m_depth;
    indent();
    m_text += ')';
}

void UsdText::line(std::string_view text) {
    indent();
    m_text += text;
    m_text += '\n';
}

void UsdText::open(std::string_view head, const std::vector<std::string>& metadata) {
    m_text += '\n';
    indent();
    m_text += head;
    add_metadata(metadata);
    m_text += '\n';
    line("{");
    ++m_depth;
}

void UsdText::close() {
    --m_depth;
    line("}");
}

void UsdText::attribute(std::string_view declaration, std::string_view value,
                        const std::vector<std::string>& metadata) {
    indent();
    m_text += declaration;
    if (!value.empty()) {
        m_text += " = ";
        m_text += value;
    }
    add_metadata(metadata);
    m_text += '\n';
}

void UsdText::attribute(std::string_view declaration, const std::vector<UsdSample>& samples,
                        const std::vector<std::string>& metadata) {
    const bool still = std::all_of(samples.begin(), samples.end(), [&](const UsdSample& s) {
        return s.second == samples.front().second;
    });
    if (still) return attribute(declaration, samples.front().second, metadata);
    attribute(declaration, "", metadata);
    line(std::string(declaration) + ".timeSamples = {");
    ++m_depth;
    for (const auto& [frame, value] : samples) {
        indent();
        m_text += std::to_string(frame) + ": ";
        m_text += value;
        m_text += ",\n";
    }
    --m_depth;
    line("}");
}

} // namespace nendo
