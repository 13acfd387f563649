// SPDX-License-Identifier: Apache-2.0
// The iterations that bring clusters together (melting thesis, §2.3.3): Jacobi, Gauss-Seidel and the hybrid,
// plain or weighted, with or without Chebyshev's acceleration. All keep the momentum of the matter:
// a cluster sees each member with that share of its mass which it later moves.
#pragma once

#include "melt/workspace.h"

namespace nendo::melt {

/// Sets the solver up for the positions in `target` (its fourth lane: stiffness times dt^2 per mass,
/// infinite for matter without limit) and the orientations in `q`.
template <class Real> void start_iterations(Workspace<Real>& w);
/// One iteration: every solved cluster once.
template <class Real> void iterate(Workspace<Real>& w, int iteration);

} // namespace nendo::melt
