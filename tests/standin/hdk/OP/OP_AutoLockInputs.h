// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: an input's geometry may be read while it is locked.
#pragma once

#include "OP/OP_Node.h"

class OP_AutoLockInputs {
public:
    OP_AutoLockInputs(OP_Node* node = nullptr) : m_node(node) {}
    ~OP_AutoLockInputs() { m_node->standin_locked = false; }
    OP_AutoLockInputs(const OP_AutoLockInputs&) = delete;
    OP_AutoLockInputs& operator=(const OP_AutoLockInputs&) = delete;
    OP_ERROR lock(OP_Context& context) {
        (void)context;
        m_node->standin_locked = true;
        return UT_ERROR_NONE;
    }

private:
    OP_Node* m_node;
};
