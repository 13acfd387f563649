// SPDX-License-Identifier: Apache-2.0
// The interface through which processes that share one simulation exchange data. The host
// implements it with MPI, or with threads in a test.
#pragma once

#include "core/error.h"

#include <string>
#include <vector>

namespace nendo {

using Bytes = std::vector<char>;

/// Thrown if a process no longer responds or cannot be reached. No exchange is possible after that.
class LostProcess : public Error {
public:
    using Error::Error;
};

/// Derive from this class to connect processes. The base class is a single process.
class Exchange {
public:
    virtual ~Exchange() = default;
    /// The number of this process, counted from 0.
    virtual int rank() const { return 0; }
    virtual int size() const { return 1; }
    /// Sends out[r] to process r and returns the messages to this process, by the rank of their
    /// sender; its message to itself comes back. All processes must call it equally often. Throws
    /// LostProcess.
    virtual std::vector<Bytes> exchange(std::vector<Bytes> out) { return out; }
};

} // namespace nendo
