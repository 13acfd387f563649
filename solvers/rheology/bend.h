// SPDX-License-Identifier: Apache-2.0
// The bend that stays, in an artist's hands: read it, take it away, share it out, make it the rest.
#pragma once

#include "rheology/state.h"

#include <vector>

namespace nendo::rheology {

/// q_sd of each joint, by the rows of the table: the bend without the part that comes back, in the
/// joint's frame [rad] ([m] where it slides).
template <class Real> std::vector<Vec3d> residual_bends(const State<Real>& state);

/// Poses the bones so that each joint has this bend and no stress, at rest. Bones that nothing
/// holds keep the place of the first of them. Throws when there is not one bend a joint.
template <class Real> void set_bends(State<Real>& state, const std::vector<Vec3d>& bends);

/// `share` of the bend that stays is left: 0 resets to the rest shape, 1 only relaxes.
template <class Real> void blend_bends(State<Real>& state, double share);

/// The bend that stays becomes the rest shape: joints then say zero, skins keep their binding.
template <class Real> void bake_bends(State<Real>& state);

} // namespace nendo::rheology
