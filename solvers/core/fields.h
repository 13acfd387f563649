// SPDX-License-Identifier: Apache-2.0
// Fields: the single declaration of each parameter and each column of state, with its name, label,
// unit, range and help.
//
// A struct lists its members in one static function, and everything else reads that list:
//
//     struct Cheese {
//         double age = 12;
//         template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
//             visit(self.age, field("age").label("Age").unit("months").range(0, 240)
//                                 .help("Time that the cheese has ripened."));
//         }
//     };
//
// The JSON reader, the schema, checkpoints, geometry files, node parameters, help pages and tests
// are visitors. A parameter is a double, int, bool, string, enum or Vec3d; a column is a
// std::vector of float, double, integers, Vec3, Vec4 (a quaternion) or Mat3, one entry per particle.
#pragma once

#include "core/types.h"

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace nendo {

/// How a geometry package should transform the values of a column.
enum class Meaning { value, point, vector, matrix, quaternion };

/// The description of one member. The setters return the field itself, so that calls chain.
struct Field {
    std::string_view name_;
    std::string_view label_;
    std::string_view unit_ = "1";
    std::string_view help_;
    std::string_view folder_;
    double min_ = -infinite; ///< Values outside [min, max] are errors
    double max_ = infinite;
    bool above_min_ = false;                ///< The minimum itself is an error too
    bool may_be_none_ = false;              ///< `null` is allowed and means infinite
    bool optional_ = false;                 ///< A file or geometry may lack it; then it is zero
    std::vector<std::string_view> choices_; ///< Names of an enum's values, in order
    double usual_min_ = -infinite;          ///< Ends of the slider; values beyond them are allowed
    double usual_max_ = infinite;
    std::string_view disable_when_; ///< "{ name == value }": condition under which it has no effect
    std::string_view hide_when_;    ///< Condition under which it is hidden, in the same form
    Meaning meaning_ = Meaning::value;

    explicit Field(std::string_view name) : name_(name), label_(name) {}
    Field& label(std::string_view text) { return label_ = text, *this; }
    Field& unit(std::string_view text) { return unit_ = text, *this; }
    Field& help(std::string_view text) { return help_ = text, *this; }
    Field& folder(std::string_view text) { return folder_ = text, *this; }
    Field& range(double lowest, double highest) { return min_ = lowest, max_ = highest, *this; }
    Field& above(double lowest) { return min_ = lowest, above_min_ = true, *this; }
    Field& may_be_none() { return may_be_none_ = true, *this; }
    Field& optional() { return optional_ = true, *this; }
    Field& choices(std::vector<std::string_view> names) {
        return choices_ = std::move(names), *this;
    }
    Field& usual(double low, double high) { return usual_min_ = low, usual_max_ = high, *this; }
    Field& disable_when(std::string_view rule) { return disable_when_ = rule, *this; }
    Field& hide_when(std::string_view rule) { return hide_when_ = rule, *this; }
    Field& meaning(Meaning m) { return meaning_ = m, *this; }
};

inline Field field(std::string_view name) {
    return Field(name);
}

/// Calls visit(member, field) for each declared member of `object`, in order.
template <class Object, class Visit> void for_each_field(Object& object, Visit&& visit) {
    std::remove_const_t<Object>::fields(object, std::forward<Visit>(visit));
}

/// Default of a member that is one number in a material and a column of numbers in a state.
template <class T> T initial(double value) {
    if constexpr (std::is_arithmetic_v<T>)
        return static_cast<T>(value);
    else
        return T{};
}

/// Calls visit(member) for each of some members.
template <class Visit, class... Members> void visit_each(Visit& visit, Members&... members) {
    (visit(members), ...);
}

/// The fields of a struct without their members, for lists and look-ups.
template <class Object> std::vector<Field> list_fields() {
    std::vector<Field> list;
    Object object{};
    for_each_field(object, [&](auto&, const Field& f) { list.push_back(f); });
    return list;
}

/// Layout of a column's entry in files and attributes: `width` numbers of type Scalar, with
/// matrices row by row.
template <class T> struct ElementTraits {
    using Scalar = T;
    static constexpr int width = 1;
    static Scalar get(const T& value, int) { return value; }
    static void set(T& value, int, Scalar s) { value = s; }
};
template <class Real> struct ElementTraits<Vec3<Real>> {
    using Scalar = Real;
    static constexpr int width = 3;
    static Scalar get(const Vec3<Real>& value, int k) { return value[k]; }
    static void set(Vec3<Real>& value, int k, Scalar s) { value[k] = s; }
};
template <class Real> struct ElementTraits<Vec4<Real>> {
    using Scalar = Real;
    static constexpr int width = 4;
    static Scalar get(const Vec4<Real>& value, int k) { return value[k]; }
    static void set(Vec4<Real>& value, int k, Scalar s) { value[k] = s; }
};
template <class Real> struct ElementTraits<Mat3<Real>> {
    using Scalar = Real;
    static constexpr int width = 9;
    static Scalar get(const Mat3<Real>& value, int k) { return value(k / 3, k % 3); }
    static void set(Mat3<Real>& value, int k, Scalar s) { value(k / 3, k % 3) = s; }
};

} // namespace nendo
