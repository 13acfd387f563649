// SPDX-License-Identifier: Apache-2.0
// Reads and writes binary JSON as Houdini does. The enum of type bytes below gives the layout.
#include "core/error.h"
#include "io/geo/json.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace nendo {
namespace {

/// The byte before each value.
enum Type : std::uint8_t {
    type_null = 0x00,
    type_bool = 0x10,
    type_int8 = 0x11,
    type_int16 = 0x12,
    type_int32 = 0x13,
    type_int64 = 0x14,
    type_real16 = 0x18,
    type_real32 = 0x19,
    type_real64 = 0x1a,
    type_uint8 = 0x21,
    type_uint16 = 0x22,
    type_token = 0x26,
    type_string = 0x27,
    type_define_token = 0x2b,
    type_forget_token = 0x2d,
    type_false = 0x30,
    type_true = 0x31,
    type_uniform_array = 0x40,
    type_list = 0x5b,
    type_list_end = 0x5d,
    type_map = 0x7b,
    type_map_end = 0x7d,
};

constexpr std::string_view magic = "\x7fNSJb";
constexpr std::string_view magic_swapped = "\x7f"
                                           "bJSN";

template <class T> constexpr Type type_of() {
    if constexpr (std::is_same_v<T, std::uint8_t>) return type_uint8;
    if constexpr (std::is_same_v<T, std::int8_t>) return type_int8;
    if constexpr (std::is_same_v<T, std::int16_t>) return type_int16;
    if constexpr (std::is_same_v<T, std::uint16_t>) return type_uint16;
    if constexpr (std::is_same_v<T, std::int32_t>) return type_int32;
    if constexpr (std::is_same_v<T, std::int64_t>) return type_int64;
    if constexpr (std::is_same_v<T, float>) return type_real32;
    return type_real64;
}

float from_half(std::uint16_t half) {
    const int exponent = (half >> 10) & 31;
    const auto mantissa = static_cast<float>(half & 1023);
    float value =
        exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024.0f, exponent - 25);
    if (exponent == 31)
        value = mantissa == 0 ? std::numeric_limits<float>::infinity()
                              : std::numeric_limits<float>::quiet_NaN();
    return (half & 0x8000) != 0 ? -value : value;
}

class BinaryReader {
public:
    BinaryReader(std::string_view bytes, const std::string& path) : m_bytes(bytes), m_path(path) {}

    Value document() {
        m_offset = magic.size();
        Value root = value(next_type(), 0);
        if (left() > 0) fail("there are more bytes after the end of the document");
        return root;
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        throw Error(what, m_path + " byte " + std::to_string(m_offset),
                    "the file is damaged or truncated; write it again");
    }

    std::size_t left() const { return m_bytes.size() - m_offset; }

    std::string_view take(std::uint64_t size) {
        if (size > left())
            fail("the file ends where " + std::to_string(size) + " more bytes are announced");
        const std::string_view part = m_bytes.substr(m_offset, static_cast<std::size_t>(size));
        m_offset += static_cast<std::size_t>(size);
        return part;
    }

    template <class T> T number() {
        T value;
        std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
        return value;
    }

    std::uint64_t length() {
        const auto first = number<std::uint8_t>();
        if (first < 0xf1) return first;
        if (first == 0xf2) return number<std::uint16_t>();
        if (first == 0xf4) return number<std::uint32_t>();
        if (first == 0xf8) return number<std::uint64_t>();
        fail("this is not a length");
    }

    std::string text() { return std::string(take(length())); }

    const std::string& token() {
        const auto found = m_tokens.find(length());
        if (found == m_tokens.end()) fail("a word is used before it is defined");
        return found->second;
    }

    /// Returns the next type byte. Definitions of words may precede any value.
    std::uint8_t next_type() {
        for (;;) {
            const auto type = number<std::uint8_t>();
            if (type == type_define_token) {
                const std::uint64_t id = length();
                m_tokens[id] = text();
            } else if (type == type_forget_token) {
                m_tokens.erase(length());
            } else {
                return type;
            }
        }
    }

