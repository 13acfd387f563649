// SPDX-License-Identifier: Apache-2.0
// Finds, matches and creates the polygons of links.
#include "dop/bridge/links.h"

#include <GU/GU_PrimPoly.h>

#include <unordered_set>

namespace nendo::houdini::detail {

Polygons find_polygons(const GU_Detail& gdp, std::size_t corners, const std::string& where) {
    Polygons found;
    const GA_Attribute* ids = gdp.findAttribute(GA_ATTRIB_POINT, "id");
    if (ids != nullptr) check_attribute(*ids, shape_of<std::int64_t>(field("id")), false, where);
    const GEO_Primitive* primitive = nullptr;
    GA_FOR_ALL_PRIMITIVES(&gdp, primitive) {
        if (primitive->getTypeId() != GA_PRIMPOLY) continue;
        const GA_Size count = primitive->getVertexCount();
        if (count != static_cast<GA_Size>(corners))
            throw Error("polygon " + std::to_string(found.offsets.size()) + " has " +
                            std::to_string(count) + " corners, not " + std::to_string(corners),
                        where, "remove or divide it");
        if (ids == nullptr)
            throw Error("point attribute 'id' is missing", where,
                        "give the corners of the polygons the ids of the particles that they join");
        found.offsets.push_back(primitive->getMapOffset());
        const GA_ROHandleID handle(ids);
        for (GA_Size k = 0; k < count; ++k)
            found.corners.push_back(handle.get(primitive->getPointOffset(k)));
    }
    return found;
}

namespace {

/// The first point of each id.
Places points_by_id(const GU_Detail& gdp) {
    Places places;
    const GA_Attribute* ids = gdp.findAttribute(GA_ATTRIB_POINT, "id");
    if (ids == nullptr) return places;
    const GA_ROHandleID handle(ids);
    for (const GA_Offset point : point_offsets(gdp)) places.emplace(handle.get(point), point);
    return places;
}

} // namespace

std::vector<GA_Offset> match_polygons(GU_Detail& gdp, const Polygons& wanted, std::size_t corners,
                                      const Positions& positions, const std::string& where) {
    const Places before = points_by_id(gdp);
    const auto is_at = [&](const GEO_Primitive& polygon, std::size_t row) {
        for (std::size_t k = 0; k < corners; ++k) {
            const auto point = before.find(wanted.corners[row * corners + k]);
            if (point == before.end() ||
                point->second != polygon.getPointOffset(static_cast<GA_Size>(k)))
                return false;
        }
        return true;
    };
    std::unordered_map<GA_Offset, GEO_Primitive*> there;
    GEO_Primitive* primitive = nullptr;
    GA_FOR_ALL_PRIMITIVES(&gdp, primitive) there[primitive->getMapOffset()] = primitive;
    std::vector<GA_Offset> offsets = wanted.offsets;
    bool changed = false;
    for (std::size_t row = 0; row < offsets.size(); ++row) {
        const auto found = there.find(offsets[row]);
        if (found != there.end() && is_at(*found->second, row)) {
            there.erase(found);
            continue;
        }
        offsets[row] = GA_INVALID_OFFSET;
        changed = true;
    }
    changed = changed || !there.empty();
    for (const auto& [offset, gone] : there) gdp.destroyPrimitive(*gone, false);

    Corners points;
    std::unordered_set<std::int64_t> seen;
    for (const std::int64_t id : wanted.corners) {
        if (!seen.insert(id).second) continue;
        points.id.push_back(id);
        points.x.push_back(positions.at(id));
    }
    const Places places = table_to_points(points, before, gdp, where);
    for (std::size_t row = 0; row < offsets.size(); ++row) {
        if (offsets[row] != GA_INVALID_OFFSET) continue;
        GU_PrimPoly* polygon = GU_PrimPoly::build(&gdp, 0, GU_POLY_OPEN, 0);
        for (std::size_t k = 0; k < corners; ++k)
            polygon->appendVertex(places.at(wanted.corners[row * corners + k]));
        if (corners > 2) polygon->close();
        offsets[row] = polygon->getMapOffset();
    }
    if (changed) gdp.bumpDataIdsForAddOrRemove(true, true, true);
    return offsets;
}

} // namespace nendo::houdini::detail
