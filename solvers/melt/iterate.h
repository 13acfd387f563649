// SPDX-License-Identifier: Apache-2.0
// Iterations that make overlapping clusters agree (melting thesis, §2.3.3): Jacobi, Gauss-Seidel
// and hybrid, plain or weighted, with or without Chebyshev acceleration. All of them conserve
// momentum: a cluster sees each member with the share of its mass that it later moves.
#pragma once

#include "melt/workspace.h"

namespace nendo::melt {

/// Prepares the iterations from the positions in `target` (fourth lane: stiffness times dt^2 per
/// mass, infinite if unlimited) and the orientations in `q`.
template <class Real> void start_iterations(Workspace<Real>& w);
/// Runs one iteration: solves every solved cluster once.
template <class Real> void iterate(Workspace<Real>& w, int iteration);

} // namespace nendo::melt
