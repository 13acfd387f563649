// SPDX-License-Identifier: Apache-2.0
// Reads and writes positions, polygons and shapes.
#include "dop/bridge/points.h"

#include "core/error.h"
#include "geometry/level_set.h"
#include "geometry/mesh_sdf.h"
#include "geometry/vdb_sdf.h"

#include <GEO/GEO_PolyCounts.h>
#include <GEO/GEO_PrimVDB.h>
#include <GU/GU_PrimPoly.h>

#include <unordered_map>

namespace nendo::houdini {
namespace {

const Field& position_field() {
    static const Field f = field("P").unit("m").meaning(Meaning::point);
    return f;
}

} // namespace

std::vector<Vec3d> read_positions(const GU_Detail& geometry, const std::string& where) {
    std::vector<Vec3d> positions =
        cast<double>(*read_column<Vec3<float>>(geometry, position_field(), where));
    for (std::size_t i = 0; i < positions.size(); ++i)
        if (!positions[i].allFinite())
            throw Error("P is not finite", where + ", point " + std::to_string(i),
                        "delete or repair the point");
    return positions;
}

std::vector<GA_Offset> append_points(GU_Detail& geometry, const std::vector<Vec3d>& positions) {
    std::vector<GA_Offset> points;
    const GA_Offset first = geometry.appendPointBlock(static_cast<GA_Size>(positions.size()));
    for (std::size_t i = 0; i < positions.size(); ++i)
        points.push_back(first + static_cast<GA_Size>(i));
    write_column(geometry, points, position_field(), cast<float>(positions));
    return points;
}

TriMesh read_polygons(const GU_Detail& geometry, const std::string& where) {
    TriMesh mesh;
    mesh.points = read_positions(geometry, where);
    std::unordered_map<GA_Offset, std::uint32_t> number;
    for (const GA_Offset point : point_offsets(geometry))
        number.emplace(point, static_cast<std::uint32_t>(number.size()));
    const GEO_Primitive* primitive = nullptr;
    GA_FOR_ALL_PRIMITIVES(&geometry, primitive) {
        if (primitive->getTypeId() != GA_PRIMPOLY) continue;
        // Houdini's polygons are clockwise, seen from outside.
        for (GA_Size k = 2; k < primitive->getVertexCount(); ++k)
            mesh.triangles.push_back({number.at(primitive->getPointOffset(0)),
                                      number.at(primitive->getPointOffset(k)),
                                      number.at(primitive->getPointOffset(k - 1))});
    }
    return mesh;
}

std::vector<GA_Offset> write_polygons(GU_Detail& geometry, const TriMesh& mesh) {
    const std::vector<GA_Offset> points = append_points(geometry, mesh.points);
    if (mesh.triangles.empty()) return points;
    std::vector<int> corners;
    for (const auto& t : mesh.triangles)
        for (const std::uint32_t corner : {t[0], t[2], t[1]})
            corners.push_back(static_cast<int>(corner));
    GEO_PolyCounts sizes;
    sizes.append(3, static_cast<GA_Size>(mesh.triangles.size()));
    GU_PrimPoly::buildBlock(&geometry, points.front(), static_cast<GA_Size>(points.size()), sizes,
                            corners.data());
    return points;
}

SdfPtr read_shape(const GU_Detail& geometry, const std::string& where,
                  std::vector<std::string>& warnings) {
    std::vector<SdfPtr> parts;
    const GEO_Primitive* primitive = nullptr;
    GA_FOR_ALL_PRIMITIVES(&geometry, primitive) {
        if (primitive->getTypeId() != GA_PRIMVDB) continue;
        const auto* vdb = static_cast<const GEO_PrimVDB*>(primitive);
        parts.push_back(make_level_set(level_set_of(vdb->getConstGridPtr(), where + ", VDB")));
    }
    const TriMesh mesh = read_polygons(geometry, where);
    if (!mesh.triangles.empty()) {
        MeshReport report;
        parts.push_back(make_mesh(mesh, &report));
        if (!report.warning().empty()) warnings.push_back(report.warning());
    }
    if (parts.empty())
        throw Error("there is nothing to fill", where, "connect polygons or a level set (VDB)");
    return parts.size() == 1 ? parts.front() : make_union(parts, 0);
}

} // namespace nendo::houdini
