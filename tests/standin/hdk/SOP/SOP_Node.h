// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: a node that makes geometry.
#pragma once

#include "GU/GU_Detail.h"
#include "OP/OP_Network.h"
#include "SOP/SOP_Error.h"

#include <memory>
#include <string>
#include <vector>

class SOP_Node : public OP_Network {
public:
    SOP_Node(OP_Network* parent, const char* name, OP_Operator* op) : OP_Network(op) {
        (void)parent, (void)name;
    }

    // Calls for tests.
    std::vector<const GU_Detail*> standin_inputs;
    std::vector<std::string> standin_errors;
    std::vector<std::string> standin_warnings;
    OP_ERROR standin_cook(double time = 0) {
        standin_errors.clear();
        standin_warnings.clear();
        OP_Context context;
        context.standin_time = time;
        return cookMySop(context);
    }
    const GU_Detail& standin_geometry() const { return *gdp; }

protected:
    virtual OP_ERROR cookMySop(OP_Context& context) = 0;
    /// Null if nothing is wired to it, and while inputs are not locked.
    const GU_Detail* inputGeo(unsigned index, OP_Context& context) const {
        (void)context;
        return standin_locked && index < standin_inputs.size() ? standin_inputs[index] : nullptr;
    }
    void addError(int code, const char* message = nullptr) {
        (void)code;
        standin_errors.emplace_back(message);
    }
    void addWarning(int code, const char* message = nullptr) {
        (void)code;
        standin_warnings.emplace_back(message);
    }
    OP_ERROR error() {
        if (!standin_errors.empty()) return UT_ERROR_ABORT;
        return standin_warnings.empty() ? UT_ERROR_NONE : UT_ERROR_WARNING;
    }

    std::unique_ptr<GU_Detail> standin_own = std::make_unique<GU_Detail>();
    GU_Detail* gdp = standin_own.get();
};
