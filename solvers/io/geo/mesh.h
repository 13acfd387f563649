// SPDX-License-Identifier: Apache-2.0
// Converts triangle meshes to Houdini geometry.
#pragma once

#include "geometry/mesh.h"
#include "geometry/point_attribute.h"
#include "io/geo/geo.h"

namespace nendo {

/// Returns polygons on points with P, v if the mesh has velocities, and these attributes.
Geometry mesh_geometry(const TriMesh& mesh, const PointAttributes& attributes = {});

} // namespace nendo
