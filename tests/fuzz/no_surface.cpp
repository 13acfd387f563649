// SPDX-License-Identifier: Apache-2.0
// Stands in for Nendo Surface where the solvers are built without surfaces.
#include "core/error.h"
#include "sop/SOP_NendoSurface.h"

void SOP_NendoSurface::fill(const nendo::houdini::ParameterValues&, OP_Context&) {
    throw nendo::Error("it was left out of this build", "Nendo Surface", "use another build");
}
