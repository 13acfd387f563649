// SPDX-License-Identifier: Apache-2.0
// Orientations of particles whose own cluster is not solved (melting thesis, §2.3.5).
#pragma once

#include "melt/workspace.h"

namespace nendo::melt {

/// Mean of the orientations that the solved clusters containing particle j found for it.
template <class Real> Vec4<Real> interpolated(const Workspace<Real>& w, std::uint32_t j);

} // namespace nendo::melt
