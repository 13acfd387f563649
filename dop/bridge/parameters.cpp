// SPDX-License-Identifier: Apache-2.0
// Houdini's templates, made from the list of parameters.
#include "dop/bridge/parameters.h"

#include <PRM/PRM_ChoiceList.h>
#include <PRM/PRM_Conditional.h>
#include <PRM/PRM_Default.h>
#include <PRM/PRM_Name.h>
#include <PRM/PRM_Range.h>
#include <PRM/PRM_Template.h>

#include <deque>

namespace nendo::houdini {

/// Everything that the templates point to. Deques do not move their elements.
struct ParameterTemplates::Parts {
    std::vector<PRM_Template> templates;
    std::deque<std::string> texts;
    std::deque<PRM_Name> names;
    std::deque<std::vector<PRM_Default>> defaults;
    std::deque<std::vector<PRM_Name>> choices;
    std::deque<PRM_ChoiceList> menus;
    std::deque<PRM_Range> ranges;
    std::deque<PRM_ConditionalGroup> conditions;

    const char* keep(const std::string& text) { return texts.emplace_back(text).c_str(); }
    PRM_Name* keep_name(const std::string& token, const std::string& label) {
        return &names.emplace_back(keep(token), keep(label));
    }
    PRM_Default* keep_defaults(const Parameter& p);
    PRM_ChoiceList* keep_menu(const Parameter& p);
    PRM_Range* keep_range(const Parameter& p);
    PRM_ConditionalGroup* keep_conditions(const Parameter& p);
    void add_folders(const std::vector<Parameter>& ordered);
    void add(const Parameter& p);
};

namespace {

PRM_Type type_of(ParameterKind kind) {
    switch (kind) {
    case ParameterKind::number: return PRM_FLT;
    case ParameterKind::whole: return PRM_INT;
    case ParameterKind::toggle: return PRM_TOGGLE;
    case ParameterKind::vector: return PRM_XYZ;
    case ParameterKind::menu:
    case ParameterKind::text: break;
    }
    return PRM_STRING;
}

} // namespace

PRM_Default* ParameterTemplates::Parts::keep_defaults(const Parameter& p) {
    std::vector<PRM_Default>& list = defaults.emplace_back();
    for (const double value : p.defaults) list.emplace_back(value);
    if (list.empty()) list.emplace_back(0, keep(p.default_text));
    return list.data();
}

PRM_ChoiceList* ParameterTemplates::Parts::keep_menu(const Parameter& p) {
    if (p.choices.empty()) return nullptr;
    std::vector<PRM_Name>& list = choices.emplace_back();
    for (const std::string& choice : p.choices)
        list.emplace_back(keep(choice), keep(choice_label(choice)));
    list.emplace_back(); // the end
    return &menus.emplace_back(PRM_CHOICELIST_SINGLE, list.data());
}

PRM_Range* ParameterTemplates::Parts::keep_range(const Parameter& p) {
    if (!std::isfinite(p.low) && !std::isfinite(p.high)) return nullptr;
    const auto flag = [](double end, bool hard) {
        return !std::isfinite(end) ? PRM_RANGE_FREE : hard ? PRM_RANGE_RESTRICTED : PRM_RANGE_UI;
    };
    const auto value = [](double end) { return std::isfinite(end) ? end : 0.0; };
    return &ranges.emplace_back(flag(p.low, p.low_is_hard), value(p.low),
                                flag(p.high, p.high_is_hard), value(p.high));
}

PRM_ConditionalGroup* ParameterTemplates::Parts::keep_conditions(const Parameter& p) {
    if (p.disable_when.empty() && p.hide_when.empty()) return nullptr;
    PRM_ConditionalGroup& group = conditions.emplace_back();
    if (!p.disable_when.empty()) group.addConditional(keep(p.disable_when), PRM_CONDTYPE_DISABLE);
    if (!p.hide_when.empty()) group.addConditional(keep(p.hide_when), PRM_CONDTYPE_HIDE);
    return &group;
}

/// A switcher has one default per folder: the number of its parameters and its label.
void ParameterTemplates::Parts::add_folders(const std::vector<Parameter>& ordered) {
    std::vector<PRM_Default>& folders = defaults.emplace_back();
    for (std::size_t i = 0; i < ordered.size();) {
        std::size_t end = i;
        while (end < ordered.size() && ordered[end].folder == ordered[i].folder) ++end;
        if (!ordered[i].folder.empty())
            folders.emplace_back(static_cast<double>(end - i), keep(ordered[i].folder));
        i = end;
    }
    if (folders.empty()) return;
    templates.emplace_back(PRM_SWITCHER, static_cast<int>(folders.size()),
                           keep_name("folders", "Folders"), folders.data());
}

void ParameterTemplates::Parts::add(const Parameter& p) {
    templates.emplace_back(type_of(p.kind), p.kind == ParameterKind::vector ? 3 : 1,
                           keep_name(p.name, label_with_unit(p)), keep_defaults(p), keep_menu(p),
                           keep_range(p), PRM_Callback(), nullptr, 1, keep(p.help),
                           keep_conditions(p));
}

ParameterTemplates::ParameterTemplates(const std::vector<Parameter>& list, Layout layout)
    : m_parts(std::make_unique<Parts>()) {
    const std::vector<Parameter> ordered = layout == Layout::folders ? order_by_folder(list) : list;
    bool above_folders = layout == Layout::folders;
    for (const Parameter& p : ordered) {
        if (above_folders && !p.folder.empty()) {
            m_parts->add_folders(ordered);
            above_folders = false;
        }
        m_parts->add(p);
    }
    m_parts->templates.emplace_back(); // the terminator
}

ParameterTemplates::~ParameterTemplates() = default;

PRM_Template* ParameterTemplates::templates() const {
    return m_parts->templates.data();
}

} // namespace nendo::houdini
