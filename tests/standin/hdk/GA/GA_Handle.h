// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: typed access to an attribute. A handle is invalid if its attribute has
// another type or too few components, or is gone; using an invalid handle fails the test.
#pragma once

#include "GA/GA_Attribute.h"
#include "GA/GA_Detail.h"
#include "UT/UT_IntArray.h"
#include "UT/UT_Vector3.h"

#include <type_traits>

namespace standin {

/// How the type of a handle is laid out in a tuple.
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
        for (unsigned k = 0; k < 3; ++k)
            a.standin_set<T>(off, 3 * comp + int(k), value.standin_at(k));
    }
};

/// The attribute of a handle, and whether it still exists.
template <class Attribute> class HandleBase {
public:
    Attribute& attribute() const {
        if (m_attribute == nullptr) fail("an invalid handle is used");
        if (m_life.expired()) fail("a handle outlived its attribute");
        return *m_attribute;
    }
    bool valid() const { return m_attribute != nullptr && !m_life.expired(); }

protected:
    void hold(Attribute* attribute) {
        m_attribute = attribute;
        if (attribute != nullptr) m_life = attribute->standin_life();
    }

private:
    Attribute* m_attribute = nullptr;
    std::weak_ptr<int> m_life;
};

/// Handle on numbers: valid for the same class of numbers and enough components.
template <class T, class Attribute> class NumberHandle : public HandleBase<Attribute> {
protected:
    void bind(Attribute* attribute) {
        using Traits = HandleTraits<T>;
        constexpr bool real = std::is_floating_point_v<typename Traits::Scalar>;
        const bool fits = attribute != nullptr && attribute->standin_kind() == Kind::numbers &&
                          is_real(attribute->standin_storage()) == real &&
                          attribute->getTupleSize() >= Traits::width;
        this->hold(fits ? attribute : nullptr);
    }
};

/// Handle on arrays of integers.
template <class Attribute> class ArrayHandle : public HandleBase<Attribute> {
protected:
    void bind(Attribute* attribute) {
        const bool fits = attribute != nullptr && attribute->standin_kind() == Kind::arrays;
        this->hold(fits ? attribute : nullptr);
    }
};

} // namespace standin

template <class T> class GA_ROHandleT : public standin::NumberHandle<T, const GA_Attribute> {
public:
    GA_ROHandleT(const GA_Attribute* attribute) { this->bind(attribute); }
    bool isValid() const { return this->valid(); }
    T get(GA_Offset offset, int component = 0) const {
        return standin::HandleTraits<T>::get(this->attribute(), offset, component);
    }
};

template <class T> class GA_RWHandleT : public standin::NumberHandle<T, GA_Attribute> {
public:
    GA_RWHandleT(GA_Attribute* attribute) { this->bind(attribute); }
    bool isValid() const { return this->valid(); }
    T get(GA_Offset offset, int component = 0) const {
        return standin::HandleTraits<T>::get(this->attribute(), offset, component);
    }
    void set(GA_Offset offset, const T& value) const { set(offset, 0, value); }
    void set(GA_Offset offset, int component, const T& value) const {
        standin::HandleTraits<T>::set(this->attribute(), offset, component, value);
    }
    void bumpDataId() const { this->attribute().bumpDataId(); }
};

template <> class GA_ROHandleT<UT_Int64Array> : public standin::ArrayHandle<const GA_Attribute> {
public:
    GA_ROHandleT(const GA_Attribute* attribute) { bind(attribute); }
    bool isValid() const { return valid(); }
    void get(GA_Offset offset, UT_Int64Array& value) const {
        value.setSize(0);
        for (const int64 item : attribute().standin_array(offset)) value.append(item);
    }
};

template <> class GA_RWHandleT<UT_Int64Array> : public standin::ArrayHandle<GA_Attribute> {
public:
    GA_RWHandleT(GA_Attribute* attribute) { bind(attribute); }
    bool isValid() const { return valid(); }
    void set(GA_Offset offset, const UT_Int64Array& value) const {
        attribute().standin_set_array(offset, value.standin_items());
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
