// SPDX-License-Identifier: Apache-2.0
// Makes matter of particles that somebody else made: a host's points, with positions only or more.
#pragma once

#include "melt/solver.h"
#include "method/adopt.h"

namespace nendo::melt {

/// Adopts the particles that the state does not know (method/adopt.h), and those without mass. An
/// adopted particle gets an id, and clusters with the adopted particles of its body. If it has a
/// material of its own (mass, volume and heat capacity above zero), it keeps that and its
/// temperature; otherwise it gets `material` and `temperature` [degC], but keeps a conductivity and
/// a melting point other than zero. It keeps its position, velocity, spin, half axes, body and pin.
/// Known rows stay first, in their order; links of deleted particles are removed. Throws if a
/// position is not finite.
template <class Real>
Adoption adopt(State<Real>& state, const Params& params, const Material& material,
               double temperature);

} // namespace nendo::melt
