// What is behind the opaque level sets of the public headers. Slow to compile: for .cpp files that
// speak to OpenVDB, and for them only.
#pragma once

#include <openvdb/openvdb.h>

#include "core/types.h"

namespace nendo {

struct LevelSet {
    openvdb::FloatGrid::Ptr distance; ///< Narrow band, world units
    openvdb::Vec3SGrid::Ptr velocity; ///< [m/s] in the same voxels; may be null
    openvdb::Int32Grid::Ptr body;     ///< Body of the nearest particle, same voxels; may be null
};

inline openvdb::Vec3d to_vdb(const Vec3d& v) {
    return {v.x(), v.y(), v.z()};
}
inline Vec3d from_vdb(const openvdb::Vec3d& v) {
    return {v.x(), v.y(), v.z()};
}

} // namespace nendo
