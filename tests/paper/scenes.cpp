// SPDX-License-Identifier: Apache-2.0
// The shipped scene files of Saida 2017, Fig 9 to 15, at the papers' time steps, run to rest: with
// coarser particles, or with their own if NENDO_SCENES=full is set (an hour).
#include "io/scene/scenes.h"
#include "support/matter.h"
#include "support/source_dir.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

namespace nendo::elastoplastic::test {
namespace {

struct Case {
    const char* scene;
    double spacing; ///< about twice the file's own spacing [m]
    bool one_piece; ///< True if all matter is connected at the end
};

/// Root mean square speed that counts as rest [m/s].
constexpr double slow = 0.5;

class Scenes : public ::testing::TestWithParam<Case> {};

TEST_P(Scenes, come_to_rest_with_nothing_lost_or_inverted) {
    const Case& c = GetParam();
    const std::string file =
        (nendo::test::source_dir() / "examples/scenes" / (std::string(c.scene) + ".json")).string();
    Json document = load_scene_json(file);
    const char* const which = std::getenv("NENDO_SCENES");
    if (which == nullptr || std::string(which) != "full") document["solver"]["spacing"] = c.spacing;
    const double spacing = document["solver"]["spacing"].get<double>();
    Host host;
    const BuiltScene built = build_scene(read_scene<SceneSpec>(document, file), file, host);
    std::size_t placed = 0;
    for (const Body& body : built.bodies) placed += body.masters.size();

    State<float> state;
    Solver<float> solver;
    Report report;
    double least_jacobian = 1;
    const double fps = document["fps"].get<double>();
    for (int frame = 0; frame < document["frames"].get<int>(); ++frame) {
        report = solver.advance(state, built.scene, built.bodies, built.params, 1 / fps, host);
        least_jacobian = std::min(least_jacobian, report.min_jacobian);
        ASSERT_EQ(report.cg_unconverged, 0) << "frame " << frame;
    }
    double mass = 0;
    for (const float m : state.masters.mass) mass += static_cast<double>(m);
    const double speed = std::sqrt(2 * report.kinetic_energy / mass);
    const std::vector<int> parts = pieces(state, built.params);
    std::printf("%s: %d particles, steps of at most %.1f ms, least det F_E %.3f, speed at the end "
                "%.3f m/s, %zu pieces, the largest %d\n",
                c.scene, static_cast<int>(placed), 1e3 * built.params.time_step, least_jacobian,
                speed, parts.size(), parts[0]);
    EXPECT_EQ(state.masters.id.size(), placed);
    EXPECT_GT(least_jacobian, 0);
    EXPECT_LT(speed, slow);
    for (const auto& x : state.masters.x) EXPECT_GT(x.y(), -0.5 * spacing) << "below the ground";
    if (c.one_piece) {
        EXPECT_EQ(parts.size(), 1u);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Fig9to15, Scenes,
    ::testing::Values(Case{"cube_hard", 0.125, true}, Case{"cube_soft", 0.125, true},
                      Case{"cube_plastic", 0.125, false}, Case{"animal_elastic", 0.08, true},
                      Case{"animal_plastic", 0.02, true}, Case{"sheet_on_cross", 0.1, false},
                      Case{"animal_on_bar_low", 0.065, false},
                      Case{"animal_on_bar_high", 0.065, false},
                      Case{"animals_merging", 0.125, true}, Case{"many_animals", 0.16, false}),
    [](const auto& test) { return std::string(test.param.scene); });

} // namespace
} // namespace nendo::elastoplastic::test
