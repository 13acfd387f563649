// SPDX-License-Identifier: Apache-2.0
#include "skinning/skin_loops.h"

namespace nendo::rheology {

const PackMover move_packs = {move<8, 12>, move<8, 8>};

} // namespace nendo::rheology
