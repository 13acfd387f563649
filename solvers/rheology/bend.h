// SPDX-License-Identifier: Apache-2.0
// Editing the permanent bend: read it, set it, scale it, or make it the rest shape.
#pragma once

#include "rheology/state.h"

#include <vector>

namespace nendo::rheology {

/// Returns q_sd of each joint in table order: the bend without its reversible part, in the joint's
/// frame [rad] ([m] for a sliding joint).
template <class Real> std::vector<Vec3d> residual_bends(const State<Real>& state);

/// Poses the bones at rest so that each joint has the given bend and no stress. In a free group of
/// bones, the first keeps its place. Throws unless there is one bend per joint.
template <class Real> void set_bends(State<Real>& state, const std::vector<Vec3d>& bends);

/// Keeps the fraction `share` of the permanent bend: 0 resets to the rest shape, 1 only relaxes.
template <class Real> void blend_bends(State<Real>& state, double share);

/// Makes the permanent bend the new rest shape: the joints then read zero, and skins keep their
/// binding.
template <class Real> void bake_bends(State<Real>& state);

} // namespace nendo::rheology
