// SPDX-License-Identifier: Apache-2.0
// The microsolver of bones in a DOP network, and Nendo Skin, against the library.
#include "network.h"
#include "scrubbing.h"
#include "support.h"

#include "dop/GAS_NendoRheology.h"
#include "dop/bridge/points.h"
#include "rheology/bend.h"
#include "rheology/material.h"
#include "skinning/skeleton.h"
#include "skinning/skin.h"
#include "support/tubes.h"

namespace nendo::houdini::test {
namespace {

using rheology::Params;
using RState = rheology::State<float>;

/// A wire of four bones, clamped at its first end.
RState make_wire() {
    rheology::Material material = rheology::preset("aluminium");
    std::vector<Vec3d> points;
    for (int k = 0; k <= 4; ++k) points.emplace_back(0.25 * k, 1, 0);
    RState state;
    rheology::Body body = rheology::make_skeleton(
        rheology::segments_of_line(points, rheology::Section::ellipse(0.01, 0.01), Vec3d::UnitY(),
                                   material),
        material, rheology::Clamp::first);
    add_body(state, body);
    return state;
}

/// An object with bones and joints, and its solver.
void build_wire(Network& net) {
    net.add_matter("wire");
    SIM_Object& object = *net.object("wire");
    auto* solver = SIM_DATA_CREATE(object, "Rheology", GAS_NendoRheology, 0);
    solver->standin_options() =
        default_options(*standin::find_data_factory("GAS_NendoRheology")->standin_description);
    net.solver_of = [](SIM_Object& own) -> GAS_SubSolver* {
        return SIM_DATA_GET(own, "Rheology", GAS_NendoRheology);
    };
    const RState state = make_wire();
    table_to_points(state.bones, Places{}, net.geometry("wire"), "test");
    table_to_points(state.joints, Places{}, net.geometry("wire", "Joints"), "test");
}

RState read_wire(const Network& net) {
    RState s;
    GU_Detail& bones = net.geometry("wire");
    GU_Detail& joints = net.geometry("wire", "Joints");
    points_to_table(bones, point_offsets(bones), s.bones, "test");
    points_to_table(joints, point_offsets(joints), s.joints, "test");
    detail_to_details(bones, s.details, "test");
    return s;
}

struct Wire : testing::Test {
    Network net;

    void SetUp() override { build_wire(net); }
    RState state() const { return read_wire(net); }
};

TEST_F(Wire, moves_as_in_the_library_and_keeps_its_state_in_its_data) {
    RState expected = make_wire();
    rheology::Solver<float> library;
    Host host;
    for (int frame = 1; frame <= 12; ++frame) {
        net.go_to(frame);
        library.advance(expected, Scene(), {}, Params(), frame / 24.0 - expected.details.time,
                        host);
    }
    RState got = state();
    // It sags under its weight as Euler and Bernoulli predict, as well as four bones can: w x^2 (6
    // L^2 - 4 L x + x^2) / (24 E I) at the center of the last one.
    const rheology::Material aluminium = rheology::preset("aluminium");
    const rheology::Section section = rheology::Section::ellipse(0.01, 0.01);
    const double weight = aluminium.density * section.area * 9.81, x = 0.875;
    const double sag =
        weight * x * x * (6 - 4 * x + x * x) / (24 * aluminium.young * section.about_y);
    EXPECT_NEAR(1 - static_cast<double>(got.bones.x[3].y()), sag, 0.1 * sag);
    got.contacts = expected.contacts;
    EXPECT_EQ(hash_state(got), hash_state(expected));
}

TEST(Rheology, scrubbing_back_and_sim_files_give_the_same_bits) {
    expect_same_bits_when_scrubbed_and_loaded<Network>(
        build_wire, [](const Network& net) { return hash_state(read_wire(net)); }, 4, 6, 8);
}

TEST_F(Wire, is_pulled_by_the_attribute_f) {
    RState s = make_wire();
    s.bones.force[3] = Vec3<float>(0, 50, 0);
    GU_Detail& bones = net.geometry("wire");
    Places places;
    const std::vector<GA_Offset> points = point_offsets(bones);
    for (std::size_t b = 0; b < 4; ++b) places[s.bones.id[b]] = points[b];
    table_to_points(s.bones, places, bones, "test");
    net.go_to(1);
    EXPECT_GT(state().bones.x[3].y(), 1.001f);
}

/// A lasting bend is removed by blending it to zero, or by baking it into the rest shape.
TEST_F(Wire, can_have_its_bend_reset_or_baked) {
    RState bent = make_wire();
    const std::vector<Vec3d> bends(bent.joints.id.size(), Vec3d(0, 0, 0.2));
    rheology::set_bends(bent, bends);
    const auto tip_after = [&](const char* action) {
        Places bones, joints;
        const std::vector<GA_Offset> at = point_offsets(net.geometry("wire"));
        const std::vector<GA_Offset> between = point_offsets(net.geometry("wire", "Joints"));
        for (std::size_t b = 0; b < 4; ++b) bones[bent.bones.id[b]] = at[b];
        for (std::size_t j = 0; j < 4; ++j) joints[bent.joints.id[j]] = between[j];
        table_to_points(bent.bones, bones, net.geometry("wire"), "test");
        table_to_points(bent.joints, joints, net.geometry("wire", "Joints"), "test");
        SIM_Options& options =
            SIM_DATA_GET(*net.object("wire"), "Rheology", GAS_NendoRheology)->standin_options();
        set_option(options, "bend", std::string(action));
        set_option(options, "gravity", Vec3d(0, 0, 0));
        net.go_to(net.engine.standin_frame() + 1);
        const RState now = state();
        double most = 0;
        for (const Vec3d& bend : residual_bends(now)) most = std::max(most, bend.norm());
        return std::pair(now.bones.x[3], most);
    };
    const auto kept = tip_after("keep");
    EXPECT_NEAR((kept.first - bent.bones.x[3]).norm(), 0, 1e-4);
    EXPECT_NEAR(kept.second, 0.2, 1e-3);
    const auto reset = tip_after("blend");
    EXPECT_NEAR((reset.first - make_wire().bones.x[3]).norm(), 0, 1e-4);
    EXPECT_NEAR(reset.second, 0, 1e-4);
    const auto baked = tip_after("bake");
    EXPECT_NEAR((baked.first - bent.bones.x[3]).norm(), 0, 1e-4);
    EXPECT_NEAR(baked.second, 0, 1e-4);
}

TEST_F(Wire, loses_the_joints_of_bones_that_are_deleted) {
    net.go_to(1);
    GU_Detail& bones = net.geometry("wire");
    GA_PointGroup* doomed = bones.newPointGroup("doomed");
    doomed->addOffset(point_offsets(bones)[3]);
    bones.destroyPointOffsets(GA_Range(*doomed));
    net.go_to(2);
    EXPECT_EQ(state().bones.id.size(), 3u);
    EXPECT_EQ(state().joints.id.size(), 3u);
}

TEST_F(Wire, reports_bad_values_and_leaves_the_data_as_it_was) {
    const std::uint64_t before = hash_state(state());
    GU_Detail& joints = net.geometry("wire", "Joints");
    RState broken = make_wire();
    broken.joints.flow[1] = -1;
    Places places;
    const std::vector<GA_Offset> points = point_offsets(joints);
    for (std::size_t j = 0; j < 4; ++j) places[broken.joints.id[j]] = points[j];
    table_to_points(broken.joints, places, joints, "test");
    net.engine.standin_go_to(1);
    EXPECT_NE(net.complaints().find("flow"), std::string::npos) << net.complaints();
    table_to_points(make_wire().joints, places, net.geometry("wire", "Joints"), "test");
    EXPECT_EQ(hash_state(state()), before);
}

// ---- Nendo Skin --------------------------------------------------------------------------------

struct SkinNode : testing::Test {
    TriMesh mesh = rheology::test::make_tube({Vec3d(0, 0, 0), Vec3d(0.4, 0, 0)}, 0.02, 30, 12);
    GU_Detail polygons;
    Node node{"nendo_skin"};

