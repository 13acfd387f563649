// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: gravity that is attached to an object.
#pragma once

#include "SIM/SIM_DataUtils.h"
#include "SIM/SIM_OptionsUser.h"
#include "UT/UT_Vector3.h"

class SIM_Force : public SIM_Data {
protected:
    explicit SIM_Force(const SIM_DataFactory* factory) : SIM_Data(factory) {}
};

class SIM_ForceGravity : public SIM_Force, public SIM_OptionsUser {
public:
    UT_Vector3 getGravity() const {
        const UT_OptionEntry* entry = getOptions().getOptionEntry("force");
        return entry == nullptr ? UT_Vector3(0, 0, 0) : UT_Vector3(entry->getOptionV3());
    }
    void setGravity(const UT_Vector3& gravity) {
        standin_options().setOptionV3("force", UT_Vector3D(gravity));
    }

    DECLARE_DATAFACTORY(SIM_ForceGravity, SIM_Force, "Gravity", nullptr);

protected:
    explicit SIM_ForceGravity(const SIM_DataFactory* factory)
        : BaseClass(factory), SIM_OptionsUser(this) {}
    void makeEqualSubclass(const SIM_Data* source) override;
    void standin_save_own(std::ostream& stream) const override;
    void standin_load_own(std::istream& stream) override;
};
