// SPDX-License-Identifier: Apache-2.0
// Makes the surface of particles; surface_node() describes it.
#pragma once

#include "sop/SOP_NendoNode.h"

class SOP_NendoSurface final : public SOP_NendoNode {
public:
    using SOP_NendoNode::SOP_NendoNode;

protected:
    void fill(const nendo::houdini::ParameterValues& values, OP_Context& context) override;
};