    void SetUp() override {
        // Round to float, as in a geometry.
        for (Vec3d& x : mesh.points) x = x.cast<float>().cast<double>();
        write_polygons(polygons, mesh);
        node.wire(polygons);
    }
};

TEST_F(SkinNode, makes_bones_of_a_line) {
    GU_Detail line;
    GU_PrimPoly* polygon = GU_PrimPoly::build(&line, 0, GU_POLY_OPEN, 0);
    for (int k = 0; k <= 4; ++k) {
        const GA_Offset point = line.appendPointBlock(1);
        line.setPos3(point, UT_Vector3(0.25f * static_cast<float>(k), 1, 0));
        polygon->appendVertex(point);
    }
    Node wire{"nendo_skin"};
    wire.wire(line).set("output", std::string("bones")).set("clamp", std::string("first"));
    RState made;
    const GU_Detail& bones = wire.cook();
    points_to_table(bones, point_offsets(bones), made.bones, "test");
    EXPECT_EQ(made.bones.x, make_wire().bones.x);
    EXPECT_EQ(made.bones.mass, make_wire().bones.mass);
}

TEST_F(SkinNode, makes_the_bones_and_joints_of_the_library) {
    node.set("bones", 6).set("clamp", std::string("first"));
    const GU_Detail& bones = node.set("output", std::string("bones")).cook();
    RState expected;
    add_body(expected,
             rheology::make_skeleton(
                 rheology::segments_of_mesh(mesh, 6, rheology::preset("aluminium")).segments,
                 rheology::preset("aluminium"), rheology::Clamp::first));
    ASSERT_EQ(bones.getNumPoints(), 6);
    const auto mass = column<float>(bones, "mass");
    for (std::size_t b = 0; b < 6; ++b) EXPECT_NEAR(mass[b], expected.bones.mass[b], 1e-6f);
    const GU_Detail& joints = node.set("output", std::string("joints")).cook();
    EXPECT_EQ(joints.getNumPoints(), 6);
    EXPECT_EQ(column<std::int64_t>(joints, "parent").front(), -1);
}

TEST_F(SkinNode, moves_the_mesh_with_its_bones) {
    RState s;
    add_body(s, rheology::make_skeleton(
                    rheology::segments_of_mesh(mesh, 4, rheology::preset("steel")).segments,
                    rheology::preset("steel"), rheology::Clamp::none));
    for (auto& x : s.bones.x) x += Vec3<float>(0, 1, 0);
    GU_Detail bones;
    table_to_points(s.bones, Places{}, bones, "test");
    node.wire(bones);
    const GU_Detail& out = node.cook();
    const auto places = column<Vec3<float>>(out, "P");
    ASSERT_EQ(places.size(), mesh.points.size());
    for (std::size_t v = 0; v < places.size(); ++v)
        EXPECT_LT((places[v].cast<double>() - mesh.points[v] - Vec3d(0, 1, 0)).norm(), 1e-5);
    EXPECT_EQ(out.getNumPrimitives(), GA_Size(mesh.triangles.size()));
}

} // namespace
} // namespace nendo::houdini::test
