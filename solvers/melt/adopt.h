// SPDX-License-Identifier: Apache-2.0
// Particles that somebody else made: a host's points, with positions only or with more.
#pragma once

#include "melt/solver.h"

#include <cstdint>
#include <vector>

namespace nendo::melt {

struct Adoption {
    std::vector<std::uint32_t> rows; ///< Which row each row of the particles was before
    std::size_t first = 0;           ///< From this row on, they are adopted
};

/// Makes matter of the particles that the state does not know: those whose id is below zero, was
/// never given out or is an earlier row's, and those without mass. They get an id, and clusters among
/// those of their body. Those that come with a material of their own (mass, volume and heat capacity
/// are above zero) keep it, with their temperature; the others get `material` and `temperature`
/// [degC], but for conductivity and melting point where these are not zero. They keep position,
/// velocity, spin, half axes, body and pin. The other rows stay first, in their order; links of
/// particles that are gone go. Throws when a position is not finite.
template <class Real>
Adoption adopt(State<Real>& state, const Params& params, const Material& material,
               double temperature);

} // namespace nendo::melt
