// SPDX-License-Identifier: Apache-2.0
// The scene around the matter as a USD layer: camera, lights, materials, colliders, level sets and
// settings for a renderer.
#pragma once

#include "geometry/sdf.h"
#include "io/scene/look.h"
#include "io/scene/shapes.h"
#include "io/usd/sequence.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace nendo {

struct UsdMaterial {
    std::string name;
    Look look;
    Vec3d color{0.5, 0.5, 0.5}; ///< Linear; where a prim has displayColor, that is taken
};

struct UsdCollider {
    std::string name;
    ShapeSpec shape;
    std::optional<PlaneShape> plane;
    TriMesh mesh;                             ///< Of a shape that is one
    std::vector<std::pair<int, Pose>> frames; ///< Where it is
};

/// A level set with its other grids, a file a frame.
struct UsdVolume {
    struct Grid {
        std::string name; ///< In the file
        std::string data; ///< float, float3 or int
        std::string kind; ///< levelSet, fogVolume, or empty
    };
    std::vector<Grid> grids;
    std::vector<std::pair<int, std::string>> files; ///< By frame, as seen from the layer
    std::vector<std::pair<int, Box3>> bounds;       ///< By frame [m]
};

struct UsdScene {
    std::string title;
    UsdTiming timing;
    Vec3d eye{3, 2, 5};         ///< Of the camera [m]
    Vec3d target{0, 0, 0};      ///< [m]
    double fov = 35;            ///< Vertical [degrees]
    int width = 960;            ///< Of pictures [pixels]
    int height = 540;           ///< [pixels]
    Vec3d sun{-0.55, 0.9, 0.5}; ///< Where it stands, as a direction
    double sun_width = 0.12;    ///< Its radius over its distance
    Box3 box;                   ///< All that is seen [m]
    std::optional<double> ground;
    std::vector<UsdMaterial> materials;
    std::vector<UsdCollider> colliders;
    UsdVolume volume;
    std::vector<std::string> groups; ///< Of the geometry layer, that which is shown first
};

/// The layer; geometry.usda is below it. `skipped` gets the names of colliders that have no form
/// in USD.
std::string format_usd_scene(const UsdScene& scene, std::vector<std::string>& skipped);

} // namespace nendo
