// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: geometry.
#include "GU/GU_Detail.h"

#include <algorithm>
#include <cstring>

using standin::Kind;

// ---- attributes --------------------------------------------------------------------------------

int GA_AIFTuple::getTupleSize(const GA_Attribute* attribute) const {
    return attribute->getTupleSize();
}
GA_Storage GA_AIFTuple::getStorage(const GA_Attribute* attribute) const {
    return attribute->standin_storage();
}

namespace {

/// Calls action(a number of this storage type).
template <class Action> decltype(auto) with_number(GA_Storage storage, const Action& action) {
    switch (storage) {
    case GA_STORE_INT32: return action(int32());
    case GA_STORE_INT64: return action(int64());
    case GA_STORE_REAL32: return action(fpreal32());
    default: return action(fpreal64());
    }
}

} // namespace

GA_Attribute::GA_Attribute(GA_Detail& detail, GA_AttributeOwner owner, UT_StringHolder name,
                           Kind kind, GA_Storage storage, int width, const GA_Defaults& defaults)
    : m_detail(&detail), m_owner(owner), m_name(std::move(name)), m_kind(kind), m_storage(storage),
      m_width(width), m_defaults(defaults) {
    if (kind == Kind::numbers) standin::bytes_of(storage);
    bumpDataId();
}

void GA_Attribute::bumpDataId() {
    m_data_id = m_detail->standin_next_data_id();
}

void GA_Attribute::check(GA_Offset offset, int component) const {
    if (!m_detail->standin_holds(m_owner, offset))
        standin::fail("offset " + std::to_string(offset) + " of '" + m_name.c_str() +
                      "' holds no element");
    if (component < 0 || component >= m_width)
        standin::fail("component " + std::to_string(component) + " of '" + m_name.c_str() + "'");
}

void GA_Attribute::fill(Page& page) const {
    const auto count = static_cast<std::size_t>(GA_PAGE_SIZE);
    const auto width = static_cast<std::size_t>(m_width);
    if (m_kind == Kind::arrays) page.arrays.resize(count);
    if (m_kind == Kind::text) page.text.resize(count * width);
    if (m_kind != Kind::numbers) return;
    const std::size_t bytes = standin::bytes_of(m_storage);
    page.numbers.resize(count * width * bytes);
    for (std::size_t i = 0; i < count * width; ++i)
        with_number(m_storage, [&](auto number) {
            number = static_cast<decltype(number)>(m_defaults.standin_at(int(i % width)));
            std::memcpy(&page.numbers[i * bytes], &number, bytes);
        });
}

GA_Attribute::Page& GA_Attribute::page_to_write(GA_Offset offset) {
    const auto number = static_cast<std::size_t>(offset >> GA_PAGE_BITS);
    if (m_pages.size() <= number) m_pages.resize(number + 1);
    std::shared_ptr<Page>& page = m_pages[number];
    if (!page) {
        page = std::make_shared<Page>();
        fill(*page);
    } else if (page.use_count() > 1) {
        page = std::make_shared<Page>(*page);
    }
    return *page;
}

const GA_Attribute::Page* GA_Attribute::page_to_read(GA_Offset offset) const {
    const auto number = static_cast<std::size_t>(offset >> GA_PAGE_BITS);
    return number < m_pages.size() ? m_pages[number].get() : nullptr;
}

template <class T> T GA_Attribute::standin_get(GA_Offset offset, int component) const {
    check(offset, component);
    const Page* page = page_to_read(offset);
    if (page == nullptr) return static_cast<T>(m_defaults.standin_at(component));
    const std::size_t bytes = standin::bytes_of(m_storage);
    const auto place =
        static_cast<std::size_t>(offset & GA_PAGE_MASK) * static_cast<std::size_t>(m_width) +
        static_cast<std::size_t>(component);
    return with_number(m_storage, [&](auto number) {
        std::memcpy(&number, &page->numbers[place * bytes], bytes);
        return static_cast<T>(number);
    });
}

