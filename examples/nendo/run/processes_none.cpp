// SPDX-License-Identifier: Apache-2.0
// Replaces processes_mpi.cpp in builds without MPI.
#include "run/processes.h"

namespace nendo::cli {

std::unique_ptr<Exchange> join_processes(Host&) {
    throw Error("this nendo was built without MPI", "--mpi",
                "install libopenmpi-dev and openmpi-bin, then configure and build again");
}

} // namespace nendo::cli
