// SPDX-License-Identifier: Apache-2.0
// A node as the host of a solver: it handles Escape, progress and messages.
#pragma once

#include "core/host.h"

#include <UT/UT_Interrupt.h>

#include <string>
#include <string_view>

class SIM_Data;
class SIM_Object;

namespace nendo::houdini {

class NodeHost final : public Host {
public:
    NodeHost(const SIM_Data& node, const SIM_Object& object, const char* operation);

    bool interrupted() override;
    void progress(double fraction, std::string_view stage) override;
    /// Shows warnings and errors on the node; information is not shown.
    void log(Severity severity, std::string_view text) override;

private:
    const SIM_Data& m_node;
    const SIM_Object& m_object;
    UT_AutoInterrupt m_interrupt;
    int m_percent = 0;
};

} // namespace nendo::houdini
