// SPDX-License-Identifier: Apache-2.0
// The skinning loops, compiled for the instruction set of the solvers.
#include "skinning/skin_loops.h"

namespace nendo::rheology {

const PackMover move_packs = {move<8, 12>, move<8, 8>};

} // namespace nendo::rheology
