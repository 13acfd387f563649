// SPDX-License-Identifier: Apache-2.0
// Liquid that is together stays so. Pressure of smoothed particles only pushes: once set in motion
// from within, a drop would fly apart like a gas. Here what expands is braked, and nothing else.
#pragma once

#include "sph/fluid.h"

namespace nendo::sph {

/// Takes from the velocities in `motion` what lets free fluid expand, in one of Jacobi's steps of
/// dt [s]: no momentum is made and no energy. Spray, whose density over rest density is below
/// `compression` of half, is left alone. Changes `pull` and `answer`.
template <class Real>
void resist_parting(Matter<Real>& matter, const Neighborhood<Real>& near,
                    const Kernels<Real>& kernels, double dt);

} // namespace nendo::sph
