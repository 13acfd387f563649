// SPDX-License-Identifier: Apache-2.0
// Stands in for TBB when the thread sanitizer runs. TBB's library is not built for the sanitizer,
// which then cannot see how TBB's threads wait for each other and reports races that are none. Here
// loops are cut into the same pieces and run on plain threads, which the sanitizer sees.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace tbb {

namespace detail {
inline int& thread_limit() {
    static int limit = static_cast<int>(std::max(2u, std::thread::hardware_concurrency()));
    return limit;
}

/// Calls work(piece) for each piece, on the first thread that is free.
template <class Work> void run_pieces(std::size_t pieces, const Work& work) {
    const auto threads = std::min(pieces, static_cast<std::size_t>(thread_limit()));
    std::atomic<std::size_t> next{0};
    std::exception_ptr problem;
    std::mutex guard;
    const auto worker = [&] {
        try {
            for (std::size_t piece = next++; piece < pieces; piece = next++) work(piece);
        } catch (...) {
            const std::lock_guard<std::mutex> lock(guard);
            problem = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    for (std::size_t t = 1; t < threads; ++t) others.emplace_back(worker);
    worker();
    for (std::thread& other : others) other.join();
    if (problem) std::rethrow_exception(problem);
}
} // namespace detail

template <class Index> class blocked_range {
public:
    blocked_range(Index begin, Index end, std::size_t grain = 1)
        : m_begin(begin), m_end(end), m_grain(grain) {}
    Index begin() const { return m_begin; }
    Index end() const { return m_end; }
    std::size_t grain() const { return m_grain; }

private:
    Index m_begin, m_end;
    std::size_t m_grain;
};

template <class Index, class Body>
void parallel_for(const blocked_range<Index>& range, const Body& body) {
    const std::size_t count = range.end() - range.begin();
    const std::size_t grain = range.grain();
    detail::run_pieces((count + grain - 1) / grain, [&](std::size_t piece) {
        const Index begin = range.begin() + piece * grain;
        body(blocked_range<Index>(begin, std::min(range.end(), begin + grain), grain));
    });
}

template <class Index, class Body> void parallel_for(Index begin, Index end, const Body& body) {
    detail::run_pieces(static_cast<std::size_t>(end - begin),
                       [&](std::size_t i) { body(begin + static_cast<Index>(i)); });
}

template <class Iterator, class Less>
void parallel_sort(Iterator begin, Iterator end, const Less& less) {
    std::sort(begin, end, less);
}

class global_control {
public:
    enum parameter { max_allowed_parallelism };
    global_control(parameter, std::size_t threads) : m_before(detail::thread_limit()) {
        detail::thread_limit() = static_cast<int>(threads);
    }
    ~global_control() { detail::thread_limit() = m_before; }
    global_control(const global_control&) = delete;
    global_control& operator=(const global_control&) = delete;

private:
    int m_before;
};

class task_arena {
public:
    explicit task_arena(int) {}
    template <class Work> auto execute(const Work& work) { return work(); }
};

namespace this_task_arena {
inline int max_concurrency() {
    return detail::thread_limit();
}
} // namespace this_task_arena

} // namespace tbb
