// SPDX-License-Identifier: Apache-2.0
// The part of a shared simulation that one process holds, and how processes keep in step. Only
// distributed.cpp uses it.
#pragma once

#include "elastoplastic/distributed.h"
#include "elastoplastic/stages.h"
#include "processes/packing.h"
#include "processes/slabs.h"

#include <new>
#include <string>
#include <vector>

namespace nendo::elastoplastic {

/// Thrown in all processes when process 0 ends the simulation.
class Dismissed : public Error {
public:
    Dismissed() : Error("dismissed", "", "") {}
};

/// Messages between processes. Each carries the health of its sender, so that an error in one process
/// ends the call in all of them at the same message.
class Channel {
public:
    explicit Channel(Exchange& others) : m_others(others) {}

    int rank() const { return m_others.rank(); }
    int size() const { return m_others.size(); }
    /// Bytes sent to other processes so far.
    std::int64_t sent() const { return m_sent; }

    /// Runs work that may fail, unless something has failed before. A failure is reported with the
    /// next messages.
    template <class Work> void attempt(const Work& work) {
        if (m_health != Health::well) return;
        try {
            work();
        } catch (const Interrupted&) {
            m_health = Health::interrupted;
        } catch (const std::bad_alloc&) {
            fail("process " + std::to_string(rank()) +
                 " is out of memory; start more processes or use a larger spacing");
        } catch (const std::exception& problem) {
            fail(problem.what());
        }
    }
    void fail(const std::string& problem) {
        m_health = Health::failed;
        m_problem = problem;
    }

    /// Dismisses all processes with the next messages. Only process 0 calls it.
    void dismiss() { m_health = Health::dismissed; }

    /// New messages to all processes, which contain only the health of this one.
    std::vector<Packer> messages() const;
    /// Sends the messages and returns those of all processes, by rank. If any process has failed, its
    /// error is thrown in all of them.
    std::vector<Unpacker> exchange(std::vector<Packer> messages);

private:
    enum class Health : std::uint8_t { well, failed, interrupted, dismissed };
    Exchange& m_others;
    Health m_health = Health::well;
    std::string m_problem;
    std::int64_t m_sent = 0;
};

/// What all processes agree on before a substep begins. Counts are sums over all processes.
struct Agreed {
    StepLimits limits;
    std::int64_t masters = 0, slaves_removed = 0;
    std::int64_t ghosts = 0; ///< Ghost masters and slaves
};

/// The row number that each row would have if one process held everything.
struct Places {
    std::vector<std::int64_t> id;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.id, field("id"));
    }
};

/// The part of the state in this process. Its rows are in the order that they would have in a single
/// process, so that sums have the same terms in the same order.
template <class Real> class Part {
public:
    Part(Channel& channel, Workspace<Real>& workspace, const Params& params)
        : m_channel(channel), w(workspace), m_params(params) {}

    /// Process 0 has everything in the trial state: sends the others their parts and keeps its own.
    void distribute(std::vector<Packer> messages);
    /// The other processes read their parts from the message of process 0.
    void receive(Unpacker& message);
    /// Sends all parts back to process 0, which restores the original order.
    void collect(Report& report);

    /// Adds the bodies that are due: each process keeps the matter in its slab.
    void enter(const std::vector<const Body*>& queue, const Scene& scene);
    /// Moves matter to the process whose slab it is in, updates the ghosts, and agrees with the other
    /// processes on the next substep. Throws if anything has failed in any process.
    Agreed synchronize(const Scene& scene, double longest, bool rebalance);
    /// Step 11. Then marks what this process owns; it stays its own wherever the substep moves it.
    void settle(const Agreed& agreed);
    /// Drops the ghosts after the substep.
    void keep_own();

private:
    /// Place of a new row: after all rows that existed when the call began, in the order of ids.
    static std::int64_t place_of_new(std::int64_t id) { return (std::int64_t(1) << 48) + id; }
    /// Finds the row of the first master of each pair.
    void index_first();
    void exchange_rows(const GhostMargins& margins);
    /// Prepares step 11 and the plan from the rows that this process holds. Returns false if a
    /// remembered neighbor is not among them.
    bool prepare_step(const Scene& scene, double longest);
    /// Exchanges the results of prepare_step(). Returns true if they are complete in all processes.
    bool share(bool complete, bool rebalance, Agreed& agreed);
    void mark_own();
    void drop_ghosts();

    Channel& m_channel;
    Workspace<Real>& w;
    const Params& m_params;
    Slabs m_slabs;
    std::vector<double> m_next_cuts; ///< Cuts to use from the next substep on [m]
    Places m_master_places, m_slave_places;
    std::vector<std::uint32_t> m_pair_row; ///< Row of the first master of each pair
    std::vector<std::uint8_t> m_ghost_masters, m_ghost_slaves;
    Neighbors
        m_pairs; ///< All pairs of this process, including those with a master it does not hold
    StepLimits m_limits;
};

} // namespace nendo::elastoplastic
