// SPDX-License-Identifier: Apache-2.0
// Scene files: the inputs that they become, and the messages when they are wrong.
#include "io/scene/scenes.h"
#include "support/source_dir.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <set>

using namespace nendo;
using elastoplastic::BuiltScene;
using elastoplastic::SceneSpec;
namespace fs = std::filesystem;

namespace {

const char* const cube = R"({
    "solver": {"spacing": 0.25},
    "bodies": [{"box": {"center": [0, 1, 0], "size": [1, 1, 1]}}],
    "colliders": [{"plane": {}}]
})";

BuiltScene build(const std::string& text, const std::vector<std::string>& set = {}) {
    Json document = parse_json(text, "scene.json");
    for (const std::string& assignment : set) set_in_json(document, assignment, "scene.json");
    Host silent;
    return build_scene(read_scene<SceneSpec>(document, "scene.json"), "scene.json", silent);
}

std::string complaint(const std::string& text, const std::vector<std::string>& set = {}) {
    try {
        build(text, set);
    } catch (const Error& problem) {
        const std::string message = problem.what();
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
        EXPECT_EQ(message.find("scene.json"), 0u) << message;
        EXPECT_NE(message.find("; "), std::string::npos) << message;
        return message;
    }
    ADD_FAILURE() << "no error";
    return "";
}

testing::AssertionResult says(const std::string& message, const std::string& part) {
    if (message.find(part) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "'" << part << "' is not in: " << message;
}

} // namespace

TEST(SceneFile, a_cube_has_the_papers_particles) {
    const BuiltScene built = build(cube, {"solver.spacing=0.0625"});
    ASSERT_EQ(built.bodies.size(), 1u);
    EXPECT_EQ(built.bodies[0].masters.size(), 4096u);
    EXPECT_EQ(built.bodies[0].slaves.size(), 6647u);
    EXPECT_EQ(built.params.spacing, 0.0625);
    EXPECT_EQ(built.scene.colliders.size(), 1u);
    EXPECT_EQ(built.scene.gravity, Vec3d(0, -9.81, 0));
}

TEST(SceneFile, a_rotated_and_moved_body_keeps_its_lattice) {
    const BuiltScene plain = build(cube);
    const BuiltScene moved =
        build(cube, {"bodies.0.rotate=[0,0,90]", "bodies.0.translate=[5,0,0]"});
    ASSERT_EQ(moved.bodies[0].masters.size(), plain.bodies[0].masters.size());
    for (std::size_t i = 0; i < plain.bodies[0].masters.size(); ++i) {
        const Vec3d& x = plain.bodies[0].masters[i];
        EXPECT_LT((moved.bodies[0].masters[i] - Vec3d(5 - x.y(), x.x(), x.z())).norm(), 1e-12);
    }
}

TEST(SceneFile, copies_start_one_after_the_other) {
    const BuiltScene built =
        build(cube, {"bodies.0.copies.count=3", "bodies.0.start=0.5",
                     "bodies.0.copies.translate=[0,2,0]", "bodies.0.copies.interval=0.25"});
    ASSERT_EQ(built.bodies.size(), 3u);
    std::set<std::string> names;
    for (std::size_t k = 0; k < 3; ++k) {
        const auto& body = built.bodies[k];
        const auto shift = static_cast<double>(k);
        EXPECT_EQ(body.start, 0.5 + 0.25 * shift);
        EXPECT_EQ(body.index, static_cast<int>(k));
        EXPECT_TRUE(names.insert(body.name).second);
        EXPECT_LT((body.masters[0] - built.bodies[0].masters[0] - Vec3d(0, 2 * shift, 0)).norm(),
                  1e-12);
    }
}

