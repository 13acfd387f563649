// SPDX-License-Identifier: Apache-2.0
#include "otls/nodes_json.h"

#include "coupling/material.h"
#include "elastoplastic/material.h"
#include "melt/material.h"
#include "otls/help_page.h"
#include "rheology/material.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace nendo::houdini {
namespace {

using Json = nlohmann::ordered_json;

/// JSON has no infinity; null stands for it.
Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

const char* kind_name(ParameterKind kind) {
    switch (kind) {
    case ParameterKind::number: return "number";
    case ParameterKind::whole: return "whole";
    case ParameterKind::toggle: return "toggle";
    case ParameterKind::menu: return "menu";
    case ParameterKind::text: return "text";
    case ParameterKind::vector: return "vector";
    }
    return "";
}

Json describe(const Parameter& p) {
    Json labels = Json::array();
    for (const std::string& choice : p.choices) labels.push_back(choice_label(choice));
    return {{"name", p.name},
            {"kind", kind_name(p.kind)},
            {"label", p.label},
            {"unit", p.unit},
            {"help", p.help},
            {"folder", p.folder},
            {"disable_when", p.disable_when},
            {"hide_when", p.hide_when},
            {"defaults", p.defaults},
            {"default_text", p.default_text},
            {"choices", p.choices},
            {"choice_labels", labels},
            {"min", number(p.min)},
            {"max", number(p.max)},
            {"above_min", p.above_min},
            {"low", number(p.low)},
            {"high", number(p.high)},
            {"low_is_hard", p.low_is_hard},
            {"high_is_hard", p.high_is_hard}};
}

Json describe(const std::vector<NodeAttribute>& attributes) {
    Json list = Json::array();
    for (const NodeAttribute& a : attributes)
        list.push_back({{"name", a.name}, {"unit", a.unit}, {"help", a.help}});
    return list;
}

Json describe(const NodeInfo& node) {
    Json inputs = Json::array();
    for (const NodeInput& input : node.inputs)
        inputs.push_back(
            {{"label", input.label}, {"help", input.help}, {"required", input.required}});
    Json parameters = Json::array();
    for (const Parameter& p : order_by_folder(node.parameters)) parameters.push_back(describe(p));
    return {{"context", node.context},       {"name", node.name},
            {"label", node.label},           {"icon", node.icon},
            {"summary", node.summary},       {"how", node.how},
            {"paper", node.paper},           {"limits", node.limits},
            {"advice", node.advice},         {"inputs", inputs},
            {"reads", describe(node.reads)}, {"writes", describe(node.writes)},
            {"parameters", parameters}};
}

/// The values of a material that a preset may set.
template <class Material> Json describe_material() {
    Json list = Json::array();
    for (const Field& f : list_fields<Material>())
        list.push_back({{"name", f.name_},
                        {"unit", f.unit_},
                        {"min", number(f.min_)},
                        {"max", number(f.max_)},
                        {"above_min", f.above_min_},
                        {"may_be_none", f.may_be_none_},
                        {"choices", f.choices_}});
    return list;
}

} // namespace

std::string nodes_json() {
    Json nodes = Json::array();
    for (const NodeInfo* node : all_nodes()) nodes.push_back(describe(*node));
    const Json all = {{"nodes", nodes},
                      {"materials",
                       {{"elastoplastic", describe_material<elastoplastic::Material>()},
                        {"coupling", describe_material<coupling::Material>()},
                        {"melt", describe_material<melt::Material>()},
                        {"rheology", describe_material<rheology::Material>()}}}};
    return all.dump(1) + "\n";
}

} // namespace nendo::houdini
