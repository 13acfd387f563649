// SPDX-License-Identifier: Apache-2.0
#include "dop/bridge/host.h"

#include <SIM/SIM_Object.h>

namespace nendo::houdini {

NodeHost::NodeHost(const SIM_Data& node, const SIM_Object& object, const char* operation)
    : m_node(node), m_object(object), m_interrupt(operation) {}

bool NodeHost::interrupted() {
    return m_interrupt.wasInterrupted(m_percent);
}

void NodeHost::progress(double fraction, std::string_view) {
    m_percent = static_cast<int>(100 * fraction);
}

void NodeHost::log(Severity severity, std::string_view text) {
    if (severity == Severity::info) return;
    const UT_ErrorSeverity level =
        severity == Severity::warning ? UT_ERROR_WARNING : UT_ERROR_ABORT;
    m_node.addError(&m_object, SIM_MESSAGE, std::string(text).c_str(), level);
}

} // namespace nendo::houdini
