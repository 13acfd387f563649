// SPDX-License-Identifier: Apache-2.0
// The microsolver in a DOP network.
#include "block.h"
#include "scrubbing.h"

#include "dop/bridge/parameters.h"
#include "dop/bridge/points.h"
#include "elastoplastic/solver.h"
#include "io/scene/scenes.h"

#include <filesystem>
#include <fstream>

#include <unistd.h>

namespace nendo::houdini::test {
namespace {

using elastoplastic::Params;
using elastoplastic::Solver;

// ---- same bits as the command line -------------------------------------------------------------

class Folder {
public:
    Folder()
        : path(std::filesystem::temp_directory_path() /
               ("nendo-houdini-" + std::to_string(::getpid()))) {
        std::filesystem::create_directories(path);
    }
    ~Folder() { std::filesystem::remove_all(path); }
    const std::filesystem::path path;
};

TEST(Elastoplastic, has_the_same_bits_as_the_command_line_after_100_frames) {
    const Folder folder;
    const Vec3d low(-1, -0.25, -1), high(1, 0, 1);
    const auto ball = ball_grid({0.25, 0.25, 0}, 0.25);
    openvdb::io::File((folder.path / "ball.vdb").string()).write({ball});
    const TriMesh board = box_mesh(low, high);
    std::ofstream obj(folder.path / "board.obj");
    for (const Vec3d& x : board.points)
        obj << "v " << x.x() << ' ' << x.y() << ' ' << x.z() << '\n';
    for (const auto& t : board.triangles)
        obj << "f " << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << '\n';
    obj.close();
    const std::string text = R"({
        "fps": 24, "frames": 100,
        "solver": {"spacing": 0.125, "time_step": 0.005},
        "bodies": [
            {"box": {"center": [0.25, 0.75, 0], "size": [1, 0.25, 0.5]},
             "material": {"preset": "clay"}, "velocity": [0, -8, 0]},
            {"box": {"center": [-0.5, 0.4375, 0.0625], "size": [0.25, 0.375, 0.375]},
             "material": {"preset": "jelly"}, "velocity": [1, 0, 0]}],
        "colliders": [{"vdb": "ball.vdb", "friction": 0.25},
                      {"mesh": "board.obj", "friction": 0.75}]})";
    const std::string file = (folder.path / "scene.json").string();
    Host host;
    const elastoplastic::BuiltScene built = elastoplastic::build_scene(
        read_scene<elastoplastic::SceneSpec>(parse_json(text, file), file), file, host);
    State<float> state;
    Solver<float> solver;
    solver.advance(state, built.scene, built.bodies, built.params, 0, host);

    Network net;
    set_options(net.add_matter("matter"), built.params);
    net.place("matter", state);
    set_friction(net.add_collider("ball"), 0.25);
    GU_PrimVDB::buildFromGrid(net.geometry("ball"), ball, nullptr, "surface");
    set_friction(net.add_collider("board"), 0.75);
    write_polygons(net.geometry("board"), board);

    ASSERT_EQ(net.hash("matter"), hash_state(state));
    elastoplastic::Report report;
    for (int frame = 1; frame <= 100; ++frame) {
        report = solver.advance(state, built.scene, built.bodies, built.params,
                                frame / 24.0 - state.details.time, host);
        net.go_to(frame);
        ASSERT_EQ(net.hash("matter"), hash_state(state)) << "frame " << frame;
    }
    EXPECT_EQ(net.solved, 100);
    EXPECT_EQ(report.masters, 64 + 18);
    EXPECT_GT(state.details.slaves_added + state.details.slaves_removed, 0)
        << "no slave was added or removed: the test checks little";
    EXPECT_LT(lowest(state), d) << "nothing fell on the board";
}

// ---- copies, caches, files ---------------------------------------------------------------------

/// Clay that falls on the ground and on a ball that moves.
void build_play(Network& net) {
    add_block(net, "matter", "clay", {0, 0.25, 0}, {4, 3, 3});
    set_option(net.options("matter"), "gravity", Vec3d(0, -20, 0));
    add_ground(net);
    GU_PrimVDB::buildFromGrid((net.add_collider("ball"), net.geometry("ball")),
                              ball_grid({0, 0, 0}, 0.25), nullptr, "surface");
    net.nodes.push_back([&net](int frame) {
        set_transform(*net.object("ball"), {-0.5 + 0.02 * frame, 0.125, 0.1875});
    });
}

