// SPDX-License-Identifier: Apache-2.0
// What is behind the opaque level sets of the public headers. Slow to compile: for .cpp files that
// speak to OpenVDB, and for them only.
#pragma once

#include <openvdb/openvdb.h>

#include "core/error.h"
#include "core/types.h"

#include <string>

// Each file that uses a grid would compile all that its virtual functions reach; level_set.cpp does
// so once.
extern template class openvdb::Grid<openvdb::FloatTree>;
extern template class openvdb::Grid<openvdb::Vec3STree>;
extern template class openvdb::Grid<openvdb::Int32Tree>;
extern template class openvdb::tree::Tree<openvdb::FloatTree::RootNodeType>;
extern template class openvdb::tree::Tree<openvdb::Vec3STree::RootNodeType>;
extern template class openvdb::tree::Tree<openvdb::Int32Tree::RootNodeType>;

namespace nendo {

struct LevelSet {
    openvdb::FloatGrid::Ptr distance; ///< Narrow band, world units
    openvdb::Vec3SGrid::Ptr velocity; ///< [m/s] in the same voxels; may be null
    openvdb::Int32Grid::Ptr body;     ///< Body of the nearest particle, same voxels; may be null
};

/// The grid as a level set; throws when it is none, or when its voxels are not cubes. `where` names
/// it in messages.
inline LevelSet level_set_of(const openvdb::GridBase::ConstPtr& grid, const std::string& where) {
    LevelSet level_set;
    const auto distances = openvdb::gridConstPtrCast<openvdb::FloatGrid>(grid);
    if (!distances || distances->getGridClass() != openvdb::GRID_LEVEL_SET)
        throw Error("is not a level set", where,
                    "make one with VDB from Polygons, as a distance VDB");
    if (!distances->hasUniformVoxels()) throw Error("voxels are not cubes", where, "resample it");
    // Who reads a level set writes to none.
    level_set.distance = openvdb::ConstPtrCast<openvdb::FloatGrid>(distances);
    return level_set;
}

inline openvdb::Vec3d to_vdb(const Vec3d& v) {
    return {v.x(), v.y(), v.z()};
}
inline Vec3d from_vdb(const openvdb::Vec3d& v) {
    return {v.x(), v.y(), v.z()};
}

} // namespace nendo
