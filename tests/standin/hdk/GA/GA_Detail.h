// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: points, primitives and their attributes. Offsets of deleted points stay
// empty, and using them fails the test.
#pragma once

#include "GA/GA_Attribute.h"
#include "GA/GA_Primitive.h"
#include "GA/GA_Range.h"
#include "UT/UT_Vector3.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

class UT_Options;

/// A set of elements.
class GA_ElementGroup {
public:
    void addOffset(GA_Offset offset) { m_offsets.insert(offset); }
    void removeOffset(GA_Offset offset) { m_offsets.erase(offset); }
    bool contains(GA_Offset offset) const { return m_offsets.count(offset) != 0; }

    const std::set<GA_Offset>& standin_offsets() const { return m_offsets; }

private:
    std::set<GA_Offset> m_offsets;
};

class GA_Detail;

class GA_PointGroup : public GA_ElementGroup {
public:
    /// A detached attribute: the detail neither lists it nor tells it of deleted points.
    explicit GA_PointGroup(const GA_Detail& /*detail*/) {}
};

class GA_Detail {
public:
    GA_Detail();
    virtual ~GA_Detail() = default;
    GA_Detail(const GA_Detail&) = delete;
    GA_Detail& operator=(const GA_Detail&) = delete;

    // Points.
    GA_Size getNumPoints() const { return static_cast<GA_Size>(m_order.size()); }
    GA_Offset pointOffset(GA_Index index) const;
    GA_Index pointIndex(GA_Offset offset) const;
    GA_Offset appendPoint() { return appendPointBlock(1); }
    GA_Offset appendPointBlock(GA_Size count);
    enum GA_DestroyPointMode { GA_LEAVE_PRIMITIVES, GA_DESTROY_DEGENERATE };
    /// Primitives on these points must be deleted first, or together with GA_DESTROY_DEGENERATE.
    GA_Size destroyPointOffsets(const GA_Range& points,
                                GA_DestroyPointMode mode = GA_LEAVE_PRIMITIVES);
    UT_Vector3 getPos3(GA_Offset offset) const;
    void setPos3(GA_Offset offset, const UT_Vector3& position);
    GA_Range getPointRange() const;

    // Attributes.
    GA_Attribute* getP() { return findAttribute(GA_ATTRIB_POINT, "P"); }
    const GA_Attribute* getP() const { return findAttribute(GA_ATTRIB_POINT, "P"); }
    GA_Attribute* findAttribute(GA_AttributeOwner owner, const UT_StringRef& name);
    const GA_Attribute* findAttribute(GA_AttributeOwner owner, const UT_StringRef& name) const;
    GA_Attribute* findPointAttribute(const UT_StringRef& name) {
        return findAttribute(GA_ATTRIB_POINT, name);
    }
    const GA_Attribute* findPointAttribute(const UT_StringRef& name) const {
        return findAttribute(GA_ATTRIB_POINT, name);
    }
    /// As in Houdini, an existing attribute of another type or size is replaced.
    GA_Attribute* addTuple(GA_Storage storage, GA_AttributeOwner owner, const UT_StringHolder& name,
                           int tuple_size, const GA_Defaults& defaults = GA_Defaults(0.0f));
    GA_Attribute* addFloatTuple(GA_AttributeOwner owner, const UT_StringHolder& name,
                                int tuple_size, const GA_Defaults& defaults = GA_Defaults(0.0f)) {
        return addTuple(GA_STORE_REAL32, owner, name, tuple_size, defaults);
    }
    GA_Attribute* addIntTuple(GA_AttributeOwner owner, const UT_StringHolder& name, int tuple_size,
                              const GA_Defaults& defaults = GA_Defaults(0)) {
        return addTuple(GA_STORE_INT32, owner, name, tuple_size, defaults);
    }
    GA_Attribute* addIntArray(GA_AttributeOwner owner, const UT_StringHolder& name,
                              int tuple_size = 1, const UT_Options* creation_args = nullptr,
                              const GA_AttributeOptions* attribute_options = nullptr,
                              GA_Storage storage = GA_STORE_INT32);
    GA_Attribute* addStringTuple(GA_AttributeOwner owner, const UT_StringHolder& name,
                                 int tuple_size);
    bool destroyAttribute(GA_AttributeOwner owner, const UT_StringRef& name);
    void bumpDataIdsForAddOrRemove(bool points, bool vertices, bool primitives);
    void bumpAllDataIds();

    // Groups.
    GA_PointGroup* newPointGroup(const UT_StringHolder& name);

    // Primitives.
    GA_Size getNumPrimitives() const;
    GA_Primitive* getPrimitive(GA_Offset offset);
    const GA_Primitive* getPrimitive(GA_Offset offset) const;
    bool destroyPrimitive(GA_Primitive& primitive, bool and_points = false);

    void clearAndDestroy();
    /// Copies the geometry with the same offsets, including holes.
    void replaceWith(const GA_Detail& source);

    // ---- not in the HDK ----
    bool standin_holds(GA_AttributeOwner owner, GA_Offset offset) const;
    GA_DataId standin_next_data_id() { return ++m_last_data_id; }
    GA_DataId standin_topology_id() const { return m_topology_id; }
    void standin_destroy_point(GA_Offset offset);
    std::size_t standin_group_count() const { return m_groups.size(); }
    GA_Primitive& standin_add_primitive(std::unique_ptr<GA_Primitive> primitive);
    const std::vector<GA_Offset>& standin_order() const { return m_order; }
    std::vector<GA_Offset> standin_primitives() const;
    template <class Visit> void standin_each_attribute(const Visit& visit) const {
        for (const auto& [key, attribute] : m_attributes) visit(*attribute);
    }

private:
    using Key = std::pair<GA_AttributeOwner, std::string>;
    GA_Attribute* add(standin::Kind kind, GA_Storage storage, GA_AttributeOwner owner,
                      const UT_StringHolder& name, int width, const GA_Defaults& defaults);

    std::vector<bool> m_used;       ///< By offset
    std::vector<GA_Offset> m_order; ///< By index
    std::map<Key, std::shared_ptr<GA_Attribute>> m_attributes;
    std::map<std::string, std::unique_ptr<GA_PointGroup>> m_groups;
    std::vector<std::unique_ptr<GA_Primitive>> m_primitives; ///< By offset; holes are null
    GA_DataId m_last_data_id = 0;
    GA_DataId m_topology_id = 0;
};

#define GA_FOR_ALL_PTOFF(gdp, ptoff)                                                               \
    for (GA_Index standin_index = 0; standin_index < (gdp)->getNumPoints() &&                      \
                                     ((ptoff) = (gdp)->pointOffset(standin_index), true);          \
         ++standin_index)
