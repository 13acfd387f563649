// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: numbers in the voxels of a box.
#pragma once

#include "UT/UT_Vector3.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <vector>

class SIM_RawField {
public:
    /// Interpolates the eight samples around the position. Beyond the box the value is undefined,
    /// as in Houdini, where it depends on the field's border; here it is zero.
    fpreal32 getValue(UT_Vector3 place) const {
        std::array<int, 3> low;
        std::array<double, 3> share;
        for (unsigned k = 0; k < 3; ++k) {
            const double reach = 0.5 + 1e-3;
            const double at =
                (double(place.standin_at(k)) - m_first.standin_at(k)) / m_voxel.standin_at(k);
            if (!(at > -reach && at < m_count[k] - 1 + reach)) return 0;
            const double inside = std::clamp(at, 0.0, double(m_count[k] - 1));
            low[k] = std::min(int(inside), std::max(0, m_count[k] - 2));
            share[k] = inside - low[k];
        }
        double sum = 0;
        for (int corner = 0; corner < 8; ++corner) {
            double weight = 1;
            std::array<int, 3> at = low;
            for (unsigned k = 0; k < 3; ++k) {
                const bool high = ((corner >> k) & 1) != 0;
                weight *= high ? share[k] : 1 - share[k];
                if (high) at[k] = std::min(at[k] + 1, m_count[k] - 1);
            }
            if (weight > 0) sum += weight * double(m_values[index(at)]);
        }
        return static_cast<fpreal32>(sum);
    }

    // ---- not in the HDK ----
    void standin_init(const UT_Vector3D& first, const UT_Vector3D& voxel,
                      const std::array<int, 3>& count) {
        m_first = first;
        m_voxel = voxel;
        m_count = count;
        m_values.assign(std::size_t(count[0]) * std::size_t(count[1]) * std::size_t(count[2]), 0);
    }
    void standin_fill(const std::function<double(const UT_Vector3D&)>& value) {
        for (int k = 0; k < m_count[2]; ++k)
            for (int j = 0; j < m_count[1]; ++j)
                for (int i = 0; i < m_count[0]; ++i)
                    m_values[index({i, j, k})] = static_cast<float>(value(
                        UT_Vector3D(m_first.x() + i * m_voxel.x(), m_first.y() + j * m_voxel.y(),
                                    m_first.z() + k * m_voxel.z())));
    }
    void standin_save(std::ostream& stream) const;
    void standin_load(std::istream& stream);

private:
    std::size_t index(const std::array<int, 3>& at) const {
        return std::size_t(at[0]) +
               std::size_t(m_count[0]) *
                   (std::size_t(at[1]) + std::size_t(m_count[1]) * std::size_t(at[2]));
    }

    UT_Vector3D m_first{0, 0, 0}; ///< Position of the first sample
    UT_Vector3D m_voxel{1, 1, 1};
    std::array<int, 3> m_count{0, 0, 0};
    std::vector<float> m_values;
};