template <class T> void GA_Attribute::standin_set(GA_Offset offset, int component, T value) {
    check(offset, component);
    Page& page = page_to_write(offset);
    const std::size_t bytes = standin::bytes_of(m_storage);
    const auto place =
        static_cast<std::size_t>(offset & GA_PAGE_MASK) * static_cast<std::size_t>(m_width) +
        static_cast<std::size_t>(component);
    with_number(m_storage, [&](auto number) {
        number = static_cast<decltype(number)>(value);
        std::memcpy(&page.numbers[place * bytes], &number, bytes);
    });
}

template int32 GA_Attribute::standin_get(GA_Offset, int) const;
template int64 GA_Attribute::standin_get(GA_Offset, int) const;
template fpreal32 GA_Attribute::standin_get(GA_Offset, int) const;
template fpreal64 GA_Attribute::standin_get(GA_Offset, int) const;
template void GA_Attribute::standin_set(GA_Offset, int, int32);
template void GA_Attribute::standin_set(GA_Offset, int, int64);
template void GA_Attribute::standin_set(GA_Offset, int, fpreal32);
template void GA_Attribute::standin_set(GA_Offset, int, fpreal64);

const std::vector<int64>& GA_Attribute::standin_array(GA_Offset offset) const {
    static const std::vector<int64> none;
    check(offset, 0);
    const Page* page = page_to_read(offset);
    return page == nullptr ? none : page->arrays[static_cast<std::size_t>(offset & GA_PAGE_MASK)];
}

void GA_Attribute::standin_set_array(GA_Offset offset, std::vector<int64> values) {
    check(offset, 0);
    if (m_storage == GA_STORE_INT32)
        for (int64& value : values) value = static_cast<int32>(value);
    page_to_write(offset).arrays[static_cast<std::size_t>(offset & GA_PAGE_MASK)] =
        std::move(values);
}

const std::string& GA_Attribute::standin_text(GA_Offset offset) const {
    static const std::string none;
    check(offset, 0);
    const Page* page = page_to_read(offset);
    return page == nullptr ? none : page->text[static_cast<std::size_t>(offset & GA_PAGE_MASK)];
}

void GA_Attribute::standin_set_text(GA_Offset offset, std::string value) {
    check(offset, 0);
    page_to_write(offset).text[static_cast<std::size_t>(offset & GA_PAGE_MASK)] = std::move(value);
}

void GA_Attribute::standin_reset(GA_Offset offset) {
    if (page_to_read(offset) == nullptr) return;
    if (m_kind == Kind::arrays) standin_set_array(offset, {});
    if (m_kind == Kind::text) standin_set_text(offset, "");
    if (m_kind == Kind::numbers)
        for (int k = 0; k < m_width; ++k)
            standin_set<fpreal64>(offset, k, m_defaults.standin_at(k));
}

std::shared_ptr<GA_Attribute> GA_Attribute::standin_copy(GA_Detail& detail) const {
    auto copy = std::make_shared<GA_Attribute>(detail, m_owner, m_name, m_kind, m_storage, m_width,
                                               m_defaults);
    copy->m_options = m_options;
    copy->m_data_id = m_data_id;
    copy->m_pages = m_pages;
    return copy;
}

// ---- details -----------------------------------------------------------------------------------

UT_Vector3 GA_Primitive::getPos3(GA_Size i) const {
    return getDetail().getPos3(getPointOffset(i));
}

GA_Range::GA_Range(const GA_ElementGroup& group)
    : m_offsets(group.standin_offsets().begin(), group.standin_offsets().end()) {}

GA_Detail::GA_Detail() {
    addFloatTuple(GA_ATTRIB_POINT, "P", 3);
}

bool GA_Detail::standin_holds(GA_AttributeOwner owner, GA_Offset offset) const {
    const auto i = static_cast<std::size_t>(offset);
    switch (owner) {
    case GA_ATTRIB_POINT: return offset >= 0 && i < m_used.size() && m_used[i];
    case GA_ATTRIB_PRIMITIVE: return offset >= 0 && i < m_primitives.size() && m_primitives[i];
    default: return offset == GA_DETAIL_OFFSET;
    }
}

GA_Offset GA_Detail::pointOffset(GA_Index index) const {
    if (index < 0 || index >= getNumPoints())
        standin::fail("there is no point " + std::to_string(index));
    return m_order[static_cast<std::size_t>(index)];
}