std::vector<std::uint64_t> straight_run(int frames) {
    Network net;
    build_play(net);
    std::vector<std::uint64_t> hashes(1);
    for (int frame = 1; frame <= frames; ++frame) {
        net.go_to(frame);
        hashes.push_back(net.hash("matter"));
    }
    return hashes;
}

TEST(Elastoplastic, scrubbing_back_and_sim_files_give_the_same_bits) {
    expect_same_bits_when_scrubbed_and_loaded<Network>(
        build_play, [](const Network& net) { return net.hash("matter"); }, 4, 9, 12);
}

TEST(Elastoplastic, has_no_state_of_its_own) {
    const std::vector<std::uint64_t> straight = straight_run(8);
    // A new solver for each frame, and one that serves all frames, even of another network.
    std::unique_ptr<SIM_Data> one;
    std::vector<std::unique_ptr<SIM_Data>> many;
    const auto run = [&](bool shared) {
        Network net;
        build_play(net);
        net.solver_of = [&](SIM_Object& object) {
            std::unique_ptr<SIM_Data>& slot = shared ? one : many.emplace_back();
            if (!slot) slot = standin::make_data("GAS_NendoElastoplastic");
            auto* solver = dynamic_cast<GAS_SubSolver*>(slot.get());
            solver->standin_options() =
                SIM_DATA_GET(object, "Solver", GAS_SubSolver)->standin_options();
            return solver;
        };
        net.go_to(8);
        return net.hash("matter");
    };
    EXPECT_EQ(run(false), straight[8]);
    EXPECT_EQ(many.size(), 8u);
    EXPECT_EQ(run(true), straight[8]);
    EXPECT_EQ(run(true), straight[8]);
}

TEST(Elastoplastic, copied_data_is_independent) {
    Network net;
    build_play(net);
    net.go_to(3);
    const std::unique_ptr<SIM_Data> copy = net.object("matter")->standin_copy();
    const std::uint64_t before = net.hash("matter");
    net.go_to(5);
    auto* geometry = SIM_DATA_GET(*copy, "Geometry", SIM_GeometryCopy);
    elastoplastic::Masters<float> masters;
    const GU_Detail& gdp = *geometry->getGeometry().gdp();
    points_to_table(gdp, point_offsets(gdp), masters, "test");
    net.go_to(3);
    EXPECT_EQ(net.hash("matter"), before);
    EXPECT_EQ(masters.x, net.state("matter").masters.x);
}

// ---- interruption and mistakes -----------------------------------------------------------------

/// All bytes of an object's data.
std::string bytes_of(const Network& net, const char* name) {
    std::ostringstream stream;
    net.object(name)->standin_save(stream);
    return stream.str();
}

TEST(Elastoplastic, an_interrupted_frame_leaves_the_geometry_untouched_and_says_so) {
    const std::vector<std::uint64_t> straight = straight_run(4);
    Network net;
    build_play(net);
    net.go_to(3);
    const std::string before = bytes_of(net, "matter");
    const int64 asked_so_far = UTgetInterrupt()->standin_questions;
    UTgetInterrupt()->standin_reset(5);
    net.engine.standin_go_to(4);
    EXPECT_EQ(net.solved, 3);
    EXPECT_GT(asked_so_far, 15);
    EXPECT_GT(UTgetInterrupt()->standin_percent, 0)
        << "no substep was done: the test checks nothing";
    EXPECT_EQ(UTgetInterrupt()->standin_depth, 0);
    EXPECT_EQ(bytes_of(net, "matter"), before);
    ASSERT_EQ(standin::messages().size(), 1u);
    EXPECT_EQ(standin::messages()[0].text,
              "interrupted: the geometry is as it was before this frame");
    EXPECT_EQ(standin::messages()[0].severity, UT_ERROR_ABORT);

    standin::messages().clear();
    UTgetInterrupt()->standin_reset();
    net.engine.standin_go_to(3);
    net.engine.standin_forget_after(3);
    net.go_to(4);
    EXPECT_EQ(net.hash("matter"), straight[4]);
}

