// Stand-in for tests: typed access to an attribute. A handle on an attribute of another type, or
// with too few components, is invalid; so is one whose attribute is gone, and using it fails.
#pragma once

#include "GA/GA_Attribute.h"
#include "GA/GA_Detail.h"
#include "UT/UT_IntArray.h"
#include "UT/UT_Vector3.h"

#include <type_traits>

namespace standin {

/// How a handle's type lies in a tuple.
template <class T> struct HandleTraits {
    using Scalar = T;
    static constexpr int width = 1;
    static T get(const GA_Attribute& a, GA_Offset off, int comp) {
        return a.standin_get<T>(off, comp);
    }
    static void set(GA_Attribute& a, GA_Offset off, int comp, const T& value) {
        a.standin_set<T>(off, comp, value);
    }
};
template <class T> struct HandleTraits<UT_Vector3T<T>> {
    using Scalar = T;
    static constexpr int width = 3;
    static UT_Vector3T<T> get(const GA_Attribute& a, GA_Offset off, int comp) {
        return {a.standin_get<T>(off, 3 * comp), a.standin_get<T>(off, 3 * comp + 1),
                a.standin_get<T>(off, 3 * comp + 2)};
    }
    static void set(GA_Attribute& a, GA_Offset off, int comp, const UT_Vector3T<T>& value) {
        for (unsigned k = 0; k < 3; ++k) a.standin_set<T>(off, 3 * comp + int(k), value(k));
    }
};

template <class Attribute> class HandleBase {
public:
    bool isValid() const { return m_attribute != nullptr && !m_life.expired(); }
    bool isInvalid() const { return !isValid(); }
    void clear() { m_attribute = nullptr; }

protected:
    Attribute& attribute() const {
        if (m_attribute == nullptr) fail("an invalid handle is used");
        if (m_life.expired()) fail("a handle outlived its attribute");
        return *m_attribute;
    }
    void hold(Attribute* attribute) {
        m_attribute = attribute;
        if (attribute != nullptr) m_life = attribute->standin_life();
    }

    Attribute* m_attribute = nullptr;
    std::weak_ptr<int> m_life;
};

template <class T, class Attribute> class Handle : public HandleBase<Attribute> {
public:
    using Traits = HandleTraits<T>;
    Handle() = default;
    Handle(Attribute* attribute) { bind(attribute); }
    template <class Detail>
    Handle(Detail* gdp, GA_AttributeOwner owner, const UT_StringRef& name, int minsize = 1) {
        bind(gdp->findAttribute(owner, name), minsize);
    }
    void bind(Attribute* attribute, int minsize = 1) {
        constexpr bool real = std::is_floating_point_v<typename Traits::Scalar>;
        const bool fits = attribute != nullptr && attribute->standin_kind() == Kind::numbers &&
                          is_real(attribute->standin_storage()) == real &&
                          attribute->getTupleSize() >= minsize * Traits::width;
        this->hold(fits ? attribute : nullptr);
    }
    Attribute* getAttribute() const { return this->m_attribute; }
    T get(GA_Offset offset, int component = 0) const {
        return Traits::get(this->attribute(), offset, component);
    }
};

} // namespace standin

template <class T, class = void>
class GA_ROHandleT : public standin::Handle<T, const GA_Attribute> {
public:
    using standin::Handle<T, const GA_Attribute>::Handle;
};

template <class T, class = void> class GA_RWHandleT : public standin::Handle<T, GA_Attribute> {
public:
    using standin::Handle<T, GA_Attribute>::Handle;
    void set(GA_Offset offset, const T& value) const { set(offset, 0, value); }
    void set(GA_Offset offset, int component, const T& value) const {
        standin::HandleTraits<T>::set(this->attribute(), offset, component, value);
    }
    void bumpDataId() const { this->attribute().bumpDataId(); }
};

/// Arrays of whole numbers.
template <> class GA_ROHandleT<UT_Int64Array> : public standin::HandleBase<const GA_Attribute> {
public:
    GA_ROHandleT() = default;
    GA_ROHandleT(const GA_Attribute* attribute) {
        const bool fits =
            attribute != nullptr && attribute->standin_kind() == standin::Kind::arrays;
        hold(fits ? attribute : nullptr);
    }
    void get(GA_Offset offset, UT_Int64Array& value) const {
        value.clear();
        for (const int64 item : attribute().standin_array(offset)) value.append(item);
    }
};
template <> class GA_RWHandleT<UT_Int64Array> : public standin::HandleBase<GA_Attribute> {
public:
    GA_RWHandleT() = default;
    GA_RWHandleT(GA_Attribute* attribute) {
        const bool fits =
            attribute != nullptr && attribute->standin_kind() == standin::Kind::arrays;
        hold(fits ? attribute : nullptr);
    }
    void set(GA_Offset offset, const UT_Int64Array& value) const {
        attribute().standin_set_array(offset, {value.begin(), value.end()});
    }
    void bumpDataId() const { attribute().bumpDataId(); }
};

/// Text.
template <> class GA_ROHandleT<UT_StringHolder> : public standin::HandleBase<const GA_Attribute> {
public:
    GA_ROHandleT() = default;
    GA_ROHandleT(const GA_Attribute* attribute) {
        const bool fits = attribute != nullptr && attribute->standin_kind() == standin::Kind::text;
        hold(fits ? attribute : nullptr);
    }
    UT_StringHolder get(GA_Offset offset) const { return attribute().standin_text(offset); }
};
template <> class GA_RWHandleT<UT_StringHolder> : public standin::HandleBase<GA_Attribute> {
public:
    GA_RWHandleT() = default;
    GA_RWHandleT(GA_Attribute* attribute) {
        const bool fits = attribute != nullptr && attribute->standin_kind() == standin::Kind::text;
        hold(fits ? attribute : nullptr);
    }
    void set(GA_Offset offset, const UT_StringHolder& value) const {
        attribute().standin_set_text(offset, value.c_str());
    }
    void bumpDataId() const { attribute().bumpDataId(); }
};

using GA_ROHandleF = GA_ROHandleT<fpreal32>;
using GA_RWHandleF = GA_RWHandleT<fpreal32>;
using GA_ROHandleD = GA_ROHandleT<fpreal64>;
using GA_RWHandleD = GA_RWHandleT<fpreal64>;
using GA_ROHandleI = GA_ROHandleT<int32>;
using GA_RWHandleI = GA_RWHandleT<int32>;
using GA_ROHandleID = GA_ROHandleT<int64>;
using GA_RWHandleID = GA_RWHandleT<int64>;
using GA_ROHandleV3 = GA_ROHandleT<UT_Vector3>;
using GA_RWHandleV3 = GA_RWHandleT<UT_Vector3>;
using GA_ROHandleV3D = GA_ROHandleT<UT_Vector3D>;
using GA_RWHandleV3D = GA_RWHandleT<UT_Vector3D>;
using GA_ROHandleS = GA_ROHandleT<UT_StringHolder>;
using GA_RWHandleS = GA_RWHandleT<UT_StringHolder>;
