// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: a field of vectors. Each component is sampled at the voxel faces normal to
// its axis, as in fluid solvers.
#pragma once

#include "SIM/SIM_DataUtils.h"
#include "SIM/SIM_RawField.h"

class SIM_VectorField : public SIM_Data {
public:
    UT_Vector3 getValue(const UT_Vector3& place) const {
        return UT_Vector3(m_fields[0].getValue(place), m_fields[1].getValue(place),
                          m_fields[2].getValue(place));
    }
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
        for (unsigned k = 0; k < 3; ++k) {
            UT_Vector3D first(low.x() + voxel.x() / 2, low.y() + voxel.y() / 2,
                              low.z() + voxel.z() / 2);
            first.standin_at(k) = low.standin_at(k);
            std::array<int, 3> samples = count;
            ++samples[k];
            m_fields[k].standin_init(first, voxel, samples);
        }
    }
    SIM_RawField& standin_field(unsigned axis) { return m_fields[axis]; }

    DECLARE_DATAFACTORY(SIM_VectorField, SIM_Data, "Vector Field", nullptr);

protected:
    explicit SIM_VectorField(const SIM_DataFactory* factory) : BaseClass(factory) {}
    void makeEqualSubclass(const SIM_Data* source) override;
    void standin_save_own(std::ostream& stream) const override;
    void standin_load_own(std::istream& stream) override;

private:
    UT_Vector3D m_low{0, 0, 0};
    UT_Vector3D m_voxel{0, 0, 0};
    std::array<int, 3> m_count{0, 0, 0};
    std::array<SIM_RawField, 3> m_fields;
};
