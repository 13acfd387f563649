// SPDX-License-Identifier: Apache-2.0
// Lines with a section at each point, as artists draw spoons and wires: cut into pieces for bones,
// and swept to a mesh for their skin.
#pragma once

#include "core/fields.h"
#include "geometry/mesh.h"
#include "skinning/skeleton.h"

#include <vector>

namespace nendo::rheology {

/// A point of a line, and the ellipse that is its section there.
struct LinePoint {
    Vec3d at{0, 0, 0};   ///< [m]
    double width = 0.01; ///< [m]
    double height = 0.01;
    double dish = 0; ///< How far the section's edges stand up [m]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.at, field("at").label("At").unit("m").help("Where it is."));
        visit(self.width, field("width").label("Width").unit("m").above(0).help("Of its section."));
        visit(self.height,
              field("height").label("Height").unit("m").above(0).help("Of its section."));
        visit(self.dish, field("dish").label("Dish").unit("m").help(
                             "How far the section's edges stand up, as in a spoon's bowl."));
    }
};

/// `count` + 1 points at equal distances along the smooth curve through the given ones.
std::vector<LinePoint> resample(const std::vector<LinePoint>& points, int count);

/// Bars between the points; the height of sections is along `up`.
std::vector<Segment> segments_of_line(const std::vector<LinePoint>& points, const Vec3d& up,
                                      const Material& material);

/// A closed mesh of `rings` sections of `corners` points, with rounded ends.
TriMesh sweep_mesh(const std::vector<LinePoint>& points, const Vec3d& up, int rings, int corners);

} // namespace nendo::rheology
