// SPDX-License-Identifier: Apache-2.0
// Level sets as shapes: their fingerprint, and the velocity beside them.
#include "geometry/level_set.h"
#include "geometry/vdb_sdf.h"

#include <openvdb/tools/LevelSetSphere.h>

#include <gtest/gtest.h>

namespace nendo {
namespace {

LevelSet ball(float x) {
    openvdb::initialize();
    LevelSet level_set;
    level_set.distance = openvdb::tools::createLevelSetSphere<openvdb::FloatGrid>(
        0.5f, openvdb::Vec3f(x, 0, 0), 0.05f);
    return level_set;
}

TEST(LevelSetShape, fingerprints_depend_on_the_voxels_alone) {
    const LevelSet here = ball(0), again = ball(0), there = ball(0.01f);
    EXPECT_NE(here.distance, again.distance);
    EXPECT_EQ(hash_level_set(here), hash_level_set(again));
    EXPECT_NE(hash_level_set(here), hash_level_set(there));
    LevelSet changed = ball(0);
    auto leaf = changed.distance->tree().beginLeaf();
    leaf->setValueOnly(openvdb::Index(100), leaf->getValue(openvdb::Index(100)) + 1e-3f);
    EXPECT_NE(hash_level_set(changed), hash_level_set(here));
    LevelSet moved = ball(0);
    moved.distance->transform().postTranslate(openvdb::Vec3d(1, 0, 0));
    EXPECT_NE(hash_level_set(moved), hash_level_set(here)) << "the same voxels at another place";
}

TEST(LevelSetShape, velocity_is_interpolated_between_voxels) {
    LevelSet level_set = ball(0);
    level_set.velocity = openvdb::Vec3SGrid::create(openvdb::Vec3s(0, 0, 0));
    level_set.velocity->setTransform(openvdb::math::Transform::createLinearTransform(0.5));
    level_set.velocity->getAccessor().setValue(openvdb::Coord(1, 0, 0), openvdb::Vec3s(4, -2, 0));
    const VelocityPtr velocity = make_velocity(level_set);
    EXPECT_NEAR((velocity->at({0.5, 0, 0}) - Vec3d(4, -2, 0)).norm(), 0, 1e-6);
    EXPECT_NEAR((velocity->at({0.25, 0, 0}) - Vec3d(2, -1, 0)).norm(), 0, 1e-6);
    EXPECT_EQ(velocity->at({3, 3, 3}).norm(), 0);
}

TEST(LevelSetShape, a_mesh_is_filled_by_the_shape_of_its_collider) {
    TriMesh mesh;
    mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    const SdfPtr filled = make_level_set(fill_mesh(mesh, 0.05));
    const SdfPtr collider = make_mesh_collider(mesh, 0.05);
    for (const Vec3d& p : {Vec3d(0.2, 0.2, 0.2), Vec3d(0.4, 0.3, 0.1), Vec3d(1, 1, 1)})
        EXPECT_EQ(filled->distance(p), collider->distance(p));
    EXPECT_LT(filled->distance({0.2, 0.2, 0.2}), 0);
}

} // namespace
} // namespace nendo
