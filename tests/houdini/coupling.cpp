// SPDX-License-Identifier: Apache-2.0
// The microsolver of fluids and stretchy bodies in a network, on the stand-in.
#include "network.h"
#include "scrubbing.h"

#include "coupling/solver.h"
#include "dop/GAS_NendoCoupling.h"
#include "dop/bridge/links.h"
#include "io/scene/scenes.h"

#include <GA/GA_PointGroup.h>

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace nendo::houdini::test::coupled {
namespace {

using CouplingState = coupling::State<float>;

class CouplingNetwork : public Network {
public:
    SIM_Options& add_fluid(const char* name) {
        SIM_Object& added = engine.standin_add_object(name);
        SIM_DATA_CREATE(added, "Geometry", SIM_GeometryCopy, 0);
        auto* solver = SIM_DATA_CREATE(added, "Solver", GAS_NendoCoupling, 0);
        solver->standin_options() =
            default_options(*standin::find_data_factory("GAS_NendoCoupling")->standin_description);
        matter.push_back(name);
        return solver->standin_options();
    }
    SIM_Options& options_of(const std::string& name) const {
        return SIM_DATA_GET(*object(name), "Solver", GAS_NendoCoupling)->standin_options();
    }
    CouplingState read(const std::string& name) const {
        CouplingState s;
        const GU_Detail& gdp = geometry(name);
        std::vector<GA_Offset> polygons;
        EXPECT_TRUE(points_to_table(gdp, point_offsets(gdp), s.particles, "test").empty());
        const auto read_links = [&](const char* data, auto& table) {
            return polygons_to_table(geometry(name, data), table, polygons, "test");
        };
        EXPECT_TRUE(read_links("Springs", s.springs).empty());
        EXPECT_TRUE(read_links("Faces", s.faces).empty());
        EXPECT_TRUE(detail_to_details(gdp, s.details, "test"));
        return s;
    }
    std::uint64_t hash_of(const std::string& name) const { return hash_state(read(name)); }
    void put(const std::string& name, const CouplingState& s) const {
        table_to_points(s.particles, {}, geometry(name), "test");
        details_to_detail(s.details, geometry(name), "test");
        const Positions positions = positions_of(s.particles);
        table_to_polygons(s.springs, {}, positions, geometry(name, "Springs"), "test");
        table_to_polygons(s.faces, {}, positions, geometry(name, "Faces"), "test");
    }
};

/// A block that falls on a pool, which spreads on a board.
const char* const scene_text = R"({
    "method": "coupling", "fps": 24, "frames": 40,
    "solver": {"spacing": 0.25, "time_step": 0.01},
    "bodies": [
        {"box": {"center": [0, 0.375, 0], "size": [1, 0.75, 1]}, "material": {"preset": "water"}},
        {"box": {"center": [0, 1.1875, 0], "size": [0.5, 0.375, 0.5]},
         "material": {"preset": "membrane", "break_strain": 0.3}, "velocity": [0, -2, 0]}],
    "colliders": [{"box": {"center": [0, -0.5, 0], "size": [6, 1, 6]}, "friction": 0.5}]})";

struct Play {
    coupling::BuiltScene built;
    CouplingState state;
    Play() {
        Host host;
        built = coupling::build_scene(
            read_scene<coupling::SceneSpec>(parse_json(scene_text, "scene.json"), "scene.json"),
            "scene.json", host);
        // The node's colliders are level sets, so leave colliders out: this test is about the rest.
        built.scene.colliders.clear();
        coupling::Solver<float>().advance(state, built.scene, built.bodies, built.params, 0, host);
    }
};

void build(CouplingNetwork& net, const Play& play) {
    set_options(net.add_fluid("pool"), play.built.params);
    net.put("pool", play.state);
}

float body_width(const CouplingState& s) {
    float least = 1e9f, most = -1e9f;
    for (std::size_t i = 0; i < s.particles.id.size(); ++i)
        if (s.particles.phase[i] == coupling::body_phase) {
            least = std::min(least, s.particles.x[i].x());
            most = std::max(most, s.particles.x[i].x());
        }
    return most - least;
}

TEST(Coupling, has_the_same_bits_as_the_command_line) {
    Play play;
    CouplingNetwork net;
    build(net, play);
    ASSERT_EQ(net.hash_of("pool"), hash_state(play.state));
    coupling::Solver<float> solver;
    Host host;
    coupling::Report report;
    double stretch = 1;
    for (int frame = 1; frame <= 24; ++frame) {
        report = solver.advance(play.state, play.built.scene, play.built.bodies, play.built.params,
                                frame / 24.0 - play.state.details.time, host);
        stretch = std::max(stretch, report.max_stretch);
        net.go_to(frame);
        ASSERT_EQ(net.hash_of("pool"), hash_state(play.state)) << "frame " << frame;
    }
    EXPECT_EQ(net.solved, 24);
    EXPECT_GT(report.springs, 0);
    EXPECT_GT(stretch, 1.01) << "the block hit nothing";
}

