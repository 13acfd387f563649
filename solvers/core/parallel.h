// SPDX-License-Identifier: Apache-2.0
// Parallel loops and sums whose results are bit-identical for any number of threads: work is cut
// into blocks of fixed size, and partial sums are added in the order of the blocks.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace nendo {

/// Particles per unit of work. Changing it changes the last bits of sums.
inline constexpr std::size_t block_size = 256;

/// Calls body(i) for i in [0, n), in any order.
template <class Body> void parallel_for(std::size_t n, const Body& body) {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, block_size),
                      [&](const tbb::blocked_range<std::size_t>& range) {
                          for (std::size_t i = range.begin(); i != range.end(); ++i) body(i);
                      });
}

/// Calls body(k) for k in [0, n), in any order. Each call is a unit of work of its own.
template <class Body> void parallel_tasks(std::size_t n, const Body& body) {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, 1),
                      [&](const tbb::blocked_range<std::size_t>& range) {
                          for (std::size_t k = range.begin(); k != range.end(); ++k) body(k);
                      });
}

/// Calls body(begin, end) for consecutive blocks of [0, n). For loops that keep local variables
/// throughout a block.
template <class Body> void parallel_blocks(std::size_t n, const Body& body) {
    parallel_tasks((n + block_size - 1) / block_size,
                   [&](std::size_t b) { body(b * block_size, std::min(n, (b + 1) * block_size)); });
}

/// Runs tasks that depend on earlier tasks in a single loop. A thread waits only for the tasks that
/// its own task depends on; there is no barrier.
class OrderedTasks {
public:
    /// Calls body(k) for k in [0, n) after the tasks listed by before(k), all of which are less than
    /// k. The body must not wait for other threads.
    template <class Before, class Body>
    void run(std::size_t n, const Before& before, const Body& body) {
        const auto seats = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
        const std::size_t threads = std::min(n, seats);
        if (threads <= 1) {
            for (std::size_t k = 0; k < n; ++k) body(k);
            return;
        }
        begin_round(n);
        std::atomic<std::size_t> next{0};
        std::atomic<bool> failed{false};
        // Tasks start in order, so every task waited for is finished or running on another thread.
        tbb::parallel_for(std::size_t(0), threads, [&](std::size_t) {
            for (std::size_t k = next++; k < n; k = next++) {
                for (const std::uint32_t earlier : before(k)) wait_for(earlier, failed);
                if (failed) return;
                try {
                    body(k);
                } catch (...) {
                    failed = true;
                    throw;
                }
                m_ended[k].store(m_round, std::memory_order_release);
            }
        });
    }

    std::size_t bytes() const { return m_capacity * sizeof(m_ended[0]); }

private:
    void begin_round(std::size_t n) {
        if (n > m_capacity) {
            m_capacity = n + n / 2;
            m_ended = std::make_unique<std::atomic<std::uint64_t>[]>(m_capacity);
        }
        ++m_round;
    }
    void wait_for(std::uint32_t task, const std::atomic<bool>& failed) const {
        // Tasks take microseconds. After spinning longer than that, yield: the other thread may need
        // this core.
        const int patience = 2000;
        for (int looks = 0; m_ended[task].load(std::memory_order_acquire) != m_round; ++looks) {
            if (failed) return;
            if (looks > patience) std::this_thread::yield();
        }
    }

    std::unique_ptr<std::atomic<std::uint64_t>[]> m_ended; ///< Last round in which each task ended
    std::size_t m_capacity = 0;                            ///< Capacity of m_ended
    std::uint64_t m_round = 0;                             ///< Counts the calls of run()
};

/// Scratch memory of a reduction. The caller keeps it, so that a substep allocates nothing.
template <class Value> using Partials = std::vector<Value>;

/// Folds term(i) over each block in order, then combines the blocks in order:
/// combine(... combine(combine(start, block 0), block 1) ...).
template <class Value, class Term, class Combine>
Value parallel_reduce(std::size_t n, const Value& start, const Term& term, const Combine& combine,
                      Partials<Value>& partials) {
    partials.assign((n + block_size - 1) / block_size, start);
    parallel_blocks(n, [&](std::size_t begin, std::size_t end) {
        Value value = start;
        for (std::size_t i = begin; i != end; ++i) value = combine(value, term(i));
        partials[begin / block_size] = value;
    });
    Value value = start;
    for (const Value& partial : partials) value = combine(value, partial);
    return value;
}

/// Sum of term(i) in an order that does not depend on the number of threads. `zero` is the zero of
/// the type, which Eigen types do not default to.
template <class Value, class Term>
Value parallel_sum(std::size_t n, const Value& zero, const Term& term) {
    Partials<Value> partials;
    return parallel_reduce(
        n, zero, term, [](const Value& a, const Value& b) { return Value(a + b); }, partials);
}

} // namespace nendo