TEST(SceneFile, plastic_bodies_join_and_elastic_ones_do_not) {
    const auto joins = [](const std::vector<std::string>& set) {
        std::vector<int> values;
        for (const auto& body : build(cube, set).bodies) values.push_back(body.join);
        return values;
    };
    EXPECT_EQ(joins({"bodies.0.copies.count=3"}), (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(joins({"bodies.0.copies.count=3", "bodies.0.material.preset=clay"}),
              (std::vector<int>{0, 0, 0}));
    EXPECT_EQ(joins({"bodies.0.copies.count=2", "bodies.0.join=7"}), (std::vector<int>{7, 7}));
    EXPECT_TRUE(says(complaint(cube, {"bodies.0.join=never"}), "bodies.0.join"));
}

TEST(SceneFile, a_preset_is_the_base_for_given_values) {
    const auto material = build(cube, {"bodies.0.material={\"young\": 5e5, \"preset\": \"clay\"}"})
                              .bodies[0]
                              .material;
    const auto& clay = elastoplastic::preset("clay");
    EXPECT_EQ(material.young, 5e5);
    EXPECT_EQ(material.poisson, clay.poisson);
    EXPECT_EQ(material.yield_stretch, clay.yield_stretch);
    EXPECT_TRUE(says(complaint(cube, {"bodies.0.material.preset=caly"}), "clay"));
}

TEST(SceneFile, shapes_are_at_their_positions) {
    const auto center = [](const std::string& shape) {
        const auto built = build(R"({"solver": {"spacing": 0.05}, "bodies": [{)" + shape + "}]}");
        Vec3d sum = Vec3d::Zero();
        for (const Vec3d& x : built.bodies[0].masters) sum += x;
        return Vec3d(sum / static_cast<double>(built.bodies[0].masters.size()));
    };
    const double tolerance = 0.03;
    EXPECT_LT((center(R"("sphere": {"center": [1, 2, 3], "radius": 0.4})") - Vec3d(1, 2, 3)).norm(),
              tolerance);
    EXPECT_LT(
        (center(R"("capsule": {"a": [0, 0, 0], "b": [2, 0, 0], "radius": 0.2})") - Vec3d(1, 0, 0))
            .norm(),
        tolerance);
    EXPECT_LT(
        (center(R"("ellipsoid": {"center": [0, 1, 0], "radii": [0.5, 0.3, 0.2]})") - Vec3d(0, 1, 0))
            .norm(),
        tolerance);
    EXPECT_LT((center(R"("union": {"parts": [
                        {"box": {"size": [0.4, 0.4, 0.4]}, "translate": [-1, 0, 0]},
                        {"box": {"size": [0.4, 0.4, 0.4]}, "translate": [1, 0, 0]}]})"))
                  .norm(),
              tolerance);
}

TEST(SceneFile, the_animal_stands_and_fits) {
    const auto built = build(
        R"({"solver": {"spacing": 0.1}, "bodies": [{"animal": {}, "fit": 2, "translate": [0, 3, 0]}]})");
    double low = infinite, high = -infinite;
    for (const Vec3d& x : built.bodies[0].masters) {
        low = std::min(low, x.y());
        high = std::max(high, x.y());
    }
    EXPECT_NEAR(low, 3.05, 0.1);
    EXPECT_NEAR(high, 4.95, 0.15);
}

TEST(SceneFile, a_mesh_replaces_the_animal) {
    const fs::path folder = fs::path(testing::TempDir()) / "nendo_scene_mesh";
    fs::create_directories(folder);
    std::ofstream(folder / "cube.obj") << "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
                                          "v 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                                          "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\n"
                                          "f 2 3 7 6\nf 1 5 8 4\n";
    Json document = parse_json(R"({"solver": {"spacing": 0.25}, "bodies": [{"animal": {}}]})", "s");
    set_in_json(document, "bodies.0.mesh=cube.obj", "s");
    Host silent;
    const fs::path file = folder / "scene.json";
    auto built = build_scene(read_scene<SceneSpec>(document, file.string()), file, silent);
    EXPECT_EQ(built.bodies[0].masters.size(), 64u);

    set_in_json(document, "bodies.0.fit=2", "s");
    built = build_scene(read_scene<SceneSpec>(document, file.string()), file, silent);
    EXPECT_EQ(built.bodies[0].masters.size(), 512u);

    // A collider of the same mesh is solid inside and ends where the mesh ends.
    set_in_json(document, R"(colliders=[{"mesh": "cube.obj", "voxel": 0.05}])", "s");
    const SceneSpec spec = read_scene<SceneSpec>(document, file.string());
    const Scene world = build_world(spec.common, spec.solver.spacing, file, silent);
    EXPECT_LT(world.colliders[0].shape->distance(Vec3d(0.5, 0.9, 0.5)), 0);
    EXPECT_NEAR(world.colliders[0].shape->distance(Vec3d(0.5, 1.1, 0.5)), 0.1, 0.02);

    // The content of a mesh is part of a scene's identity; its file name is not.
    const auto hash = [&] { return scene_hash(read_scene<SceneSpec>(document, "s"), file); };
    const std::uint64_t before = hash();
    fs::copy_file(folder / "cube.obj", folder / "same.obj", fs::copy_options::overwrite_existing);
    set_in_json(document, "bodies.0.mesh=same.obj", "s");
    EXPECT_EQ(hash(), before);
    std::ofstream(folder / "same.obj", std::ios::app) << "v 9 9 9\n";
    EXPECT_NE(hash(), before);

    const Json moved = move_scene_json(document, file, folder / "out");
    EXPECT_EQ(moved["bodies"][0]["mesh"], "../same.obj");
    fs::remove_all(folder);
}

TEST(SceneFile, the_hash_covers_everything_that_affects_the_result) {
    const auto hash = [](const std::vector<std::string>& set) {
        Json document = parse_json(cube, "s");
        for (const std::string& assignment : set) set_in_json(document, assignment, "s");
        return scene_hash(read_scene<SceneSpec>(document, "s"), "s");
    };
    EXPECT_EQ(hash({}), hash({"title=another", "frames=3", "output.internals=true"}));
    EXPECT_EQ(hash({}), hash({"fps=24.0"}));
    EXPECT_NE(hash({}), hash({"fps=25"}));
    EXPECT_NE(hash({}), hash({"bodies.0.material.young=1.0000001e6"}));
    EXPECT_NE(hash({}), hash({"precision=double"}));
}

TEST(SceneFile, the_method_is_the_named_one_or_the_first) {
    EXPECT_EQ(method_of(parse_json(cube, "s"), "s"), "elastoplastic");
    EXPECT_TRUE(says(complaint(cube, {"method=elastic"}), "method: "));
}

TEST(SceneFile, set_creates_missing_keys) {
    EXPECT_EQ(build(cube, {"solver.transfer=paper"}).params.transfer,
              elastoplastic::Transfer::paper);
    EXPECT_EQ(build(cube, {"bodies.0.material.young=2e5"}).bodies[0].material.young, 2e5);
    EXPECT_TRUE(says(complaint(cube, {"bodies.3.start=1"}), "bodies.3: no such entry"));
    EXPECT_TRUE(says(complaint(cube, {"solvr.spacing=1"}), "solver"));
    EXPECT_TRUE(says(complaint(cube, {"solver.spacing.x=1"}), "solver.spacing"));
}

TEST(SceneFile, mistakes_are_one_line_with_place_and_remedy) {
    const struct {
        const char* set;
        const char* place;
        const char* remedy;
    } cases[] = {
        {"bodies.0.materal=1", "bodies.0.materal", "material"},
        {"bodies=[]", "bodies", "at least one body"},
        {"bodies.0={}", "bodies.0", "give one of: box"},
        {"bodies.0.sphere={}", "bodies.0", "keep one"},
        {"bodies.0.fit=2", "bodies.0.fit", "remove this key"},
        {"bodies.0.box.size=[1,1,0]", "bodies.0.box.size.2", "above 0"},
        {"bodies.0.material.density=-1", "bodies.0.material.density", "above 0"},
        {"bodies.0.material.poisson=0.5", "bodies.0.material.poisson", "at most 0.499"},
        {"bodies.0.material.young=NaN", "bodies.0.material.young", "a number"},
        {"bodies.0.start=-1", "bodies.0.start", "at least 0"},
        {"bodies.0.copies.count=0", "bodies.0.copies.count", "at least 1"},
        {"solver.spacing=0", "solver.spacing", "above 0"},
        {"solver.spacing=4", "bodies.0", "smaller spacing"},
        {"solver.spacing=1e-6", "bodies.0", "raise solver.spacing"},
        {"solver.transfer=pic", "solver.transfer", "affine, paper, blend"},
        {"fps=0", "fps", "above 0"},
        {"frames=-1", "frames", "at least 0"},
        {"precision=half", "precision", "float, double"},
        {"bodies.0={\"mesh\": \"none.obj\"}", "bodies.0.mesh", "none.obj"},
        {"colliders.0.vdb=none.vdb", "colliders.0", "keep one"},
        {"colliders.0={\"vdb\": \"none.vdb\"}", "colliders.0.vdb", "none.vdb"},
        {"colliders.0.plane.normal=[0,0,0]", "colliders.0.plane.normal", "direction"},
        {"colliders.0.keys=[{\"time\":1},{\"time\":1}]", "colliders.0.keys", "increasing time"},
        {"pins=[{\"sphere\":{},\"start\":2,\"end\":1}]", "pins.0.end", "later"},
        {"bodies.0={\"union\": {\"parts\": []}}", "bodies.0.union.parts", "at least one"},
        {"bodies.0={\"union\": {\"parts\": [{}]}}", "bodies.0.union.parts.0", "give one of"},
    };
    for (const auto& c : cases) {
        const std::string message = complaint(cube, {c.set});
        EXPECT_TRUE(says(message, std::string("scene.json: ") + c.place + ":")) << c.set;
        EXPECT_TRUE(says(message, c.remedy)) << c.set;
    }
}

TEST(SceneFile, schema_covers_every_key_once) {
    const Json all = scene_schema();
    const Json& defs = all["$defs"];
    const Json& schema = defs["elastoplastic_scene"];
    EXPECT_EQ(schema["properties"]["bodies"]["items"]["properties"]["material"]["properties"]
                    ["density"]["exclusiveMinimum"],
              0);
    EXPECT_TRUE(defs.contains("shape"));
    EXPECT_EQ(defs["shape"]["properties"]["union"]["properties"]["parts"]["items"]["$ref"],
              "#/$defs/shape");
    EXPECT_EQ(schema["properties"]["solver"]["properties"].size(),
              list_fields<elastoplastic::Params>().size());
}

TEST(SceneFile, every_example_scene_is_read) {
    int count = 0;
    for (const auto& entry : fs::directory_iterator(test::source_dir() / "examples/scenes")) {
        if (entry.path().extension() != ".json") continue;
        ++count;
        const std::string file = entry.path().string();
        EXPECT_NO_THROW(with_scene(load_scene_json(file), file, [](const auto&) {})) << file;
    }
    EXPECT_GT(count, 0);
}
