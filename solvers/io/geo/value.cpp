// SPDX-License-Identifier: Apache-2.0
// Access to the value tree, comparison of trees, and the collection of arrays.
#include "io/geo/value.h"

#include <type_traits>
#include <utility>

namespace nendo {
namespace {

bool same_number(const Number& a, const Number& b) {
    if (a.is_integer && b.is_integer) return a.integer == b.integer;
    return static_cast<float>(a.real) == static_cast<float>(b.real) ||
           (a.real != a.real && b.real != b.real);
}

bool same_arrays(const Value& a, const Value& b) {
    if (a.count() != b.count()) return false;
    const auto* list_a = a.get<Value::List>();
    const auto* list_b = b.get<Value::List>();
    for (std::size_t i = 0; i < a.count(); ++i) {
        if (list_a != nullptr && list_b != nullptr) {
            if (!same_content((*list_a)[i], (*list_b)[i])) return false;
            continue;
        }
        Number x, y;
        if (!number_at(a, i, x) || !number_at(b, i, y) || !same_number(x, y)) return false;
    }
    return true;
}

bool same_maps(const Value::Map& a, const Value& b) {
    if (a.size() != b.count()) return false;
    for (const Member& member : a) {
        const Value* other = b.find(member.key);
        if (other == nullptr || !same_content(member.value, *other)) return false;
    }
    return true;
}

} // namespace

std::size_t Value::count() const {
    if (const auto* list = get<List>()) return list->size();
    if (const auto* map = get<Map>()) return map->size();
    if (const auto* numbers = get<Numbers>())
        return std::visit([](const auto& v) { return v.size(); }, *numbers);
    return 0;
}

const Value* Value::find(std::string_view key) const {
    if (const auto* map = get<Map>())
        for (const Member& member : *map)
            if (member.key == key) return &member.value;
    if (const auto* list = get<List>())
        for (std::size_t i = 0; i + 1 < list->size(); i += 2)
            if (const auto* name = (*list)[i].get<std::string>(); name && *name == key)
                return &(*list)[i + 1];
    return nullptr;
}

Value* Value::find(std::string_view key) {
    return const_cast<Value*>(std::as_const(*this).find(key));
}

bool number_of(const Value& value, Number& number) {
    if (const auto* integer = value.get<std::int64_t>()) {
        number = {true, *integer, static_cast<double>(*integer)};
        return true;
    }
    if (const auto* real = value.get<double>()) {
        number = {false, 0, *real};
        return true;
    }
    if (const auto* flag = value.get<bool>()) {
        number = {true, *flag ? 1 : 0, *flag ? 1.0 : 0.0};
        return true;
    }
    return false;
}

bool number_at(const Value& array, std::size_t index, Number& number) {
    if (const auto* list = array.get<Value::List>())
        return index < list->size() && number_of((*list)[index], number);
    const auto* numbers = array.get<Numbers>();
    if (numbers == nullptr || index >= array.count()) return false;
    std::visit(
        [&](const auto& v) {
            using T = typename std::decay_t<decltype(v)>::value_type;
            if constexpr (std::is_integral_v<T>)
                number = {true, static_cast<std::int64_t>(v[index]), static_cast<double>(v[index])};
            else
                number = {false, 0, static_cast<double>(v[index])};
        },
        *numbers);
    return true;
}

bool same_content(const Value& a, const Value& b) {
    if (a.is_array() && b.is_array()) return same_arrays(a, b);
    if (const auto* map = a.get<Value::Map>())
        return b.get<Value::Map>() != nullptr && same_maps(*map, b);
    if (const auto* text = a.get<std::string>()) {
        const auto* other = b.get<std::string>();
        return other != nullptr && *other == *text;
    }
    Number x, y;
    if (number_of(a, x)) return number_of(b, y) && same_number(x, y);
    return a.data.index() == b.data.index();
}

void ListBuilder::add(Value&& value) {
    if (m_mode == Mode::integers) {
        if (const auto* integer = value.get<std::int64_t>()) {
            m_integers.push_back(*integer);
            return;
        }
        if (value.get<double>() != nullptr) {
            m_reals.assign(m_integers.begin(), m_integers.end());
            m_mode = Mode::reals;
        }
    }
    if (m_mode == Mode::reals) {
        Number number;
        if (value.get<bool>() == nullptr && number_of(value, number)) {
            m_reals.push_back(number.real);
            return;
        }
    }
    if (m_mode != Mode::values) spill();
    m_values.push_back(std::move(value));
}

void ListBuilder::spill() {
    if (m_mode == Mode::integers)
        for (const std::int64_t integer : m_integers) m_values.emplace_back(integer);
    else
        for (const double real : m_reals) m_values.emplace_back(real);
    m_mode = Mode::values;
}

Value ListBuilder::take() {
    if (m_mode == Mode::reals) return Value(Numbers(std::move(m_reals)));
    if (m_mode == Mode::integers && !m_integers.empty())
        return Value(Numbers(std::move(m_integers)));
    return Value(std::move(m_values));
}

} // namespace nendo
