// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: a signed distance, negative inside.
#pragma once

#include "UT/UT_Vector3.h"

#include <functional>

class GU_SDF {
public:
    bool isValid() const { return static_cast<bool>(standin_distance); }
    fpreal getDistance(const UT_Vector3& pos) const { return standin_distance(pos); }
    UT_Vector3 getGradient(const UT_Vector3& pos) const {
        const float step = 1e-3f;
        UT_Vector3 gradient(0, 0, 0);
        for (unsigned k = 0; k < 3; ++k) {
            UT_Vector3 low = pos, high = pos;
            low.standin_at(k) -= step;
            high.standin_at(k) += step;
            gradient.standin_at(k) =
                static_cast<float>((getDistance(high) - getDistance(low)) / (2.0 * double(step)));
        }
        return gradient;
    }

    std::function<fpreal(const UT_Vector3&)> standin_distance;
};
