// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: the position of an object.
#pragma once

#include "SIM/SIM_DataUtils.h"
#include "UT/UT_Matrix4.h"

class SIM_Position : public SIM_Data {
public:
    void getTransform(UT_DMatrix4& xform) const { xform = m_transform; }
    void standin_set_transform(const UT_DMatrix4& xform) { m_transform = xform; }

    DECLARE_DATAFACTORY(SIM_Position, SIM_Data, "Position", nullptr);

protected:
    explicit SIM_Position(const SIM_DataFactory* factory) : BaseClass(factory) {}
    void makeEqualSubclass(const SIM_Data* source) override;
    void standin_save_own(std::ostream& stream) const override;
    void standin_load_own(std::istream& stream) override;

private:
    UT_DMatrix4 m_transform{1.0};
};