TEST(Coupling, scrubbing_back_and_sim_files_give_the_same_bits) {
    const Play play;
    expect_same_bits_when_scrubbed_and_loaded<CouplingNetwork>(
        [&](CouplingNetwork& net) { build(net, play); },
        [](const CouplingNetwork& net) { return net.hash_of("pool"); }, 4, 7, 10);
}

TEST(Coupling, makes_matter_of_bare_points) {
    CouplingNetwork net;
    SIM_Options& options = net.add_fluid("pool");
    set_option(options, "spacing", 0.25);
    net.emit("pool", lattice({4, 3, 4}, {0, 0, 0}, 0.25));
    net.go_to(2);
    CouplingState s = net.read("pool");
    EXPECT_EQ(s.particles.id.size(), 48u);
    EXPECT_EQ(s.springs.id.size(), 0u);
    for (const float mass : s.particles.mass) EXPECT_FLOAT_EQ(mass, 1000.f / 64);

    CouplingNetwork bodies;
    SIM_Options& of_body = bodies.add_fluid("block");
    set_option(of_body, "spacing", 0.25);
    set_option(of_body, "preset", std::string("membrane"));
    bodies.emit("block", lattice({4, 4, 4}, {0, 0, 0}, 0.125));
    bodies.go_to(2);
    s = bodies.read("block");
    EXPECT_EQ(s.particles.id.size(), 64u);
    EXPECT_GT(s.springs.id.size(), 64u * 3);
    EXPECT_EQ(s.particles.phase, std::vector<std::int32_t>(64, coupling::body_phase));
}

TEST(Coupling, drops_the_springs_of_points_that_are_deleted) {
    const Play play;
    CouplingNetwork net;
    build(net, play);
    net.nodes.push_back([&net](int frame) {
        if (frame != 3) return;
        GU_Detail& gdp = net.geometry("pool");
        const CouplingState s = net.read("pool");
        const std::vector<GA_Offset> points = point_offsets(gdp);
        GA_PointGroup gone(gdp);
        for (std::size_t i = 0; i < points.size(); ++i)
            if (s.particles.id[i] == s.springs.a[0]) gone.addOffset(points[i]);
        gdp.destroyPointOffsets(GA_Range(gone));
    });
    net.go_to(5);
    const CouplingState s = net.read("pool");
    EXPECT_EQ(s.particles.id.size(), play.state.particles.id.size() - 1);
    EXPECT_LT(s.springs.id.size(), play.state.springs.id.size());
}

TEST(Coupling, muscles_follow_the_parameter) {
    Play play;
    for (std::int32_t& muscle : play.state.springs.muscle) muscle = 1;
    const auto width_with = [&](double length) {
        CouplingNetwork net;
        build(net, play);
        set_option(net.options_of("pool"), "muscle_length", length);
        set_option(net.options_of("pool"), "gravity", Vec3d(0, 0, 0));
        net.go_to(12);
        return body_width(net.read("pool"));
    };
    EXPECT_LT(width_with(0.7), 0.9f * width_with(1));
}

/// The spring is drawn by hand: it has no attributes except for the ids at the corners.
TEST(Coupling, a_drawn_spring_joins_the_points_it_is_drawn_between) {
    Play play;
    CouplingState& s = play.state;
    // Two particles of the block without a common spring.
    std::set<std::pair<std::int64_t, std::int64_t>> joined;
    for (std::size_t k = 0; k < s.springs.id.size(); ++k)
        joined.insert({s.springs.a[k], s.springs.b[k]});
    std::vector<std::size_t> block;
    for (std::size_t i = 0; i < s.particles.id.size(); ++i)
        if (s.particles.phase[i] == coupling::body_phase) block.push_back(i);
    const std::size_t a = block.front(), b = block.back();
    const std::int64_t first = s.particles.id[a], last = s.particles.id[b];
    ASSERT_EQ(joined.count({first, last}), 0u);
    const float length = (s.particles.x[a] - s.particles.x[b]).norm();

    CouplingNetwork net;
    build(net, play);
    GU_Detail& springs = net.geometry("pool", "Springs");
    const GA_ROHandleID ids(springs.findAttribute(GA_ATTRIB_POINT, "id"));
    GU_PrimPoly* drawn = GU_PrimPoly::build(&springs, 0, GU_POLY_OPEN, 0);
    for (const std::int64_t end : {first, last})
        for (const GA_Offset point : point_offsets(springs))
            if (ids.get(point) == end) drawn->appendVertex(point);
    // It has the attributes of the other springs, with zeros in them.
    GA_RWHandleF(springs.findAttribute(GA_ATTRIB_PRIMITIVE, "rest"))
        .set(drawn->getMapOffset(), 0, length);
    GA_RWHandleF(springs.findAttribute(GA_ATTRIB_PRIMITIVE, "break_strain"))
        .set(drawn->getMapOffset(), 0, 10);
    net.go_to(1);
    const CouplingState after = net.read("pool");
    ASSERT_EQ(after.springs.id.size(), s.springs.id.size() + 1);
    EXPECT_EQ(after.springs.id.back(), s.details.next_spring);

    // Alone, it has no attributes: the length is as drawn, the rest comes from the material.
    CouplingNetwork alone;
    CouplingState loose = s;
    loose.springs = {};
    Play bare;
    bare.state = loose;
    build(alone, bare);
    GU_Detail& lines = alone.geometry("pool", "Springs");
    lines.clearAndDestroy();
    const GA_RWHandleID names(lines.addTuple(GA_STORE_INT64, GA_ATTRIB_POINT, "id", 1));
    GU_PrimPoly* line = GU_PrimPoly::build(&lines, 0, GU_POLY_OPEN, 0);
    for (const std::int64_t end : {first, last}) {
        const GA_Offset point = lines.appendPointBlock(1);
        names.set(point, 0, end);
        line->appendVertex(point);
    }
    alone.go_to(1);
    const CouplingState made = alone.read("pool");
    ASSERT_EQ(made.springs.id.size(), 1u);
    EXPECT_FLOAT_EQ(made.springs.rest[0], length);
    EXPECT_FLOAT_EQ(made.springs.stiffness[0],
                    static_cast<float>(coupling::preset("water").stiffness));

    line = GU_PrimPoly::build(&alone.geometry("pool", "Springs"), 0, GU_POLY_OPEN, 0);
    alone.engine.standin_go_to(2);
    EXPECT_NE(alone.complaints().find("0 corners, not 2"), std::string::npos) << alone.complaints();
}

