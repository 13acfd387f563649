// SPDX-License-Identifier: Apache-2.0
// Makes matter of particles that somebody else made: a host's points, with positions only or more.
#pragma once

#include "coupling/solver.h"
#include "method/adopt.h"

namespace nendo::coupling {

/// A phase below zero asks for the phase of the material.
inline constexpr std::int32_t phase_by_material = -1;

/// Adopts the particles that the state does not know (method/adopt.h), and those without mass, rest
/// density or phase. An adopted particle gets an id. It keeps any mass, radius, rest density and
/// viscosity above zero; the rest comes from the material and the spacing (the solver's for fluid,
/// half of it for bodies, unless a radius says otherwise). Springs join the adopted particles of one
/// body. Known rows stay first, in their order; springs and faces of deleted particles are removed.
/// Throws if a position is not finite.
template <class Real>
Adoption adopt(State<Real>& state, const Params& params, const Material& material);

} // namespace nendo::coupling
