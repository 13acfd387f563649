// SPDX-License-Identifier: Apache-2.0
// Colliders and other shapes of scene files as USD prims.
#pragma once

#include "io/usd/scene.h"
#include "io/usd/text.h"

namespace nendo {

/// Writes the collider below the open prim. Planes become squares with this half width [m] around
/// the middle. Returns false, and writes nothing, if USD has no such shape.
bool write_usd_collider(UsdText& text, const UsdCollider& collider, const Vec3d& middle,
                        double half_width);

/// Writes a still mesh with a material.
void write_usd_mesh(UsdText& text, const std::string& name, const UsdMesh& mesh,
                    const std::string& material);

/// Returns a square that faces along `normal`.
UsdMesh usd_square(const Vec3d& middle, const Vec3d& normal, double half_width);

/// Returns the pose of a camera or light, which looks along its own -z.
Eigen::Matrix4d usd_looking(const Vec3d& eye, const Vec3d& target);

void write_usd_transform(UsdText& text, const std::vector<UsdSample>& matrices);

} // namespace nendo
