// SPDX-License-Identifier: Apache-2.0
// Connects this process with the others that mpirun started.
#pragma once

#include "core/host.h"
#include "processes/exchange.h"

#include <memory>

namespace nendo::cli {

/// Connects to the other processes. If `host` is interrupted while this process waits for them,
/// exchange() throws Interrupted, and no further exchange is possible. Throws if the program was
/// built without MPI. Call it once per process.
std::unique_ptr<Exchange> join_processes(Host& host);

} // namespace nendo::cli
