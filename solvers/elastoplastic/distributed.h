// SPDX-License-Identifier: Apache-2.0
// One simulation on several processes, in explicit substeps: space is cut into slabs, and each
// process computes the matter in its own. It holds ghosts, copies of the masters and slaves around
// its slab, so many that a substep on all it holds is right for what is its own; one exchange a
// substep brings them up to date. State and results are those of one process.
#pragma once

#include "elastoplastic/solver.h"
#include "processes/exchange.h"

#include <memory>
#include <string>
#include <vector>

namespace nendo::elastoplastic {

/// Widths of the ghosts' layers [m]. A slave moves with masters within 2 d; these follow slaves
/// within 4 d, which feel masters within 6 d, whose weights come from slaves within 8 d. What is
/// removed there depends on slaves a little farther out.
struct GhostMargins {
    double masters, slaves;
};
GhostMargins ghost_margins(const Params& params);

/// Throws when a scene cannot be shared between processes.
void check_shareable(const std::vector<Body>& bodies, const Params& params);

template <class Real> class DistributedSolver {
public:
    /// `world` names the scene; it must be the same in all processes.
    DistributedSolver(Exchange& others, std::string world);
    ~DistributedSolver();

    /// In process 0: as Solver::advance(), on all processes. What goes wrong in one of them is
    /// thrown here; the state is as it was.
    Report advance(State<Real>& state, const Scene& scene, const std::vector<Body>& bodies,
                   const Params& params, double duration, Host& host);
    /// In all others: takes part in what process 0 does, until dismiss().
    void serve(const Scene& scene, const std::vector<Body>& bodies, const Params& params);

private:
    Exchange& m_others;
    std::string m_world;
    std::unique_ptr<Workspace<Real>> m_workspace;
};

/// In a process that cannot serve: process 0 is told why, until it dismisses this one.
void refuse(Exchange& others, const std::string& problem);
/// In process 0: serve() and refuse() return in all others.
void dismiss(Exchange& others) noexcept;

extern template class DistributedSolver<float>;
extern template class DistributedSolver<double>;

} // namespace nendo::elastoplastic