GA_Index GA_Detail::pointIndex(GA_Offset offset) const {
    const auto found = std::find(m_order.begin(), m_order.end(), offset);
    return found == m_order.end() ? GA_INVALID_INDEX : found - m_order.begin();
}

GA_Offset GA_Detail::appendPointBlock(GA_Size count) {
    const auto first = static_cast<GA_Offset>(m_used.size());
    for (GA_Size i = 0; i < count; ++i) {
        m_used.push_back(true);
        m_order.push_back(first + i);
    }
    for (auto& [key, attribute] : m_attributes)
        if (key.first == GA_ATTRIB_POINT)
            for (GA_Size i = 0; i < count; ++i) attribute->standin_reset(first + i);
    return first;
}

void GA_Detail::standin_destroy_point(GA_Offset offset) {
    if (!standin_holds(GA_ATTRIB_POINT, offset)) standin::fail("a point is deleted twice");
    m_used[static_cast<std::size_t>(offset)] = false;
    for (auto& [name, group] : m_groups) group->removeOffset(offset);
}

GA_Size GA_Detail::destroyPointOffsets(const GA_Range& points, GA_DestroyPointMode mode) {
    for (const GA_Offset offset : points.standin_offsets())
        for (std::size_t p = 0; p < m_primitives.size(); ++p) {
            if (!m_primitives[p]) continue;
            std::vector<GA_Offset>& corners = m_primitives[p]->standin_points();
            if (std::count(corners.begin(), corners.end(), offset) == 0) continue;
            if (mode == GA_LEAVE_PRIMITIVES) standin::fail("a primitive still uses the point");
            m_primitives[p].reset();
        }
    const std::vector<GA_Offset> offsets = points.standin_offsets();
    for (const GA_Offset offset : offsets) standin_destroy_point(offset);
    m_order.erase(
        std::remove_if(m_order.begin(), m_order.end(),
                       [&](GA_Offset offset) { return !m_used[static_cast<std::size_t>(offset)]; }),
        m_order.end());
    return static_cast<GA_Size>(offsets.size());
}

UT_Vector3 GA_Detail::getPos3(GA_Offset offset) const {
    return GA_ROHandleV3(getP()).get(offset);
}

void GA_Detail::setPos3(GA_Offset offset, const UT_Vector3& position) {
    GA_RWHandleV3(getP()).set(offset, position);
}

GA_Range GA_Detail::getPointRange() const {
    struct All : GA_Range {
        explicit All(const std::vector<GA_Offset>& offsets) { m_offsets = offsets; }
    };
    return All(m_order);
}

GA_Attribute* GA_Detail::findAttribute(GA_AttributeOwner owner, const UT_StringRef& name) {
    const auto found = m_attributes.find({owner, name.c_str()});
    return found == m_attributes.end() ? nullptr : found->second.get();
}

const GA_Attribute* GA_Detail::findAttribute(GA_AttributeOwner owner,
                                             const UT_StringRef& name) const {
    return const_cast<GA_Detail*>(this)->findAttribute(owner, name);
}

GA_Attribute* GA_Detail::add(Kind kind, GA_Storage storage, GA_AttributeOwner owner,
                             const UT_StringHolder& name, int width, const GA_Defaults& defaults) {
    std::shared_ptr<GA_Attribute>& slot = m_attributes[{owner, name.c_str()}];
    const bool same = slot && slot->standin_kind() == kind && slot->standin_storage() == storage &&
                      slot->getTupleSize() == width;
    if (!same)
        slot = std::make_shared<GA_Attribute>(*this, owner, name, kind, storage, width, defaults);
    return slot.get();
}

GA_Attribute* GA_Detail::addTuple(GA_Storage storage, GA_AttributeOwner owner,
                                  const UT_StringHolder& name, int tuple_size,
                                  const GA_Defaults& defaults) {
    return add(Kind::numbers, storage, owner, name, tuple_size, defaults);
}

GA_Attribute* GA_Detail::addIntArray(GA_AttributeOwner owner, const UT_StringHolder& name,
                                     int tuple_size, const UT_Options*, const GA_AttributeOptions*,
                                     GA_Storage storage) {
    return add(Kind::arrays, storage, owner, name, tuple_size, GA_Defaults(0));
}

