// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: geometry that a solver may change, between lock and release.
#pragma once

#include "SIM/SIM_Geometry.h"

enum SIM_DataIdStrategy { SIM_DATA_ID_BUMP = 0, SIM_DATA_ID_PRESERVE = 1 };

class SIM_GeometryCopy : public SIM_Geometry {
public:
    GU_DetailHandle lockGeometry();
    void releaseGeometry(SIM_DataIdStrategy strategy = SIM_DATA_ID_BUMP);

    DECLARE_DATAFACTORY(SIM_GeometryCopy, SIM_Geometry, "SIM_GeometryCopy", nullptr);

protected:
    explicit SIM_GeometryCopy(const SIM_DataFactory* factory) : BaseClass(factory) {}
};

class SIM_GeometryAutoWriteLock {
public:
    explicit SIM_GeometryAutoWriteLock(SIM_GeometryCopy* geometry,
                                       SIM_DataIdStrategy strategy = SIM_DATA_ID_BUMP)
        : m_geometry(geometry), m_strategy(strategy), m_handle(geometry->lockGeometry()) {}
    ~SIM_GeometryAutoWriteLock() { m_geometry->releaseGeometry(m_strategy); }
    SIM_GeometryAutoWriteLock(const SIM_GeometryAutoWriteLock&) = delete;
    SIM_GeometryAutoWriteLock& operator=(const SIM_GeometryAutoWriteLock&) = delete;
    GU_Detail& getGdp() { return *m_handle.gdpNC(); }

private:
    SIM_GeometryCopy* m_geometry;
    SIM_DataIdStrategy m_strategy;
    GU_DetailHandle m_handle;
};