    Value value(std::uint8_t type, int depth) {
        if (depth > max_depth) fail("the file is nested too deeply");
        switch (type) {
        case type_bool: return Value(number<std::uint8_t>() != 0);
        case type_false: return Value(false);
        case type_true: return Value(true);
        case type_int8: return integer<std::int8_t>();
        case type_int16: return integer<std::int16_t>();
        case type_int32: return integer<std::int32_t>();
        case type_int64: return integer<std::int64_t>();
        case type_uint8: return integer<std::uint8_t>();
        case type_uint16: return integer<std::uint16_t>();
        case type_real16: return Value(static_cast<double>(from_half(number<std::uint16_t>())));
        case type_real32: return Value(static_cast<double>(number<float>()));
        case type_real64: return Value(number<double>());
        case type_string: return Value(text());
        case type_token: return Value(token());
        case type_uniform_array: return uniform_array();
        case type_list: return list(depth);
        case type_map: return map(depth);
        default: fail("this is not a value");
        }
    }

    template <class T> Value integer() { return Value(static_cast<std::int64_t>(number<T>())); }

    Value list(int depth) {
        ListBuilder builder;
        for (;;) {
            const std::uint8_t type = next_type();
            if (type == type_list_end) return builder.take();
            builder.add(value(type, depth + 1));
        }
    }

    Value map(int depth) {
        Value::Map members;
        for (;;) {
            const std::uint8_t type = next_type();
            if (type == type_map_end) return Value(std::move(members));
            if (type != type_string && type != type_token) fail("a key is expected here");
            std::string key = type == type_string ? text() : token();
            members.push_back({std::move(key), value(next_type(), depth + 1)});
        }
    }

    Value uniform_array() {
        const auto type = number<std::uint8_t>();
        const std::uint64_t count = length();
        switch (type) {
        case type_int8: return array_of<std::int8_t>(count);
        case type_int16: return array_of<std::int16_t>(count);
        case type_int32: return array_of<std::int32_t>(count);
        case type_int64: return array_of<std::int64_t>(count);
        case type_uint8: return array_of<std::uint8_t>(count);
        case type_uint16: return array_of<std::uint16_t>(count);
        case type_real32: return array_of<float>(count);
        case type_real64: return array_of<double>(count);
        case type_real16: return halves(count);
        case type_bool: return flags(count);
        case type_string:
        case type_token: return words(type, count);
        default: fail("this is not a type of array");
        }
    }

    template <class T> Value array_of(std::uint64_t count) {
        if (count > left() / sizeof(T))
            fail("an array of " + std::to_string(count) + " numbers is longer than the file");
        std::vector<T> values(static_cast<std::size_t>(count));
        const std::string_view bytes = take(count * sizeof(T));
        if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
        return Value(Numbers(std::move(values)));
    }

    Value halves(std::uint64_t count) {
        if (count > left() / 2)
            fail("an array of " + std::to_string(count) + " numbers is longer than the file");
        std::vector<float> values(static_cast<std::size_t>(count));
        for (float& v : values) v = from_half(number<std::uint16_t>());
        return Value(Numbers(std::move(values)));
    }

    /// Bits in words of 32.
    Value flags(std::uint64_t count) {
        if (count / 8 > left())
            fail("an array of " + std::to_string(count) + " flags is longer than the file");
        std::vector<std::uint8_t> values(static_cast<std::size_t>(count));
        std::uint32_t word = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i % 32 == 0) word = number<std::uint32_t>();
            values[i] = static_cast<std::uint8_t>((word >> (i % 32)) & 1);
        }
        return Value(Numbers(std::move(values)));
    }

    Value words(std::uint8_t type, std::uint64_t count) {
        if (count > left())
            fail("an array of " + std::to_string(count) + " words is longer than the file");
        Value::List values;
        for (std::uint64_t i = 0; i < count; ++i)
            values.emplace_back(type == type_string ? text() : token());
        return Value(std::move(values));
    }

    static constexpr int max_depth = 200;

    std::string_view m_bytes;
    const std::string& m_path;
    std::size_t m_offset = 0;
    std::map<std::uint64_t, std::string> m_tokens;
};