GA_Attribute* GA_Detail::addStringTuple(GA_AttributeOwner owner, const UT_StringHolder& name,
                                        int tuple_size) {
    return add(Kind::text, GA_STORE_STRING, owner, name, tuple_size, GA_Defaults(0));
}

bool GA_Detail::destroyAttribute(GA_AttributeOwner owner, const UT_StringRef& name) {
    return m_attributes.erase({owner, name.c_str()}) != 0;
}

void GA_Detail::bumpDataIdsForAddOrRemove(bool points, bool /*vertices*/, bool primitives) {
    for (auto& [key, attribute] : m_attributes)
        if ((key.first == GA_ATTRIB_POINT && points) ||
            (key.first == GA_ATTRIB_PRIMITIVE && primitives))
            attribute->bumpDataId();
    m_topology_id = standin_next_data_id();
}

void GA_Detail::bumpAllDataIds() {
    bumpDataIdsForAddOrRemove(true, true, true);
    for (auto& [key, attribute] : m_attributes)
        if (key.first == GA_ATTRIB_DETAIL) attribute->bumpDataId();
}

GA_PointGroup* GA_Detail::newPointGroup(const UT_StringHolder& name) {
    auto& slot = m_groups[name.c_str()];
    slot = std::make_unique<GA_PointGroup>(*this);
    return slot.get();
}

std::vector<GA_Offset> GA_Detail::standin_primitives() const {
    std::vector<GA_Offset> offsets;
    for (std::size_t i = 0; i < m_primitives.size(); ++i)
        if (m_primitives[i]) offsets.push_back(static_cast<GA_Offset>(i));
    return offsets;
}

GA_Size GA_Detail::getNumPrimitives() const {
    return static_cast<GA_Size>(standin_primitives().size());
}

GA_Primitive* GA_Detail::getPrimitive(GA_Offset offset) {
    return standin_holds(GA_ATTRIB_PRIMITIVE, offset)
               ? m_primitives[static_cast<std::size_t>(offset)].get()
               : nullptr;
}

const GA_Primitive* GA_Detail::getPrimitive(GA_Offset offset) const {
    return const_cast<GA_Detail*>(this)->getPrimitive(offset);
}

GA_Primitive& GA_Detail::standin_add_primitive(std::unique_ptr<GA_Primitive> primitive) {
    primitive->standin_join(*this, static_cast<GA_Offset>(m_primitives.size()));
    m_primitives.push_back(std::move(primitive));
    const GA_Offset offset = m_primitives.back()->getMapOffset();
    for (auto& [key, attribute] : m_attributes)
        if (key.first == GA_ATTRIB_PRIMITIVE) attribute->standin_reset(offset);
    return *m_primitives.back();
}

bool GA_Detail::destroyPrimitive(GA_Primitive& primitive, bool and_points) {
    if (and_points) standin::fail("deleting points with primitives is not in the stand-in");
    m_primitives.at(static_cast<std::size_t>(primitive.getMapOffset())).reset();
    return true;
}

void GA_Detail::clearAndDestroy() {
    m_used.clear();
    m_order.clear();
    m_primitives.clear();
    m_groups.clear();
    m_attributes.clear();
    addFloatTuple(GA_ATTRIB_POINT, "P", 3);
}

void GA_Detail::replaceWith(const GA_Detail& source) {
    if (&source == this) return;
    m_used = source.m_used;
    m_order = source.m_order;
    m_attributes.clear();
    for (const auto& [key, attribute] : source.m_attributes)
        m_attributes[key] = attribute->standin_copy(*this);
    m_groups.clear();
    for (const auto& [name, group] : source.m_groups)
        m_groups[name] = std::make_unique<GA_PointGroup>(*group);
    m_primitives.clear();
    for (const auto& primitive : source.m_primitives) {
        m_primitives.push_back(primitive ? primitive->standin_copy() : nullptr);
        if (primitive)
            m_primitives.back()->standin_join(*this,
                                              static_cast<GA_Offset>(m_primitives.size() - 1));
    }
    m_last_data_id = source.m_last_data_id;
    m_topology_id = source.m_topology_id;
}
