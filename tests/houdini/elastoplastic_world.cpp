// SPDX-License-Identifier: Apache-2.0
// The elastoplastic node and the world around it: gravity, colliders of all kinds, forces and
// goals.
#include "block.h"

#include "geometry/level_set.h"
#include "geometry/vdb_sdf.h"

#include <SIM/SIM_ForceGravity.h>
#include <SIM/SIM_SDF.h>

namespace nendo::houdini::test {
namespace {

TEST(Elastoplastic, gravity_of_the_object_replaces_the_nodes) {
    Network net;
    add_block(net, "matter", "jelly", {0, 0, 0});
    SIM_DATA_CREATE(*net.object("matter"), "Forces/Gravity_gravity1", SIM_ForceGravity, 0)
        ->setGravity(UT_Vector3(3, 0, 0));
    net.go_to(12);
    const Vec3d v = mean_velocity(net.state("matter"));
    EXPECT_LT((v - Vec3d(1.5, 0, 0)).norm(), 1e-3);
}

TEST(Elastoplastic, friction_comes_from_the_collider) {
    const auto slide = [](double friction) {
        Network net;
        add_block(net, "matter", "jelly", {0, 0, 0});
        GU_Detail& gdp = net.geometry("matter");
        const GA_RWHandleV3 v(gdp.addFloatTuple(GA_ATTRIB_POINT, "v", 3));
        for (const GA_Offset point : point_offsets(gdp)) v.set(point, UT_Vector3(1, 0, 0));
        set_friction(add_ground(net), friction);
        net.go_to(6);
        return mean_velocity(net.state("matter")).x();
    };
    EXPECT_GT(slide(0), 0.95);
    EXPECT_LT(slide(1), 0.2);
}

TEST(Elastoplastic, signed_distance_data_is_a_collider) {
    Network net;
    add_block(net, "matter", "clay", {0, 0.25, 0});
    SIM_Object& ground = net.add_collider("ground");
    net.geometry("ground");
    SIM_DATA_CREATE(ground, "Geometry/Volume", SIM_SDF, 0)->standin_sdf().standin_distance =
        [](const UT_Vector3& x) { return double(x.y()); };
    set_transform(ground, {0, -0.5, 0});
    net.go_to(24);
    EXPECT_NEAR(lowest(net.state("matter")), -0.5 + d / 2, 0.6 * d);
}

TEST(Elastoplastic, a_moving_collider_carries_matter_along) {
    Network net;
    add_block(net, "matter", "clay", {0, 0, 0});
    SIM_Object& ground = add_ground(net);
    set_friction(ground, 100);
    net.nodes.push_back([&](int frame) {
        set_transform(*net.object("ground"), {0.02 * frame, 0.01 * frame, 0});
    });
    net.go_to(12);
    const Vec3d v = mean_velocity(net.state("matter"));
    EXPECT_NEAR(v.x(), 0.02 * 24, 0.05);
    EXPECT_NEAR(v.y(), 0.01 * 24, 0.05);
    EXPECT_GT(lowest(net.state("matter")), 0.12 + 0.1 * d);
}

/// A VDB ball that rises under a block, with a new grid each frame, as SOPs make them.
struct Riser {
    Network net;
    double speed = 0.24; ///< [m/s]
    bool with_velocity = false;

