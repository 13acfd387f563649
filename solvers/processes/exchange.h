// SPDX-License-Identifier: Apache-2.0
// The seam to whoever connects the processes that share one simulation: MPI, or threads in a test.
#pragma once

#include "core/error.h"

#include <string>
#include <vector>

namespace nendo {

using Bytes = std::vector<char>;

/// Thrown when a process does not answer any more, or cannot be reached: nothing can be exchanged
/// from then on.
class LostProcess : public Error {
public:
    using Error::Error;
};

/// Derive from this to connect processes; the base class is one that is alone.
class Exchange {
public:
    virtual ~Exchange() = default;
    /// Which process this is, from 0 on.
    virtual int rank() const { return 0; }
    virtual int size() const { return 1; }
    /// Gives out[r] to process r, and returns what each gave to this one, by rank; its own comes
    /// back to it. All processes call this as often as each other. Throws LostProcess.
    virtual std::vector<Bytes> exchange(std::vector<Bytes> out) { return out; }
};

} // namespace nendo
