// SPDX-License-Identifier: Apache-2.0
// What the nodes and materials declare, as JSON: the one source of otls/generate.py.
#pragma once

#include "dop/bridge/node_info.h"

#include <string>

namespace nendo::houdini {

/// The text of otls/nodes.json.
std::string nodes_json();

} // namespace nendo::houdini
