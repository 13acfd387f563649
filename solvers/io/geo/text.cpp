// SPDX-License-Identifier: Apache-2.0
// Reads and writes JSON as text, with numbers that read back to the same bits.
#include "core/error.h"
#include "io/geo/json.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>
#include <type_traits>

namespace nendo {
namespace {

class TextReader {
public:
    TextReader(std::string_view text, const std::string& path) : m_text(text), m_path(path) {}

    Value document() {
        Value root = value(0);
        skip_space();
        if (m_offset != m_text.size()) fail("there is more text after the end of the document");
        return root;
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        throw Error(what, m_path + " byte " + std::to_string(m_offset),
                    "the file is damaged or truncated; write it again");
    }

    char peek() const {
        if (m_offset >= m_text.size()) fail("the file ends too early");
        return m_text[m_offset];
    }
    bool accept(char c) {
        if (m_offset >= m_text.size() || m_text[m_offset] != c) return false;
        ++m_offset;
        return true;
    }
    void skip_space() {
        while (m_offset < m_text.size() && (m_text[m_offset] == ' ' || m_text[m_offset] == '\n' ||
                                            m_text[m_offset] == '\t' || m_text[m_offset] == '\r'))
            ++m_offset;
    }

    Value value(int depth) {
        if (depth > max_depth) fail("the file is nested too deeply");
        skip_space();
        switch (peek()) {
        case '[': return list(depth);
        case '{': return map(depth);
        case '"': return Value(text());
        case 't': return literal("true", Value(true));
        case 'f': return literal("false", Value(false));
        default: return number();
        }
    }

    Value literal(std::string_view word, Value value) {
        if (m_text.substr(m_offset, word.size()) != word) fail("this is not a value");
        m_offset += word.size();
        return value;
    }

    Value list(int depth) {
        ++m_offset;
        ListBuilder builder;
        skip_space();
        if (accept(']')) return builder.take();
        for (;;) {
            builder.add(value(depth + 1));
            skip_space();
            if (accept(']')) return builder.take();
            if (!accept(',')) fail("',' or ']' is expected here");
        }
    }

    Value map(int depth) {
        ++m_offset;
        Value::Map members;
        skip_space();
        if (accept('}')) return Value(std::move(members));
        for (;;) {
            skip_space();
            if (peek() != '"') fail("a key is expected here");
            std::string key = text();
            skip_space();
            if (!accept(':')) fail("':' is expected here");
            members.push_back({std::move(key), value(depth + 1)});
            skip_space();
            if (accept('}')) return Value(std::move(members));
            if (!accept(',')) fail("',' or '}' is expected here");
        }
    }

    Value number() {
        const char* const first = m_text.data() + m_offset;
        const char* const last = m_text.data() + m_text.size();
        const char* end = first;
        while (end != last && (*end == '-' || *end == '+' || *end == '.' || *end == 'e' ||
                               *end == 'E' || (*end >= '0' && *end <= '9')))
            ++end;
        const std::string_view token(first, static_cast<std::size_t>(end - first));
        if (token.find_first_of(".eE") == std::string_view::npos) {
            std::int64_t integer = 0;
            const auto [stop, error] = std::from_chars(first, end, integer);
            if (error == std::errc() && stop == end) return advance(token, Value(integer));
        }
        double real = 0;
        const auto [stop, error] = std::from_chars(first, end, real);
        if (stop != end || token.empty() || error == std::errc::invalid_argument)
            fail("this is not a value");
        if (error == std::errc::result_out_of_range) fail("this number is too large or too small");
        return advance(token, Value(real));
    }

    Value advance(std::string_view token, Value value) {
        m_offset += token.size();
        return value;
    }

    std::string text() {
        ++m_offset;
        std::string result;
        for (;;) {
            const char c = peek();
            ++m_offset;
            if (c == '"') return result;
            if (c == '\\')
                escape(result);
            else
                result.push_back(c);
        }
    }

    void escape(std::string& result) {
        const char c = peek();
        ++m_offset;
        switch (c) {
        case 'b': result.push_back('\b'); break;
        case 'f': result.push_back('\f'); break;
        case 'n': result.push_back('\n'); break;
        case 'r': result.push_back('\r'); break;
        case 't': result.push_back('\t'); break;
        case 'u': code_point(result); break;
        case '"':
        case '\\':
        case '/': result.push_back(c); break;
        default: fail("this is not a valid escape sequence");
        }
    }

    std::uint32_t four_digits() {
        std::uint32_t code = 0;
        const std::string_view digits = m_text.substr(m_offset, 4);
        const auto [stop, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
        if (digits.size() != 4 || error != std::errc() || stop != digits.data() + 4)
            fail("this is not a valid escape sequence");
        m_offset += 4;
        return code;
    }

    void code_point(std::string& result) {
        std::uint32_t code = four_digits();
        if (code >= 0xd800 && code < 0xdc00 && m_text.substr(m_offset, 2) == "\\u") {
            m_offset += 2;
            const std::uint32_t low = four_digits();
            if (low < 0xdc00 || low > 0xdfff) fail("this is not a valid escape sequence");
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        }
        const auto put = [&](std::uint32_t byte) { result.push_back(static_cast<char>(byte)); };
        if (code < 0x80) {
            put(code);
        } else if (code < 0x800) {
            put(0xc0 | (code >> 6)), put(0x80 | (code & 63));
        } else if (code < 0x10000) {
            put(0xe0 | (code >> 12)), put(0x80 | ((code >> 6) & 63)), put(0x80 | (code & 63));
        } else {
            put(0xf0 | (code >> 18)), put(0x80 | ((code >> 12) & 63));
            put(0x80 | ((code >> 6) & 63)), put(0x80 | (code & 63));
        }
    }

    static constexpr int max_depth = 200;

    std::string_view m_text;
    const std::string& m_path;
    std::size_t m_offset = 0;
};

class TextWriter : public JsonWriter {
public:
    TextWriter(std::size_t expected_bytes, std::string path) : m_path(std::move(path)) {
        m_out.reserve(expected_bytes);
    }

