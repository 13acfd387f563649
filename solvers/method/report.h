// SPDX-License-Identifier: Apache-2.0
// The statistics that every method reports: the first columns of stats.jsonl.
#pragma once

#include "core/fields.h"
#include "core/stage_clock.h"

#include <cstdint>
#include <vector>

namespace nendo {

/// What a call of advance() did, and how the matter is at its end. Methods derive from it and add
/// their own counts.
struct CommonReport {
    int substeps = 0;
    double shortest_step = 0;  ///< [s]
    double kinetic_energy = 0; ///< [J]
    double gravity_energy = 0; ///< [J], zero at the origin
    Vec3d momentum{0, 0, 0};   ///< [kg m/s]
    double max_speed = 0;      ///< [m/s]
    std::int64_t bytes = 0;    ///< State and scratch memory
    std::vector<StageTime> stages;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.substeps, field("substeps"));
        visit(self.shortest_step, field("shortest_step").unit("s"));
        visit(self.kinetic_energy, field("kinetic_energy").unit("J"));
        visit(self.gravity_energy, field("gravity_energy").unit("J"));
        visit(self.momentum, field("momentum").unit("kg m/s"));
        visit(self.max_speed, field("max_speed").unit("m/s"));
        visit(self.bytes, field("bytes").unit("B"));
    }
};

} // namespace nendo
