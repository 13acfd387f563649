// SPDX-License-Identifier: Apache-2.0
// What can be seen in the cluster of a particle: how far it is from its shape, and how far the
// orientations of its members are from what they are at rest. For display; the solver does not use
// it.
#pragma once

#include "melt/state.h"

#include <vector>

namespace nendo::melt {

/// The columns of Particles that a cluster is judged by, under their names in geometry.
struct InspectedColumns {
    std::vector<std::int64_t> id;
    std::vector<Vec3<float>> x;      ///< [m]
    std::vector<Vec4<float>> orient; ///< x, y, z, w
    std::vector<float> mass;         ///< [kg]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.id, field("id"));
        visit(self.x, field("P").unit("m").meaning(Meaning::point));
        visit(self.orient, field("orient"));
        visit(self.mass, field("mass").unit("kg"));
    }
};

/// For each particle the mean distance of its cluster's members from where the cluster would have
/// them, over the mean distance at which they are at rest [1]; 0 for liquid. Links of particles that
/// are not there are left out.
std::vector<double> cluster_strain(const InspectedColumns& particles, const Links<float>& links);

/// For each particle the mean angle [deg] between its cluster's members and their orientations at
/// rest in it; 0 for liquid.
std::vector<double> orientation_error(const InspectedColumns& particles, const Links<float>& links);

} // namespace nendo::melt