/// Spoils a network that has run for two frames. Expects an error on the node that states the
/// problem and a remedy, and unchanged geometry.
void expect_error(const std::function<void(Network&)>& spoil, const std::string& text) {
    Network net;
    build_play(net);
    net.go_to(2);
    spoil(net);
    const std::string before = bytes_of(net, "matter");
    net.engine.standin_forget_after(2);
    net.engine.standin_go_to(3);
    EXPECT_EQ(net.solved, 2) << text;
    EXPECT_EQ(bytes_of(net, "matter"), before) << text;
    ASSERT_EQ(standin::messages().size(), 1u) << text << net.complaints();
    EXPECT_EQ(standin::messages()[0].severity, UT_ERROR_ABORT);
    EXPECT_NE(standin::messages()[0].text.find(text), std::string::npos)
        << standin::messages()[0].text;
    EXPECT_NE(standin::messages()[0].text.find("; "), std::string::npos)
        << "there is no remedy in: " << standin::messages()[0].text;
}

TEST(Elastoplastic, mistakes_are_errors_on_the_node_with_a_remedy) {
    const auto matter = [](Network& net) -> GU_Detail& { return net.geometry("matter"); };
    expect_error([&](Network& net) { matter(net).destroyAttribute(GA_ATTRIB_POINT, "F_E"); },
                 "data 'Geometry': attribute 'F_E' is missing; keep the attributes");
    expect_error([&](Network& net) { matter(net).destroyAttribute(GA_ATTRIB_DETAIL, "time"); },
                 "detail attribute 'time' is missing");
    expect_error([&](Network& net) { matter(net).addFloatTuple(GA_ATTRIB_POINT, "v", 4); },
                 "attribute 'v' holds 4 real values, not 3 real values");
    expect_error([&](Network& net) { matter(net).addIntTuple(GA_ATTRIB_POINT, "young", 1); },
                 "attribute 'young' holds 1 integer value, not 1 real value");
    expect_error(
        [&](Network& net) {
            net.geometry("matter", "Slaves").destroyAttribute(GA_ATTRIB_POINT, "join");
        },
        "data 'Slaves': attribute 'join' is missing");
    expect_error([&](Network& net) { net.object("matter")->removeNamedSubData("Slaves"); },
                 "data 'Slaves': has no points");
    const float nan = std::nanf("");
    expect_error(
        [&](Network& net) {
            matter(net).setPos3(matter(net).pointOffset(7), UT_Vector3(0, nan, 0));
        },
        "data 'Geometry'.P[id ");
    expect_error(
        [&](Network& net) {
            net.emit("matter", {{9, 9, 9}});
            matter(net).setPos3(matter(net).pointOffset(matter(net).getNumPoints() - 1),
                                UT_Vector3(nan, 0, 0));
        },
        "position or velocity is not a number");
    expect_error(
        [&](Network& net) {
            GA_RWHandleF(matter(net).findPointAttribute("mass"))
                .set(matter(net).pointOffset(3), -1.0f);
        },
        "data 'Geometry'.mass[id ");
    expect_error(
        [&](Network& net) {
            GA_RWHandleI(matter(net).findPointAttribute("pin")).set(matter(net).pointOffset(3), 2);
        },
        "pin is 2, and the scene has 0 pins");
    expect_error([&](Network& net) { set_option(net.options("matter"), "spacing", -0.1); },
                 "Spacing");
    expect_error([&](Network& net) { set_option(net.options("matter"), "spacing", 0.0); },
                 "Spacing");
    expect_error([&](Network& net) { set_option(net.options("matter"), "time_step", nan * 1.0); },
                 "Time step");
    expect_error([&](Network& net) { net.engine.standin_fps = 1e-6; },
                 "would take more than 100,000 substeps");
    expect_error([&](Network& net) { net.engine.standin_fps = -24; }, "the time step is -0.04");
    expect_error(
        [&](Network& net) { set_option(net.options("matter"), "preset", std::string("cly")); },
        "clay");
    expect_error(
        [&](Network& net) { set_option(net.options("matter"), "geometry", std::string("Nope")); },
        "data 'Nope': the object has no such geometry; give it one");
    expect_error([&](Network& net) { net.geometry("ground").clearAndDestroy(); },
                 "collider 'ground': has no shape to collide with; give it polygons");
    expect_error(
        [&](Network& net) {
            UT_DMatrix4 m(2.0);
            m.standin_at(3, 3) = 1;
            SIM_DATA_CREATE(*net.object("ground"), "Position", SIM_Position, 0)
                ->standin_set_transform(m);
        },
        "collider 'ground': its transform scales");
}

