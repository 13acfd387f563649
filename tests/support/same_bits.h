// SPDX-License-Identifier: Apache-2.0
// The promise of every method: the same state gives the same bits, for any number of threads, for
// any order of the rows, and for a run that was stopped, saved and resumed by another solver object.
#pragma once

#include "core/error.h"
#include "core/hash.h"
#include "core/host.h"
#include "core/table.h"
#include "io/checkpoint.h"
#include "scene/scene.h"
#include "support/threads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <unistd.h>

namespace nendo::test {

constexpr double frame = 1.0 / 24; // [s]

/// Everything that a solver of a method is called with, besides the state.
template <class Inputs, class Params> struct Play {
    std::string name;
    Scene scene;
    Inputs inputs;
    Params params;
};

/// How many frames the tests run.
struct Frames {
    int threads;        ///< With each number of threads
    int before_shuffle; ///< Before the rows of the state are shuffled
    int after_shuffle;
    int half; ///< Before the run is stopped, and again after it is resumed
};

/// Advances a state by whole frames with a solver of its own and returns the frames' reports.
template <class Solver, class State, class Play>
auto advance_frames(State& state, const Play& play, int frames) {
    Solver solver;
    Host host;
    std::vector<decltype(solver.advance(state, play.scene, play.inputs, play.params, frame, host))>
        reports;
    for (int k = 0; k < frames; ++k)
        reports.push_back(solver.advance(state, play.scene, play.inputs, play.params, frame, host));
    return reports;
}

/// The state at time 0, as the command line starts it.
template <class Solver, class State, class Play> State start_play(const Play& play) {
    State state;
    Host host;
    Solver().advance(state, play.scene, play.inputs, play.params, 0, host);
    return state;
}

/// The same state with the rows of each table in another order.
template <class State> State shuffled(State state) {
    State::tables(state, [](auto& table, std::string_view) {
        std::vector<std::uint32_t> order(table_size(table));
        std::iota(order.begin(), order.end(), 0u);
        std::shuffle(order.begin(), order.end(), std::mt19937(7));
        gather_table(table, order);
    });
    return state;
}

/// A type parameter Case says what a method runs and what has to happen in it, so that the promise
/// is about something:
///   State, Solver, Play                        types
///   method                                     name of the method in a checkpoint
///   frames                                     a Frames
///   plays()                                    plays to run; the first serves all tests
///   begin(play)                                state before the first frame
///   ids(state)                                 ids of the particles or bones
///   expect_eventful(play, state, reports)      after the run with one thread
///   expect_ready_to_shuffle(play, state)       before the rows are shuffled
template <class Case> class EveryMethod : public testing::Test {
protected:
    using State = typename Case::State;

    static auto advance(State& state, const typename Case::Play& play, int frames) {
        return advance_frames<typename Case::Solver>(state, play, frames);
    }
};
TYPED_TEST_SUITE_P(EveryMethod);

TYPED_TEST_P(EveryMethod, for_1_2_and_8_threads) {
    for (const auto& play : TypeParam::plays()) {
        SCOPED_TRACE(play.name);
        const auto run = [&](int threads, const auto& check) {
            return with_threads(threads, [&] {
                EXPECT_EQ(tbb::this_task_arena::max_concurrency(), threads);
                auto state = TypeParam::begin(play);
                const auto reports = this->advance(state, play, TypeParam::frames.threads);
                check(state, reports);
                return hash_state(state);
            });
        };
        const auto unchecked = [](const auto&, const auto&) {};
        const std::uint64_t one = run(1, [&](const auto& state, const auto& reports) {
            TypeParam::expect_eventful(play, state, reports);
        });
        EXPECT_EQ(run(2, unchecked), one);
        EXPECT_EQ(run(8, unchecked), one);
    }
}

TYPED_TEST_P(EveryMethod, for_any_order_of_the_rows) {
    const auto play = TypeParam::plays().front();
    auto state = TypeParam::begin(play);
    this->advance(state, play, TypeParam::frames.before_shuffle);
    TypeParam::expect_ready_to_shuffle(play, state);
    auto mixed = shuffled(state);
    ASSERT_NE(TypeParam::ids(mixed), TypeParam::ids(state));
    ASSERT_EQ(hash_state(mixed), hash_state(state));
    this->advance(state, play, TypeParam::frames.after_shuffle);
    this->advance(mixed, play, TypeParam::frames.after_shuffle);
    EXPECT_EQ(hash_state(mixed), hash_state(state));
}

TYPED_TEST_P(EveryMethod, for_a_run_that_was_stopped_and_resumed) {
    const auto play = TypeParam::plays().front();
    const std::string name = "nendo-same-bits-" + std::to_string(::getpid()) + ".nendo";
    const std::string path = (std::filesystem::temp_directory_path() / name).string();
    auto straight = TypeParam::begin(play);
    this->advance(straight, play, 2 * TypeParam::frames.half);

    auto first = TypeParam::begin(play);
    this->advance(first, play, TypeParam::frames.half);
    write_checkpoint(path, first, TypeParam::method, "");
    typename TypeParam::State second;
    read_checkpoint(path, second, TypeParam::method);
    std::filesystem::remove(path);
    this->advance(second, play, TypeParam::frames.half);
    EXPECT_EQ(hash_state(second), hash_state(straight));
}

REGISTER_TYPED_TEST_SUITE_P(EveryMethod, for_1_2_and_8_threads, for_any_order_of_the_rows,
                            for_a_run_that_was_stopped_and_resumed);

/// A host that asks to stop after a number of questions.
class Impatient : public Host {
public:
    explicit Impatient(int patience) : m_patience(patience) {}
    bool interrupted() override { return m_patience-- <= 0; }

private:
    int m_patience;
};

/// Expects that a call which is interrupted, or whose state `broken` no step survives, leaves the
/// state as it was, and that the solver object then goes on as a new one does.
template <class Solver, class State, class Play>
void expect_commit_or_nothing(State state, State broken, const Play& play, int patience,
                              double interrupted_duration = frame, double broken_duration = frame) {
    const auto advance = [&](Solver& solver, State& s, double duration, Host& host) {
        solver.advance(s, play.scene, play.inputs, play.params, duration, host);
    };
    Solver solver;
    const std::uint64_t before = hash_state(state);
    Impatient impatient(patience);
    EXPECT_THROW(advance(solver, state, interrupted_duration, impatient), Interrupted);
    EXPECT_EQ(hash_state(state), before);

    const std::uint64_t broken_before = hash_state(broken);
    Host patient;
    EXPECT_THROW(advance(solver, broken, broken_duration, patient), Error);
    EXPECT_EQ(hash_state(broken), broken_before);

    State other = state;
    Solver fresh;
    advance(solver, state, frame, patient);
    advance(fresh, other, frame, patient);
    EXPECT_EQ(hash_state(state), hash_state(other));
}

} // namespace nendo::test
