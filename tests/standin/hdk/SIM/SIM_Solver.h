// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests.
#pragma once

#include "SIM/SIM_DataUtils.h"
#include "SIM/SIM_Object.h"

class SIM_Solver : public SIM_Data {
public:
    bool standin_is(const std::string& type) const override {
        return type == "SIM_Solver" || SIM_Data::standin_is(type);
    }

protected:
    explicit SIM_Solver(const SIM_DataFactory* factory) : SIM_Data(factory) {}
};
