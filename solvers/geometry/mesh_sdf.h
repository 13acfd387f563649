// SPDX-License-Identifier: Apache-2.0
// Meshes as shapes. A point is inside where the generalized winding number is above 1/2, so that
// meshes with holes, such as scans, have an inside too.
#pragma once

#include "geometry/mesh.h"
#include "geometry/sdf.h"

#include <cstdint>
#include <string>

namespace nendo {

/// Defects and measures of a mesh to be filled. Points at the same position count as one.
struct MeshReport {
    std::int64_t triangles = 0;
    std::int64_t degenerate = 0; ///< Triangles without area, which are left out
    std::int64_t edges = 0;
    std::int64_t open_edges = 0;    ///< Edges with only one triangle
    std::int64_t twisted_edges = 0; ///< Edges whose triangles disagree on which side is outside
    double open_length = 0;         ///< Total length of open edges [m]
    double area = 0;                ///< [m^2]
    double volume = 0;              ///< As oriented in the file [m^3]; holes closed to the center
    bool flipped = false;           ///< True if the mesh was inside out and has been reversed

    /// Length of open edges over the square root of the area: a measure of the size of the holes.
    double openness() const;
    /// One line that describes the defects of the mesh, or an empty string.
    std::string warning() const;
};

/// Measures a mesh. Throws if an index or a position is invalid.
MeshReport inspect_mesh(const TriMesh& mesh);

/// Makes the mesh into a shape with exact distances. Throws if it has no volume; reverses a mesh
/// that is inside out. Fills in `report` if given.
SdfPtr make_mesh(const TriMesh& mesh, MeshReport* report = nullptr);

} // namespace nendo
