// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: a name with data below it.
#pragma once

#include "SIM/SIM_DataUtils.h"

class SIM_EmptyData : public SIM_Data {
public:
    DECLARE_DATAFACTORY(SIM_EmptyData, SIM_Data, "Empty Data", nullptr);

protected:
    explicit SIM_EmptyData(const SIM_DataFactory* factory) : BaseClass(factory) {}
};
