// SPDX-License-Identifier: Apache-2.0
// Checks, creates and matches the attributes and points of a geometry.
#include "dop/bridge/geometry.h"

#include <GA/GA_Range.h>
#include <GU/GU_PrimPoly.h>

#include <algorithm>
#include <numeric>
#include <unordered_set>

namespace nendo::houdini {

std::vector<GA_Offset> point_offsets(const GU_Detail& gdp) {
    std::vector<GA_Offset> offsets;
    const GA_Size count = gdp.getNumPoints();
    offsets.reserve(static_cast<std::size_t>(count));
    for (GA_Size i = 0; i < count; ++i) offsets.push_back(gdp.pointOffset(i));
    return offsets;
}

namespace detail {

namespace {

std::string describe(int width, const std::string& kind) {
    return std::to_string(width) + " " + kind + (width == 1 ? " value" : " values");
}

std::string found_kind(const GA_Attribute& attribute) {
    const GA_AIFTuple* tuple = attribute.getAIFTuple();
    if (tuple == nullptr)
        return attribute.getStorageClass() == GA_STORECLASS_STRING ? "text" : "arrays";
    const bool is_integer = attribute.getStorageClass() == GA_STORECLASS_INT;
    return describe(tuple->getTupleSize(&attribute), is_integer ? "integer" : "real");
}

/// Whether `wide` can hold every number of `narrow`.
bool holds(GA_Storage wide, GA_Storage narrow) {
    if (wide == narrow) return true;
    if (narrow == GA_STORE_REAL32) return wide == GA_STORE_REAL64;
    // Houdini's own ids have 32 bits, and ours fit them up to two billion particles.
    if (narrow == GA_STORE_INT64) return wide == GA_STORE_INT32;
    return narrow == GA_STORE_INT32 && wide == GA_STORE_INT64;
}

GA_TypeInfo type_info(const Shape& shape) {
    switch (shape.meaning) {
    case Meaning::point: return GA_TYPE_POINT;
    case Meaning::vector: return GA_TYPE_VECTOR;
    case Meaning::matrix: return GA_TYPE_TRANSFORM;
    case Meaning::quaternion: return GA_TYPE_QUATERNION;
    case Meaning::value: break;
    }
    return shape.is_integer && shape.name == "id" ? GA_TYPE_NONARITHMETIC_INTEGER : GA_TYPE_VOID;
}

} // namespace

void check_attribute(const GA_Attribute& attribute, const Shape& shape, bool to_write,
                     const std::string& where) {
    const std::string wanted = describe(shape.width, shape.is_integer ? "integer" : "real");
    const GA_StorageClass kind = shape.is_integer ? GA_STORECLASS_INT : GA_STORECLASS_REAL;
    const GA_AIFTuple* tuple = attribute.getAIFTuple();
    if (tuple == nullptr || attribute.getStorageClass() != kind ||
        tuple->getTupleSize(&attribute) != shape.width)
        throw Error("attribute '" + std::string(shape.name) + "' holds " + found_kind(attribute) +
                        ", not " + wanted,
                    where, "rename or delete it before the solver, or make it " + wanted);
    if (to_write && !holds(tuple->getStorage(&attribute), shape.storage))
        throw Error("attribute '" + std::string(shape.name) + "' has too little precision", where,
                    std::string("make it ") +
                        (shape.storage == GA_STORE_REAL64 ? "64-bit" : "32-bit") +
                        ", or delete it before the solver");
}

void check_fits(std::int64_t value, const GA_Attribute& attribute, const std::string& where) {
    if (attribute.getAIFTuple()->getStorage(&attribute) == GA_STORE_INT64) return;
    if (value == static_cast<std::int32_t>(value)) return;
    throw Error("the number " + std::to_string(value) + " does not fit attribute '" +
                    attribute.getName().c_str() + "'",
                where, "make the attribute 64-bit");
}

GA_Attribute* find_or_create(GU_Detail& gdp, GA_AttributeOwner owner, const Shape& shape,
                             const std::string& where) {
    const std::string name(shape.name);
    if (GA_Attribute* found = gdp.findAttribute(owner, name.c_str())) {
        check_attribute(*found, shape, true, where);
        return found;
    }
    // The value on points that other nodes add later, until the solver has seen them.
    const bool unknown = name == "id" || name == "join";
    GA_Attribute* made = gdp.addTuple(shape.storage, owner, name.c_str(), shape.width,
                                      GA_Defaults(unknown ? -1 : 0));
    if (made == nullptr)
        throw Error("attribute '" + name + "' can't be created", where,
                    "rename the attribute of this name");
    made->getOptions().setTypeInfo(type_info(shape));
    return made;
}

namespace {

/// Deletes points, and the primitives on them: Houdini leaves no primitive without its points.
void delete_points(GU_Detail& gdp, const std::vector<GA_Offset>& points) {
    GA_PointGroup gone(gdp);
    for (const GA_Offset point : points) gone.addOffset(point);
    const std::unordered_set<GA_Offset> marked(points.begin(), points.end());
    std::vector<GEO_Primitive*> loose;
    GEO_Primitive* primitive = nullptr;
    GA_FOR_ALL_PRIMITIVES(&gdp, primitive) {
        bool whole = true;
        for (GA_Size k = 0; k < primitive->getVertexCount(); ++k)
            whole = whole && marked.count(primitive->getPointOffset(k)) == 0;
        if (!whole) loose.push_back(primitive);
    }
    for (GEO_Primitive* one : loose) gdp.destroyPrimitive(*one, false);
    gdp.destroyPointOffsets(GA_Range(gone));
    if (!loose.empty()) gdp.bumpDataIdsForAddOrRemove(true, true, true);
}

} // namespace

std::vector<GA_Offset> match_points(GU_Detail& gdp, const std::vector<std::int64_t>& ids,
                                    const Places& places) {
    std::vector<GA_Offset> offsets(ids.size(), GA_INVALID_OFFSET);
    std::unordered_set<GA_Offset> claimed;
    claimed.reserve(ids.size());
    std::vector<std::size_t> unplaced;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const auto place = places.find(ids[i]);
        if (place == places.end()) {
            unplaced.push_back(i);
            continue;
        }
        offsets[i] = place->second;
        claimed.insert(place->second);
    }

