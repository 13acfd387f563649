// SPDX-License-Identifier: Apache-2.0
#include "run/processes.h"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

namespace nendo::cli {

namespace {

/// Messages are split into pieces of at most this many bytes, because MPI counts in int.
constexpr std::size_t piece = std::size_t(1) << 30;

class MpiExchange : public Exchange {
public:
    explicit MpiExchange(Host& host) : m_host(host) {
        int level = 0;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        MPI_Comm_rank(MPI_COMM_WORLD, &m_rank);
        MPI_Comm_size(MPI_COMM_WORLD, &m_size);
    }
    /// After a loss MPI_Finalize would wait forever; mpirun ends the remaining processes.
    ~MpiExchange() override {
        if (!m_broken) MPI_Finalize();
    }
    MpiExchange(const MpiExchange&) = delete;
    MpiExchange& operator=(const MpiExchange&) = delete;

    int rank() const override { return m_rank; }
    int size() const override { return m_size; }

    std::vector<Bytes> exchange(std::vector<Bytes> out) override {
        if (m_broken) lose();
        const auto n = static_cast<std::size_t>(m_size);
        std::vector<std::uint64_t> out_size(n), in_size(n);
        for (std::size_t r = 0; r < n; ++r) out_size[r] = out[r].size();
        std::vector<MPI_Request> requests(1);
        check(MPI_Ialltoall(out_size.data(), 1, MPI_UINT64_T, in_size.data(), 1, MPI_UINT64_T,
                            MPI_COMM_WORLD, requests.data()));
        wait(requests);

        std::vector<Bytes> in(n);
        requests.clear();
        for (int r = 0; r < m_size; ++r) {
            if (r == m_rank) continue;
            Bytes& from = in[static_cast<std::size_t>(r)];
            Bytes& to = out[static_cast<std::size_t>(r)];
            from.resize(in_size[static_cast<std::size_t>(r)]);
            for_each_piece(from, [&](char* begin, int count) {
                check(MPI_Irecv(begin, count, MPI_BYTE, r, 0, MPI_COMM_WORLD,
                                &requests.emplace_back()));
            });
            for_each_piece(to, [&](char* begin, int count) {
                check(MPI_Isend(begin, count, MPI_BYTE, r, 0, MPI_COMM_WORLD,
                                &requests.emplace_back()));
            });
        }
        wait(requests);
        in[static_cast<std::size_t>(m_rank)] = std::move(out[static_cast<std::size_t>(m_rank)]);
        return in;
    }

private:
    template <class Use> static void for_each_piece(Bytes& bytes, const Use& use) {
        for (std::size_t begin = 0; begin < bytes.size(); begin += piece)
            use(bytes.data() + begin, static_cast<int>(std::min(piece, bytes.size() - begin)));
    }

    [[noreturn]] void lose() {
        m_broken = true;
        throw LostProcess(
            "another process of this job is lost", "process " + std::to_string(m_rank),
            "see the message of mpirun, and continue with --resume", Error::Kind::failure);
    }
    void check(int result) {
        if (result != MPI_SUCCESS) lose();
    }
    /// Checks for signals while it waits, so that the process can be interrupted.
    void wait(std::vector<MPI_Request>& requests) {
        const int spins = 200; // most waits are short
        for (int attempt = 0;; ++attempt) {
            int done = 0;
            check(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done,
                              MPI_STATUSES_IGNORE));
            if (done != 0) return;
            if (attempt < spins) {
                std::this_thread::yield();
                continue;
            }
            if (m_host.interrupted()) {
                m_broken = true;
                if (m_rank == 0)
                    m_host.log(Severity::warning, "interrupted while waiting for other processes; "
                                                  "if one of them was lost, mpirun says which");
                throw Interrupted();
            }
            std::this_thread::sleep_for(std::chrono::microseconds(50));
        }
    }

    Host& m_host;
    int m_rank = 0, m_size = 1;
    bool m_broken = false;
};

} // namespace

std::unique_ptr<Exchange> join_processes(Host& host) {
    return std::make_unique<MpiExchange>(host);
}

} // namespace nendo::cli
