// SPDX-License-Identifier: Apache-2.0
// Keeps connected liquid together. SPH pressure only pushes, so a drop that is set in motion from
// within would fly apart like a gas. This slows down expansion, and nothing else.
#pragma once

#include "sph/fluid.h"

namespace nendo::sph {

/// Reduces the expansion of free fluid in the velocities of `motion`, by one Jacobi step over dt
/// [s]. It creates neither momentum nor energy. Spray, whose `compression` is below one half, is
/// left alone. Overwrites `pull` and `answer`.
template <class Real>
void resist_parting(Matter<Real>& matter, const Neighborhood<Real>& near,
                    const Kernels<Real>& kernels, double dt);

} // namespace nendo::sph
