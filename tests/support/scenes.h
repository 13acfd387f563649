// SPDX-License-Identifier: Apache-2.0
// Scenes that the tests of several methods share.
#pragma once

#include "geometry/sdf.h"
#include "scene/scene.h"

#include <utility>

namespace nendo::test {

inline Collider make_collider(SdfPtr shape, double friction, const char* name = "collider") {
    Collider collider;
    collider.name = name;
    collider.shape = std::move(shape);
    collider.friction = friction;
    return collider;
}

/// The half space below y = 0.
inline Collider ground_plane(double friction = 0.5) {
    return make_collider(make_plane(Vec3d(0, 0, 0), Vec3d(0, 1, 0)), friction, "ground");
}

/// No gravity, no colliders.
inline Scene weightless() {
    Scene scene;
    scene.gravity.setZero();
    return scene;
}

/// Gravity, and the ground plane.
inline Scene ground(double friction = 0.5) {
    Scene scene;
    scene.colliders.push_back(ground_plane(friction));
    return scene;
}

} // namespace nendo::test
