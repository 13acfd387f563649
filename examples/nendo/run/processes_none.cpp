// SPDX-License-Identifier: Apache-2.0
// In place of processes_mpi.cpp where there is no MPI.
#include "run/processes.h"

namespace nendo::cli {

std::unique_ptr<Exchange> join_processes(Host&) {
    throw Error("this nendo was built without MPI", "--mpi",
                "install libopenmpi-dev and openmpi-bin, configure and build it again");
}

} // namespace nendo::cli
