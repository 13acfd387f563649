// SPDX-License-Identifier: Apache-2.0
// Particles and meshes of one frame as prims of USD.
#pragma once

#include "core/types.h"

#include <cstdint>
#include <string>
#include <vector>

namespace nendo {

/// An attribute that may change from frame to frame.
struct UsdAttribute {
    std::string declaration;           ///< Type and name: point3f[] points
    std::string value;                 ///< As text
    std::vector<std::string> metadata; ///< Lines such as `interpolation = "vertex"`
    std::string absent = "[]";         ///< Its value where the prim is not there yet
};

struct UsdPrim {
    std::string path;                     ///< Below the root: surface/water
    std::string type;                     ///< Points, Mesh ...
    std::string material;                 ///< Name of its material, or empty
    std::vector<std::string> lines;       ///< What never changes, a line each
    std::vector<UsdAttribute> attributes; ///< What may
};

/// Values of each point that are passed on: a primvar.
struct UsdPrimvar {
    std::string name;
    std::string type; ///< float, int, float3, color3f ...
    int width = 1;    ///< Numbers of an element
    std::vector<double> values;
};

/// Columns of equal length, or empty where there are none.
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
    std::vector<Vec3d> normals;        ///< Unit, of points; empty: made from the faces
    std::vector<std::int64_t> counts;  ///< Corners of each face
    std::vector<std::int64_t> corners; ///< Points, counter-clockwise seen from outside
    std::vector<double> st;            ///< Two numbers for each point, or for each corner
    std::vector<UsdPrimvar> primvars;
};

/// Normals of the points: of the faces around, by their area.
std::vector<Vec3d> mesh_normals(const UsdMesh& mesh);

UsdPrim usd_points(const std::string& path, const UsdPoints& points, const std::string& material);
UsdPrim usd_mesh(const std::string& path, const UsdMesh& mesh, const std::string& material);

} // namespace nendo
