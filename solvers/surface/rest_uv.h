// SPDX-License-Identifier: Apache-2.0
// Texture coordinates by place at rest: a surface that is made anew every frame keeps the texture of
// the mesh that its matter once filled.
#pragma once

#include "geometry/mesh.h"
#include "surface/surface.h"

#include <vector>

namespace nendo {

/// A mesh at rest with a uv for each point. A point on a seam is there once for each of its uvs.
struct TexturedMesh {
    TriMesh mesh;
    std::vector<Vec3<float>> uv; ///< Empty: it has none
};

/// For each place, the uv of the point of the mesh that is closest to it. Throws when the mesh has
/// no uv.
std::vector<Vec3<float>> uv_by_closest_point(const TexturedMesh& textured,
                                             const std::vector<Vec3d>& places);

/// Where the points of a surface were at rest, by its attribute `rest`. Throws when it has none.
std::vector<Vec3d> rest_of(const PointAttributes& attributes);

/// Gives the surface the attribute `uv` of the mesh, by where its points were at rest.
void carry_uv(Surface& surface, const TexturedMesh& textured);

/// Sets an attribute of three numbers, in place of one of this name that may be there.
void set_attribute(PointAttributes& attributes, const char* name, Meaning meaning,
                   const std::vector<Vec3<float>>& values);

/// The attribute `id` of particles. Throws when they have none.
const std::vector<std::int64_t>& ids_of(const SurfaceInput& particles);

/// Gives particles the attribute `rest`: where those with the same id are at rest, and for others
/// where they are now. How many those are is given back.
std::size_t set_rest(SurfaceInput& now, const SurfaceInput& rest);

} // namespace nendo
