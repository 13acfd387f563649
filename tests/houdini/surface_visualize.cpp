// SPDX-License-Identifier: Apache-2.0
// Nendo Surface and Nendo Visualize, against the library that they call.
#include "support.h"

#include "coupling/state.h"
#include "dop/bridge/cluster_points.h"
#include "elastoplastic/inspect.h"
#include "elastoplastic/solver.h"
#include "geometry/level_set.h"
#include "geometry/sample.h"
#include "math/ramp.h"
#include "melt/solver.h"
#include "surface/carried.h"
#include "surface/matter.h"

#include <GEO/GEO_PrimVDB.h>

using namespace nendo;
using namespace nendo::houdini;
using elastoplastic::Quantity;

namespace {

/// Squeezed dough, as points of a geometry with holes between their offsets.
struct Matter : testing::Test {
    elastoplastic::State<float> state;
    GU_Detail particles;

    void SetUp() override {
        elastoplastic::Body body;
        elastoplastic::Params params;
        params.spacing = 0.125;
        const Samples samples = sample(*make_box(Vec3d(0, 0.25, 0), Vec3d(0.5, 0.5, 0.5)), 0.125);
        body.masters = samples.masters;
        body.slaves = samples.slaves;
        body.material = elastoplastic::preset("dough");
        body.velocity = Vec3d(0, 2, 0);
        add_body(state, body, params);
        for (std::size_t i = 0; i < state.masters.id.size(); ++i)
            state.masters.F_E[i](1, 1) = 1 - 0.001f * static_cast<float>(i);

        GA_PointGroup* doomed = particles.newPointGroup("doomed");
        doomed->addOffset(particles.appendPointBlock(3) + 1);
        particles.destroyPointOffsets(GA_Range(*doomed));
        doomed->addOffset(particles.pointOffset(0));
        doomed->addOffset(particles.pointOffset(1));
        particles.destroyPointOffsets(GA_Range(*doomed));
        table_to_points(state.masters, Places{}, particles, "test");
    }
};

struct Surfaced : Matter {
    Node node{"nendo_surface"};
    Surface expected;

