// SPDX-License-Identifier: Apache-2.0
#include "elastoplastic/fill.h"

#include "geometry/sample.h"

namespace nendo::elastoplastic {

Body fill(const Sdf& shape, const Material& material, double spacing, std::int32_t index) {
    Samples samples = sample(shape, spacing);
    Body body;
    body.name = "body " + std::to_string(index);
    body.masters = std::move(samples.masters);
    body.slaves = std::move(samples.slaves);
    body.material = material;
    body.index = index;
    body.join = material.plastic() ? 0 : index + 1;
    return body;
}

} // namespace nendo::elastoplastic
