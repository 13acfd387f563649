// SPDX-License-Identifier: Apache-2.0
// The base of Nendo's geometry nodes: it locks the inputs, reads the parameters, and shows a
// failure as the node's error.
#pragma once

#include "dop/bridge/node_info.h"

#include <SOP/SOP_Node.h>

class OP_OperatorTable;

class SOP_NendoNode : public SOP_Node {
public:
    SOP_NendoNode(OP_Network* parent, const char* name, OP_Operator* op);

protected:
    OP_ERROR cookMySop(OP_Context& context) override;

    /// Fills `gdp`, which is empty before the call.
    virtual void fill(const nendo::houdini::ParameterValues& values, OP_Context& context) = 0;

    /// The geometry at an input; throws if nothing is wired to it. `what` names it in the message.
    const GU_Detail& required_input(unsigned index, const char* what, OP_Context& context);
    void warn(const std::string& text);
};

namespace nendo::houdini {

/// Registers all of Nendo's geometry nodes.
void add_geometry_nodes(OP_OperatorTable& table);

} // namespace nendo::houdini
