// SPDX-License-Identifier: Apache-2.0
// Quantities of clusters for display: how far each is from its rest shape, and how far its members
// are from their rest orientations. The solver does not use them.
#pragma once

#include "melt/state.h"

#include <vector>

namespace nendo::melt {

/// The columns of Particles that these quantities need, under their attribute names.
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

/// For each particle, the mean distance of the members of its cluster from their goals, over their
/// mean rest distance from the center [1]; 0 for liquid. Links to missing particles are ignored.
std::vector<double> cluster_strain(const InspectedColumns& particles, const Links<float>& links);

/// For each particle, the mean angle [deg] between the members of its cluster and their rest
/// orientations; 0 for liquid.
std::vector<double> orientation_error(const InspectedColumns& particles, const Links<float>& links);

} // namespace nendo::melt
