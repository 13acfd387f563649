// SPDX-License-Identifier: Apache-2.0
// Meshes as shapes. Inside is where the generalized winding number is above 1/2, so that meshes
// with holes, as scanners make them, have an inside too.
#pragma once

#include "geometry/mesh.h"
#include "geometry/sdf.h"

#include <cstdint>
#include <string>

namespace nendo {

/// What a person should know of a mesh that is to be filled. Points at equal places count as one.
struct MeshReport {
    std::int64_t triangles = 0;
    std::int64_t degenerate = 0; ///< Triangles without area: left out
    std::int64_t edges = 0;
    std::int64_t open_edges = 0;    ///< Edges of one triangle only
    std::int64_t twisted_edges = 0; ///< Edges whose triangles disagree on what is outside
    double open_length = 0;         ///< Of open edges [m]
    double area = 0;                ///< [m^2]
    double volume = 0;              ///< As oriented in the file [m^3]; holes closed to the center
    bool flipped = false;           ///< It was inside out, and has been turned

    /// Length of open edges over the square root of the area: how large the holes are.
    double openness() const;
    /// One line that says what was wrong with the mesh, or nothing.
    std::string warning() const;
};

/// Throws when indices or positions are bad.
MeshReport inspect_mesh(const TriMesh& mesh);

/// The mesh as a shape, with exact distances. Throws when it has no volume; a mesh that is inside
/// out is turned. Fills `report` when given.
SdfPtr make_mesh(const TriMesh& mesh, MeshReport* report = nullptr);

} // namespace nendo
