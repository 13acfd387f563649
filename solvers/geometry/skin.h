// SPDX-License-Identifier: Apache-2.0
// Covers a sphere or an ellipsoid with triangles of nearly equal size: the skin of a balloon.
#pragma once

#include "geometry/mesh.h"

namespace nendo {

/// Subdivides an icosahedron until its edges are about `spacing` [m] long on a sphere of the mean
/// radius. All vertices are on the surface.
TriMesh make_skin(const Vec3d& center, const Vec3d& radii, double spacing);

} // namespace nendo
