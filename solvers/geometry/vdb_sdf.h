// SPDX-License-Identifier: Apache-2.0
// Shapes from OpenVDB level sets: fast colliders made from meshes, and volumes made by artists.
#pragma once

#include "geometry/mesh_sdf.h"
#include "geometry/sdf.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace nendo {

struct LevelSet;

/// Makes a mesh into a level set with voxels of `voxel_size` [m]. Distances are interpolated near
/// the surface and are a lower bound elsewhere. Open meshes are closed where the winding number is
/// 1/2. Throws like make_mesh(); fills in `report` if given.
SdfPtr make_mesh_collider(const TriMesh& mesh, double voxel_size, MeshReport* report = nullptr);
/// Returns the level set of make_mesh_collider() before it becomes a shape.
LevelSet fill_mesh(const TriMesh& mesh, double voxel_size, MeshReport* report = nullptr);

/// Wraps a level set as a shape that shares its voxels. Throws if it has no inside.
SdfPtr make_level_set(const LevelSet& level_set);
/// Returns the velocity of the level set, which it must have.
VelocityPtr make_velocity(const LevelSet& level_set);
/// Returns equal hashes for equal voxels at equal positions.
std::uint64_t hash_level_set(const LevelSet& level_set);

/// Reads the level set named `grid` from a .vdb file. An empty name selects the first level set.
SdfPtr make_vdb(const std::filesystem::path& path, const std::string& grid = "");

} // namespace nendo
