// SPDX-License-Identifier: Apache-2.0
// The interface to the program that runs a solver: Houdini, the command line or a test.
#pragma once

#include <string_view>

namespace nendo {

enum class Severity { info, warning, error };

/// Derive from this class to receive progress and messages and to interrupt a solver. The base class
/// is silent and never interrupts.
class Host {
public:
    virtual ~Host() = default;
    /// Returns true if the user wants to stop. Called a few times per substep, from one thread.
    virtual bool interrupted() { return false; }
    /// Reports the fraction in [0,1] of the current call that is done, and the name of the stage.
    virtual void progress(double /*fraction*/, std::string_view /*stage*/) {}
    virtual void log(Severity /*severity*/, std::string_view /*text*/) {}
};

} // namespace nendo
