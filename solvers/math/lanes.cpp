// SPDX-License-Identifier: Apache-2.0
#include "math/lanes.h"

namespace nendo {

const char* instruction_set() {
#if defined(__AVX2__)
    return "AVX2";
#else
    return "portable";
#endif
}

} // namespace nendo
