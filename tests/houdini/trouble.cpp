// SPDX-License-Identifier: Apache-2.0
// Nodes in trouble, each kind that random networks found: an error that names it, and nothing changed.
#include "trouble.h"
#include "network.h"
#include "support.h"

#include "geometry/sample.h"
#include "math/portable_math.h"
#include "neighbors/grid.h"
#include "rheology/material.h"
#include "rheology/solver.h"
#include "skinning/skeleton.h"

#include <limits>

namespace nendo::houdini::test {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

/// An object of eight particles of any method.
struct Trouble : testing::Test {
    Network net;

    SIM_Options& make(const char* solver) {
        SIM_Object& object = net.engine.standin_add_object("object");
        SIM_DATA_CREATE(object, "Geometry", SIM_GeometryCopy, 0);
        object.createNamedSubData("Solver", solver, 0);
        net.matter.push_back("object");
        net.emit("object", lattice({2, 2, 2}, {0, 1, 0}, 0.1));
        options() = default_options(*standin::find_data_factory(solver)->standin_description);
        if (options().hasOption("spacing")) set_option(options(), "spacing", 0.1);
        return options();
    }
    SIM_Options& options() const {
        return dynamic_cast<SIM_OptionsUser&>(*object().getNamedSubData("Solver"))
            .standin_options();
    }
    SIM_Object& object() const { return *net.object("object"); }
    GU_Detail& geometry(const char* data = "Geometry") const {
        return net.geometry("object", data);
    }

