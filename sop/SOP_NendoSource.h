// SPDX-License-Identifier: Apache-2.0
// Fills geometry with particles; source_node() describes it.
#pragma once

#include "sop/SOP_NendoNode.h"
#include "sop/nodes.h"

#include <vector>

class SOP_NendoSource final : public SOP_NendoNode {
public:
    using SOP_NendoNode::SOP_NendoNode;

protected:
    void fill(const nendo::houdini::ParameterValues& values, OP_Context& context) override;

private:
    void fill_elastoplastic(const nendo::houdini::SourceParams& params,
                            const nendo::houdini::ParameterValues& values, const GU_Detail& source);
    void fill_coupling(const nendo::houdini::SourceParams& params,
                       const nendo::houdini::ParameterValues& values, const GU_Detail& source);
    void fill_melt(const nendo::houdini::SourceParams& params,
                   const nendo::houdini::ParameterValues& values, const GU_Detail& source);
    std::vector<nendo::Vec3d> fill_shape(const GU_Detail& source, double spacing);
};
