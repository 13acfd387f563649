// SPDX-License-Identifier: Apache-2.0
// Formats particles and meshes as USD prims.
#include "io/usd/shapes.h"

#include "core/error.h"
#include "io/usd/text.h"

#include <limits>

namespace nendo {
namespace {

const std::string per_point = "interpolation = \"vertex\"";

/// Throws unless the column has one row per element, or none at all.
void check_rows(std::size_t rows, std::size_t expected, const std::string& prim,
                const std::string& name) {
    if (rows == 0 || rows == expected) return;
    throw Error(name + " has " + std::to_string(rows) + " rows instead of " +
                    std::to_string(expected),
                prim, "write the frame again");
}

UsdAttribute extent_of(const std::vector<Vec3d>& points, const std::vector<double>& widths) {
    const double huge = std::numeric_limits<float>::max();
    Vec3d low = Vec3d::Constant(huge), high = Vec3d::Constant(-huge);
    const std::string nothing = usd_array(std::vector<Vec3d>{low, high});
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3d radius = Vec3d::Constant(i < widths.size() ? widths[i] / 2 : 0.0);
        low = low.cwiseMin(points[i] - radius);
        high = high.cwiseMax(points[i] + radius);
    }
    return {"float3[] extent", usd_array(std::vector<Vec3d>{low, high}), {}, nothing};
}

void add_vectors(UsdPrim& prim, const char* declaration, const std::vector<Vec3d>& vectors,
                 std::size_t expected, std::vector<std::string> metadata = {}) {
    check_rows(vectors.size(), expected, prim.path, declaration);
    if (!vectors.empty() || expected == 0)
        prim.attributes.push_back({declaration, usd_array(vectors), std::move(metadata)});
}

void add_primvars(UsdPrim& prim, const std::vector<UsdPrimvar>& primvars, std::size_t points) {
    for (const UsdPrimvar& p : primvars) {
        check_rows(p.values.size(), points * static_cast<std::size_t>(p.width), prim.path, p.name);
        const bool whole = p.type == "int";
        prim.attributes.push_back(
            {p.type + "[] primvars:" + p.name,
             whole ? usd_array(std::vector<std::int64_t>(p.values.begin(), p.values.end()))
                   : usd_array(p.values, p.width),
             {per_point}});
    }
}

} // namespace

std::vector<Vec3d> mesh_normals(const UsdMesh& mesh) {
    std::vector<Vec3d> normals(mesh.points.size(), Vec3d::Zero());
    std::size_t begin = 0;
    for (const std::int64_t count : mesh.counts) {
        const auto corner = [&](std::int64_t k) {
            return static_cast<std::size_t>(mesh.corners[begin + static_cast<std::size_t>(k)]);
        };
        const Vec3d& origin = mesh.points[corner(0)];
        Vec3d area = Vec3d::Zero();
        for (std::int64_t k = 1; k + 1 < count; ++k)
            area +=
                (mesh.points[corner(k)] - origin).cross(mesh.points[corner(k + 1)] - origin) / 2;
        for (std::int64_t k = 0; k < count; ++k) normals[corner(k)] += area;
        begin += static_cast<std::size_t>(count);
    }
    for (Vec3d& n : normals) n = n.norm() > 0 ? Vec3d(n.normalized()) : Vec3d::UnitY();
    return normals;
}

UsdPrim usd_points(const std::string& path, const UsdPoints& points, const std::string& material) {
    UsdPrim prim{path, "Points", material, {}, {}};
    const std::size_t n = points.positions.size();
    add_vectors(prim, "point3f[] points", points.positions, n);
    add_vectors(prim, "vector3f[] velocities", points.velocities, n);
    check_rows(points.ids.size(), n, path, "ids");
    check_rows(points.widths.size(), n, path, "widths");
    if (!points.ids.empty()) prim.attributes.push_back({"int64[] ids", usd_array(points.ids), {}});
    if (!points.widths.empty())
        prim.attributes.push_back({"float[] widths", usd_array(points.widths), {per_point}});
    prim.attributes.push_back(extent_of(points.positions, points.widths));
    add_primvars(prim, points.primvars, n);
    return prim;
}

UsdPrim usd_mesh(const std::string& path, const UsdMesh& mesh, const std::string& material) {
    UsdPrim prim{path, "Mesh", material, {"uniform token subdivisionScheme = \"none\""}, {}};
    const std::size_t n = mesh.points.size();
    add_vectors(prim, "point3f[] points", mesh.points, n);
    add_vectors(prim, "vector3f[] velocities", mesh.velocities, n);
    add_vectors(prim, "normal3f[] normals",
                mesh.normals.empty() ? mesh_normals(mesh) : mesh.normals, n, {per_point});
    prim.attributes.push_back({"int[] faceVertexCounts", usd_array(mesh.counts), {}});
    prim.attributes.push_back({"int[] faceVertexIndices", usd_array(mesh.corners), {}});
    prim.attributes.push_back(extent_of(mesh.points, {}));
    if (!mesh.st.empty()) {
        const bool by_point = mesh.st.size() == 2 * n;
        if (!by_point) check_rows(mesh.st.size(), 2 * mesh.corners.size(), path, "st");
        prim.attributes.push_back({"texCoord2f[] primvars:st",
                                   usd_array(mesh.st, 2),
                                   {by_point ? per_point : "interpolation = \"faceVarying\""}});
    }
    add_primvars(prim, mesh.primvars, n);
    return prim;
}

} // namespace nendo
