// SPDX-License-Identifier: Apache-2.0
// One simulation on several processes, in explicit substeps. Space is cut into slabs, and each
// process computes the matter in its slab. It also holds ghosts: copies of the masters and slaves
// around its slab, enough for the substep to be exact for its own matter. Ghosts are exchanged once
// per substep. State and results are the same as with one process.
#pragma once

#include "elastoplastic/solver.h"
#include "processes/exchange.h"

#include <memory>
#include <string>
#include <vector>

namespace nendo::elastoplastic {

/// Widths of the ghost layers [m]. A slave moves with masters within 2 d; these follow slaves within
/// 4 d, which feel masters within 6 d, whose weights come from slaves within 8 d. Which of those are
/// removed depends on slaves a little farther out.
struct GhostMargins {
    double masters, slaves;
};
GhostMargins ghost_margins(const Params& params);

/// Throws if a scene cannot be shared between processes.
void check_shareable(const std::vector<Body>& bodies, const Params& params);

template <class Real> class DistributedSolver {
public:
    /// `world` identifies the scene; it must be the same in all processes.
    DistributedSolver(Exchange& others, std::string world);
    ~DistributedSolver();

    /// For process 0: like Solver::advance(), on all processes. An error in any of them is thrown
    /// here, and the state stays as it was.
    Report advance(State<Real>& state, const Scene& scene, const std::vector<Body>& bodies,
                   const Params& params, double duration, Host& host);
    /// For all other processes: takes part in the calls of process 0 until it calls dismiss().
    void serve(const Scene& scene, const std::vector<Body>& bodies, const Params& params);

private:
    Exchange& m_others;
    std::string m_world;
    std::unique_ptr<Workspace<Real>> m_workspace;
};

/// For a process that cannot serve: tells process 0 why, until it dismisses this one.
void refuse(Exchange& others, const std::string& problem);
/// For process 0: makes serve() and refuse() return in all other processes.
void dismiss(Exchange& others) noexcept;

extern template class DistributedSolver<float>;
extern template class DistributedSolver<double>;

} // namespace nendo::elastoplastic
