// SPDX-License-Identifier: Apache-2.0
// Random worlds: what all methods share of drawing scene files from a seed, running them on one and
// on two threads, and telling which promise was broken first. A method brings how its bodies and
// parameters are drawn, and a World that checks its promises after each frame.
//
// A failure can be run again: by NENDO_WORLD=seed or NENDO_WORLD_FILE=file and the filter of the
// test, or by `nendo sim` with the file that the failure names. NENDO_WORLDS is the number of worlds
// of each method, and NENDO_WORLD_FIRST the first seed.
#pragma once

#include "core/hash.h"
#include "io/file.h"
#include "io/scene/scenes.h"
#include "support/threads.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <random>
#include <string>
#include <utility>

namespace nendo::test {

// ---- drawing -----------------------------------------------------------------------------------

class Draw {
public:
    explicit Draw(std::uint64_t seed) : m_random(seed * 0x9e3779b97f4a7c15u + 1) {}

    double uniform(double low, double high) {
        return low + (high - low) * std::ldexp(static_cast<double>(m_random() >> 11), -53);
    }
    /// Distributed evenly over the powers of ten.
    double decades(double low, double high) {
        return std::exp(uniform(std::log(low), std::log(high)));
    }
    int whole(int low, int high) { return static_cast<int>(std::floor(uniform(low, high + 1))); }
    bool chance(double p) { return uniform(0, 1) < p; }
    template <class T> T one_of(std::initializer_list<T> list) {
        return list.begin()[whole(0, static_cast<int>(list.size()) - 1)];
    }
    Json vector(double size) {
        return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
    }

private:
    std::mt19937_64 m_random;
};

/// A shape around the origin, at most `cells` spacings large.
inline void draw_shape(Draw& draw, Json& owner, double spacing, int cells) {
    const auto length = [&] { return spacing * draw.whole(2, cells); };
    switch (draw.whole(0, 3)) {
    case 0: owner["box"] = {{"size", {length(), length(), length()}}}; break;
    case 1: owner["sphere"] = {{"radius", 0.5 * length()}}; break;
    case 2: owner["ellipsoid"] = {{"radii", {length() / 2, length() / 2, length() / 2}}}; break;
    default:
        owner["capsule"] = {
            {"a", {0, 0, 0}}, {"b", {0, length() / 2, 0}}, {"radius", length() / 2}};
    }
    if (draw.chance(0.5)) owner["rotate"] = draw.vector(180);
}

/// Two or three poses, 0.1 s apart.
inline Json draw_keys(Draw& draw, double spacing) {
    Json keys = Json::array();
    for (int k = 0; k < draw.whole(2, 3); ++k)
        keys.push_back({{"time", 0.1 * k},
                        {"translate", draw.vector(3 * spacing)},
                        {"rotate", draw.vector(40)}});
    return keys;
}

inline Json draw_collider(Draw& draw, double spacing, bool moves) {
    Json collider{{"friction", draw.chance(0.2) ? Json(nullptr) : Json(draw.uniform(0, 1))}};
    if (draw.chance(0.2)) collider["stickiness"] = draw.decades(1, 1e5);
    if (draw.chance(0.6)) {
        collider["plane"] = {{"normal", {draw.uniform(-0.3, 0.3), 1, draw.uniform(-0.3, 0.3)}}};
    } else {
        draw_shape(draw, collider, spacing, 8);
        collider["translate"] = {draw.uniform(-4, 4) * spacing, 0, draw.uniform(-4, 4) * spacing};
    }
    if (moves) collider["keys"] = draw_keys(draw, spacing);
    return collider;
}

// ---- running -----------------------------------------------------------------------------------

/// Ends a world that has used its share of substeps.
class Budget : public Host {
public:
    explicit Budget(int substeps) : m_left(substeps) {}
    bool interrupted() override { return m_left <= 0; }
    void progress(double fraction, std::string_view) override {
        --m_left;
        m_fraction = fraction;
    }
    /// The share of the last frame that was run.
    double fraction() const { return m_fraction; }

private:
    int m_left;
    double m_fraction = 0;
};

struct WorldRun {
    std::uint64_t hash = 0;
    int frames = 0;
    int substeps = 0;
    bool checks_momentum = false;
    bool checks_energy = false;
    std::string problem; ///< The first promise that was broken
};

/// Runs a scene frame by frame. A method derives its World from this, and brings
///     void begin(Host&);                    // what comes before the first frame, if anything
///     Report advance(Host&);                // one frame
///     std::string problem(const Report&);   // the first promise that is broken now
///     bool checks_momentum(), checks_energy() const;
template <class Derived, class Method, class Real> class WorldOf {
public:
    using Spec = typename SceneOf<Method>::Spec;
    using Built = decltype(build_scene(std::declval<const Spec&>(), "", std::declval<Host&>()));
    using Report = typename Method::Report;

    WorldOf(const Built& built, double fps) : m_built(built), m_frame(1 / fps) {}

    WorldRun run(int frames, int budget) {
        Derived& world = static_cast<Derived&>(*this);
        Budget host(budget);
        WorldRun run;
        try {
            world.begin(host);
            for (; run.frames < frames && run.problem.empty(); ++run.frames) {
                const std::uint64_t before = hash_state(m_state);
                try {
                    const Report report = world.advance(host);
                    run.substeps += report.substeps;
                    run.problem = world.problem(report);
                } catch (const Interrupted&) {
                    if (hash_state(m_state) != before)
                        run.problem = "an interrupted frame changed the state";
                    break;
                }
            }
        } catch (const std::exception& error) {
            run.problem = std::string("threw: ") + error.what();
        }
        run.hash = hash_state(m_state);
        run.checks_momentum = world.checks_momentum();
        run.checks_energy = world.checks_energy();
        return run;
    }

    void begin(Host&) {}

protected:
    const Built& m_built;
    const double m_frame; ///< Length of a frame [s]
    typename Method::template State<Real> m_state;
    Solver<Method, Real> m_solver;
};

/// What a set of worlds amounts to.
struct WorldTotal {
    int worlds = 0;
    int finished = 0; ///< Worlds that ran all their frames
    int momentum = 0; ///< Worlds whose momentum was checked
    int energy = 0;   ///< Worlds whose energy was checked
    long frames = 0;
    long substeps = 0;
};

inline std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
    const char* const text = std::getenv(name);
    return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// The random worlds of one method. World<Real> is derived from WorldOf.
template <class Method, template <class> class World> class Worlds {
public:
    using Spec = typename SceneOf<Method>::Spec;

    /// Runs end after their frames, or after `budget` substeps.
    explicit Worlds(int budget)
        : m_budget(static_cast<int>(number_from_environment("NENDO_WORLD_SUBSTEPS",
                                                            static_cast<std::uint64_t>(budget)))) {}

    WorldTotal total;

    static std::string file_of(std::uint64_t seed) {
        const std::string name =
            "nendo-" + std::string(Method::name) + "-world-" + std::to_string(seed) + ".json";
        return (std::filesystem::temp_directory_path() / name).string();
    }

    /// The first promise that the world breaks, or an empty text.
    std::string problem_of(const Json& world, const std::string& file) {
        WorldRun one;
        std::string problem;
        try {
            Host host;
            const Spec spec = read_scene<Spec>(world, file);
            const auto built = build_scene(spec, file, host);
            one = run_world(spec, built, 1);
            const WorldRun two = run_world(spec, built, 2);
            problem = one.problem;
            if (problem.empty() && (one.hash != two.hash || one.problem != two.problem))
                problem = "two threads give other bits than one";
            total.finished += one.frames == spec.common.frames;
        } catch (const std::exception& error) {
            problem = std::string("cannot be built: ") + error.what();
        }
        ++total.worlds;
        total.momentum += one.checks_momentum;
        total.energy += one.checks_energy;
        total.frames += one.frames;
        total.substeps += one.substeps;
        return problem.empty() ? "" : fmt::format("frame {}: {}", one.frames, problem);
    }

    void check(std::uint64_t seed, const Json& world) {
        const std::string file = file_of(seed);
        const std::string problem = problem_of(world, file);
        if (problem.empty()) return;
        write_file_atomically(file, world.dump(4) + "\n");
        ADD_FAILURE() << Method::name << " world " << seed << ", " << problem
                      << "\nrun it again with NENDO_WORLD=" << seed
                      << ", or NENDO_WORLD_FILE=" << file << ", or nendo sim " << file;
    }

    /// Checks the worlds that the environment asks for; draw(seed) draws one.
    template <class DrawWorld> void check_all(std::uint64_t worlds, const DrawWorld& draw) {
        if (const char* const file = std::getenv("NENDO_WORLD_FILE")) {
            EXPECT_EQ(problem_of(load_scene_json(file), file), "");
        } else if (std::getenv("NENDO_WORLD") != nullptr) {
            const std::uint64_t seed = number_from_environment("NENDO_WORLD", 0);
            check(seed, draw(seed));
        } else {
            worlds = number_from_environment("NENDO_WORLDS", worlds);
            const std::uint64_t first = number_from_environment("NENDO_WORLD_FIRST", 1);
            for (std::uint64_t seed = first; seed < first + worlds; ++seed) check(seed, draw(seed));
        }
        std::cout << total.worlds << " worlds, " << total.finished << " of them with all frames, "
                  << total.frames << " frames, " << total.substeps
                  << " substeps; momentum checked in " << total.momentum << ", energy in "
                  << total.energy << "\n";
    }

    /// Where the first frame with matter needs more than one substep, frames are shortened to one
    /// substep, and bodies enter sooner by the same factor as the run is shorter.
    static Json with_short_frames(Json world, const std::string& file) {
        const auto enters_late = [](const Json& body) { return body.contains("start"); };
        Json entered = world;
        Json& bodies = entered["bodies"];
        if (std::all_of(bodies.begin(), bodies.end(), enters_late)) bodies[0].erase("start");
        Budget host(1);
        const Spec spec = read_scene<Spec>(entered, file);
        const auto built = build_scene(spec, file, host);
        try {
            typename Method::template State<double> state;
            Solver<Method, double>().advance(state, built.scene, built.bodies, built.params,
                                             1 / spec.common.fps, host);
            return world;
        } catch (const Interrupted&) {
        }
        const double fps = spec.common.fps / host.fraction();
        world["fps"] = fps;
        // Worlds are drawn for runs of 0.2 s and more.
        const double sooner = std::min(1.0, spec.common.frames / fps / 0.2);
        for (Json& body : world["bodies"]) {
            if (enters_late(body)) body["start"] = sooner * body["start"].get<double>();
            if (body.contains("copies")) {
                Json& interval = body["copies"]["interval"];
                interval = sooner * interval.get<double>();
            }
        }
        return world;
    }

private:
    template <class Built> WorldRun run_world(const Spec& spec, const Built& built, int threads) {
        return with_threads(threads, [&] {
            return spec.common.precision == Precision::double_
                       ? World<double>(built, spec.common.fps).run(spec.common.frames, m_budget)
                       : World<float>(built, spec.common.fps).run(spec.common.frames, m_budget);
        });
    }

    int m_budget;
};

} // namespace nendo::test
