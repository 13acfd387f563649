// SPDX-License-Identifier: Apache-2.0
// Tells failures of the work from bad input, for the exit code.
#pragma once

#include "core/error.h"

namespace nendo::cli {

/// Runs work that follows reading the input: every Error in it is a failure.
template <class Work> auto as_failure(const Work& work) {
    try {
        return work();
    } catch (Error& problem) {
        problem.set_kind(Error::Kind::failure);
        throw;
    }
}

} // namespace nendo::cli
