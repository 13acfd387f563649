// SPDX-License-Identifier: Apache-2.0
// The methods that Nendo has. A new method is a folder beside these, and its name here: the scene
// files, the program, checkpoints and the list of nodes follow from this list.
#pragma once

#include "core/type_list.h"
#include "coupling/solver.h"
#include "elastoplastic/solver.h"
#include "melt/solver.h"
#include "rheology/solver.h"

namespace nendo {

/// Scene files that name no method are of the first.
using Methods = TypeList<elastoplastic::Method, coupling::Method, rheology::Method, melt::Method>;

} // namespace nendo
