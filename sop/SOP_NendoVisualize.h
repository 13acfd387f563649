// SPDX-License-Identifier: Apache-2.0
// Colors particles by a quantity; visualize_node() describes it.
#pragma once

#include "sop/SOP_NendoNode.h"
#include "sop/nodes.h"

#include <vector>

class SOP_NendoVisualize final : public SOP_NendoNode {
public:
    using SOP_NendoNode::SOP_NendoNode;

protected:
    void fill(const nendo::houdini::ParameterValues& values, OP_Context& context) override;

private:
    /// The quantity of each particle.
    std::vector<double> quantity_of(const nendo::houdini::VisualizeParams& params,
                                    const GU_Detail& particles, OP_Context& context);
};
