// SPDX-License-Identifier: Apache-2.0
// Compares, extends and queries geometry in memory.
#include "io/geo/geo.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace nendo {
namespace {

template <class T> bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

bool same_values(const Attribute::Values& a, const Attribute::Values& b) {
    if (a.index() != b.index()) return false;
    return std::visit(
        [&](const auto& left) {
            using Column = std::decay_t<decltype(left)>;
            const auto& right = std::get<Column>(b);
            if constexpr (std::is_same_v<Column, StringColumn>) {
                if (left.indices.size() != right.indices.size()) return false;
                for (std::size_t i = 0; i < left.indices.size(); ++i)
                    if (left.at(i) != right.at(i)) return false;
                return true;
            } else if constexpr (std::is_same_v<Column, KeptAttribute>) {
                return same_content(left.definition, right.definition) &&
                       same_content(left.data, right.data);
            } else {
                return same_bits(left, right);
            }
        },
        a);
}

bool same_attributes(const std::vector<Attribute>& a, const std::vector<Attribute>& b) {
    return std::equal(
        a.begin(), a.end(), b.begin(), b.end(), [](const Attribute& x, const Attribute& y) {
            return x.name == y.name && x.scope == y.scope && x.type_info == y.type_info &&
                   x.tuple_size == y.tuple_size && same_values(x.values, y.values);
        });
}

bool same_groups(const std::vector<Group>& a, const std::vector<Group>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Group& x, const Group& y) {
        return x.name == y.name && x.members == y.members && x.order == y.order;
    });
}

using PrimitiveBlock = std::variant<Polygons, KeptPrimitives>;

bool same_block(const PrimitiveBlock& a, const PrimitiveBlock& b) {
    if (a.index() != b.index()) return false;
    if (const auto* x = std::get_if<Polygons>(&a)) {
        const auto& y = std::get<Polygons>(b);
        return x->closed == y.closed && x->sizes == y.sizes && x->vertices == y.vertices;
    }
    const auto& x = std::get<KeptPrimitives>(a);
    const auto& y = std::get<KeptPrimitives>(b);
    return x.count == y.count && same_content(x.definition, y.definition) &&
           same_content(x.data, y.data);
}

bool same_kept(const std::vector<Member>& a, const std::vector<Member>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Member& x, const Member& y) {
        return x.key == y.key && same_content(x.value, y.value);
    });
}

} // namespace

std::string_view StringColumn::at(std::size_t i) const {
    if (indices[i] < 0) return {};
    return table[static_cast<std::size_t>(indices[i])];
}

void Geometry::add_polygon(bool closed, const std::int32_t* vertices, std::size_t count) {
    auto* last = primitives.empty() ? nullptr : std::get_if<Polygons>(&primitives.back());
    if (last == nullptr || last->closed != closed) {
        primitives.emplace_back(Polygons{closed, {}, {}});
        last = &std::get<Polygons>(primitives.back());
    }
    last->sizes.push_back(static_cast<std::int32_t>(count));
    last->vertices.insert(last->vertices.end(), vertices, vertices + count);
    ++primitive_count;
}

const Attribute* find_attribute(const std::vector<Attribute>& attributes, std::string_view name) {
    for (const Attribute& attribute : attributes)
        if (attribute.name == name) return &attribute;
    return nullptr;
}

std::vector<double> attribute_numbers(const Attribute& attribute) {
    std::vector<double> numbers;
    std::visit(
        [&](const auto& values) {
            using Values = std::decay_t<decltype(values)>;
            if constexpr (!std::is_same_v<Values, StringColumn> &&
                          !std::is_same_v<Values, KeptAttribute>)
                for (const auto value : values) numbers.push_back(static_cast<double>(value));
        },
        attribute.values);
    return numbers;
}

bool same_content(const Geometry& a, const Geometry& b) {
    return a.point_count == b.point_count && a.primitive_count == b.primitive_count &&
           a.vertex_points == b.vertex_points &&
           std::equal(a.primitives.begin(), a.primitives.end(), b.primitives.begin(),
                      b.primitives.end(), same_block) &&
           same_attributes(a.vertex_attributes, b.vertex_attributes) &&
           same_attributes(a.point_attributes, b.point_attributes) &&
           same_attributes(a.primitive_attributes, b.primitive_attributes) &&
           same_attributes(a.detail_attributes, b.detail_attributes) &&
           same_groups(a.vertex_groups, b.vertex_groups) &&
           same_groups(a.point_groups, b.point_groups) &&
           same_groups(a.primitive_groups, b.primitive_groups) && same_kept(a.kept, b.kept);
}

} // namespace nendo
