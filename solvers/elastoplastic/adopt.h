// SPDX-License-Identifier: Apache-2.0
// Makes matter of masters that somebody else made: a host's emitter, or a file with positions only.
#pragma once

#include "elastoplastic/material.h"
#include "elastoplastic/params.h"
#include "elastoplastic/state.h"
#include "method/adopt.h"

namespace nendo::elastoplastic {

/// A join below zero asks for the default: plastic matter joins (0), each elastic body stays separate
/// (its body index + 1).
inline constexpr std::int32_t join_by_rule = -1;

/// Adopts the masters that the state does not know (method/adopt.h), and those whose J_P is not
/// above zero. An adopted master gets an id, no deformation, and slaves and neighbors as in
/// add_body(). It keeps its position, velocity, body, join, pin, goal and force, and any mass,
/// volume, radius and material (young) above zero; the rest comes from the spacing and `material`.
/// Known rows stay first, in their order. Throws if a position or velocity is not finite.
template <class Real>
Adoption adopt(State<Real>& state, const Params& params, const Material& material);

} // namespace nendo::elastoplastic
