// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: the signed distance of an object's geometry.
#pragma once

#include "GU/GU_SDF.h"
#include "SIM/SIM_DataUtils.h"

class SIM_SDF : public SIM_Data {
public:
    const GU_SDF& getSDF() const { return m_sdf; }
    GU_SDF& standin_sdf() { return m_sdf; }

    DECLARE_DATAFACTORY(SIM_SDF, SIM_Data, "SDF Representation", nullptr);

protected:
    explicit SIM_SDF(const SIM_DataFactory* factory) : BaseClass(factory) {}
    void makeEqualSubclass(const SIM_Data* source) override;

private:
    GU_SDF m_sdf;
};
