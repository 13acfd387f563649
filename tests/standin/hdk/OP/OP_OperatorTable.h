// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: the kinds of nodes.
#pragma once

#include "OP/OP_Operator.h"

#include <iosfwd>
#include <map>
#include <memory>
#include <string>

class OP_OperatorTable {
public:
    /// Takes ownership of the operator; false if there already is one of that name.
    bool addOperator(OP_Operator* op, std::ostream* err = nullptr) {
        (void)err;
        return standin_operators.emplace(op->standin_name, std::unique_ptr<OP_Operator>(op)).second;
    }

    std::map<std::string, std::unique_ptr<OP_Operator>> standin_operators;
};
