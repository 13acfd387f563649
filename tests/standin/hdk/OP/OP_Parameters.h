// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: a node's parameters. An unknown name yields nothing.
#pragma once

#include "SYS/SYS_Types.h"
#include "UT/UT_String.h"

#include <map>
#include <string>
#include <vector>

class OP_Operator;

class OP_Parameters {
public:
    explicit OP_Parameters(OP_Operator* op);
    virtual ~OP_Parameters() = default;

    fpreal evalFloat(const char* parm, int index, fpreal time) const;
    exint evalInt(const char* parm, int index, fpreal time) const;
    void evalString(UT_String& value, const char* parm, int index, fpreal time) const;

    /// Sets a value as typed by a person: hard limits hold. Returns false if there is no such
    /// parameter.
    bool standin_set(const std::string& parm, std::vector<double> values);
    bool standin_set(const std::string& parm, double value);
    bool standin_set(const std::string& parm, const std::string& text);

private:
    struct Value {
        std::vector<double> numbers;
        std::string text;
        const class PRM_Range* range = nullptr;
    };
    std::map<std::string, Value> m_values;
};
