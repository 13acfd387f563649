// SPDX-License-Identifier: Apache-2.0
// Shapes from OpenVDB level sets: fast colliders from meshes, and volumes that artists made.
#pragma once

#include "geometry/mesh_sdf.h"
#include "geometry/sdf.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace nendo {

struct LevelSet;

/// A mesh as a level set with voxels of `voxel_size` [m]: distances by interpolation near the
/// surface, a lower bound on them elsewhere. Open meshes are closed where the winding number is
/// 1/2. Throws as make_mesh does; fills `report` when given.
SdfPtr make_mesh_collider(const TriMesh& mesh, double voxel_size, MeshReport* report = nullptr);
/// The same before it is a shape.
LevelSet fill_mesh(const TriMesh& mesh, double voxel_size, MeshReport* report = nullptr);

/// A level set as a shape; they share the voxels. Throws when it has no inside.
SdfPtr make_level_set(const LevelSet& level_set);
/// The level set's velocity, which it must have.
VelocityPtr make_velocity(const LevelSet& level_set);
/// Equal for equal voxels in equal places.
std::uint64_t hash_level_set(const LevelSet& level_set);

/// The level set called `grid` in a .vdb file; an empty name takes the first level set there is.
SdfPtr make_vdb(const std::filesystem::path& path, const std::string& grid = "");

} // namespace nendo
