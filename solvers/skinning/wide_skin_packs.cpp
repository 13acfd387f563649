// SPDX-License-Identifier: Apache-2.0
// The skinning loops, compiled for AVX-512 regardless of the rest. Used only where the CPU has it.
#include "skinning/skin_loops.h"

namespace nendo::rheology {

const PackMover move_wide_packs = {move<16, 12>, move<16, 8>};

} // namespace nendo::rheology
