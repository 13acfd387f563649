// SPDX-License-Identifier: Apache-2.0
// Converts triangle meshes to Houdini geometry.
#include "io/geo/mesh.h"

#include <utility>

namespace nendo {
namespace {

Attribute vector_attribute(const char* name, const char* type, const std::vector<Vec3d>& vectors) {
    std::vector<float> values;
    values.reserve(3 * vectors.size());
    for (const Vec3d& v : vectors)
        for (int k = 0; k < 3; ++k) values.push_back(static_cast<float>(v[k]));
    return {name, "public", type, 3, std::move(values)};
}

} // namespace

Geometry mesh_geometry(const TriMesh& mesh, const PointAttributes& attributes) {
    Geometry geometry;
    geometry.point_count = mesh.points.size();
    geometry.point_attributes.push_back(vector_attribute("P", "point", mesh.points));
    if (!mesh.velocities.empty())
        geometry.point_attributes.push_back(vector_attribute("v", "vector", mesh.velocities));
    for (const PointAttribute& a : attributes) {
        const char* type = a.meaning == Meaning::point    ? "point"
                           : a.meaning == Meaning::vector ? "vector"
                                                          : "";
        std::visit(
            [&](const auto& values) {
                geometry.point_attributes.push_back({a.name, "public", type, a.width, values});
            },
            a.values);
    }
    for (const auto& t : mesh.triangles) {
        const auto first = static_cast<std::int32_t>(geometry.vertex_points.size());
        const std::int32_t vertices[] = {first, first + 1, first + 2};
        // Houdini's polygons are clockwise seen from outside.
        for (const std::size_t k : {0, 2, 1})
            geometry.vertex_points.push_back(static_cast<std::int32_t>(t[k]));
        geometry.add_polygon(true, vertices, 3);
    }
    return geometry;
}

} // namespace nendo
