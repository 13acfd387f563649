// SPDX-License-Identifier: Apache-2.0
// A small ray tracer for previews: surfaces and colliders with their looks, under sun and sky.
#pragma once

#include "core/fields.h"
#include "geometry/sdf.h"
#include "io/scene/look.h"
#include "preview/image.h"
#include "surface/surface.h"

#include <optional>
#include <vector>

namespace nendo::cli {

struct Camera {
    Vec3d eye{3, 2, 5};    ///< [m]
    Vec3d target{0, 0, 0}; ///< [m]
    double fov = 35;       ///< Vertical field of view [degrees]
};

/// A camera that looks along `direction` and sees the whole box.
Camera frame_box(const Box3& box, double aspect, const Vec3d& direction = {-0.55, -0.38, -1.0},
                 double fov = 30);

struct PreviewParams {
    int width = 960;
    int height = 540;
    int samples = 2;
    Vec3d sun{-0.55, 0.9, 0.5};
    double sun_width = 0.12;
    double exposure = 1;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.width, field("width").label("Width").unit("pixels").range(16, 16384).help(
                              "Width of the picture."));
        visit(self.height, field("height").label("Height").unit("pixels").range(16, 16384).help(
                               "Height of the picture."));
        visit(self.samples, field("samples").label("Samples").range(1, 8).help(
                                "Rays per pixel along each of its sides."));
        visit(self.sun, field("sun").label("Sun").help("Direction to the sun."));
        visit(self.sun_width,
              field("sun_width")
                  .label("Sun width")
                  .range(0, 1)
                  .help("Softness of shadows: their blur divided by their distance."));
        visit(self.exposure,
              field("exposure").label("Exposure").above(0).help("Factor of the brightness."));
    }
};

struct PreviewCollider {
    SdfPtr shape;
    Pose pose = Pose::Identity();
    Vec3d color{0.33, 0.34, 0.36}; ///< Linear RGB
};

/// Color and look of a body.
struct Shade {
    Vec3d color; ///< Linear RGB
    Look look = find_look("clay");
};

/// Light sources and background; linear RGB.
struct Daylight {
    Eigen::Vector3f sun{1.3f, 1.209f, 1.066f}; ///< Brightness of a white surface that faces the sun
    Eigen::Vector3f sky{0.44f, 0.495f, 0.572f}; ///< Brightness of a white surface under open sky
    Eigen::Vector3f low{0.60f, 0.59f, 0.57f};   ///< Background below
    Eigen::Vector3f high{0.22f, 0.27f, 0.34f};  ///< Background above
};

struct PreviewScene {
    std::vector<const Surface*> surfaces;
    std::vector<Shade> shades; ///< One per body; further bodies get the last
    std::vector<PreviewCollider> colliders;
    std::optional<double> ground; ///< Height of a floor for scenes without a ground collider [m]
    Daylight daylight;
};

/// Box around everything finite in the scene [m].
Box3 scene_bounds(const PreviewScene& scene);
/// A palette for bodies without a color of their own.
Vec3d default_color(std::size_t body);

Image render_preview(const PreviewScene& scene, const Camera& camera, const PreviewParams& params);

} // namespace nendo::cli
