// SPDX-License-Identifier: Apache-2.0
// Threads that stand in for the processes of one simulation: each has an Exchange, and they meet.
#pragma once

#include "processes/exchange.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace nendo::test {

/// Keeps the messages of all threads until the last one has arrived.
class MeetingPlace {
public:
    explicit MeetingPlace(int size) : m_size(size), m_out(static_cast<std::size_t>(size)) {}

    int size() const { return m_size; }
    /// Bytes sent from one thread to another so far.
    std::size_t sent() const { return m_sent; }

    std::vector<Bytes> meet(int rank, std::vector<Bytes> out) {
        std::unique_lock<std::mutex> lock(m_mutex);
        m_wake.wait(lock, [&] { return !m_leaving || m_lost; });
        for (std::size_t r = 0; r < out.size(); ++r)
            if (r != static_cast<std::size_t>(rank)) m_sent += out[r].size();
        m_out[static_cast<std::size_t>(rank)] = std::move(out);
        if (++m_here == m_size) {
            m_leaving = true;
            m_wake.notify_all();
        }
        m_wake.wait(lock, [&] { return m_leaving || m_lost; });
        if (m_lost) throw LostProcess("a process is lost", "test", "");
        std::vector<Bytes> in;
        for (const std::vector<Bytes>& from : m_out)
            in.push_back(from[static_cast<std::size_t>(rank)]);
        if (--m_here == 0) {
            m_leaving = false;
            m_wake.notify_all();
        }
        return in;
    }
    /// Marks this thread as lost, so that the others stop waiting for it.
    void leave() {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_lost = true;
        m_wake.notify_all();
    }

private:
    const int m_size;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::vector<std::vector<Bytes>> m_out;
    int m_here = 0;
    bool m_leaving = false, m_lost = false;
    std::size_t m_sent = 0;
};

class ThreadExchange : public Exchange {
public:
    ThreadExchange(MeetingPlace& place, int rank) : m_place(place), m_rank(rank) {}
    int rank() const override { return m_rank; }
    int size() const override { return m_place.size(); }
    std::vector<Bytes> exchange(std::vector<Bytes> out) override {
        return m_place.meet(m_rank, std::move(out));
    }

private:
    MeetingPlace& m_place;
    int m_rank;
};

/// Runs leader(exchange) as process 0 on this thread, and others(exchange) as each other process.
template <class Leader, class Others>
void as_processes(int size, const Leader& leader, const Others& others) {
    MeetingPlace place(size);
    std::vector<std::thread> threads;
    std::vector<std::exception_ptr> problems(static_cast<std::size_t>(size));
    const auto guarded = [&](int rank, const auto& work) {
        ThreadExchange exchange(place, rank);
        try {
            work(exchange);
        } catch (...) {
            problems[static_cast<std::size_t>(rank)] = std::current_exception();
            place.leave();
        }
    };
    for (int rank = 1; rank < size; ++rank)
        threads.emplace_back([&, rank] { guarded(rank, others); });
    guarded(0, leader);
    for (std::thread& thread : threads) thread.join();
    for (const std::exception_ptr& problem : problems)
        if (problem) std::rethrow_exception(problem);
}

} // namespace nendo::test
