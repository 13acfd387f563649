// SPDX-License-Identifier: Apache-2.0
// Help pages of the nodes in Houdini's markup, made from the declarations of the nodes.
#pragma once

#include "dop/bridge/node_info.h"

#include <string>
#include <vector>

namespace nendo::houdini {

/// Every node of the plugin.
std::vector<const NodeInfo*> all_nodes();

/// Path below otls/help, such as "nodes/sop/nendo_source.txt"
std::string help_path(const NodeInfo& node);
std::string help_page(const NodeInfo& node);

} // namespace nendo::houdini
