// SPDX-License-Identifier: Apache-2.0
#include "support/source_dir.h"

namespace nendo::test {

std::filesystem::path source_dir() {
    return NENDO_SOURCE_DIR;
}

} // namespace nendo::test
