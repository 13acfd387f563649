// SPDX-License-Identifier: Apache-2.0
// The microsolver of melting matter in a network, on the stand-in.
#include "network.h"
#include "scrubbing.h"

#include "dop/GAS_NendoMelt.h"
#include "dop/bridge/cluster_points.h"
#include "io/scene/scenes.h"
#include "melt/solver.h"

#include <GA/GA_PointGroup.h>

#include <gtest/gtest.h>

namespace nendo::houdini::test::melting {
namespace {

using MeltState = melt::State<float>;

class MeltNetwork : public Network {
public:
    SIM_Options& add_matter(const char* name) {
        SIM_Object& added = engine.standin_add_object(name);
        SIM_DATA_CREATE(added, "Geometry", SIM_GeometryCopy, 0);
        auto* solver = SIM_DATA_CREATE(added, "Solver", GAS_NendoMelt, 0);
        solver->standin_options() =
            default_options(*standin::find_data_factory("GAS_NendoMelt")->standin_description);
        matter.push_back(name);
        return solver->standin_options();
    }
    SIM_Options& options_of(const std::string& name) const {
        return SIM_DATA_GET(*object(name), "Solver", GAS_NendoMelt)->standin_options();
    }
    MeltState read(const std::string& name) const {
        MeltState s;
        ClusterPoints clusters;
        const GU_Detail& gdp = geometry(name);
        const GU_Detail& links = geometry(name, "Clusters");
        EXPECT_TRUE(points_to_table(gdp, point_offsets(gdp), s.particles, "test").empty());
        EXPECT_TRUE(points_to_table(links, point_offsets(links), clusters, "test").empty());
        EXPECT_TRUE(detail_to_details(gdp, s.details, "test"));
        s.links = clusters.links();
        return s;
    }
    std::uint64_t hash_of(const std::string& name) const { return hash_state(read(name)); }
    void put(const std::string& name, const MeltState& s) const {
        table_to_points(s.particles, {}, geometry(name), "test");
        details_to_detail(s.details, geometry(name), "test");
        table_to_points(ClusterPoints(s), {}, geometry(name, "Clusters"), "test");
    }
};

/// A block of wax that a hot ball melts from above.
const char* const scene_text = R"({
    "method": "melt", "fps": 24, "frames": 40,
    "solver": {"spacing": 0.1, "time_step": 0.01, "iterations": 8, "samples": 0.5,
               "heat_speed": 500},
    "bodies": [{"box": {"center": [0, 0.3, 0], "size": [0.4, 0.6, 0.4]},
                "material": {"preset": "wax"}, "temperature": 50}],
    "heat_sources": [{"sphere": {"center": [0, 0.8, 0], "radius": 0.1}, "temperature": 500,
                      "transfer": 2000, "reach": 0.5}]})";

struct Play {
    melt::BuiltScene built;
    MeltState state;
    Play() {
        Host host;
        built = melt::build_scene(
            read_scene<melt::SceneSpec>(parse_json(scene_text, "scene.json"), "scene.json"),
            "scene.json", host);
        melt::Solver<float>().advance(state, built.scene, built.bodies, built.params, 0, host);
    }
};

void build(MeltNetwork& net, const Play& play) {
    SIM_Options& options = net.add_matter("wax");
    set_options(options, play.built.params);
    const HeatSource& ball = play.built.scene.heat_sources.front();
    set_option(options, "heat_ball", true);
    set_option(options, "heat_center", Vec3d(0, 0.8, 0));
    set_option(options, "heat_radius", 0.1);
    set_option(options, "heat_reach", ball.reach);
    set_option(options, "heat_temperature", ball.temperature);
    set_option(options, "heat_transfer", ball.transfer);
    net.put("wax", play.state);
}

TEST(Melt, melts_and_keeps_its_clusters_in_the_object) {
    const Play play;
    MeltNetwork net;
    build(net, play);
    ASSERT_EQ(net.hash_of("wax"), hash_state(play.state));
    net.go_to(12);
    const MeltState s = net.read("wax");
    EXPECT_EQ(s.particles.id.size(), play.state.particles.id.size());
    EXPECT_GT(s.details.particles_melted, 0);
    EXPECT_LT(s.links.id.size(), play.state.links.id.size());
}

