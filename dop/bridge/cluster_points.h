// SPDX-License-Identifier: Apache-2.0
// The links of melt clusters as points of a geometry: one point per link, at the particle in the
// center of its cluster.
#pragma once

#include "melt/clusters.h"

namespace nendo::houdini {

struct ClusterPoints {
    std::vector<std::int64_t> id;     ///< Number of the link
    std::vector<Vec3<float>> x;       ///< Position of the particle at the center [m]
    std::vector<std::int64_t> center; ///< Id of the particle at the center
    std::vector<std::int64_t> other;  ///< Id of the member
    std::vector<Vec3<float>> rest;    ///< Position of the member at rest [m]
    std::vector<Vec4<float>> turn;    ///< Orientation of the member at rest

    ClusterPoints() = default;
    explicit ClusterPoints(const melt::State<float>& state)
        : center(state.links.id), other(state.links.other), rest(state.links.rest),
          turn(state.links.turn) {
        const melt::RowsById rows(state);
        for (std::size_t k = 0; k < center.size(); ++k) {
            const auto row = rows[center[k]];
            id.push_back(static_cast<std::int64_t>(k));
            x.push_back(state.particles.x[static_cast<std::size_t>(row)]);
        }
    }
    melt::Links<float> links() const { return {center, other, rest, turn}; }

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.id, field("id").help("Number of the link."));
        visit(self.x, field("P")
                          .unit("m")
                          .meaning(Meaning::point)
                          .help("Position of the particle at the center of the cluster."));
        visit(self.center,
              field("center").help("Id of the particle at the center of the cluster."));
        visit(self.other, field("other").help("Id of the member."));
        visit(self.rest, field("rest").unit("m").help(
                             "Position of the member at rest, in the frame of the cluster."));
        visit(self.turn, field("turn").help(
                             "Orientation of the member at rest, in the frame of the cluster."));
    }
};

} // namespace nendo::houdini
