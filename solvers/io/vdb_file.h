// OpenVDB files: the surface's level set, velocity and bodies, written so that a reader sees either
// the old file or the whole new one.
#pragma once

#include "geometry/surface.h"

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

struct VdbGridInfo {
    std::string name;
    std::string type;          ///< "float", "vec3s", ...
    std::string grid_class;    ///< "level set", "fog volume", ...
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