TEST(Elastoplastic, a_missing_option_yields_nothing) {
    Network net;
    build_play(net);
    net.options("matter").standin_values().erase("geometry");
    net.engine.standin_go_to(1);
    EXPECT_EQ(net.solved, 0);
    EXPECT_NE(net.complaints().find("no such geometry"), std::string::npos) << net.complaints();
}

// ---- points that are added and deleted ---------------------------------------------------------

TEST(Elastoplastic, points_emitted_by_other_nodes_become_matter) {
    Network net;
    build_play(net);
    net.nodes.push_back([&](int frame) {
        if (frame == 3) net.emit("matter", lattice({2, 2, 2}, {0, 1.5, 0}, d));
    });
    net.go_to(2);
    const State<float> before = net.state("matter");
    net.go_to(3);
    const State<float> after = net.state("matter");
    ASSERT_EQ(after.masters.id.size(), before.masters.id.size() + 8);
    EXPECT_EQ(after.details.next_master, before.details.next_master + 8);
    EXPECT_GT(after.slaves.id.size(), before.slaves.id.size() + 26);
    EXPECT_GT(after.neighbors.id.size(), before.neighbors.id.size());
    int found = 0;
    for (std::size_t m = 0; m < after.masters.id.size(); ++m) {
        if (after.masters.id[m] < before.details.next_master) continue;
        ++found;
        EXPECT_NEAR(after.masters.J_P[m], 1, 1e-3);
        EXPECT_EQ(after.masters.young[m], before.masters.young[0]);
        EXPECT_NEAR(after.masters.v[m].y(), -20 / 24.0, 1e-3) << "new matter does not fall";
    }
    EXPECT_EQ(found, 8);
    net.go_to(20);
    EXPECT_EQ(net.state("matter").masters.id.size(), before.masters.id.size() + 8);
    EXPECT_GT(lowest(net.state("matter")), -0.1 * d) << "matter fell through the ground";
}

TEST(Elastoplastic, copies_of_points_are_new_matter) {
    Network net;
    build_play(net);
    net.go_to(2);
    // A node that copies points copies all attributes, including the id.
    GU_Detail& gdp = net.geometry("matter");
    State<float> state = net.state("matter");
    const GA_Offset copy = gdp.appendPoint();
    gdp.standin_each_attribute([&](const GA_Attribute& a) {
        if (a.getOwner() != GA_ATTRIB_POINT || a.standin_kind() != standin::Kind::numbers) return;
        GA_Attribute* own = gdp.findAttribute(GA_ATTRIB_POINT, a.getName());
        for (int k = 0; k < a.getTupleSize(); ++k)
            own->standin_set<double>(copy, k, a.standin_get<double>(gdp.pointOffset(0), k));
    });
    gdp.setPos3(copy, UT_Vector3(0, 5, 0));
    net.engine.standin_forget_after(2);
    net.go_to(3);
    const State<float> after = net.state("matter");
    EXPECT_EQ(after.masters.id.size(), state.masters.id.size() + 1);
    std::set<std::int64_t> ids(after.masters.id.begin(), after.masters.id.end());
    EXPECT_EQ(ids.size(), after.masters.id.size()) << "two points have one id";
    EXPECT_EQ(*ids.rbegin(), state.details.next_master);
}

TEST(Elastoplastic, points_deleted_by_other_nodes_take_their_data_with_them) {
    Network net;
    build_play(net);
    const int frames = 3;
    net.go_to(frames);
    const State<float> before = net.state("matter");
    GU_Detail& gdp = net.geometry("matter");
    // The half at high x, which has slaves that no other matter uses.
    GA_PointGroup* group = gdp.newPointGroup("gone");
    std::set<std::int64_t> gone;
    const GA_ROHandleID id(gdp.findPointAttribute("id"));
    for (const GA_Offset point : point_offsets(gdp))
        if (gdp.getPos3(point).x() > 2 * d) {
            group->addOffset(point);
            gone.insert(id.get(point));
        }
    ASSERT_EQ(gone.size(), 18u);
    gdp.destroyPointOffsets(GA_Range(*group));
    net.engine.standin_forget_after(frames);
    net.go_to(frames + 1);
    const State<float> after = net.state("matter");
    EXPECT_EQ(after.masters.id.size(), before.masters.id.size() - 18);
    EXPECT_LT(after.slaves.id.size(), before.slaves.id.size());
    for (std::size_t k = 0; k < after.neighbors.id.size(); ++k) {
        EXPECT_EQ(gone.count(after.neighbors.id[k]), 0u);
        EXPECT_EQ(gone.count(after.neighbors.other[k]), 0u);
    }
    EXPECT_LT(after.neighbors.id.size(), before.neighbors.id.size());
    for (const auto& x : after.slaves.x) EXPECT_LT(x.x(), 2 * d + 2.5 * d);
    // The last points are deleted too, and nothing breaks.
    net.nodes.push_back([&](int) { net.geometry("matter").clearAndDestroy(); });
    net.engine.standin_forget_after(frames + 1);
    net.engine.standin_go_to(frames + 2);
    EXPECT_EQ(net.geometry("matter").getNumPoints(), 0);
    EXPECT_EQ(net.geometry("matter", "Slaves").getNumPoints(), 0);
    EXPECT_EQ(net.complaints(), "");
}

