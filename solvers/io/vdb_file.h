// SPDX-License-Identifier: Apache-2.0
// OpenVDB files: the level set, velocity and bodies of a surface, written so that a reader sees
// either the old file or the complete new one.
#pragma once

#include "surface/surface.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace nendo {

/// Names and values stored with the file, such as the scene and the frame.
using VdbMetadata = std::vector<std::pair<std::string, std::string>>;

/// Writes the grids "surface" (level set), "v" [m/s] and "body" in the narrow band.
void write_vdb(const std::filesystem::path& path, const Surface& surface,
               const VdbMetadata& metadata = {});

/// Reads the surface from a file of write_vdb(), or from any file with a level set.
Surface read_vdb_surface(const std::filesystem::path& path);

/// The grids of a file for renderers, in addition to the level set and its velocity.
struct VolumeOptions {
    bool half = false;                ///< 16 bits per value instead of 32
    bool density = false;             ///< Also a fog volume, 1 inside and 0 outside
    std::vector<Vec3d> points;        ///< Particles with a temperature [m]; may be empty
    std::vector<double> temperatures; ///< Temperature of each [degC]
};

/// Converts a surface's file into one with the grids that renderers look for: "surface" (level
/// set), "vel" [m/s] and, on request, "temperature" [degC] of the nearest particle and "density".
void write_volume(const std::filesystem::path& surface, const std::filesystem::path& path,
                  const VolumeOptions& options);

struct VdbGridInfo {
    std::string name;
    std::string type;          ///< "float", "vec3s", ...
    std::string grid_class;    ///< "level set", "fog volume", ...
    bool half = false;         ///< True if values are stored in 16 bits
    std::int64_t voxels = 0;   ///< Active voxels
    Vec3d voxel_size{0, 0, 0}; ///< [m]
    Box3 bounds;               ///< Bounds of the active voxels [m]
};

struct VdbInfo {
    std::vector<VdbGridInfo> grids;
    VdbMetadata metadata;
};

VdbInfo read_vdb_info(const std::filesystem::path& path);

} // namespace nendo
