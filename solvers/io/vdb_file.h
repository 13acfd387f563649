// SPDX-License-Identifier: Apache-2.0
// OpenVDB files: the surface's level set, velocity and bodies, written so that a reader sees either
// the old file or the whole new one.
#pragma once

#include "surface/surface.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace nendo {

/// Names and values that are kept with the file, such as the scene and the frame.
using VdbMetadata = std::vector<std::pair<std::string, std::string>>;

/// Grids "surface" (level set), "v" [m/s] and "body" in the narrow band.
void write_vdb(const std::filesystem::path& path, const Surface& surface,
               const VdbMetadata& metadata = {});

/// The surface of a file that write_vdb made, or of any file with a level set in it.
Surface read_vdb_surface(const std::filesystem::path& path);

/// What a file for renderers has beside the level set and its velocity.
struct VolumeOptions {
    bool half = false;                ///< 16 bits a value instead of 32
    bool density = false;             ///< A fog volume too, 1 inside and 0 outside
    std::vector<Vec3d> points;        ///< Particles that know a temperature [m]; may be none
    std::vector<double> temperatures; ///< Of each [degC]
};

/// Makes a file of a surface's file with the grids that renderers look for: "surface" (level set),
/// "vel" [m/s] and, where asked for, "temperature" [degC] of the nearest particle and "density".
void write_volume(const std::filesystem::path& surface, const std::filesystem::path& path,
                  const VolumeOptions& options);

struct VdbGridInfo {
    std::string name;
    std::string type;          ///< "float", "vec3s", ...
    std::string grid_class;    ///< "level set", "fog volume", ...
    bool half = false;         ///< Whether its values are stored in 16 bits
    std::int64_t voxels = 0;   ///< Active ones
    Vec3d voxel_size{0, 0, 0}; ///< [m]
    Box3 bounds;               ///< Of the active voxels [m]
};

struct VdbInfo {
    std::vector<VdbGridInfo> grids;
    VdbMetadata metadata;
};

VdbInfo read_vdb_info(const std::filesystem::path& path);

} // namespace nendo
