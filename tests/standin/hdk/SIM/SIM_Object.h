// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: an object of a simulation.
#pragma once

#include "SIM/SIM_DataUtils.h"
#include "UT/UT_String.h"

class SIM_Engine;
class SIM_Geometry;
class SIM_Object;
class SIM_PhysicalParms;
class SIM_Position;

/// As in Houdini, sorted and without duplicates.
template <class T> class SIM_PtrArraySorted {
public:
    exint entries() const { return static_cast<exint>(m_items.size()); }
    T operator()(int i) const { return m_items.at(static_cast<std::size_t>(i)); }
    void standin_insert(std::size_t i, T item) {
        m_items.insert(m_items.begin() + static_cast<std::ptrdiff_t>(i), item);
    }

private:
    std::vector<T> m_items;
};

class SIM_ConstObjectArray : public SIM_PtrArraySorted<const SIM_Object*> {
public:
    void standin_add(const SIM_Object* object);
};

class SIM_RootData : public SIM_Data {
public:
    const UT_String& getName() const { return m_name; }

protected:
    explicit SIM_RootData(const SIM_DataFactory* factory) : SIM_Data(factory) {}
    UT_String m_name;
};

class SIM_Object : public SIM_RootData {
public:
    int getObjectId() const { return m_id; }
    void setName(const char* name) { m_name.standin_text = name; }
    void getConstAffectors(SIM_ConstObjectArray& affectors, const char* relationship) const;
    const SIM_Geometry* getGeometry() const;
    const SIM_Position* getPosition() const;
    const SIM_PhysicalParms* getPhysicalParms() const;

    void standin_place(SIM_Engine& engine, int id) {
        m_engine = &engine;
        m_id = id;
    }

    DECLARE_DATAFACTORY(SIM_Object, SIM_RootData, "Object", nullptr);

protected:
    explicit SIM_Object(const SIM_DataFactory* factory) : BaseClass(factory) {}
    void makeEqualSubclass(const SIM_Data* source) override;
    void standin_save_own(std::ostream& stream) const override;
    void standin_load_own(std::istream& stream) override;

private:
    SIM_Engine* m_engine = nullptr;
    int m_id = -1;
};