    std::vector<GA_Offset> unclaimed;
    for (const GA_Offset offset : point_offsets(gdp))
        if (claimed.count(offset) == 0) unclaimed.push_back(offset);
    if (!unclaimed.empty()) delete_points(gdp, unclaimed);
    if (!unplaced.empty()) {
        const GA_Offset first = gdp.appendPointBlock(static_cast<GA_Size>(unplaced.size()));
        for (std::size_t k = 0; k < unplaced.size(); ++k)
            offsets[unplaced[k]] = first + static_cast<GA_Offset>(k);
    }
    if (!unclaimed.empty() || !unplaced.empty()) gdp.bumpDataIdsForAddOrRemove(true, false, false);
    return offsets;
}

} // namespace detail

void pairs_to_points(const std::vector<std::int64_t>& first,
                     const std::vector<std::int64_t>& second, const Places& places, GU_Detail& gdp,
                     const std::string& name, const std::string& where) {
    GA_Attribute* attribute = gdp.findAttribute(GA_ATTRIB_POINT, name.c_str());
    if (attribute == nullptr)
        attribute =
            gdp.addIntArray(GA_ATTRIB_POINT, name.c_str(), 1, nullptr, nullptr, GA_STORE_INT64);
    const GA_RWHandleT<UT_Int64Array> handle(attribute);
    if (!handle.isValid())
        throw Error("attribute '" + name + "' does not hold arrays of integers", where,
                    "rename or delete it before the solver");

    std::unordered_map<GA_Offset, UT_Int64Array> lists;
    for (std::size_t k = 0; k < first.size(); ++k) {
        const auto place = places.find(first[k]);
        if (place != places.end()) lists[place->second].append(second[k]);
    }
    const UT_Int64Array none;
    for (const GA_Offset offset : point_offsets(gdp)) {
        const auto list = lists.find(offset);
        handle.set(offset, list == lists.end() ? none : list->second);
    }
    handle.bumpDataId();
}

void points_to_pairs(const GU_Detail& gdp, const std::vector<GA_Offset>& points,
                     const std::vector<std::int64_t>& ids, const std::string& name,
                     const std::string& where, std::vector<std::int64_t>& first,
                     std::vector<std::int64_t>& second) {
    first.clear();
    second.clear();
    const GA_Attribute* attribute = gdp.findAttribute(GA_ATTRIB_POINT, name.c_str());
    if (attribute == nullptr) return;
    const GA_ROHandleT<UT_Int64Array> handle(attribute);
    if (!handle.isValid())
        throw Error("attribute '" + name + "' does not hold arrays of integers", where,
                    "rename or delete it before the solver");
    UT_Int64Array list;
    std::unordered_set<std::int64_t> seen;
    for (std::size_t i = 0; i < points.size(); ++i) {
        // Copies of a point have its list too.
        if (!seen.insert(ids[i]).second) continue;
        handle.get(points[i], list);
        for (exint k = 0; k < list.size(); ++k) {
            first.push_back(ids[i]);
            second.push_back(list(k));
        }
    }
}

} // namespace nendo::houdini
