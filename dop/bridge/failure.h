// SPDX-License-Identifier: Apache-2.0
// Turns an exception into the message that a node shows: the one catch of the SOPs and DOPs.
#pragma once

#include "core/error.h"
#include "core/host.h"

#include <exception>
#include <new>
#include <string>

namespace nendo::houdini {

/// Runs `work` and returns the message of the exception that it threw, or an empty string.
template <class Work> std::string failure_of(const Work& work) {
    try {
        work();
        return "";
    } catch (const Interrupted&) {
        return "interrupted: the geometry is as it was before this frame";
    } catch (const std::bad_alloc&) {
        return "out of memory: use fewer particles, with a larger Spacing";
    } catch (const std::exception& e) {
        return e.what();
    }
}

} // namespace nendo::houdini
