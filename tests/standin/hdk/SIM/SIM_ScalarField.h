// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: a field of numbers, sampled at the centers of its voxels.
#pragma once

#include "SIM/SIM_DataUtils.h"
#include "SIM/SIM_RawField.h"

class SIM_ScalarField : public SIM_Data {
public:
    const SIM_RawField* getField() const { return &m_field; }
    /// The lower corner of the box.
    UT_Vector3 getOrig() const { return UT_Vector3(m_low); }
    UT_Vector3 getVoxelSize() const { return UT_Vector3(m_voxel); }
    UT_Vector3 getDivisions() const {
        return UT_Vector3(float(m_count[0]), float(m_count[1]), float(m_count[2]));
    }

    void standin_init(const UT_Vector3D& low, const UT_Vector3D& voxel,
                      const std::array<int, 3>& count) {
        m_low = low;
        m_voxel = voxel;
        m_count = count;
        m_field.standin_init(
            UT_Vector3D(low.x() + voxel.x() / 2, low.y() + voxel.y() / 2, low.z() + voxel.z() / 2),
            voxel, count);
    }
    SIM_RawField& standin_field() { return m_field; }

    DECLARE_DATAFACTORY(SIM_ScalarField, SIM_Data, "Scalar Field", nullptr);

protected:
    explicit SIM_ScalarField(const SIM_DataFactory* factory) : BaseClass(factory) {}
    void makeEqualSubclass(const SIM_Data* source) override;
    void standin_save_own(std::ostream& stream) const override;
    void standin_load_own(std::istream& stream) override;

private:
    UT_Vector3D m_low{0, 0, 0};
    UT_Vector3D m_voxel{0, 0, 0};
    std::array<int, 3> m_count{0, 0, 0};
    SIM_RawField m_field;
};
