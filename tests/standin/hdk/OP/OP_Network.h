// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests.
#pragma once

#include "OP/OP_Node.h"

class OP_Network : public OP_Node {
public:
    using OP_Node::OP_Node;
};
