// SPDX-License-Identifier: Apache-2.0
// Particles that somebody else made: a host's points, with positions only or with more.
#pragma once

#include "coupling/solver.h"

#include <cstdint>
#include <vector>

namespace nendo::coupling {

/// A phase below zero asks for the material's.
inline constexpr std::int32_t phase_by_material = -1;

struct Adoption {
    std::vector<std::uint32_t> rows; ///< Which row each row of the particles was before
    std::size_t first = 0;           ///< From this row on, they are adopted
};

/// Makes matter of the particles that the state does not know: those whose id is below zero, was
/// never given out or is an earlier row's, and those without mass. They get an id, and what they
/// have not of their own (mass, radius, rest density and viscosity that are not above zero) from the
/// material and the spacing; fluid has the solver's spacing, bodies half of it, unless a radius says
/// otherwise. Those of a body are joined by springs among themselves. The other rows stay first, in
/// their order; springs and faces of particles that are gone go. Throws when a position is not
/// finite.
template <class Real>
Adoption adopt(State<Real>& state, const Params& params, const Material& material);

} // namespace nendo::coupling