/// An artist sees springs as lines between the particles, with attributes that stay with them.
TEST(Coupling, springs_are_lines_that_follow_their_ends_and_keep_foreign_attributes) {
    const Play play;
    CouplingNetwork net;
    build(net, play);
    GU_Detail& before = net.geometry("pool", "Springs");
    const GA_RWHandleF tint(before.addFloatTuple(GA_ATTRIB_PRIMITIVE, "tint", 1));
    GEO_Primitive* line = nullptr;
    float count = 0;
    GA_FOR_ALL_PRIMITIVES(&before, line) tint.set(line->getMapOffset(), 0, count++);
    net.go_to(12);
    const CouplingState s = net.read("pool");
    std::map<std::int64_t, Vec3<float>> at;
    for (std::size_t i = 0; i < s.particles.id.size(); ++i)
        at[s.particles.id[i]] = s.particles.x[i];
    const GU_Detail& after = net.geometry("pool", "Springs");
    const GA_ROHandleF kept(after.findAttribute(GA_ATTRIB_PRIMITIVE, "tint"));
    ASSERT_TRUE(kept.isValid());
    const GEO_Primitive* now = nullptr;
    std::size_t k = 0;
    GA_FOR_ALL_PRIMITIVES(&after, now) {
        ASSERT_EQ(now->getVertexCount(), 2);
        for (GA_Size end = 0; end < 2; ++end) {
            const UT_Vector3 p = now->getPos3(end);
            const Vec3<float>& x = at.at(end == 0 ? s.springs.a[k] : s.springs.b[k]);
            EXPECT_EQ(Vec3<float>(p.x(), p.y(), p.z()), x);
        }
        // Its id is its number in this scene.
        EXPECT_EQ(kept.get(now->getMapOffset()), static_cast<float>(s.springs.id[k]));
        ++k;
    }
    EXPECT_EQ(k, s.springs.id.size());
}

TEST(Coupling, a_spring_can_be_driven_by_its_own_attribute) {
    const auto width_with = [&](float contraction) {
        Play play;
        for (float& each : play.state.springs.contraction) each = contraction;
        CouplingNetwork net;
        build(net, play);
        set_option(net.options_of("pool"), "gravity", Vec3d(0, 0, 0));
        net.go_to(12);
        return body_width(net.read("pool"));
    };
    EXPECT_LT(width_with(0.3f), 0.9f * width_with(0));
}

TEST(Coupling, a_step_that_fails_or_is_interrupted_changes_nothing) {
    Play play;
    play.state.springs.b[3] = play.state.springs.a[3];
    CouplingNetwork net;
    build(net, play);
    const std::uint64_t before = net.hash_of("pool");
    net.engine.standin_go_to(1);
    EXPECT_NE(net.complaints().find("same particle"), std::string::npos) << net.complaints();
    EXPECT_EQ(net.solved, 0);
    EXPECT_EQ(net.hash_of("pool"), before);

    const Play good;
    CouplingNetwork other;
    build(other, good);
    const std::uint64_t begin = other.hash_of("pool");
    UTgetInterrupt()->standin_reset(0);
    other.engine.standin_go_to(1);
    EXPECT_NE(other.complaints().find("interrupted"), std::string::npos) << other.complaints();
    EXPECT_EQ(other.hash_of("pool"), begin);
}

} // namespace
} // namespace nendo::houdini::test::coupled
