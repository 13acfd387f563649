// SPDX-License-Identifier: Apache-2.0
// The list of parameters: the part of parameters.h that compiles without Houdini.
#include "dop/bridge/parameters.h"

#include <cctype>

namespace nendo::houdini {

std::string label_with_unit(const Parameter& parameter) {
    return parameter.unit == "1" ? parameter.label : parameter.label + " [" + parameter.unit + "]";
}

std::string choice_label(const std::string& name) {
    std::string label = name;
    std::replace(label.begin(), label.end(), '_', ' ');
    if (!label.empty())
        label[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(label[0])));
    return label;
}

std::string limit_name(std::string_view name) {
    return "limit_" + std::string(name);
}

std::string override_name(std::string_view name) {
    return "override_" + std::string(name);
}

std::vector<Parameter> order_by_folder(const std::vector<Parameter>& list) {
    std::vector<std::string> folders = {""};
    for (const Parameter& p : list)
        if (std::find(folders.begin(), folders.end(), p.folder) == folders.end())
            folders.push_back(p.folder);
    std::vector<Parameter> ordered;
    for (const std::string& folder : folders)
        for (const Parameter& p : list)
            if (p.folder == folder) ordered.push_back(p);
    return ordered;
}

void append_parameters(std::vector<Parameter>& list, const std::vector<Parameter>& more) {
    for (const Parameter& parameter : more) {
        const bool known = std::any_of(
            list.begin(), list.end(), [&](const Parameter& p) { return p.name == parameter.name; });
        if (!known) list.push_back(parameter);
    }
}

namespace detail {

Parameter common_part(const Field& f) {
    Parameter p;
    p.name = f.name_;
    p.label = f.label_;
    p.unit = f.unit_;
    p.help = f.help_;
    p.folder = f.folder_;
    p.disable_when = f.disable_when_;
    p.hide_when = f.hide_when_;
    p.choices.assign(f.choices_.begin(), f.choices_.end());
    p.min = f.min_;
    p.max = f.max_;
    p.above_min = f.above_min_;
    p.low = std::max(f.min_, f.usual_min_);
    p.high = std::min(f.max_, f.usual_max_);
    p.low_is_hard = p.low == f.min_ && std::isfinite(p.low);
    p.high_is_hard = p.high == f.max_ && std::isfinite(p.high);
    return p;
}

namespace {

/// A toggle before `parameter`, which applies only if the toggle is on.
Parameter toggle_before(Parameter& parameter, const std::string& name, const std::string& label,
                        const std::string& help, bool on) {
    Parameter toggle;
    toggle.kind = ParameterKind::toggle;
    toggle.name = name;
    toggle.label = label;
    toggle.help = help;
    toggle.folder = parameter.folder;
    toggle.disable_when = parameter.disable_when;
    toggle.hide_when = parameter.hide_when;
    toggle.defaults = {on ? 1.0 : 0.0};
    std::string& rules = parameter.disable_when;
    rules += (rules.empty() ? "{ " : " { ") + name + " == 0 }";
    return toggle;
}

} // namespace

void add_with_toggles(std::vector<Parameter>& list, Parameter parameter, const Field& f,
                      Given given, bool has_limit) {
    const std::string label(f.label_);
    if (given == Given::on_request)
        list.push_back(toggle_before(parameter, override_name(f.name_), "Override " + label,
                                     "Uses the value below instead of that of the preset.", false));
    if (f.may_be_none_)
        list.push_back(toggle_before(parameter, limit_name(f.name_), "Limit " + label,
                                     "Applies the limit below. Off: there is no limit.",
                                     has_limit));
    list.push_back(std::move(parameter));
}

std::size_t find_choice(const std::string& text, const Field& f) {
    const auto found = std::find(f.choices_.begin(), f.choices_.end(), text);
    if (found == f.choices_.end())
        throw Error("'" + text + "' is not in the menu", std::string(f.label_),
                    suggest(text, f.choices_));
    return static_cast<std::size_t>(found - f.choices_.begin());
}

} // namespace detail
} // namespace nendo::houdini