    /// Solves the next frame and expects an error with this text, and an object as before.
    void expect_refused(const std::string& text) {
        standin::messages().clear();
        const std::string before = bytes_of(object());
        const int solved = net.solved;
        net.engine.standin_go_to(net.engine.standin_frame() + 1);
        EXPECT_EQ(net.solved, solved) << "the node had no error";
        EXPECT_NE(net.complaints().find(text), std::string::npos) << net.complaints();
        EXPECT_TRUE(bytes_of(object()) == before) << "the object has changed";
    }
};

TEST_F(Trouble, a_detail_attribute_that_cannot_hold_the_time_changes_nothing) {
    make("GAS_NendoElastoplastic");
    net.go_to(1);
    // The values are the same, but single precision does not hold the next ones.
    const double time = GA_ROHandleD(geometry().findAttribute(GA_ATTRIB_DETAIL, "time")).get(0);
    geometry().destroyAttribute(GA_ATTRIB_DETAIL, "time");
    GA_RWHandleF(geometry().addFloatTuple(GA_ATTRIB_DETAIL, "time", 1)).set(0, 0, float(time));
    expect_refused("'time' has too little precision");
    geometry().destroyAttribute(GA_ATTRIB_DETAIL, "time");
    GA_RWHandleD(geometry().addTuple(GA_STORE_REAL64, GA_ATTRIB_DETAIL, "time", 1)).set(0, 0, time);
    standin::messages().clear();
    net.go_to(3);
    EXPECT_EQ(net.solved, 2);
}

TEST_F(Trouble, an_id_that_does_not_fit_its_attribute_changes_nothing) {
    make("GAS_NendoElastoplastic");
    GU_Detail& gdp = geometry();
    const GA_RWHandleI ids(gdp.addIntTuple(GA_ATTRIB_POINT, "id", 1));
    for (const GA_Offset point : point_offsets(gdp))
        ids.set(point, 0, std::numeric_limits<std::int32_t>::max());
    expect_refused("does not fit attribute 'id'");
}

/// The particles are written before the springs, and yet they do not change.
TEST_F(Trouble, an_id_that_does_not_fit_the_springs_leaves_the_particles_alone) {
    set_option(make("GAS_NendoCoupling"), "preset", std::string("membrane"));
    net.go_to(1);
    GA_RWHandleID(geometry().findAttribute(GA_ATTRIB_DETAIL, "next_spring"))
        .set(0, 0, std::int64_t(1) << 31);
    GU_Detail& springs = geometry("Springs");
    springs.destroyAttribute(GA_ATTRIB_PRIMITIVE, "id");
    const GA_RWHandleI ids(springs.addIntTuple(GA_ATTRIB_PRIMITIVE, "id", 1));
    for (const GA_Offset spring : springs.standin_primitives()) ids.set(spring, 0, int(spring));
    GU_PrimPoly* drawn = GU_PrimPoly::build(&springs, 0, GU_POLY_OPEN, 0);
    drawn->appendVertex(springs.pointOffset(0));
    drawn->appendVertex(springs.pointOffset(springs.getNumPoints() - 1));
    ids.set(drawn->getMapOffset(), 0, -1);
    for (const char* name : {"rest", "break_strain"})
        GA_RWHandleF(springs.findAttribute(GA_ATTRIB_PRIMITIVE, name))
            .set(drawn->getMapOffset(), 0, 1);
    expect_refused("does not fit attribute 'id'");
}

TEST_F(Trouble, parameters_that_name_the_same_data_are_refused) {
    make("GAS_NendoElastoplastic");
    set_option(options(), "slave_geometry", std::string("Geometry"));
    expect_refused("parameter Slaves: it names the same data as Geometry");
    set_option(options(), "slave_geometry", std::string());
    expect_refused("parameter Slaves: it is empty");
}

/// Houdini replaces data of another kind; here it would have been the running solver itself.
TEST_F(Trouble, a_parameter_that_names_the_solver_is_refused) {
    make("GAS_NendoElastoplastic");
    set_option(options(), "slave_geometry", std::string("Solver"));
    expect_refused("parameter Slaves: 'Solver' is data of the object that is no geometry");
}

TEST_F(Trouble, a_huge_number_of_a_muscle_is_refused) {
    make("GAS_NendoCoupling");
    set_option(options(), "preset", std::string("membrane"));
    net.go_to(1);
    GU_Detail& springs = geometry("Springs");
    ASSERT_GT(springs.getNumPrimitives(), 0);
    GA_RWHandleI(springs.findAttribute(GA_ATTRIB_PRIMITIVE, "muscle"))
        .set(springs.standin_primitives().front(), 0, 2000000000);
    expect_refused("the muscle 2000000000 is above 10000");
}

TEST_F(Trouble, ids_that_cannot_be_counted_on_from_are_refused) {
    make("GAS_NendoMelt");
    const GA_RWHandleID ids(geometry().addTuple(GA_STORE_INT64, GA_ATTRIB_POINT, "id", 1));
    ids.set(geometry().pointOffset(0), 0, largest);
    expect_refused("is too large");
}

TEST_F(Trouble, counters_that_nobody_counted_are_refused) {
    make("GAS_NendoMelt");
    net.go_to(1);
    for (const std::int64_t wrong : {std::int64_t(-1), largest}) {
        GA_RWHandleID(geometry().findAttribute(GA_ATTRIB_DETAIL, "next_particle")).set(0, 0, wrong);
        expect_refused("'next_particle' is " + std::to_string(wrong) + ", which is no count");
    }
}

TEST_F(Trouble, a_time_that_is_not_finite_is_refused) {
    make("GAS_NendoMelt");
    net.go_to(1);
    GA_RWHandleD(geometry().findAttribute(GA_ATTRIB_DETAIL, "time")).set(0, 0, std::nan(""));
    expect_refused("'time' is not finite");
}

/// A list of all ids up to this one would take 32 GB.
TEST_F(Trouble, one_large_id_takes_no_memory) {
    make("GAS_NendoMelt");
    const GA_RWHandleID ids(geometry().addTuple(GA_STORE_INT64, GA_ATTRIB_POINT, "id", 1));
    ids.set(geometry().pointOffset(0), 0, std::int64_t(4) << 30);
    net.go_to(2);
    EXPECT_EQ(net.solved, 2);
    EXPECT_EQ(geometry().getNumPoints(), 8);
}

TEST_F(Trouble, a_huge_collider_of_tiny_voxels_is_refused) {
    make("GAS_NendoElastoplastic");
    net.add_collider("ground");
    add_box(net.geometry("ground"), {-1000, -1000, -1000}, {1000, 0, 1000});
    expect_refused("the mesh needs more than 100 million voxels");
}

TEST_F(Trouble, an_open_mesh_in_a_huge_box_is_refused) {
    make("GAS_NendoElastoplastic");
    net.add_collider("ground");
    TriMesh far; // two tetrahedra without one side
    for (const double at : {0.0, 2000.0}) {
        const auto k = static_cast<std::uint32_t>(far.points.size());
        for (const Vec3d& p : {Vec3d(0, 0, 0), Vec3d(40, 0, 0), Vec3d(0, 40, 0), Vec3d(0, 0, 40)})
            far.points.emplace_back(p + Vec3d(at, at, at));
        far.triangles.insert(far.triangles.end(),
                             {{k, k + 2, k + 1}, {k, k + 1, k + 3}, {k, k + 3, k + 2}});
    }
    write_polygons(net.geometry("ground"), far);
    expect_refused("the mesh needs more than 100 million voxels");
}

/// A substep would be so short that it ends when it begins.
TEST_F(Trouble, matter_that_is_too_fast_for_any_substep_is_refused) {
    make("GAS_NendoElastoplastic");
    const GA_RWHandleV3 v(geometry().addFloatTuple(GA_ATTRIB_POINT, "v", 3));
    v.set(geometry().pointOffset(0), UT_Vector3(1e30f, 0, 0));
    expect_refused("matter needs substeps as short as");
}

TEST_F(Trouble, heat_that_would_flow_in_endless_steps_is_refused) {
    make("GAS_NendoMelt");
    net.go_to(1);
    const GA_RWHandleF capacity(geometry().findAttribute(GA_ATTRIB_POINT, "heat_capacity"));
    for (const GA_Offset point : point_offsets(geometry())) capacity.set(point, 0, 1e-12f);
    expect_refused("heat flows so fast that it needs steps of");
}

/// Somebody has drawn a line between clusters, which melt away.
TEST_F(Trouble, points_that_a_polygon_uses_can_go) {
    make("GAS_NendoMelt");
    net.go_to(1);
    GU_Detail& clusters = geometry("Clusters");
    ASSERT_GT(clusters.getNumPoints(), 0);
    GU_PrimPoly* line = GU_PrimPoly::build(&clusters, 0, GU_POLY_OPEN, 0);
    for (GA_Index k = 0; k < 2; ++k) line->appendVertex(clusters.pointOffset(k));
    // Without their particles, the clusters go.
    delete_points(geometry(), point_offsets(geometry()));
    net.go_to(2);
    EXPECT_EQ(geometry("Clusters").getNumPoints(), 0);
    EXPECT_EQ(geometry("Clusters").getNumPrimitives(), 0);
}

/// Clamped at both ends below the ground, which pushes it out.
TEST_F(Trouble, a_loop_of_joints_that_is_pulled_apart_goes_on_with_a_warning) {
    make("GAS_NendoRheology");
    delete_points(geometry(), point_offsets(geometry()));
    const rheology::Material material = rheology::preset("wax");
    rheology::State<float> state;
    std::vector<Vec3d> line;
    for (int k = 0; k <= 4; ++k) line.emplace_back(0.25 * k, -0.3, 0);
    add_body(state, rheology::make_skeleton(
                        rheology::segments_of_line(line, rheology::Section::ellipse(0.02, 0.02),
                                                   Vec3d::UnitY(), material),
                        material, rheology::Clamp::both));
    table_to_points(state.bones, {}, geometry(), "test");
    table_to_points(state.joints, {}, geometry("Joints"), "test");
    net.add_collider("ground");
    add_box(net.geometry("ground"), {-2, -0.5, -2}, {2, 0, 2});
    set_option(options(), "push_out", 100.0);
    set_option(options(), "contact_sweeps", 5);
    standin::messages().clear();
    for (int frame = 1; frame <= 2; ++frame) {
        const int solved = net.solved;
        net.engine.standin_go_to(net.engine.standin_frame() + 1);
        EXPECT_EQ(net.solved, solved + 1) << net.complaints();
        EXPECT_NE(net.complaints().find("is open by"), std::string::npos) << net.complaints();
    }
}

TEST(SourceInTrouble, a_huge_box_of_tiny_particles_is_refused) {
    GU_Detail box;
    add_box(box, {0, 0, 0}, {1, 1, 1});
    Node node("nendo_source");
    node.wire(box).set("spacing", 0.001);
    EXPECT_NE(node.error().find("box holds more than 100000000 particles"), std::string::npos);
}

/// A thousand fit; the box is not larger, but each particle takes memory.
TEST(SourceInTrouble, a_shape_that_holds_too_many_particles_is_refused) {
    const SdfPtr box = make_box({0, 0, 0}, {1, 1, 1});
    EXPECT_EQ(place_masters(*box, 0.1, {1e8, 1000}).size(), 1000u);
    try {
        place_masters(*box, 0.1, {1e8, 999});
        ADD_FAILURE() << "it was not refused";
    } catch (const Error& e) {
        EXPECT_STREQ(e.what(), "sampling: the shape holds more than 999 particles; use a larger "
                               "spacing than 0.1 m, or a smaller shape");
    }
}

/// Two small boxes far apart: the box around them has billions of cells of their size.
TEST(SkinInTrouble, a_mesh_that_fills_almost_nothing_of_its_box_is_refused) {
    GU_Detail boxes;
    add_box(boxes, {0, 0, 0}, {0.1, 0.1, 0.1});
    add_box(boxes, {3, 3, 3}, {3.1, 3.1, 3.1});
    Node node("nendo_skin");
    node.wire(boxes).set("output", std::string("bones"));
    EXPECT_NE(node.error().find("box holds more than 100000000 particles"), std::string::npos);
}

/// The search for the center line begins in the crumb, which holds a single sample.
TEST(SkinInTrouble, a_mesh_with_a_crumb_beside_it_is_refused) {
    GU_Detail boxes;
    add_box(boxes, {0, 0, 0}, {1, 1, 1});
    add_box(boxes, {-0.8, 0.5, 0.5}, {-0.76, 0.54, 0.54});
    Node node("nendo_skin");
    node.wire(boxes).set("output", std::string("bones"));
    EXPECT_NE(node.error().find("its inside falls into pieces"), std::string::npos);
}

TEST(AnglesInTrouble, huge_angles_have_no_sine) {
    for (const double huge : {1e30, -1e300, infinite, std::nan("")}) {
        EXPECT_TRUE(std::isnan(portable_sin_cos(huge).sin));
        EXPECT_TRUE(std::isnan(portable_sin_cos(huge).cos));
    }
    EXPECT_EQ(portable_exp(1e6), infinite);
    EXPECT_EQ(portable_exp(-1e6), 0);
}

/// Neighbors of the outermost cells still have numbers.
TEST(GridInTrouble, cells_of_huge_coordinates_do_not_overflow) {
    for (const double far : {1e300, -1e300, infinite, -infinite, std::nan("")}) {
        const Cell cell = cell_of(Vec3d(far, 0, far), 1e-9);
        EXPECT_LT(std::abs(cell.x), largest / 2);
        EXPECT_EQ(cell.x, cell.z);
    }
    EXPECT_EQ(cell_of(Vec3d(-0.5, 2.5, 1e9), 1), (Cell{-1, 2, 1000000000}));
}

} // namespace
} // namespace nendo::houdini::test
