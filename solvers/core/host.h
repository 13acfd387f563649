// SPDX-License-Identifier: Apache-2.0
// The seam to whoever runs a solver: Houdini, the command line, a test.
#pragma once

#include <string_view>

namespace nendo {

enum class Severity { info, warning, error };

/// Derive from this to be asked and told; the base class is the silent host.
class Host {
public:
    virtual ~Host() = default;
    /// True when the person wants to stop. Asked a few times a substep, from one thread.
    virtual bool interrupted() { return false; }
    /// `fraction` in [0,1] of the current call, and the stage's name.
    virtual void progress(double /*fraction*/, std::string_view /*stage*/) {}
    virtual void log(Severity /*severity*/, std::string_view /*text*/) {}
};

} // namespace nendo