    void SetUp() override {
        Matter::SetUp();
        node.wire(particles);
        SurfaceInput input;
        input.positions = cast<double>(state.masters.x);
        input.velocities = cast<double>(state.masters.v);
        input.bodies = state.masters.body;
        input.groups = state.masters.join;
        input.attributes = {{"id", 1, Meaning::value, state.masters.id}};
        MatterColumns matter;
        matter.F_E = state.masters.F_E;
        matter.F_P = state.masters.F_P;
        matter.pscale = state.masters.radius;
        describe_matter(matter, input);
        expected = surface_particles(input, {});
    }
};

TEST_F(Surfaced, the_mesh_is_the_one_of_the_library) {
    const GU_Detail& out = node.cook();
    EXPECT_EQ(column<Vec3<float>>(out, "P"), cast<float>(expected.mesh.points));
    EXPECT_EQ(column<Vec3<float>>(out, "v"), cast<float>(expected.mesh.velocities));
    EXPECT_EQ(column<std::int32_t>(out, "body"), expected.bodies);
    ASSERT_EQ(expected.attributes.size(), 2u);
    EXPECT_EQ(column<std::int64_t>(out, "id"),
              std::get<std::vector<std::int64_t>>(expected.attributes[0].values));
    EXPECT_EQ(column<float>(out, "plastic_strain"),
              std::get<std::vector<float>>(expected.attributes[1].values));
    ASSERT_EQ(out.getNumPrimitives(), GA_Size(expected.mesh.triangles.size()));
    // In Houdini's order of corners it is the same mesh, except for the first corner of each
    // polygon.
    const TriMesh back = read_polygons(out, "test");
    for (std::size_t i = 0; i < back.triangles.size(); ++i) {
        EXPECT_EQ(back.triangles[i], expected.mesh.triangles[i]);
    }
    EXPECT_EQ(column<Vec3<float>>(out, "v").front(), Vec3<float>(0, 2, 0));
}

TEST_F(Surfaced, the_level_set_is_the_one_of_the_library) {
    const GU_Detail& out = node.set("output", std::string("vdb")).cook();
    ASSERT_EQ(out.getNumPrimitives(), 2);
    const GEO_Primitive* primitive = nullptr;
    std::map<std::string, openvdb::GridBase::ConstPtr> grids;
    GA_FOR_ALL_PRIMITIVES(&out, primitive) {
        const auto* vdb = static_cast<const GEO_PrimVDB*>(primitive);
        grids[vdb->standin_name] = vdb->getConstGridPtr();
    }
    const auto surface = openvdb::gridConstPtrCast<openvdb::FloatGrid>(grids.at("surface"));
    ASSERT_TRUE(surface);
    EXPECT_EQ(surface->getGridClass(), openvdb::GRID_LEVEL_SET);
    EXPECT_EQ(surface->activeVoxelCount(), expected.level_set->distance->activeVoxelCount());
    for (auto it = surface->cbeginValueOn(); it; ++it)
        ASSERT_EQ(*it, expected.level_set->distance->tree().getValue(it.getCoord()));
    const auto velocity = openvdb::gridConstPtrCast<openvdb::Vec3SGrid>(grids.at("v"));
    ASSERT_TRUE(velocity);
    EXPECT_EQ(*velocity->cbeginValueOn(), openvdb::Vec3s(0, 2, 0));
}

TEST_F(Surfaced, the_mesh_has_every_carried_attribute) {
    const std::vector<GA_Offset> points = point_offsets(particles);
    for (const CarriedAttribute& a : carried_attributes)
        if (a.width == 3)
            write_column(particles, points, field(a.name),
                         std::vector<Vec3<float>>(points.size(), Vec3<float>(1, 2, 3)));
        else if (!a.is_integer)
            write_column(particles, points, field(a.name),
                         std::vector<float>(points.size(), 0.25f));
    const GU_Detail& out = node.cook();
    for (const CarriedAttribute& a : carried_attributes)
        EXPECT_NE(out.findAttribute(GA_ATTRIB_POINT, std::string(a.name).c_str()), nullptr)
            << a.name;
    for (const float melted : column<float>(out, "melted")) EXPECT_NEAR(melted, 0.25f, 1e-6f);
}

TEST_F(Surfaced, mesh_and_level_set_are_made_at_once) {
    const GU_Detail& out = node.set("output", std::string("both")).cook();
    EXPECT_EQ(out.getNumPrimitives(), GA_Size(expected.mesh.triangles.size() + 2));
}

TEST_F(Surfaced, positions_alone_are_enough) {
    GU_Detail bare;
    append_points(bare, cast<double>(state.masters.x));
    node.sop->standin_inputs = {&bare};
    EXPECT_EQ(node.error(), "input 1: attribute 'pscale' is missing, so the spacing is not "
                            "known; turn off Spacing from pscale, and set Spacing");
    node.set("from_pscale", 0).set("spacing", 0.125);
    EXPECT_EQ(node.cook().getNumPrimitives(), GA_Size(expected.mesh.triangles.size()));
}

TEST_F(Surfaced, no_particles_make_no_surface) {
    GU_Detail none;
    node.sop->standin_inputs = {&none};
    EXPECT_EQ(node.cook().getNumPoints(), 0);
}

TEST_F(Surfaced, bad_input_is_an_error) {
    node.set("voxel", 5.0);
    EXPECT_EQ(node.cook().getNumPrimitives() > 0, true); // the parameter is limited to 1
    particles.destroyAttribute(GA_ATTRIB_POINT, "v");
    particles.addFloatTuple(GA_ATTRIB_POINT, "v", 2);
    EXPECT_NE(node.error().find("attribute 'v' holds 2 real values"), std::string::npos);
    particles.destroyAttribute(GA_ATTRIB_POINT, "v");
    particles.setPos3(particles.pointOffset(5), UT_Vector3(0, HUGE_VALF, 0));
    EXPECT_EQ(node.error(), "input 1, point 5: P is not finite; delete or repair the point");
    node.sop->standin_inputs.clear();
    EXPECT_EQ(node.error(), "input 1: nothing is wired to it; connect particles");
}

struct Visualized : Matter {
    Node node{"nendo_visualize"};
    void SetUp() override {
        Matter::SetUp();
        node.wire(particles);
    }
    elastoplastic::InspectedColumns columns() const {
        const auto& m = state.masters;
        return {m, m.F_E, m.F_P, m.J_P};
    }
    float detail(const GU_Detail& geometry, const char* name) {
        const GA_ROHandleD handle(geometry.findAttribute(GA_ATTRIB_DETAIL, name));
        EXPECT_TRUE(handle.isValid()) << name;
        return static_cast<float>(handle.get(GA_Offset(0)));
    }
};

TEST_F(Visualized, every_quantity_is_the_one_of_the_library) {
    const std::vector<std::pair<std::string, Quantity>> all = {
        {"stress", Quantity::stress},
        {"pressure", Quantity::pressure},
        {"yield", Quantity::yield},
        {"plastic_strain", Quantity::plastic_strain},
        {"energy", Quantity::energy}};
    for (const auto& [name, quantity] : all) {
        const GU_Detail& out = node.set("quantity", name).cook();
        const std::vector<double> expected = inspect(columns(), quantity);
        const auto shown = column<float>(out, name.c_str());
        ASSERT_EQ(shown.size(), expected.size());
        for (std::size_t i = 0; i < shown.size(); ++i)
            EXPECT_EQ(shown[i], static_cast<float>(expected[i])) << name;
    }
}

TEST_F(Visualized, colors_run_from_the_lowest_to_the_highest) {
    const GU_Detail& out = node.set("quantity", std::string("yield")).cook();
    const auto color = column<Vec3<float>>(out, "Cd");
    EXPECT_EQ(color.front(), Vec3<float>(0, 0, 1)); // at rest
    EXPECT_EQ(color.back(), Vec3<float>(1, 0, 0));
    EXPECT_EQ(detail(out, "nendo_low"), 0);
    EXPECT_EQ(detail(out, "nendo_high"), column<float>(out, "yield").back());
    // The points themselves are unchanged.
    EXPECT_EQ(column<Vec3<float>>(out, "P"), state.masters.x);
    EXPECT_EQ(column<std::int64_t>(out, "id"), state.masters.id);
    EXPECT_EQ(particles.findPointAttribute("Cd"), nullptr);
}

TEST_F(Visualized, a_range_can_be_given) {
    node.set("quantity", std::string("yield")).set("fit_range", 0).set("low", 0.0);
    node.set("high", 0.0125).set("ramp", std::string("grey"));
    const GU_Detail& out = node.cook();
    const auto yield = column<float>(out, "yield");
    const auto color = column<Vec3<float>>(out, "Cd");
    for (std::size_t i = 0; i < yield.size(); ++i)
        EXPECT_NEAR(color[i].x(), std::min(1.0f, yield[i] / 0.0125f), 1e-6f);
}

TEST_F(Visualized, slaves_are_counted) {
    GU_Detail slaves;
    append_points(slaves, cast<double>(state.slaves.x));
    node.set("quantity", std::string("slaves"));
    EXPECT_EQ(node.error(), "input 2: nothing is wired to it; connect the slaves");
    node.wire(slaves);
    const auto counts = column<float>(node.cook(), "slaves");
    const auto expected = elastoplastic::count_slaves(cast<double>(state.masters.x),
                                                      cast<double>(state.slaves.x), 0.125);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        EXPECT_EQ(counts[i], static_cast<float>(expected[i]));
        EXPECT_GE(counts[i], 8); // the corners of its cell
    }
}

