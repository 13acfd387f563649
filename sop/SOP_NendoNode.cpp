// SPDX-License-Identifier: Apache-2.0
#include "sop/SOP_NendoNode.h"

#include "dop/bridge/failure.h"
#include "sop/SOP_NendoSkin.h"
#include "sop/SOP_NendoSource.h"
#include "sop/SOP_NendoSurface.h"
#include "sop/SOP_NendoVisualize.h"
#include "sop/nodes.h"

#include <OP/OP_AutoLockInputs.h>
#include <OP/OP_Operator.h>
#include <OP/OP_OperatorTable.h>
#include <UT/UT_String.h>

#include <string>
#include <vector>

using nendo::houdini::NodeInfo;
using nendo::houdini::ParameterValues;

namespace {

/// The parameters of a node at a time.
class NodeValues final : public ParameterValues {
public:
    NodeValues(const SOP_Node& node, fpreal time) : m_node(node), m_time(time) {}

    double number(const std::string& name, int component) const override {
        return m_node.evalFloat(name.c_str(), component, m_time);
    }
    std::int64_t whole(const std::string& name) const override {
        return m_node.evalInt(name.c_str(), 0, m_time);
    }
    bool toggle(const std::string& name) const override { return whole(name) != 0; }
    std::string text(const std::string& name) const override {
        UT_String value;
        m_node.evalString(value, name.c_str(), 0, m_time);
        return value.toStdString();
    }

private:
    const SOP_Node& m_node;
    fpreal m_time;
};

} // namespace

SOP_NendoNode::SOP_NendoNode(OP_Network* parent, const char* name, OP_Operator* op)
    : SOP_Node(parent, name, op) {}

OP_ERROR SOP_NendoNode::cookMySop(OP_Context& context) {
    OP_AutoLockInputs inputs(this);
    if (inputs.lock(context) >= UT_ERROR_ABORT) return error();
    gdp->clearAndDestroy();
    const std::string failure =
        nendo::houdini::failure_of([&] { fill(NodeValues(*this, context.getTime()), context); });
    if (!failure.empty()) {
        gdp->clearAndDestroy();
        addError(SOP_MESSAGE, failure.c_str());
    }
    return error();
}

const GU_Detail& SOP_NendoNode::required_input(unsigned index, const char* what,
                                               OP_Context& context) {
    const GU_Detail* geometry = inputGeo(index, context);
    if (geometry == nullptr)
        throw nendo::Error("nothing is wired to it", "input " + std::to_string(index + 1),
                           std::string("connect ") + what);
    return *geometry;
}

void SOP_NendoNode::warn(const std::string& text) {
    addWarning(SOP_MESSAGE, text.c_str());
}

namespace nendo::houdini {

namespace {

/// Registers the operator that a description describes.
template <class Node> void add_node(OP_OperatorTable& table, const NodeInfo& node) {
    static const ParameterTemplates templates(node.parameters);
    const auto construct = [](OP_Network* parent, const char* name, OP_Operator* op) -> OP_Node* {
        return new Node(parent, name, op);
    };
    // Houdini keeps pointers to the labels and to their list, so both must live on.
    static std::vector<const char*> labels;
    labels.clear();
    unsigned required = 0;
    for (const NodeInput& input : node.inputs) {
        labels.push_back(input.label.c_str());
        if (input.required) ++required;
    }
    const auto count = static_cast<unsigned>(labels.size());
    labels.push_back(nullptr);
    auto* op =
        new OP_Operator(node.name.c_str(), node.label.c_str(), construct, templates.templates(),
                        required, count, nullptr, 0u, labels.data(), 1, "Nendo");
    op->setIconName(node.icon.c_str());
    table.addOperator(op);
}

} // namespace

void add_geometry_nodes(OP_OperatorTable& table) {
    add_node<SOP_NendoSource>(table, source_node());
    add_node<SOP_NendoSkin>(table, skin_node());
    add_node<SOP_NendoSurface>(table, surface_node());
    add_node<SOP_NendoVisualize>(table, visualize_node());
}

} // namespace nendo::houdini