TEST(Elastoplastic, points_keep_attributes_unknown_to_the_solver) {
    Network net;
    build_play(net);
    GU_Detail& gdp = net.geometry("matter");
    const GA_RWHandleI mine(gdp.addIntTuple(GA_ATTRIB_POINT, "mine", 1));
    const GA_RWHandleV3 position(gdp.getP());
    for (const GA_Offset point : point_offsets(gdp))
        mine.set(point, static_cast<int>(std::lround(position.get(point).x() / (d / 2))));
    net.go_to(2);
    const GU_Detail& later = net.geometry("matter");
    const GA_ROHandleI kept(later.findPointAttribute("mine"));
    for (const GA_Offset point : point_offsets(later))
        EXPECT_NEAR(later.getPos3(point).x(), kept.get(point) * d / 2, 0.3 * d);
}

// ---- materials ---------------------------------------------------------------------------------

TEST(Elastoplastic, objects_have_their_own_materials_and_ignore_each_other) {
    Network both, soft, hard;
    const auto add_soft = [](Network& net) { add_block(net, "soft", "clay", {0, 0.125, 0}); };
    const auto add_hard = [](Network& net) { add_block(net, "hard", "jelly", {2, 0.125, 0}); };
    add_soft(both);
    add_hard(both);
    add_soft(soft);
    add_hard(hard);
    for (Network* net : {&both, &soft, &hard}) {
        add_ground(*net);
        net->go_to(10);
    }
    EXPECT_EQ(both.hash("soft"), soft.hash("soft"));
    EXPECT_EQ(both.hash("hard"), hard.hash("hard"));
    const auto clay = both.state("soft").masters, jelly = both.state("hard").masters;
    EXPECT_EQ(clay.young[0], float(elastoplastic::preset("clay").young));
    EXPECT_EQ(jelly.young[0], float(elastoplastic::preset("jelly").young));
    EXPECT_TRUE(std::isinf(jelly.yield_stretch[0]));
    EXPECT_NE(clay.F_P[0], Mat3<float>::Identity()) << "clay does not flow";
    EXPECT_EQ(jelly.F_P[0], Mat3<float>::Identity());
}

TEST(Elastoplastic, a_points_own_material_overrides_the_nodes) {
    Network net;
    add_block(net, "matter", "clay", {0, 0, 0}, {2, 1, 1});
    set_option(net.options("matter"), "young", 5e5);
    set_option(net.options("matter"), override_name("young"), true);
    GU_Detail& gdp = net.geometry("matter");
    const GA_RWHandleF young(gdp.addFloatTuple(GA_ATTRIB_POINT, "young", 1));
    const GA_RWHandleF poisson(gdp.addFloatTuple(GA_ATTRIB_POINT, "poisson", 1));
    young.set(gdp.pointOffset(0), 3e5f);
    poisson.set(gdp.pointOffset(0), 0.1f);
    net.go_to(1);
    EXPECT_EQ(GA_ROHandleF(net.geometry("matter").findPointAttribute("young")).get(0), 3e5f);
    EXPECT_EQ(GA_ROHandleF(net.geometry("matter").findPointAttribute("poisson")).get(0), 0.1f);
    EXPECT_EQ(GA_ROHandleF(net.geometry("matter").findPointAttribute("young")).get(1), 5e5f);
}

} // namespace
} // namespace nendo::houdini::test
