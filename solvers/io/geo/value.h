// SPDX-License-Identifier: Apache-2.0
// The value tree of a Houdini geometry file: JSON in which an array of numbers is one flat vector,
// and a record may be a list of alternating keys and values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace nendo {

/// An array of numbers of one type, as binary files store it.
using Numbers =
    std::variant<std::vector<std::uint8_t>, std::vector<std::int8_t>, std::vector<std::int16_t>,
                 std::vector<std::uint16_t>, std::vector<std::int32_t>, std::vector<std::int64_t>,
                 std::vector<float>, std::vector<double>>;

struct Member;

struct Value {
    using List = std::vector<Value>;
    using Map = std::vector<Member>;
    std::variant<std::monostate, bool, std::int64_t, double, std::string, Numbers, List, Map> data;

    Value() = default;
    template <class T> explicit Value(T value) : data(std::move(value)) {}

    template <class T> const T* get() const { return std::get_if<T>(&data); }
    template <class T> T* get() { return std::get_if<T>(&data); }

    /// Number of entries of a list, map or array of numbers; zero for anything else.
    std::size_t count() const;
    /// True for a list or an array of numbers.
    bool is_array() const { return get<List>() != nullptr || get<Numbers>() != nullptr; }
    /// Returns the value of a key in a map or in a list of alternating keys and values; null if
    /// absent.
    const Value* find(std::string_view key) const;
    Value* find(std::string_view key);
};

struct Member {
    std::string key;
    Value value;
};

/// A number of the tree. An integer stays exact; a boolean is 0 or 1.
struct Number {
    bool is_integer = true;
    std::int64_t integer = 0;
    double real = 0; ///< The value in either case
};

/// Return false if the value, or entry `index` of the array, is not a number.
bool number_of(const Value& value, Number& number);
bool number_at(const Value& array, std::size_t index, Number& number);

/// True if the content is equal, however it is stored. An array of numbers equals the list of these
/// numbers, and reals are equal if they are the same float32, because Houdini's text files keep no
/// more.
bool same_content(const Value& a, const Value& b);

/// Collects the entries of an array while it is read, as flat numbers as long as possible.
class ListBuilder {
public:
    void add(Value&& value);
    Value take();

private:
    void spill();

    enum class Mode { integers, reals, values };
    Mode m_mode = Mode::integers;
    std::vector<std::int64_t> m_integers;
    std::vector<double> m_reals;
    Value::List m_values;
};

} // namespace nendo