TEST_F(Visualized, bad_input_is_an_error) {
    particles.destroyAttribute(GA_ATTRIB_POINT, "F_E");
    EXPECT_EQ(node.error(), "input 1: attribute 'F_E' is missing; connect points that Nendo has "
                            "simulated");
    particles.addFloatTuple(GA_ATTRIB_POINT, "F_E", 4);
    EXPECT_NE(node.error().find("attribute 'F_E' holds 4 real values"), std::string::npos);
}

/// A melting block: half of it warm, squeezed by a tenth, its top layer rotated.
struct VisualizedMelt : testing::Test {
    melt::State<float> state;
    GU_Detail particles, clusters;
    Node node{"nendo_visualize"};

    void SetUp() override {
        melt::Body body;
        melt::Params params;
        params.spacing = 0.125;
        body.particles = sample(*make_box(Vec3d(0, 0.25, 0), Vec3d(0.5, 0.5, 0.5)), 0.125).masters;
        body.material = melt::preset("wax");
        body.velocity = Vec3d(0, 0, 3);
        add_body(state, body, params);
        auto& c = state.particles;
        for (std::size_t i = 0; i < c.id.size(); ++i) {
            c.temperature[i] = 20 + 10 * c.x[i].y();
            c.x[i].y() *= 0.9f;
        }
        table_to_points(c, Places{}, particles, "test");
        table_to_points(ClusterPoints(state), {}, clusters, "test");
        node.wire(particles).set("matter", std::string("melt"));
    }
    std::vector<float> shown(const char* quantity) {
        return column<float>(node.set("melt_quantity", std::string(quantity)).cook(), quantity);
    }
};

