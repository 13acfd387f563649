// SPDX-License-Identifier: Apache-2.0
// Nendo Source: the shapes that it fills, the matter that it makes, and the input that it refuses.
#include "support.h"

#include "core/hash.h"
#include "coupling/solver.h"
#include "dop/bridge/links.h"
#include "elastoplastic/solver.h"
#include "geometry/level_set.h"
#include "geometry/mesh_sdf.h"
#include "geometry/sample.h"
#include "melt/adopt.h"

#include <GU/GU_PrimVDB.h>
#include <openvdb/tools/LevelSetSphere.h>

#include <new>

using namespace nendo;
using namespace nendo::houdini;

namespace {

struct Source : testing::Test {
    GU_Detail box;
    Node node{"nendo_source"};
    void SetUp() override {
        add_box(box, Vec3d(0, 0, 0), Vec3d(0.5, 0.25, 0.75));
        node.wire(box).set("spacing", 0.0625);
    }
};

/// The masters and columns have to be those of the library's body, bit for bit.
TEST_F(Source, a_box_is_filled_as_in_the_library) {
    const GU_Detail& out = node.set("preset", std::string("clay"))
                               .set("velocity", std::vector<double>{1, 2, 3})
                               .set("angular_velocity", std::vector<double>{0, 1, 0})
                               .set("body", 4)
                               .cook();
    elastoplastic::Body body;
    const auto shape = make_box(Vec3d(0.25, 0.125, 0.375), Vec3d(0.5, 0.25, 0.75));
    body.masters = place_masters(*shape, 0.0625);
    body.material = elastoplastic::preset("clay");
    body.velocity = Vec3d(1, 2, 3);
    body.angular_velocity = Vec3d(0, 1, 0);
    body.index = 4;
    elastoplastic::Params params;
    params.spacing = 0.0625;
    elastoplastic::State<float> state;
    add_body(state, body, params);

    ASSERT_EQ(out.getNumPoints(), 8 * 4 * 12);
    EXPECT_EQ(out.getNumPrimitives(), 0);
    EXPECT_EQ(column<Vec3<float>>(out, "P"), state.masters.x);
    EXPECT_EQ(column<Vec3<float>>(out, "v"), state.masters.v);
    EXPECT_EQ(column<float>(out, "pscale"), state.masters.radius);
    EXPECT_EQ(column<float>(out, "mass"), state.masters.mass);
    EXPECT_EQ(column<float>(out, "volume"), state.masters.volume);
    EXPECT_EQ(column<float>(out, "young"), state.masters.young);
    EXPECT_EQ(column<float>(out, "poisson"), state.masters.poisson);
    EXPECT_EQ(column<float>(out, "yield_stretch"), state.masters.yield_stretch);
    EXPECT_EQ(column<float>(out, "yield_compress"), state.masters.yield_compress);
    EXPECT_EQ(column<float>(out, "hardening"), state.masters.hardening);
    EXPECT_EQ(column<std::int32_t>(out, "body"), state.masters.body);
    EXPECT_EQ(column<std::int32_t>(out, "join"), state.masters.join);
}

TEST_F(Source, slaves_are_the_ones_of_the_solver) {
    const GU_Detail& out = node.set("show", std::string("slaves")).cook();
    const auto shape = make_box(Vec3d(0.25, 0.125, 0.375), Vec3d(0.5, 0.25, 0.75));
    const auto slaves = sample(*shape, 0.0625).slaves;
    EXPECT_EQ(column<Vec3<float>>(out, "P"), cast<float>(slaves));
    EXPECT_EQ(out.findPointAttribute("mass"), nullptr);
}

/// Particles and springs of a body in fluid are the ones that the solver would make.
TEST_F(Source, makes_fluids_and_bodies_of_springs) {
    node.set("matter", std::string("coupling")).set("coupling_preset", std::string("membrane"));
    node.set("spacing", 0.125).set("body", 2).set("first_id", 1000);
    coupling::Body body;
    body.points =
        place_masters(*make_box(Vec3d(0.25, 0.125, 0.375), Vec3d(0.5, 0.25, 0.75)), 0.125);
    body.material = coupling::preset("membrane");
    body.spacing = 0.125;
    body.index = 2;
    coupling::State<float> state;
    state.details.next_particle = 1000;
    add_body(state, body, {}, coupling::Params{});
    ASSERT_GT(state.springs.id.size(), 0u);

    coupling::State<float> made;
    const GU_Detail& points = node.cook();
    EXPECT_TRUE(points_to_table(points, point_offsets(points), made.particles, "test").empty());
    std::vector<GA_Offset> lines;
    node.set("show", std::string("springs"));
    EXPECT_TRUE(polygons_to_table(node.cook(), made.springs, lines, "test").empty());
    made.details = state.details;
    EXPECT_EQ(hash_state(made), hash_state(state));

    node.set("coupling_preset", std::string("water"));
    EXPECT_EQ(node.cook().getNumPrimitives(), 0);
}

/// A membrane has one particle per point of the mesh, and one face per triangle.
TEST_F(Source, makes_a_membrane_of_polygons) {
    node.set("matter", std::string("coupling")).set("coupling_preset", std::string("balloon"));
    node.set("membrane", 1).set("spacing", 0.5);
    EXPECT_EQ(node.cook().getNumPoints(), box.getNumPoints());
    const GU_Detail& faces = node.set("show", std::string("faces")).cook();
    coupling::Faces table;
    std::vector<GA_Offset> triangles;
    EXPECT_TRUE(polygons_to_table(faces, table, triangles, "test").empty());
    EXPECT_EQ(table.id.size(), 12u);
}

/// Melting matter is the same as in the library, except for ids and clusters, which the solver
/// adds.
TEST_F(Source, makes_matter_that_melts) {
    node.set("matter", std::string("melt")).set("melt_preset", std::string("ice"));
    node.set("temperature", -5.0)
        .set("body", 3)
        .set("angular_velocity", std::vector<double>{0, 1, 0});
    node.set("override_melt_viscosity", 1).set("melt_viscosity", 0.5);
    melt::Body body;
    body.particles =
        place_masters(*make_box(Vec3d(0.25, 0.125, 0.375), Vec3d(0.5, 0.25, 0.75)), 0.0625);
    body.material = melt::preset("ice");
    body.material.viscosity = 0.5;
    body.temperature = -5;
    body.angular_velocity = Vec3d(0, 1, 0);
    body.index = 3;
    melt::Params params;
    params.spacing = 0.0625;
    melt::State<float> state;
    add_body(state, body, params);

    melt::State<float> made;
    const GU_Detail& points = node.cook();
    points_to_table(points, point_offsets(points), made.particles, "test");
    EXPECT_EQ(points.findPointAttribute("id"), nullptr);
    made.particles.id.assign(body.particles.size(), -1);
    // The solver's own material has no effect on this matter.
    const Adoption adoption = adopt(made, params, melt::preset("lava"), 1500);
    EXPECT_EQ(adoption.first, 0u);
    EXPECT_EQ(hash_state(made), hash_state(state));
}

TEST_F(Source, melting_matter_reads_attributes_of_the_input) {
    node.set("matter", std::string("melt")).set("melt_preset", std::string("wax"));
    node.set("temperature", 20.0);
    const GA_RWHandleF warm(box.addFloatTuple(GA_ATTRIB_POINT, "temperature", 1));
    const GA_RWHandleF melts(box.addFloatTuple(GA_ATTRIB_POINT, "melting_point", 1));
    for (GA_Index i = 0; i < box.getNumPoints(); ++i) {
        warm.set(box.pointOffset(i), box.getPos3(box.pointOffset(i)).x() > 0.25f ? 90.f : 30.f);
        melts.set(box.pointOffset(i), 70.f);
    }
    const GU_Detail& out = node.cook();
    const auto P = column<Vec3<float>>(out, "P");
    const auto phase = column<std::int32_t>(out, "phase");
    const auto temperature = column<float>(out, "temperature");
    const auto mass = column<float>(out, "mass");
    const float volume = 0.0625f * 0.0625f * 0.0625f;
    for (std::size_t i = 0; i < P.size(); ++i) {
        const bool hot = P[i].x() > 0.25f;
        EXPECT_EQ(phase[i], hot ? melt::liquid : melt::solid);
        EXPECT_FLOAT_EQ(temperature[i], hot ? 90.f : 30.f);
        EXPECT_FLOAT_EQ(mass[i], (hot ? 780.f : 900.f) * volume);
    }
    warm.set(box.pointOffset(0), -300.f);
    EXPECT_NE(node.error().find("attribute 'temperature' of point 0"), std::string::npos);
}

TEST_F(Source, each_elastic_body_stays_its_own) {
    node.set("preset", std::string("rubber")).set("body", 2);
    EXPECT_EQ(column<std::int32_t>(node.cook(), "join").front(), 3);
    EXPECT_EQ(column<float>(node.cook(), "yield_stretch").front(),
              std::numeric_limits<float>::infinity());
    node.set("join_rule", std::string("number")).set("join", 7);
    EXPECT_EQ(column<std::int32_t>(node.cook(), "join").front(), 7);
}

TEST_F(Source, given_values_override_the_preset) {
    node.set("preset", std::string("rubber")).set("young", 5e5).set("hardening", 3);
    EXPECT_EQ(column<float>(node.cook(), "young").front(), 6.9e7f);
    node.set("override_young", 1).set("override_yield_stretch", 1);
    node.set("limit_yield_stretch", 1).set("yield_stretch", 0.25);
    const GU_Detail& out = node.cook();
    EXPECT_EQ(column<float>(out, "young").front(), 5e5f);
    EXPECT_EQ(column<float>(out, "yield_stretch").front(), 0.25f);
    EXPECT_EQ(column<float>(out, "hardening").front(), 0);
    EXPECT_EQ(column<std::int32_t>(out, "join").front(), 0); // it is plastic now
}

/// Values painted on the input: the nearest point counts.
TEST_F(Source, attributes_of_the_input_come_first) {
    std::vector<float> young, density;
    for (const Vec3<float>& p : column<Vec3<float>>(box, "P")) {
        young.push_back(p.x() > 0.25f ? 2e5f : 1e5f);
        density.push_back(p.z() > 0.3f ? 2000.f : 500.f);
    }
    write_column(box, point_offsets(box), field("young"), young);
    write_column(box, point_offsets(box), field("density"), density);
    const GU_Detail& out = node.set("override_young", 1).set("young", 7).cook();
    const auto x = column<Vec3<float>>(out, "P");
    const auto stiffness = column<float>(out, "young"), mass = column<float>(out, "mass");
    for (std::size_t i = 0; i < x.size(); ++i) {
        EXPECT_EQ(stiffness[i], x[i].x() > 0.25f ? 2e5f : 1e5f);
        EXPECT_EQ(mass[i], (x[i].z() > 0.375f ? 2000.f : 500.f) * 0.0625f * 0.0625f * 0.0625f);
    }
    node.set("use_attributes", 0);
    EXPECT_EQ(column<float>(node.cook(), "young").front(), 7);
}

TEST_F(Source, a_level_set_is_filled) {
    openvdb::initialize();
    const auto ball = openvdb::tools::createLevelSetSphere<openvdb::FloatGrid>(
        0.4f, openvdb::Vec3f(0, 1, 0), 0.02f);
    GU_Detail vdb;
    GU_PrimVDB::buildFromGrid(vdb, ball, nullptr, "ball");
    node.sop->standin_inputs = {&vdb};
    const auto x = column<Vec3<float>>(node.cook(), "P");
    const double expected = 4.0 / 3 * 3.14159265 * 0.4 * 0.4 * 0.4 / std::pow(0.0625, 3);
    EXPECT_NEAR(double(x.size()), expected, 0.03 * expected);
    for (const Vec3<float>& p : x) EXPECT_LT((p - Vec3<float>(0, 1, 0)).norm(), 0.4f);

    // Together with polygons it is one body; the part of the box outside the ball is added.
    add_box(vdb, Vec3d(0, 1, 0), Vec3d(0.75, 1.25, 0.25));
    EXPECT_GT(column<Vec3<float>>(node.cook(), "P").size(), x.size() + 50);
}

TEST_F(Source, holes_between_offsets_do_no_harm) {
    GU_Detail gaps;
    const GA_Offset first = gaps.appendPointBlock(5);
    add_box(gaps, Vec3d(0, 0, 0), Vec3d(0.5, 0.25, 0.75));
    GA_PointGroup* group = gaps.newPointGroup("doomed");
    for (GA_Offset k = 0; k < 5; ++k) group->addOffset(first + k);
    gaps.destroyPointOffsets(GA_Range(*group));
    node.sop->standin_inputs = {&gaps};
    EXPECT_EQ(node.cook().getNumPoints(), 8 * 4 * 12);
}

TEST_F(Source, bad_input_is_an_error) {
    node.sop->standin_inputs.clear();
    EXPECT_EQ(node.error(),
              "input 1: nothing is wired to it; connect polygons or a level set (VDB)");
    GU_Detail empty;
    node.sop->standin_inputs = {&empty};
    EXPECT_EQ(node.error(), "input 1: there is nothing to fill; connect polygons or a "
                            "level set (VDB)");
    node.sop->standin_inputs = {&box};
    node.set("spacing", -1.0);
    EXPECT_EQ(node.error(), "Spacing: the value is -1; use a number above 0 [m]");
    node.set("spacing", 10.0);
    EXPECT_NE(node.error().find("no particle fits inside the shape; use a smaller spacing"),
              std::string::npos);
    node.set("spacing", 0.0625).set("preset", std::string("clya"));
    EXPECT_EQ(node.error(), "Material: 'clya' is not in the menu; did you mean 'clay'?");
    node.set("preset", std::string("clay"));

    std::vector<float> poisson(8, 0.9f);
    write_column(box, point_offsets(box), field("poisson"), poisson);
    EXPECT_NE(node.error().find("attribute 'poisson' of point"), std::string::npos);
    EXPECT_NE(node.error().find("at most 0.499"), std::string::npos);
    box.destroyAttribute(GA_ATTRIB_POINT, "poisson");
    box.addIntTuple(GA_ATTRIB_POINT, "poisson", 1);
    EXPECT_NE(node.error().find("attribute 'poisson' holds 1 integer value"), std::string::npos);
    box.destroyAttribute(GA_ATTRIB_POINT, "poisson");

    box.setPos3(box.pointOffset(3), UT_Vector3(std::nanf(""), 0, 0));
    EXPECT_EQ(node.error(), "input 1, point 3: P is not finite; delete or repair the point");
}

/// A node that runs out of memory.
class Greedy final : public SOP_NendoNode {
public:
    using SOP_NendoNode::SOP_NendoNode;

protected:
    void fill(const ParameterValues&, OP_Context&) override {
        gdp->appendPointBlock(1);
        throw std::bad_alloc();
    }
};

TEST_F(Source, out_of_memory_is_told_as_by_the_solvers) {
    OP_Operator* op = node.table.standin_operators.at("nendo_source").get();
    Greedy greedy(nullptr, "greedy", op);
    EXPECT_EQ(greedy.standin_cook(), UT_ERROR_ABORT);
    ASSERT_EQ(greedy.standin_errors.size(), 1u);
    EXPECT_EQ(greedy.standin_errors.front(),
              "out of memory: use fewer particles, with a larger Spacing");
    EXPECT_EQ(greedy.standin_geometry().getNumPoints(), 0);
}

TEST_F(Source, a_fog_volume_is_refused) {
    openvdb::initialize();
    const auto fog = openvdb::FloatGrid::create();
    fog->setGridClass(openvdb::GRID_FOG_VOLUME);
    GU_Detail vdb;
    GU_PrimVDB::buildFromGrid(vdb, fog, nullptr, "density");
    node.sop->standin_inputs = {&vdb};
    EXPECT_EQ(node.error(), "input 1, VDB: is not a level set; make one with VDB from Polygons, as "
                            "a distance VDB");
}

/// A box without its lid is filled, and the node warns that it is open.
TEST_F(Source, an_open_mesh_warns) {
    GU_Detail open;
    TriMesh mesh = read_polygons(box, "test");
    mesh.triangles.erase(mesh.triangles.begin() + 6);
    write_polygons(open, mesh);
    node.sop->standin_inputs = {&open};
    EXPECT_EQ(node.sop->standin_cook(), UT_ERROR_WARNING);
    ASSERT_EQ(node.sop->standin_warnings.size(), 1u);
    EXPECT_NE(node.sop->standin_warnings[0].find("open"), std::string::npos);
    EXPECT_GT(node.sop->standin_geometry().getNumPoints(), 8 * 4 * 12 / 2);
}

} // namespace
