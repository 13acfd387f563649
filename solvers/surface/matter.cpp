// SPDX-License-Identifier: Apache-2.0
// Derives deformation, melting and size of each particle from the solvers' columns.
#include "surface/matter.h"

#include "core/parallel.h"
#include "math/strain.h"

#include <algorithm>

namespace nendo {
namespace {

void add_plastic_strain(const MatterColumns& columns, SurfaceInput& input) {
    PointAttribute strain{"plastic_strain", 1, Meaning::value, {}};
    std::vector<float> values(columns.F_P.size());
    parallel_for(values.size(), [&](std::size_t i) {
        values[i] = static_cast<float>(equivalent_strain(Mat3d(columns.F_P[i].cast<double>())));
    });
    strain.values = std::move(values);
    input.attributes.push_back(std::move(strain));
}

/// Half axes in their frame, divided by half the spacing. Liquid has no axes of its own.
std::vector<Mat3<float>> ellipsoids(const MatterColumns& columns) {
    std::vector<Mat3<float>> shapes(columns.radii.size(), Mat3<float>::Identity());
    parallel_for(shapes.size(), [&](std::size_t i) {
        const bool solid = columns.phase.empty() || columns.phase[i] == 0;
        if (!solid || !(columns.pscale[i] > 0)) return;
        const Eigen::Quaternion<float> q(columns.orient[i]);
        shapes[i] = q.toRotationMatrix() * (columns.radii[i] / columns.pscale[i]).asDiagonal();
    });
    return shapes;
}

} // namespace

void describe_matter(const MatterColumns& columns, SurfaceInput& input) {
    const std::size_t n = input.positions.size();
    if (!columns.F_P.empty()) add_plastic_strain(columns, input);
    if (!columns.F_E.empty() && !columns.F_P.empty()) {
        input.deformations.resize(n);
        parallel_for(
            n, [&](std::size_t i) { input.deformations[i] = columns.F_E[i] * columns.F_P[i]; });
    } else if (!columns.orient.empty() && !columns.radii.empty() && !columns.pscale.empty()) {
        input.deformations = ellipsoids(columns);
    }
    input.melted = columns.melted;
    for (std::size_t i = 0; i < columns.phase.size() && !input.melted.empty(); ++i)
        if (columns.phase[i] != 0) input.melted[i] = 1;
    if (!(input.spacing > 0) && !columns.pscale.empty())
        input.spacing = 2 * double(*std::max_element(columns.pscale.begin(), columns.pscale.end()));
    const bool alike = std::all_of(columns.pscale.begin(), columns.pscale.end(),
                                   [&](float radius) { return radius == columns.pscale.front(); });
    if (alike) return;
    // Particles without a size count as the smallest that still form a surface at these voxels.
    for (const float radius : columns.pscale)
        input.sizes.push_back(std::max(2 * double(radius), 0.25 * input.spacing));
}

} // namespace nendo
