#include "sop/points.h"

#include "core/error.h"
#include "geometry/level_set.h"
#include "geometry/mesh_sdf.h"
#include "geometry/vdb_sdf.h"

#include <GA/GA_Handle.h>
#include <GEO/GEO_PolyCounts.h>
#include <GEO/GEO_PrimVDB.h>
#include <GU/GU_PrimPoly.h>

#include <cmath>
#include <map>

namespace nendo::houdini {
namespace {

[[noreturn]] void fail_shape(const std::string& name, const std::string& expected) {
    throw Error("has another type or size", "point attribute " + name, "make it " + expected);
}

/// Numbers of an attribute through a handle of its type.
template <class Handle, class Number>
std::vector<Number> read_all(const GU_Detail& geometry, const Handle& handle, int width) {
    std::vector<Number> numbers;
    for (const GA_Offset point : point_offsets(geometry))
        for (int k = 0; k < width; ++k)
            numbers.push_back(static_cast<Number>(handle.get(point, k)));
    return numbers;
}

} // namespace

std::vector<GA_Offset> point_offsets(const GU_Detail& geometry) {
    std::vector<GA_Offset> offsets;
    GA_Offset point;
    GA_FOR_ALL_PTOFF(&geometry, point) {
        offsets.push_back(point);
    }
    return offsets;
}

std::optional<std::vector<double>> read_numbers(const GU_Detail& geometry, const std::string& name,
                                                int width) {
    const GA_Attribute* attribute = geometry.findPointAttribute(name.c_str());
    if (attribute == nullptr) return {};
    const GA_ROHandleF handle(attribute);
    if (handle.isInvalid() || attribute->getTupleSize() != width)
        fail_shape(name, width == 1 ? "a float" : std::to_string(width) + " floats");
    return read_all<GA_ROHandleF, double>(geometry, handle, width);
}

std::optional<std::vector<std::int32_t>> read_integers(const GU_Detail& geometry,
                                                       const std::string& name) {
    const GA_Attribute* attribute = geometry.findPointAttribute(name.c_str());
    if (attribute == nullptr) return {};
    const GA_ROHandleI handle(attribute);
    if (handle.isInvalid() || attribute->getTupleSize() != 1) fail_shape(name, "an integer");
    return read_all<GA_ROHandleI, std::int32_t>(geometry, handle, 1);
}

std::optional<std::vector<Vec3d>> read_vectors(const GU_Detail& geometry, const std::string& name) {
    const auto numbers = read_numbers(geometry, name, 3);
    if (!numbers) return {};
    std::vector<Vec3d> vectors;
    for (std::size_t i = 0; i + 2 < numbers->size(); i += 3)
        vectors.emplace_back((*numbers)[i], (*numbers)[i + 1], (*numbers)[i + 2]);
    return vectors;
}

std::vector<Vec3d> read_positions(const GU_Detail& geometry) {
    std::vector<Vec3d> positions = *read_vectors(geometry, "P");
    for (std::size_t i = 0; i < positions.size(); ++i)
        if (!positions[i].allFinite())
            throw Error("P is not finite", "point " + std::to_string(i),
                        "delete the point or repair it");
    return positions;
}

std::vector<GA_Offset> append_points(GU_Detail& geometry, std::size_t count) {
    std::vector<GA_Offset> points;
    const GA_Offset first = geometry.appendPointBlock(static_cast<GA_Size>(count));
    for (std::size_t i = 0; i < count; ++i) points.push_back(first + static_cast<GA_Size>(i));
    return points;
}

void write_numbers(GU_Detail& geometry, const std::string& name, int width, GA_TypeInfo type,
                   const std::vector<GA_Offset>& points, const std::vector<double>& numbers) {
    GA_Attribute* attribute = geometry.addFloatTuple(GA_ATTRIB_POINT, name.c_str(), width);
    attribute->getOptions().setTypeInfo(type);
    const GA_RWHandleF handle(attribute);
    std::size_t next = 0;
    for (const GA_Offset point : points)
        for (int k = 0; k < width; ++k) handle.set(point, k, static_cast<float>(numbers[next++]));
    handle.bumpDataId();
}

void write_integers(GU_Detail& geometry, const std::string& name,
                    const std::vector<GA_Offset>& points,
                    const std::vector<std::int32_t>& numbers) {
    const GA_RWHandleI handle(geometry.addIntTuple(GA_ATTRIB_POINT, name.c_str(), 1));
    for (std::size_t i = 0; i < points.size(); ++i) handle.set(points[i], numbers[i]);
    handle.bumpDataId();
}

void write_vectors(GU_Detail& geometry, const std::string& name, GA_TypeInfo type,
                   const std::vector<GA_Offset>& points, const std::vector<Vec3d>& vectors) {
    std::vector<double> numbers;
    for (const Vec3d& v : vectors) numbers.insert(numbers.end(), v.data(), v.data() + 3);
    write_numbers(geometry, name, 3, type, points, numbers);
}

void write_detail(GU_Detail& geometry, const std::string& name,
                  const std::vector<double>& numbers) {
    const int width = static_cast<int>(numbers.size());
    const GA_RWHandleF handle(geometry.addFloatTuple(GA_ATTRIB_DETAIL, name.c_str(), width));
    for (int k = 0; k < width; ++k)
        handle.set(GA_Offset(0), k, static_cast<float>(numbers[static_cast<std::size_t>(k)]));
    handle.bumpDataId();
}

TriMesh read_polygons(const GU_Detail& geometry) {
    TriMesh mesh;
    std::map<GA_Offset, std::uint32_t> number;
    const auto number_of = [&](GA_Offset point) {
        return number.emplace(point, static_cast<std::uint32_t>(number.size())).first->second;
    };
    mesh.points = read_positions(geometry);
    for (const GA_Offset point : point_offsets(geometry)) number_of(point);
    const GEO_Primitive* primitive = nullptr;
    GA_FOR_ALL_PRIMITIVES(&geometry, primitive) {
        if (primitive->getTypeId() != GEO_PRIMPOLY) continue;
        // Houdini's polygons are clockwise seen from outside.
        for (GA_Size k = 2; k < primitive->getVertexCount(); ++k)
            mesh.triangles.push_back({number_of(primitive->getPointOffset(0)),
                                      number_of(primitive->getPointOffset(k)),
                                      number_of(primitive->getPointOffset(k - 1))});
    }
    return mesh;
}

std::vector<GA_Offset> write_polygons(GU_Detail& geometry, const TriMesh& mesh) {
    const std::vector<GA_Offset> points = append_points(geometry, mesh.points.size());
    write_vectors(geometry, "P", GA_TYPE_POINT, points, mesh.points);
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

SdfPtr read_shape(const GU_Detail& geometry, std::vector<std::string>& warnings) {
    std::vector<SdfPtr> parts;
    const GEO_Primitive* primitive = nullptr;
    GA_FOR_ALL_PRIMITIVES(&geometry, primitive) {
        if (primitive->getTypeId() != GEO_PRIMVDB) continue;
        const auto* vdb = static_cast<const GEO_PrimVDB*>(primitive);
        parts.push_back(make_level_set(level_set_of(vdb->getConstGridPtr(), "VDB of the input")));
    }
    const TriMesh mesh = read_polygons(geometry);
    if (!mesh.triangles.empty()) {
        MeshReport report;
        parts.push_back(make_mesh(mesh, &report));
        if (!report.warning().empty()) warnings.push_back(report.warning());
    }
    if (parts.empty())
        throw Error("there is nothing that could be filled", "input 1",
                    "connect polygons or a level set (VDB)");
    return parts.size() == 1 ? parts.front() : make_union(parts, 0);
}

} // namespace nendo::houdini
