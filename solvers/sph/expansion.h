// SPDX-License-Identifier: Apache-2.0
// Keeps connected liquid together. SPH pressure only pushes, so a drop that is set in motion from
// within would fly apart like a gas. This slows down expansion, and nothing else.
#pragma once

#include "sph/fluid.h"

namespace nendo::sph {

/// Changes the velocities so that free fluid expands more slowly: by about a tenth in the time in
/// which sound crosses 0.8 spacings, for substeps dt [s] of any length. It creates neither momentum
/// nor energy. Spray, whose `compression` is below one half, is left alone. Overwrites `acceleration`
/// and `pressure_response`.
template <class Real>
void resist_expansion(Matter<Real>& matter, const Neighborhood<Real>& near,
                      const Kernels<Real>& kernels, const Params& params, double dt);

} // namespace nendo::sph
