// SPDX-License-Identifier: Apache-2.0
// Colliders and other shapes of scene files as prims of USD.
#pragma once

#include "io/usd/scene.h"
#include "io/usd/text.h"

namespace nendo {

/// Writes the collider below the prim that is open; planes are squares of this half width [m]
/// around the middle. False, and nothing written, when USD has no such shape.
bool write_usd_collider(UsdText& text, const UsdCollider& collider, const Vec3d& middle,
                        double half_width);

/// A still mesh with a material.
void write_usd_mesh(UsdText& text, const std::string& name, const UsdMesh& mesh,
                    const std::string& material);

/// A square that faces along `normal`.
UsdMesh usd_square(const Vec3d& middle, const Vec3d& normal, double half_width);

/// Where a camera stands, or a light: it looks along its own -z.
Eigen::Matrix4d usd_looking(const Vec3d& eye, const Vec3d& target);

void write_usd_transform(UsdText& text, const std::vector<UsdSample>& matrices);

} // namespace nendo
