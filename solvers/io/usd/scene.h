// SPDX-License-Identifier: Apache-2.0
// The scene around the simulated matter as a USD layer: camera, lights, materials, colliders, level
// sets and render settings.
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
    Vec3d color{0.5, 0.5, 0.5}; ///< Linear; displayColor of a prim overrides it
};

struct UsdCollider {
    std::string name;
    ShapeSpec shape;
    std::optional<PlaneShape> plane;
    TriMesh mesh;                             ///< Mesh, if the shape is one
    std::vector<std::pair<int, Pose>> frames; ///< Pose in each frame
};

/// A level set with its other grids, one file per frame.
struct UsdVolume {
    struct Grid {
        std::string name; ///< Name in the file
        std::string data; ///< float, float3 or int
        std::string kind; ///< levelSet, fogVolume, or empty
    };
    std::vector<Grid> grids;
    std::vector<std::pair<int, std::string>> files; ///< Path per frame, relative to the layer
    std::vector<std::pair<int, Box3>> bounds;       ///< Bounds per frame [m]
};

struct UsdScene {
    std::string title;
    UsdTiming timing;
    Vec3d eye{3, 2, 5};         ///< Position of the camera [m]
    Vec3d target{0, 0, 0};      ///< [m]
    double fov = 35;            ///< Vertical [degrees]
    int width = 960;            ///< Width of pictures [pixels]
    int height = 540;           ///< [pixels]
    Vec3d sun{-0.55, 0.9, 0.5}; ///< Direction toward the sun
    double sun_width = 0.12;    ///< Radius of the sun over its distance
    Box3 box;                   ///< Bounds of everything visible [m]
    std::optional<double> ground;
    std::vector<UsdMaterial> materials;
    std::vector<UsdCollider> colliders;
    UsdVolume volume;
    std::vector<std::string> groups; ///< Groups of the geometry layer; the first one is shown
};

/// Returns the layer, which references geometry.usda. `skipped` receives the names of colliders
/// that USD cannot represent.
std::string format_usd_scene(const UsdScene& scene, std::vector<std::string>& skipped);

} // namespace nendo
