// SPDX-License-Identifier: Apache-2.0
// Masters that somebody else made: a host's emitters, or a file with positions only.
#pragma once

#include "elastoplastic/material.h"
#include "elastoplastic/params.h"
#include "elastoplastic/state.h"

#include <cstdint>
#include <vector>

namespace nendo::elastoplastic {

/// A join below zero asks for the rule of bodies: plastic matter joins (0), elastic matter has the
/// value of its body + 1.
inline constexpr std::int32_t join_by_rule = -1;

struct Adoption {
    std::vector<std::uint32_t> rows; ///< Which row each row of the masters was before
    std::size_t first = 0;           ///< From this row on, they are adopted
    std::size_t count() const { return rows.size() - first; }
};

/// Makes matter of the masters that the state does not know: those whose id is below zero, was
/// never given out, or is an earlier row's, and those whose J_P is not above zero. They get an id,
/// no deformation, and slaves and neighbors by the rule of add_body(); mass, volume and radius by
/// the spacing, and the given material, where they have none of their own (a mass, volume, radius
/// or young that is not above zero). They keep position, velocity, body, join, pin, goal and force.
/// The other rows stay first, in their order. Throws when a position is not finite.
template <class Real>
Adoption adopt(State<Real>& state, const Params& params, const Material& material);

} // namespace nendo::elastoplastic
