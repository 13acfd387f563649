// SPDX-License-Identifier: Apache-2.0
// Tasks that wait for other tasks.
#include "core/parallel.h"
#include "support/threads.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace nendo {
namespace {

/// Task k waits for the tasks k - 2, k - 3 and k - 4, as far as they exist.
std::vector<std::uint32_t> before(std::size_t k) {
    std::vector<std::uint32_t> tasks;
    for (std::size_t back = 2; back <= 4 && back <= k; ++back)
        tasks.push_back(static_cast<std::uint32_t>(k - back));
    return tasks;
}

TEST(OrderedTasks, start_after_the_tasks_before_them_have_ended) {
    const std::size_t n = 500;
    for (const int threads : {1, 2, 8}) {
        OrderedTasks tasks;
        for (int round = 0; round < 10; ++round) {
            std::vector<std::atomic<int>> ended(n);
            std::atomic<int> early{0};
            test::with_threads(threads, [&] {
                tasks.run(n, before, [&](std::size_t k) {
                    for (const std::uint32_t earlier : before(k))
                        if (ended[earlier] == 0) ++early;
                    ++ended[k];
                });
            });
            EXPECT_EQ(early, 0) << threads << " threads";
            for (const std::atomic<int>& count : ended) EXPECT_EQ(count, 1);
        }
    }
}

TEST(OrderedTasks, end_when_one_of_them_throws_and_can_run_again) {
    test::with_threads(8, [] {
        OrderedTasks tasks;
        const auto run = [&](std::size_t bad) {
            std::atomic<int> done{0};
            tasks.run(100, before, [&](std::size_t k) {
                if (k == bad) throw std::runtime_error("no memory");
                ++done;
            });
            return done.load();
        };
        EXPECT_THROW(run(50), std::runtime_error);
        EXPECT_EQ(run(100), 100);
    });
}

} // namespace
} // namespace nendo
