// SPDX-License-Identifier: Apache-2.0
// The mesh of a level set, with its measures.
#pragma once

#include "geometry/level_set.h"
#include "surface/surface.h"

#include <memory>

namespace nendo {

/// Points, triangles, volume, area and bounds; no attributes. Points are moved along the surface to
/// where triangles have no sharp angles.
Surface extract_mesh(std::shared_ptr<const LevelSet> level_set, double adaptivity);

} // namespace nendo
