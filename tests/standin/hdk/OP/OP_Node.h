// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: a node, its inputs and its messages.
#pragma once

#include "OP/OP_Context.h"
#include "OP/OP_Error.h"
#include "OP/OP_Parameters.h"

class OP_Node : public OP_Parameters {
public:
    using OP_Parameters::OP_Parameters;

    bool standin_locked = false; ///< Inputs are cooked and stay in memory
};
