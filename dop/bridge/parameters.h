// SPDX-License-Identifier: Apache-2.0
// Makes the parameters of a node from the fields that its structs declare. A new field is a new
// parameter, with its label, unit, range, menu, help, folder and rules, and needs no new code.
//
// Only parameters.cpp uses Houdini. The list itself does not, so help pages and tests read it too.
#pragma once

#include "core/error.h"
#include "core/fields.h"
#include "core/names.h"
#include "core/range.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

class PRM_Template;

namespace nendo::houdini {

enum class ParameterKind { number, whole, toggle, menu, text, vector };

/// Whether a parameter always applies, or only if the toggle before it is on.
enum class Given { always, on_request };

struct Parameter {
    ParameterKind kind = ParameterKind::number;
    std::string name; ///< Houdini's token
    std::string label;
    std::string unit = "1";
    std::string help;
    std::string folder; ///< Empty: above all folders
    std::string disable_when;
    std::string hide_when;
    std::vector<double> defaults; ///< Three for a vector, none for a text or menu
    std::string default_text;
    std::vector<std::string> choices;
    double min = -infinite; ///< Outside [min, max] is an error
    double max = infinite;
    bool above_min = false; ///< The minimum itself is also an error
    double low = -infinite; ///< Ends of the slider
    double high = infinite;
    bool low_is_hard = false; ///< Values beyond this end can't be typed in
    bool high_is_hard = false;
};

/// "Spacing [m]"
std::string label_with_unit(const Parameter& parameter);
/// The label of a choice: "firm_clay" is shown as "Firm clay".
std::string choice_label(const std::string& name);
/// Name of the toggle of a value that may have no limit.
std::string limit_name(std::string_view name);
/// Name of the toggle of a parameter that is given on request.
std::string override_name(std::string_view name);

/// The parameters grouped by folder, in the order in which folders first appear; those without a
/// folder come first.
std::vector<Parameter> order_by_folder(const std::vector<Parameter>& list);

namespace detail {

/// The part of a parameter that does not depend on its type.
Parameter common_part(const Field& f);
/// Adds a parameter with the toggles before it.
void add_with_toggles(std::vector<Parameter>& list, Parameter parameter, const Field& f,
                      Given given, bool has_limit);
std::size_t find_choice(const std::string& text, const Field& f);

template <class T> Parameter describe(const T& value, const Field& f) {
    Parameter p = common_part(f);
    if constexpr (std::is_same_v<T, bool>) {
        p.kind = ParameterKind::toggle;
        p.defaults = {value ? 1.0 : 0.0};
    } else if constexpr (std::is_enum_v<T>) {
        p.kind = ParameterKind::menu;
        p.default_text = f.choices_.at(static_cast<std::size_t>(value));
    } else if constexpr (std::is_same_v<T, std::string>) {
        p.kind = f.choices_.empty() ? ParameterKind::text : ParameterKind::menu;
        p.default_text = value;
    } else if constexpr (std::is_same_v<T, Vec3d>) {
        p.kind = ParameterKind::vector;
        p.defaults = {value[0], value[1], value[2]};
    } else if constexpr (std::is_integral_v<T>) {
        p.kind = ParameterKind::whole;
        p.defaults = {static_cast<double>(value)};
    } else {
        static_assert(std::is_same_v<T, double>, "parameters have the types of core/fields.h");
        p.defaults = {std::isfinite(value) ? value : p.high < infinite ? p.high : 1.0};
    }
    return p;
}

} // namespace detail

/// The parameters that set the fields of an object, with its values as defaults. Fields without a
/// folder go to `folder`.
template <class Object>
std::vector<Parameter> describe_parameters(const Object& defaults, Given given = Given::always,
                                           const std::string& folder = "") {
    std::vector<Parameter> list;
    for_each_field(defaults, [&](const auto& value, const Field& f) {
        bool has_limit = true;
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>)
            has_limit = std::isfinite(value);
        Parameter parameter = detail::describe(value, f);
        if (parameter.folder.empty()) parameter.folder = folder;
        detail::add_with_toggles(list, std::move(parameter), f, given, has_limit);
    });
    return list;
}

/// Adds the parameters whose names are not in the list yet, because methods share some.
void append_parameters(std::vector<Parameter>& list, const std::vector<Parameter>& more);

/// The values that the artist set, by the names of the parameters.
class ParameterValues {
public:
    virtual ~ParameterValues() = default;
    virtual double number(const std::string& name, int component) const = 0;
    virtual std::int64_t whole(const std::string& name) const = 0;
    virtual bool toggle(const std::string& name) const = 0;
    virtual std::string
    text(const std::string& name) const = 0; ///< For a menu: the name of the choice
};

namespace detail {

inline double read_number(const ParameterValues& values, const Field& f, int component) {
    const std::string name(f.name_);
    if (f.may_be_none_ && !values.toggle(limit_name(name))) return infinite;
    const double number = values.number(name, component);
    check_range(number, f, std::string(f.label_), "a number");
    return number;
}

template <class T> void read(T& value, const ParameterValues& values, const Field& f) {
    const std::string name(f.name_);
    if constexpr (std::is_same_v<T, bool>) {
        value = values.toggle(name);
    } else if constexpr (std::is_enum_v<T>) {
        value = static_cast<T>(find_choice(values.text(name), f));
    } else if constexpr (std::is_same_v<T, std::string>) {
        value = values.text(name);
        if (!f.choices_.empty()) find_choice(value, f);
    } else if constexpr (std::is_same_v<T, Vec3d>) {
        for (int k = 0; k < 3; ++k) value[k] = read_number(values, f, k);
    } else if constexpr (std::is_integral_v<T>) {
        const std::int64_t number = values.whole(name);
        check_range(static_cast<double>(number), f, std::string(f.label_), "a whole number");
        value = static_cast<T>(number);
    } else {
        value = read_number(values, f, 0);
    }
}

} // namespace detail

/// Sets the fields of the object to the values that the artist set; throws if a value is out of
/// range. Fields that are given on request keep the values of the object if their toggle is off.
template <class Object>
void read_parameters(Object& object, const ParameterValues& values, Given given = Given::always) {
    for_each_field(object, [&](auto& value, const Field& f) {
        if (given == Given::on_request && !values.toggle(override_name(f.name_))) return;
        detail::read(value, values, f);
    });
}

/// The list as Houdini's templates. Houdini keeps pointers into it, so it must live as long as the
/// plugin: make it a static variable of a function.
class ParameterTemplates {
public:
    enum class Layout { folders, plain };

    explicit ParameterTemplates(const std::vector<Parameter>& list,
                                Layout layout = Layout::folders);
    ~ParameterTemplates();
    ParameterTemplates(const ParameterTemplates&) = delete;
    ParameterTemplates& operator=(const ParameterTemplates&) = delete;

    /// The templates, with the terminator at the end.
    PRM_Template* templates() const;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace nendo::houdini