TEST_F(VisualizedMelt, attributes_are_shown_as_they_are) {
    EXPECT_EQ(shown("temperature"), state.particles.temperature);
    EXPECT_EQ(shown("melted"), state.particles.melted);
    for (const float speed : shown("speed")) EXPECT_FLOAT_EQ(speed, 3);
    state.particles.phase[5] = melt::liquid;
    GU_Detail changed;
    table_to_points(state.particles, Places{}, changed, "test");
    node.sop->standin_inputs = {&changed};
    const GU_Detail& out = node.set("melt_quantity", std::string("phase")).cook();
    EXPECT_EQ(column<std::int32_t>(out, "phase"), state.particles.phase);
    const auto color = column<Vec3<float>>(out, "Cd");
    EXPECT_EQ(color[5], Vec3<float>(1, 0, 0));
    EXPECT_EQ(color[6], Vec3<float>(0, 0, 1));
}

/// A squeeze by a tenth along one axis, against the sums over each cluster.
TEST_F(VisualizedMelt, strain_is_the_distance_of_clusters_from_their_shape) {
    node.set("melt_quantity", std::string("strain"));
    EXPECT_EQ(node.error(), "input 2: nothing is wired to it; connect the clusters");
    node.wire(clusters);
    const auto strain = shown("strain");
    const melt::RowsById rows(state);
    std::vector<double> off(strain.size(), 0), size(off), middle(off), count(off);
    const auto& links = state.links;
    for (int pass = 0; pass < 2; ++pass)
        for (std::size_t k = 0; k < links.id.size(); ++k) {
            const auto i = static_cast<std::size_t>(rows[links.id[k]]);
            const double squeeze = -0.1 * double(links.rest[k].y());
            if (pass == 0) {
                middle[i] += squeeze;
                ++count[i];
            } else {
                off[i] += std::abs(squeeze - middle[i] / (count[i] + 1));
                size[i] += double(links.rest[k].norm());
            }
        }
    for (std::size_t i = 0; i < strain.size(); ++i) {
        off[i] += std::abs(middle[i] / (count[i] + 1)); // the particle itself
        EXPECT_NEAR(strain[i], off[i] / size[i], 1e-5);
    }
    for (const float angle : shown("orientation")) EXPECT_NEAR(angle, 0, 1e-3);
}