TEST(Melt, scrubbing_back_and_sim_files_give_the_same_bits) {
    const Play play;
    expect_same_bits_when_scrubbed_and_loaded<MeltNetwork>(
        [&](MeltNetwork& net) { build(net, play); },
        [](const MeltNetwork& net) { return net.hash_of("wax"); }, 4, 6, 8);
}

TEST(Melt, makes_matter_of_bare_points) {
    MeltNetwork net;
    set_option(net.add_matter("wax"), "spacing", 0.25);
    net.emit("wax", lattice({3, 3, 3}, {0, 0, 0}, 0.25));
    net.go_to(2);
    const MeltState s = net.read("wax");
    EXPECT_EQ(s.particles.id.size(), 27u);
    EXPECT_GT(s.links.id.size(), 27u * 6);
    for (const float mass : s.particles.mass) EXPECT_FLOAT_EQ(mass, 900.f / 64);
}

/// Points keep a material of their own, whatever material the node has.
TEST(Melt, matter_keeps_its_own_material) {
    MeltNetwork net;
    SIM_Options& options = net.add_matter("ice");
    set_option(options, "spacing", 0.25);
    set_option(options, "heat", false);
    net.emit("ice", lattice({3, 3, 3}, {0, 0, 0}, 0.25));
    melt::Particles<float> given;
    resize_table(given, 27);
    for (std::size_t i = 0; i < 27; ++i)
        set_material(given, i, melt::preset("ice"), i < 9 ? 4 : -3, false, 0.25);
    GU_Detail& points = net.geometry("ice");
    const std::vector<GA_Offset> offsets = point_offsets(points);
    for_each_field(given, [&](const auto& column, const Field& f) {
        for (const char* own : {"id", "P", "v", "enthalpy", "solved", "colour", "body"})
            if (f.name_ == own) return;
        using T = typename std::decay_t<decltype(column)>::value_type;
        detail::write_attribute<T>(points, GA_ATTRIB_POINT, offsets, f, "test",
                                   [&](std::size_t i) -> const T& { return column[i]; });
    });
    net.go_to(2);
    const MeltState s = net.read("ice");
    EXPECT_EQ(std::count(s.particles.phase.begin(), s.particles.phase.end(), melt::liquid), 9);
    for (std::size_t i = 0; i < 27; ++i) {
        EXPECT_EQ(s.particles.melting_point[i], 0);
        EXPECT_EQ(s.particles.temperature[i], s.particles.phase[i] == melt::liquid ? 4 : -3);
    }
    EXPECT_GT(s.links.id.size(), 18u * 6);
}

TEST(Melt, drops_the_links_of_points_that_are_deleted) {
    const Play play;
    MeltNetwork net;
    build(net, play);
    net.nodes.push_back([&net](int frame) {
        if (frame != 2) return;
        GU_Detail& gdp = net.geometry("wax");
        const std::vector<GA_Offset> points = point_offsets(gdp);
        GA_PointGroup gone(gdp);
        gone.addOffset(points.front());
        gdp.destroyPointOffsets(GA_Range(gone));
    });
    net.go_to(3);
    EXPECT_EQ(net.read("wax").particles.id.size(), play.state.particles.id.size() - 1);
}

TEST(Melt, a_step_that_fails_or_is_interrupted_changes_nothing) {
    Play play;
    play.state.particles.orient[3].setZero();
    MeltNetwork net;
    build(net, play);
    const std::uint64_t before = net.hash_of("wax");
    net.engine.standin_go_to(1);
    EXPECT_NE(net.complaints().find("orient"), std::string::npos) << net.complaints();
    EXPECT_EQ(net.solved, 0);
    EXPECT_EQ(net.hash_of("wax"), before);

    const Play good;
    MeltNetwork other;
    build(other, good);
    const std::uint64_t begin = other.hash_of("wax");
    UTgetInterrupt()->standin_reset(0);
    other.engine.standin_go_to(1);
    EXPECT_NE(other.complaints().find("interrupted"), std::string::npos) << other.complaints();
    EXPECT_EQ(other.hash_of("wax"), begin);
}

} // namespace
} // namespace nendo::houdini::test::melting
