// SPDX-License-Identifier: Apache-2.0
// Triangles of nearly equal size that cover a ball or an ellipsoid: the skin of a balloon.
#pragma once

#include "geometry/mesh.h"

namespace nendo {

/// Each side of an icosahedron is cut so often that edges are about `spacing` [m] long on a ball of
/// the mean radius; vertices are on the surface.
TriMesh make_skin(const Vec3d& center, const Vec3d& radii, double spacing);

} // namespace nendo
