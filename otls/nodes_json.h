// SPDX-License-Identifier: Apache-2.0
// Declarations of the nodes and materials as JSON, from which otls/generate.py makes the assets.
#pragma once

#include "dop/bridge/node_info.h"

#include <string>

namespace nendo::houdini {

/// The text of otls/nodes.json.
std::string nodes_json();

} // namespace nendo::houdini