/// One particle is rotated by 60 degrees: its own cluster sees all others rotated, and they see it.
TEST_F(VisualizedMelt, orientation_is_the_angle_to_the_rest_orientation) {
    state.particles.orient[0] = Vec4<float>(0, 0.5f, 0, std::sqrt(0.75f));
    GU_Detail turned;
    table_to_points(state.particles, Places{}, turned, "test");
    node.sop->standin_inputs = {&turned, &clusters};
    const auto angle = shown("orientation");
    EXPECT_NEAR(angle[0], 60, 1e-3);
    std::vector<double> members(angle.size(), 0);
    for (const std::int64_t id : state.links.id) ++members[static_cast<std::size_t>(id)];
    std::vector<std::uint8_t> sees(angle.size(), 0);
    for (std::size_t k = 0; k < state.links.id.size(); ++k)
        if (state.links.other[k] == 0) sees[static_cast<std::size_t>(state.links.id[k])] = 1;
    for (std::size_t i = 1; i < angle.size(); ++i)
        EXPECT_NEAR(angle[i], sees[i] != 0 ? 60 / members[i] : 0, 1e-3);
}

TEST_F(VisualizedMelt, bad_input_is_an_error) {
    node.set("melt_quantity", std::string("strain"));
    node.wire(particles);
    EXPECT_EQ(node.error(),
              "input 2: the points are not clusters; connect the data Clusters of Nendo Melt");
    particles.destroyAttribute(GA_ATTRIB_POINT, "temperature");
    node.set("melt_quantity", std::string("temperature"));
    EXPECT_EQ(node.error(), "input 1: attribute 'temperature' is missing; connect points that "
                            "Nendo has simulated");
}

TEST(VisualizedCoupling, attributes_are_shown_as_they_are) {
    coupling::Particles<float> given;
    resize_table(given, 3);
    for (std::size_t i = 0; i < 3; ++i) {
        const auto k = static_cast<float>(i);
        given.id[i] = static_cast<std::int64_t>(i);
        given.v[i] = Vec3<float>(3 * k, 0, 4 * k);
        given.density[i] = 1000 + k;
        given.pressure[i] = 50 * k;
        given.stretch[i] = 1 + 0.1f * k;
    }
    GU_Detail particles;
    table_to_points(given, Places{}, particles, "test");
    Node node("nendo_visualize");
    node.wire(particles).set("matter", std::string("coupling"));
    const auto shown = [&](const char* name) {
        const GU_Detail& out = node.set("fluid_quantity", std::string(name)).cook();
        EXPECT_EQ(column<Vec3<float>>(out, "Cd").front(), Vec3<float>(0, 0, 1)) << name;
        EXPECT_EQ(column<Vec3<float>>(out, "Cd").back(), Vec3<float>(1, 0, 0)) << name;
        return column<float>(out, name);
    };
    EXPECT_EQ(shown("density"), given.density);
    EXPECT_EQ(shown("pressure"), given.pressure);
    EXPECT_EQ(shown("stretch"), given.stretch);
    EXPECT_EQ(shown("speed"), (std::vector<float>{0, 5, 10}));
}

TEST_F(Visualized, a_reversed_range_is_an_error) {
    node.set("fit_range", 0).set("low", 2.0).set("high", 1.0);
    EXPECT_EQ(node.error(), "High: is below Low; raise it, or turn on Fit range");
}

TEST(Nodes, are_in_the_tab_menu) {
    OP_OperatorTable table;
    add_geometry_nodes(table);
    ASSERT_EQ(table.standin_operators.size(), 4u);
    for (const auto& [name, op] : table.standin_operators) {
        EXPECT_EQ(op->standin_submenu, "Nendo");
        EXPECT_EQ(op->standin_icon, name);
        EXPECT_EQ(op->standin_inputs.size(), op->standin_max);
        EXPECT_EQ(op->standin_min, 1u);
    }
    EXPECT_EQ(table.standin_operators.at("nendo_visualize")->standin_max, 2u);
}

/// An unknown name yields nothing, as in Houdini.
TEST(Nodes, unknown_parameter_names_yield_nothing) {
    Node node("nendo_source");
    EXPECT_EQ(node.sop->evalFloat("spacings", 0, 0), 0);
    EXPECT_EQ(node.sop->evalInt("spacings", 0, 0), 0);
    EXPECT_FALSE(node.sop->standin_set("spacings", 1.0));
}

} // namespace
