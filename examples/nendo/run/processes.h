// SPDX-License-Identifier: Apache-2.0
// The processes that mpirun started, of which this is one.
#pragma once

#include "core/host.h"
#include "processes/exchange.h"

#include <memory>

namespace nendo::cli {

/// Finds the others. When `host` is interrupted while this process waits for them, exchange() throws
/// Interrupted, and nothing can be exchanged from then on. Throws when there is no MPI in this
/// program. Only one may live, and only once.
std::unique_ptr<Exchange> join_processes(Host& host);

} // namespace nendo::cli
