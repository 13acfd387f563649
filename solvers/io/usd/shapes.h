// SPDX-License-Identifier: Apache-2.0
// Particles and meshes of one frame as USD prims.
#pragma once

#include "core/types.h"

#include <cstdint>
#include <string>
#include <vector>

namespace nendo {

/// An attribute that may change from frame to frame.
struct UsdAttribute {
    std::string declaration;           ///< Type and name, such as point3f[] points
    std::string value;                 ///< As text
    std::vector<std::string> metadata; ///< Lines such as `interpolation = "vertex"`
    std::string absent = "[]";         ///< Value in frames in which the prim does not exist
};

struct UsdPrim {
    std::string path;                     ///< Path below the root, such as surface/water
    std::string type;                     ///< Points, Mesh ...
    std::string material;                 ///< Name of its material, or empty
    std::vector<std::string> lines;       ///< Constant lines
    std::vector<UsdAttribute> attributes; ///< Attributes that may change
};

/// A primvar: values per point that are passed on.
struct UsdPrimvar {
    std::string name;
    std::string type; ///< float, int, float3, color3f ...
    int width = 1;    ///< Numbers per element
    std::vector<double> values;
};

/// Columns of equal length; absent ones are empty.
struct UsdPoints {
    std::vector<Vec3d> positions;  ///< [m]
    std::vector<Vec3d> velocities; ///< [m/s]
    std::vector<std::int64_t> ids;
    std::vector<double> widths; ///< Diameters [m]
    std::vector<UsdPrimvar> primvars;
};

struct UsdMesh {
    std::vector<Vec3d> points;         ///< [m]
    std::vector<Vec3d> velocities;     ///< [m/s]
    std::vector<Vec3d> normals;        ///< Unit, per point; empty: computed from the faces
    std::vector<std::int64_t> counts;  ///< Number of corners of each face
    std::vector<std::int64_t> corners; ///< Points, counterclockwise seen from outside
    std::vector<double> st;            ///< Two numbers per point or per corner
    std::vector<UsdPrimvar> primvars;
};

/// Returns the normals of the points, averaged over adjacent faces by area.
std::vector<Vec3d> mesh_normals(const UsdMesh& mesh);

UsdPrim usd_points(const std::string& path, const UsdPoints& points, const std::string& material);
UsdPrim usd_mesh(const std::string& path, const UsdMesh& mesh, const std::string& material);

} // namespace nendo