    Riser() {
        add_block(net, "matter", "clay", {-2 * d, 0.5, -2 * d}, {4, 2, 4});
        set_option(net.options("matter"), "gravity", Vec3d(0, 0, 0));
        net.add_collider("ball");
        net.nodes.push_back([this](int frame) {
            GU_Detail& gdp = net.geometry("ball");
            gdp.clearAndDestroy();
            const double y = 0.2 + speed * frame / 24;
            GU_PrimVDB::buildFromGrid(gdp, ball_grid({0, y, 0}, 0.25), nullptr, "surface");
            if (!with_velocity) return;
            auto velocity = openvdb::Vec3SGrid::create(openvdb::Vec3s(0, float(speed), 0));
            velocity->setName("collisionvel");
            GU_PrimVDB::buildFromGrid(gdp, velocity, nullptr, "collisionvel");
        });
    }
    double highest_speed() const {
        double fastest = 0;
        for (const auto& v : net.state("matter").masters.v)
            fastest = std::max(fastest, double(v.y()));
        return fastest;
    }
};

TEST(Elastoplastic, a_changing_vdb_pushes_with_the_speed_of_its_surface) {
    Riser riser;
    riser.net.go_to(1);
    EXPECT_LT(riser.highest_speed(), 1e-6) << "a grid that was seen only once has to be at rest";
    riser.net.go_to(24);
    // Its top rose from 0.45 to 0.69 m, into a block that started at 0.5 m.
    const State<float> s = riser.net.state("matter");
    for (const auto& x : s.masters.x)
        EXPECT_GT((x.cast<double>() - Vec3d(0, 0.44, 0)).norm(), 0.25 - 0.1 * d);
    EXPECT_GT(mean_velocity(s).y(), 0.1);
    EXPECT_GT(riser.highest_speed(), 0.8 * riser.speed);
    EXPECT_LT(riser.highest_speed(), 1.5 * riser.speed);
}

TEST(Elastoplastic, a_vdb_with_a_velocity_pushes_from_the_first_frame) {
    Riser riser;
    riser.with_velocity = true;
    riser.net.go_to(24);
    const State<float> s = riser.net.state("matter");
    for (const auto& x : s.masters.x)
        EXPECT_GT((x.cast<double>() - Vec3d(0, 0.44, 0)).norm(), 0.25 - 0.1 * d);
    EXPECT_GT(riser.highest_speed(), 0.8 * riser.speed);
    EXPECT_LT(riser.highest_speed(), 1.5 * riser.speed);
}

TEST(Elastoplastic, a_conveyor_belt_is_a_shape_at_rest_with_a_velocity) {
    Network net;
    add_block(net, "matter", "jelly", {0, 0, 0});
    set_friction(net.add_collider("belt"), 10);
    GU_Detail& gdp = net.geometry("belt");
    Host host;
    const LevelSet belt = fill_mesh(box_mesh({-2, -0.5, -2}, {2, 0, 2}), d / 2);
    GU_PrimVDB::buildFromGrid(gdp, belt.distance, nullptr, "surface");
    auto velocity = openvdb::Vec3SGrid::create(openvdb::Vec3s(0.5f, 0, 0));
    velocity->setName("v");
    GU_PrimVDB::buildFromGrid(gdp, velocity, nullptr, "v");
    net.go_to(12);
    EXPECT_NEAR(mean_velocity(net.state("matter")).x(), 0.5, 0.05);
}

TEST(Elastoplastic, forces_and_goals_are_point_attributes) {
    Network net;
    add_block(net, "pushed", "jelly", {0, 0, 0});
    add_block(net, "led", "jelly", {5, 0, 0});
    for (const char* name : {"pushed", "led"})
        set_option(net.options(name), "gravity", Vec3d(0, 0, 0));
    const double mass = 1000 * d * d * d;
    const GA_RWHandleV3 force(net.geometry("pushed").addFloatTuple(GA_ATTRIB_POINT, "force", 3));
    for (const GA_Offset point : point_offsets(net.geometry("pushed")))
        force.set(point, UT_Vector3(0, float(2 * mass), 0));
    net.nodes.push_back([&](int frame) {
        GU_Detail& gdp = net.geometry("led");
        const GA_RWHandleI pin(gdp.addIntTuple(GA_ATTRIB_POINT, "pin", 1));
        const GA_RWHandleV3 goal(gdp.addFloatTuple(GA_ATTRIB_POINT, "goal", 3));
        for (const GA_Offset point : point_offsets(gdp)) {
            const UT_Vector3 x = gdp.getPos3(point);
            pin.set(point, -1);
            goal.set(point, UT_Vector3(x.x(), x.y(), x.z() + 0.01f * float(frame)));
        }
    });
    net.go_to(12);
    EXPECT_LT((mean_velocity(net.state("pushed")) - Vec3d(0, 1, 0)).norm(), 1e-3);
    EXPECT_LT((mean_velocity(net.state("led")) - Vec3d(0, 0, 0.12 * 24)).norm(), 1e-3);
    for (const auto& x : net.state("led").masters.x) {
        const double cells = (double(x.z()) - 0.78) / d - 0.5;
        EXPECT_NEAR(cells, std::round(cells), 1e-4);
    }
}

} // namespace
} // namespace nendo::houdini::test
