// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: shared geometry.
#pragma once

#include "GU/GU_Detail.h"

#include <memory>

class GU_DetailHandle {
public:
    void allocateAndSet(GU_Detail* gdp, bool own = true) {
        if (own)
            m_gdp.reset(gdp);
        else
            m_gdp = std::shared_ptr<GU_Detail>(gdp, [](GU_Detail*) {});
    }
    bool isValid() const { return m_gdp != nullptr; }
    bool isNull() const { return m_gdp == nullptr; }
    GU_Detail* gdpNC() const { return m_gdp.get(); }
    const GU_Detail* gdp() const { return m_gdp.get(); }
    void standin_clear() { m_gdp.reset(); }

private:
    std::shared_ptr<GU_Detail> m_gdp;
};

using GU_ConstDetailHandle = GU_DetailHandle;
