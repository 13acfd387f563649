// SPDX-License-Identifier: Apache-2.0
// Triangle meshes as Houdini geometry.
#pragma once

#include "geometry/mesh.h"
#include "geometry/point_attribute.h"
#include "io/geo/geo.h"

namespace nendo {

/// Polygons on points with P, v where the mesh has velocities, and these attributes.
Geometry mesh_geometry(const TriMesh& mesh, const PointAttributes& attributes = {});

} // namespace nendo
