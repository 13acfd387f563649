// SPDX-License-Identifier: Apache-2.0
// The definition of LevelSet, which is opaque in the public headers. It is slow to compile: include
// it only in .cpp files that call OpenVDB.
#pragma once

#include <openvdb/openvdb.h>

#include "core/error.h"
#include "core/types.h"

#include <string>

// Otherwise each file that uses a grid would compile everything that its virtual functions reach.
// level_set.cpp does so once.
extern template class openvdb::Grid<openvdb::FloatTree>;
extern template class openvdb::Grid<openvdb::Vec3STree>;
extern template class openvdb::Grid<openvdb::Int32Tree>;
extern template class openvdb::tree::Tree<openvdb::FloatTree::RootNodeType>;
extern template class openvdb::tree::Tree<openvdb::Vec3STree::RootNodeType>;
extern template class openvdb::tree::Tree<openvdb::Int32Tree::RootNodeType>;

namespace nendo {

struct LevelSet {
    openvdb::FloatGrid::Ptr distance; ///< Narrow band, in world units
    openvdb::Vec3SGrid::Ptr velocity; ///< [m/s], in the same voxels; may be null
    openvdb::Int32Grid::Ptr body;     ///< Body of the nearest particle, same voxels; may be null
};

/// Returns the grid as a level set. Throws if it is not one, or if its voxels are not cubes.
/// `where` names it in messages.
inline LevelSet level_set_of(const openvdb::GridBase::ConstPtr& grid, const std::string& where) {
    LevelSet level_set;
    const auto distances = openvdb::gridConstPtrCast<openvdb::FloatGrid>(grid);
    if (!distances || distances->getGridClass() != openvdb::GRID_LEVEL_SET)
        throw Error("is not a level set", where,
                    "make one with VDB from Polygons, as a distance VDB");
    if (!distances->hasUniformVoxels())
        throw Error("the voxels are not cubes", where, "resample the level set");
    // Readers of a level set never write to it, so the cast is safe.
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
