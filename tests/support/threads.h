// SPDX-License-Identifier: Apache-2.0
// Runs work with a given number of threads, even where the machine has fewer cores.
#pragma once

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

namespace nendo::test {

template <class Work> auto with_threads(int threads, const Work& work) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(threads));
    tbb::task_arena arena(threads); // the common arena has no more slots than cores
    return arena.execute(work);
}

} // namespace nendo::test
