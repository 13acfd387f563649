// SPDX-License-Identifier: Apache-2.0
// What one process holds of a simulation that several share, and how they keep in step: for
// distributed.cpp alone.
#pragma once

#include "elastoplastic/distributed.h"
#include "elastoplastic/stages.h"
#include "processes/packing.h"
#include "processes/slabs.h"

#include <new>
#include <string>
#include <vector>

namespace nendo::elastoplastic {

/// Thrown in all processes when process 0 says that nothing more will come.
class Dismissed : public Error {
public:
    Dismissed() : Error("dismissed", "", "") {}
};

/// Messages between processes, each with whether its sender is well: what goes wrong in one process
/// ends the call in all of them, at the same message.
class Talk {
public:
    explicit Talk(Exchange& others) : m_others(others) {}

    int rank() const { return m_others.rank(); }
    int size() const { return m_others.size(); }
    /// Bytes given to others so far.
    std::int64_t sent() const { return m_sent; }

    /// Does what may fail here, unless something has failed. The next messages will tell.
    template <class Work> void attempt(const Work& work) {
        if (m_health != Health::well) return;
        try {
            work();
        } catch (const Interrupted&) {
            m_health = Health::interrupted;
        } catch (const std::bad_alloc&) {
            fail("process " + std::to_string(rank()) +
                 " is out of memory; start more processes, "
                 "or raise the spacing");
        } catch (const std::exception& problem) {
            fail(problem.what());
        }
    }
    void fail(const std::string& problem) {
        m_health = Health::failed;
        m_problem = problem;
    }

    /// For process 0.
    void dismiss() { m_health = Health::dismissed; }

    /// Empty messages to all.
    std::vector<Packer> messages() const;
    /// Gives the messages, returns those of all processes, by rank. Throws what failed in any of
    /// them, in all of them.
    std::vector<Unpacker> exchange(std::vector<Packer> messages);

private:
    enum class Health : std::uint8_t { well, failed, interrupted, dismissed };
    Exchange& m_others;
    Health m_health = Health::well;
    std::string m_problem;
    std::int64_t m_sent = 0;
};

/// What all processes know of a substep before it begins.
struct Agreed {
    Pace pace;
    std::int64_t masters = 0, slaves_removed = 0;
    std::int64_t ghosts = 0; ///< Masters and slaves, of all processes
};

/// Where each row would stand if one process held all.
struct Places {
    std::vector<std::int64_t> id;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.id, field("id"));
    }
};

/// The rows of one process are in the order that they would have in a single one, so that sums have
/// the same terms in the same order.
template <class Real> class Part {
public:
    Part(Talk& talk, Workspace<Real>& workspace, const Params& params)
        : m_talk(talk), w(workspace), m_params(params) {}

    /// Process 0 has all in the trial state and keeps its own; the others take theirs from its
    /// message.
    void hand_out(std::vector<Packer> messages);
    void take(Unpacker& message);
    /// All goes back to process 0, in the order that it had.
    void hand_in(Report& report);

    /// Bodies that are due enter: each process takes what is in its slab.
    void enter(const std::vector<const Body*>& queue, const Scene& scene);
    /// Matter goes to the process in whose slab it is, ghosts are brought up to date, and what all
    /// must know of the substep is agreed upon. Throws what went wrong in any process.
    Agreed meet(const Scene& scene, double longest, bool rebalance);
    /// 11, and what is this process's own from here on, wherever the substep moves it.
    void settle(const Agreed& agreed);
    /// Ghosts go.
    void keep_own();

private:
    /// Behind all rows that were there when the call began, in the order of their ids.
    static std::int64_t place_of_new(std::int64_t id) { return (std::int64_t(1) << 48) + id; }
    /// Finds the row of each pair's first master.
    void index_first();
    void exchange_rows(const GhostMargins& margins);
    /// Step 11 as far as this process can see. Returns whether it sees all neighbors.
    bool look_around(const Scene& scene, double longest);
    /// Tells all processes what this one has seen. Returns whether all saw all.
    bool share(bool complete, bool rebalance, Agreed& agreed);
    void mark_own();
    void drop_ghosts();

    Talk& m_talk;
    Workspace<Real>& w;
    const Params& m_params;
    Slabs m_slabs;
    std::vector<double> m_next_cuts; ///< From the next substep on
    Places m_master_places, m_slave_places;
    std::vector<std::uint32_t> m_pair_row; ///< The first master of each pair
    std::vector<std::uint8_t> m_ghost_masters, m_ghost_slaves;
    Neighbors m_pairs; ///< Of this process, those out of sight among them
    Pace m_pace;
};

} // namespace nendo::elastoplastic