    bool is_text() const override { return true; }
    void begin_list() override { open('[', false); }
    void end_list() override { close(']'); }
    void begin_map() override { open('{', true); }
    void end_map() override { close('}'); }
    void word(std::string_view text) override { quoted(text); }
    void text(std::string_view text) override { quoted(text); }
    void boolean(bool value) override { separate(), m_out.append(value ? "true" : "false"); }
    void integer(std::int64_t value) override { separate(), digits(value); }
    void real(double value) override { separate(), put(value); }

    void numbers(const NumberSpan& values) override {
        begin_list();
        std::visit(
            [&](const auto& span) {
                for (std::size_t i = 0; i < span.count; ++i) {
                    if (i > 0) m_out.push_back(',');
                    put(span.data[i]);
                }
            },
            values);
        end_list();
    }

    std::string take() override {
        m_out.push_back('\n');
        return std::move(m_out);
    }

private:
    struct Level {
        bool is_map = false;
        std::size_t entries = 0; ///< Keys and values count separately
    };

    /// Writes the separator between the last value and the next one.
    void separate() {
        if (m_levels.empty()) return;
        Level& level = m_levels.back();
        const bool after_key = level.is_map && level.entries % 2 == 1;
        if (level.entries > 0) m_out.push_back(after_key ? ':' : ',');
        ++level.entries;
        // Line breaks between nested lists keep the file readable without extra spaces.
        if (level.entries > 1 && !after_key && m_out.size() > m_line + 96) {
            m_out.push_back('\n');
            m_line = m_out.size();
        }
    }
    void open(char bracket, bool is_map) {
        separate();
        m_out.push_back(bracket);
        m_levels.push_back({is_map, 0});
    }
    void close(char bracket) {
        m_out.push_back(bracket);
        m_levels.pop_back();
    }

    void quoted(std::string_view text) {
        constexpr std::string_view hex = "0123456789abcdef";
        separate();
        m_out.push_back('"');
        for (const char c : text) {
            const auto code = static_cast<unsigned char>(c);
            if (c == '"' || c == '\\')
                m_out.append({'\\', c});
            else if (code < 0x20)
                m_out.append("\\u00").append({hex[code >> 4], hex[code & 15]});
            else
                m_out.push_back(c);
        }
        m_out.push_back('"');
    }

    template <class T> std::string_view digits(T value) {
        char buffer[40];
        const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
        const std::size_t start = m_out.size();
        m_out.append(buffer, result.ptr);
        return std::string_view(m_out).substr(start);
    }

    template <class T> void put(T value) {
        if constexpr (std::is_integral_v<T>) {
            digits(static_cast<std::int64_t>(value));
        } else {
            if (!std::isfinite(value))
                throw Error("a value is not finite, which a text file cannot represent", m_path,
                            "repair the value, or write .bgeo or .bgeo.sc");
            if (value == 0 && std::signbit(value)) {
                m_out.append("-0.0"); // "-0" would be read as an integer, without its sign.
            } else {
                put_real(value);
            }
        }
    }

    void put_real(double value) { digits(value); }
    /// Writes the shortest digits of a float, unless a reader that goes through double would round
    /// them to a neighboring float.
    void put_real(float value) {
        const std::size_t start = m_out.size();
        const std::string_view shortest = digits(value);
        double back = 0;
        std::from_chars(shortest.data(), shortest.data() + shortest.size(), back);
        if (static_cast<float>(back) == value) return;
        m_out.resize(start);
        digits(static_cast<double>(value));
    }

    std::string m_path;
    std::string m_out;
    std::size_t m_line = 0;
    std::vector<Level> m_levels;
};

} // namespace

void JsonWriter::value(const Value& v) {
    if (const auto* flag = v.get<bool>()) return boolean(*flag);
    if (const auto* whole = v.get<std::int64_t>()) return integer(*whole);
    if (const auto* number = v.get<double>()) return real(*number);
    if (const auto* words = v.get<std::string>()) return text(*words);
    if (const auto* array = v.get<Numbers>())
        return std::visit([&](const auto& values) { numbers(span_of(values)); }, *array);
    if (const auto* map = v.get<Value::Map>()) {
        begin_map();
        for (const Member& member : *map) word(member.key), value(member.value);
        return end_map();
    }
    begin_list();
    if (const auto* list = v.get<Value::List>())
        for (const Value& entry : *list) value(entry);
    end_list();
}

Value read_text_json(std::string_view text, const std::string& path) {
    return TextReader(text, path).document();
}

std::unique_ptr<JsonWriter> make_text_writer(std::size_t expected_bytes, const std::string& path) {
    return std::make_unique<TextWriter>(expected_bytes, path);
}

} // namespace nendo
