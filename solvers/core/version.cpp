// SPDX-License-Identifier: Apache-2.0
#include "core/version.h"

namespace nendo {

const char* version() {
    return NENDO_VERSION;
}

} // namespace nendo