class BinaryWriter : public JsonWriter {
public:
    explicit BinaryWriter(std::size_t expected_bytes) {
        m_out.reserve(expected_bytes);
        m_out.append(magic);
    }

    bool is_text() const override { return false; }
    void begin_list() override { byte(type_list); }
    void end_list() override { byte(type_list_end); }
    void begin_map() override { byte(type_map); }
    void end_map() override { byte(type_map_end); }
    void boolean(bool value) override { byte(value ? type_true : type_false); }
    void real(double value) override { byte(type_real64), raw(&value, sizeof value); }

    void word(std::string_view text) override {
        const auto [found, is_new] = m_tokens.try_emplace(std::string(text), m_tokens.size());
        if (is_new) {
            byte(type_define_token);
            length(found->second);
            length(text.size());
            raw(text.data(), text.size());
        }
        byte(type_token);
        length(found->second);
    }

    void text(std::string_view text) override {
        byte(type_string);
        length(text.size());
        raw(text.data(), text.size());
    }

    /// Uses the fewest bytes, as Houdini does.
    void integer(std::int64_t value) override {
        if (!fits<std::int8_t>(value) && !fits<std::int16_t>(value) && !fits<std::int32_t>(value))
            byte(type_int64), raw(&value, sizeof value);
    }

    void numbers(const NumberSpan& values) override {
        std::visit(
            [&](const auto& span) {
                using T = std::remove_const_t<std::remove_pointer_t<decltype(span.data)>>;
                byte(type_uniform_array);
                byte(type_of<T>());
                length(span.count);
                raw(span.data, span.count * sizeof(T));
            },
            values);
    }

    std::string take() override { return std::move(m_out); }

private:
    void byte(std::uint8_t value) { m_out.push_back(static_cast<char>(value)); }
    void raw(const void* data, std::size_t size) {
        if (size > 0) m_out.append(static_cast<const char*>(data), size);
    }

    template <class T> bool fits(std::int64_t value) {
        if (value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max())
            return false;
        const T narrow = static_cast<T>(value);
        byte(type_of<T>());
        raw(&narrow, sizeof narrow);
        return true;
    }

    void length(std::uint64_t value) {
        if (value < 0xf1) {
            byte(static_cast<std::uint8_t>(value));
        } else if (value <= 0xffff) {
            const auto narrow = static_cast<std::uint16_t>(value);
            byte(0xf2), raw(&narrow, sizeof narrow);
        } else if (value <= 0xffffffff) {
            const auto narrow = static_cast<std::uint32_t>(value);
            byte(0xf4), raw(&narrow, sizeof narrow);
        } else {
            byte(0xf8), raw(&value, sizeof value);
        }
    }

    std::string m_out;
    std::map<std::string, std::uint64_t> m_tokens;
};

} // namespace

bool is_binary_json(std::string_view bytes) {
    return bytes.substr(0, magic.size()) == magic ||
           bytes.substr(0, magic_swapped.size()) == magic_swapped;
}

Value read_binary_json(std::string_view bytes, const std::string& path) {
    if (bytes.substr(0, magic.size()) != magic)
        throw Error("the file was written by a big-endian machine", path,
                    "load and save it once in Houdini on this machine");
    return BinaryReader(bytes, path).document();
}

std::unique_ptr<JsonWriter> make_binary_writer(std::size_t expected_bytes) {
    return std::make_unique<BinaryWriter>(expected_bytes);
}

} // namespace nendo
