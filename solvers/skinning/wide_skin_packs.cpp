// SPDX-License-Identifier: Apache-2.0
// Compiled for machines with AVX-512, whatever the others are.
#include "skinning/skin_loops.h"

namespace nendo::rheology {

const PackMover move_wide_packs = {move<16, 12>, move<16, 8>};

} // namespace nendo::rheology
