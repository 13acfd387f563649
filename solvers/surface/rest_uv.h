// SPDX-License-Identifier: Apache-2.0
// Texture coordinates from rest positions: a surface that is rebuilt in each frame keeps the
// texture of the mesh that its material once filled.
#pragma once

#include "geometry/mesh.h"
#include "surface/surface.h"

#include <vector>

namespace nendo {

/// A mesh at rest with a uv per point. A point on a seam occurs once for each of its uvs.
struct TexturedMesh {
    TriMesh mesh;
    std::vector<Vec3<float>> uv; ///< Empty if it has none
};

/// Returns, for each position, the uv of the closest point of the mesh. Throws if the mesh has no
/// uv.
std::vector<Vec3<float>> uv_by_closest_point(const TexturedMesh& textured,
                                             const std::vector<Vec3d>& places);

/// Returns the rest positions of a surface's points from its attribute `rest`. Throws if it has
/// none.
std::vector<Vec3d> rest_of(const PointAttributes& attributes);

/// Sets the attribute `uv` of the surface from the mesh, by the rest positions of its points.
void carry_uv(Surface& surface, const TexturedMesh& textured);

/// Sets an attribute with three numbers per point. Replaces any attribute of this name.
void set_attribute(PointAttributes& attributes, const char* name, Meaning meaning,
                   const std::vector<Vec3<float>>& values);

/// Returns the attribute `id` of particles. Throws if they have none.
const std::vector<std::int64_t>& ids_of(const SurfaceInput& particles);

/// Sets the attribute `rest` of particles: the rest position of the particle with the same id, or
/// else the current position. Returns how many had no match.
std::size_t set_rest(SurfaceInput& now, const SurfaceInput& rest);

} // namespace nendo
