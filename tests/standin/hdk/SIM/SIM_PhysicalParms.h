// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: friction and the like.
#pragma once

#include "SIM/SIM_DataUtils.h"
#include "SIM/SIM_OptionsUser.h"

class SIM_PhysicalParms : public SIM_Data, public SIM_OptionsUser {
public:
    DECLARE_DATAFACTORY(SIM_PhysicalParms, SIM_Data, "Physical Parameters", nullptr);

protected:
    explicit SIM_PhysicalParms(const SIM_DataFactory* factory)
        : BaseClass(factory), SIM_OptionsUser(this) {}
    void makeEqualSubclass(const SIM_Data* source) override;
    void standin_save_own(std::ostream& stream) const override;
    void standin_load_own(std::istream& stream) override;
};
