// SPDX-License-Identifier: Apache-2.0
// Houdini's two encodings of JSON, text and binary: readers into a value tree, and writers that
// receive the document piece by piece, so that large columns are never copied into a tree.
#pragma once

#include "io/geo/value.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace nendo {

/// Read a document into a tree. `path` is used in messages, which give the byte of the error.
Value read_binary_json(std::string_view bytes, const std::string& path);
Value read_text_json(std::string_view text, const std::string& path);
bool is_binary_json(std::string_view bytes);

template <class T> struct Span {
    const T* data = nullptr;
    std::size_t count = 0;
};

/// A non-owning range of numbers.
using NumberSpan =
    std::variant<Span<std::uint8_t>, Span<std::int8_t>, Span<std::int16_t>, Span<std::uint16_t>,
                 Span<std::int32_t>, Span<std::int64_t>, Span<float>, Span<double>>;

template <class T> NumberSpan span_of(const std::vector<T>& values) {
    return Span<T>{values.data(), values.size()};
}

/// Receives a document. In a map, word() passes the key and the next call its value.
class JsonWriter {
public:
    virtual ~JsonWriter() = default;
    virtual bool is_text() const = 0;
    virtual void begin_list() = 0;
    virtual void end_list() = 0;
    virtual void begin_map() = 0;
    virtual void end_map() = 0;
    /// A key or another frequent word.
    virtual void word(std::string_view text) = 0;
    virtual void text(std::string_view text) = 0;
    virtual void boolean(bool value) = 0;
    virtual void integer(std::int64_t value) = 0;
    virtual void real(double value) = 0;
    virtual void numbers(const NumberSpan& values) = 0;
    virtual std::string take() = 0;

    void entry(std::string_view key, std::string_view value) { word(key), word(value); }
    void entry(std::string_view key, std::int64_t value) { word(key), integer(value); }
    void value(const Value& value);
};

/// `expected_bytes` is an estimate of the document's size, to allocate once. Text cannot represent
/// infinities and NaN: they throw an Error that names `path`.
std::unique_ptr<JsonWriter> make_binary_writer(std::size_t expected_bytes);
std::unique_ptr<JsonWriter> make_text_writer(std::size_t expected_bytes, const std::string& path);

} // namespace nendo
