// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: geometry of an object.
#pragma once

#include "GU/GU_DetailHandle.h"
#include "SIM/SIM_DataUtils.h"
#include "UT/UT_DMatrix4.h"

class SIM_Geometry : public SIM_Data {
public:
    GU_ConstDetailHandle getGeometry() const { return m_geometry; }
    void getTransform(UT_DMatrix4& xform) const { xform = m_transform; }
    void standin_set_transform(const UT_DMatrix4& xform) { m_transform = xform; }
    int standin_locks() const { return m_locks; }

    DECLARE_DATAFACTORY(SIM_Geometry, SIM_Data, "Geometry", nullptr);

protected:
    explicit SIM_Geometry(const SIM_DataFactory* factory) : BaseClass(factory) {}
    void makeEqualSubclass(const SIM_Data* source) override;
    void standin_save_own(std::ostream& stream) const override;
    void standin_load_own(std::istream& stream) override;

    GU_DetailHandle m_geometry;
    UT_DMatrix4 m_transform{1.0};
    int m_locks = 0;
};

class SIM_GeometryAutoReadLock {
public:
    explicit SIM_GeometryAutoReadLock(const SIM_Geometry* geometry)
        : m_handle(geometry == nullptr ? GU_ConstDetailHandle() : geometry->getGeometry()) {}
    const GU_Detail* getGdp() const { return m_handle.gdp(); }

private:
    GU_ConstDetailHandle m_handle;
};
