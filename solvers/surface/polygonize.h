// SPDX-License-Identifier: Apache-2.0
// Extracts the mesh of a level set and measures it.
#pragma once

#include "geometry/level_set.h"
#include "surface/surface.h"

#include <memory>

namespace nendo {

/// Computes points, triangles, volume, area and bounds, but no attributes. Points are moved along
/// the surface to avoid sharp angles in triangles.
Surface extract_mesh(std::shared_ptr<const LevelSet> level_set, double adaptivity);

} // namespace nendo
