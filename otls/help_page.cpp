// SPDX-License-Identifier: Apache-2.0
#include "otls/help_page.h"

#include "dop/nodes.h"
#include "sop/nodes.h"

namespace nendo::houdini {
namespace {

std::string range_text(const Parameter& p) {
    Field f(p.name);
    f.min_ = p.min;
    f.max_ = p.max;
    f.above_min_ = p.above_min;
    const std::string text = describe_range(f, "");
    return text.empty() ? "" : " Takes values" + text + ".";
}

std::string default_text(const Parameter& p) {
    std::string text;
    switch (p.kind) {
    case ParameterKind::toggle: return p.defaults[0] != 0 ? "on" : "off";
    case ParameterKind::menu:
    case ParameterKind::text: return "`" + p.default_text + "`";
    case ParameterKind::number:
    case ParameterKind::whole:
    case ParameterKind::vector: break;
    }
    for (const double value : p.defaults) text += (text.empty() ? "" : " ") + format_number(value);
    return text;
}

std::string parameter_text(const Parameter& p) {
    std::string text = label_with_unit(p) + ":\n    #id: " + p.name + "\n\n    " + p.help;
    if (p.kind == ParameterKind::number || p.kind == ParameterKind::whole) text += range_text(p);
    text += " Default: " + default_text(p) + ".\n\n";
    for (const std::string& choice : p.choices)
        text += "    " + choice_label(choice) + ":\n        `" + choice + "`\n\n";
    return text;
}

std::string attributes_text(const std::string& title,
                            const std::vector<NodeAttribute>& attributes) {
    std::string text = attributes.empty() ? "" : "== " + title + " ==\n\n";
    for (const NodeAttribute& a : attributes) {
        const bool plain = a.unit.empty() || a.unit == "1";
        text +=
            "`" + a.name + "`" + (plain ? "" : " [" + a.unit + "]") + ":\n    " + a.help + "\n\n";
    }
    return text;
}

std::string section(const std::string& title, const std::string& text) {
    return text.empty() ? "" : "== " + title + " ==\n\n" + text + "\n\n";
}

} // namespace

std::vector<const NodeInfo*> all_nodes() {
    std::vector<const NodeInfo*> nodes = microsolver_nodes();
    nodes.insert(nodes.end(), {&source_node(), &skin_node(), &surface_node(), &visualize_node()});
    return nodes;
}

std::string help_path(const NodeInfo& node) {
    return "nodes/" + node.context + "/" + node.name + ".txt";
}

std::string help_page(const NodeInfo& node) {
    std::string page = "= " + node.label + " =\n\n#type: node\n#context: " + node.context +
                       "\n#internal: " + node.name + "\n#icon: " + node.icon + "\n\n\"\"\"" +
                       node.summary + "\"\"\"\n\n" + node.text + "\n\n" +
                       section("How it works", node.how) + section("Paper", node.paper) +
                       section("Limits", node.limits) + section("Performance", node.advice) +
                       attributes_text("Point attributes read", node.reads) +
                       attributes_text("Point attributes written", node.writes);
    if (!node.inputs.empty()) page += "@inputs\n\n";
    for (const NodeInput& input : node.inputs)
        page +=
            input.label + ":\n    " + input.help + (input.required ? "" : " Optional.") + "\n\n";
    if (!node.output.empty()) page += "@outputs\n\nFirst:\n    " + node.output + "\n\n";
    page += "@parameters\n\n";
    std::string folder;
    for (const Parameter& p : order_by_folder(node.parameters)) {
        if (p.folder != folder) page += "== " + p.folder + " ==\n\n";
        folder = p.folder;
        page += parameter_text(p);
    }
    page += "@related\n\n";
    for (const std::string& name : node.related)
        for (const NodeInfo* other : all_nodes())
            if (other->name == name)
                page += "- [Node:" + other->context + "/" + other->name + "]\n";
    return page;
}

} // namespace nendo::houdini
