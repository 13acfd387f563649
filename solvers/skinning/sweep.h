// SPDX-License-Identifier: Apache-2.0
// Lines with a cross section at each point, the way artists draw spoons and wires: cut into
// segments for bones, and swept into a mesh for their skin.
#pragma once

#include "core/fields.h"
#include "geometry/mesh.h"
#include "skinning/skeleton.h"

#include <vector>

namespace nendo::rheology {

/// A point of a line, with the elliptical cross section there.
struct LinePoint {
    Vec3d at{0, 0, 0};   ///< [m]
    double width = 0.01; ///< [m]
    double height = 0.01;
    double dish = 0; ///< Height of the section's edges above its middle [m]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.at, field("at").label("At").unit("m").help("Position of the point."));
        visit(self.width, field("width").label("Width").unit("m").above(0).help(
                              "Width of the cross section here."));
        visit(self.height, field("height").label("Height").unit("m").above(0).help(
                               "Height of the cross section here."));
        visit(self.dish,
              field("dish").label("Dish").unit("m").help(
                  "Height of the section's edges above its middle, as in the bowl of a spoon."));
    }
};

/// Returns `count` + 1 points at equal distances along the smooth curve through `points`.
std::vector<LinePoint> resample(const std::vector<LinePoint>& points, int count);

/// Returns the bars between the points. The height of the sections is along `up`.
std::vector<Segment> segments_of_line(const std::vector<LinePoint>& points, const Vec3d& up,
                                      const Material& material);

/// Returns a closed mesh of `rings` sections with `corners` points each, and rounded ends.
TriMesh sweep_mesh(const std::vector<LinePoint>& points, const Vec3d& up, int rings, int corners);

} // namespace nendo::rheology
