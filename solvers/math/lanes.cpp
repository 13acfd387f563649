// SPDX-License-Identifier: Apache-2.0
// Reports which instruction set the library was compiled for.
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
