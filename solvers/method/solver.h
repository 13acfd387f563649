// SPDX-License-Identifier: Apache-2.0
// The solver that every method has. A method is a struct that names its types and its steps; the
// loop over substeps, the checks and the bookkeeping around them are in method/advance.h, once.
//
//     struct Method {
//         static constexpr std::string_view name = "dust";
//         template <class Real> using State = dust::State<Real>;  // tables and details
//         using Params = dust::Params;                            // what the artist sets
//         using Inputs = std::vector<Body>;                       // what enters over time
//         using Report = dust::Report;                            // one row of statistics
//         template <class Real> using Workspace = dust::Workspace<Real>; // scratch memory
//         template <class Real> using Call = dust::Call<Real>;    // the steps of one call
//     };
//
// solvers/README.md, "A new method", walks through one.
#pragma once

#include "core/host.h"
#include "scene/scene.h"

#include <memory>

namespace nendo {

template <class Method, class Real> class Solver {
public:
    using State = typename Method::template State<Real>;
    using Workspace = typename Method::template Workspace<Real>;
    using Inputs = typename Method::Inputs;
    using Params = typename Method::Params;
    using Report = typename Method::Report;

    Solver();
    ~Solver();
    Solver(Solver&&) noexcept;
    Solver& operator=(Solver&&) noexcept;

    /// Moves `state` forward by `duration` [s] in as many substeps as it needs. Bodies enter at
    /// their start time; bodies that are due enter even when the duration is zero. Commit or
    /// nothing: if this throws (Error, Interrupted, std::bad_alloc), the state is unchanged.
    Report advance(State& state, const Scene& scene, const Inputs& inputs, const Params& params,
                   double duration, Host& host);

private:
    std::unique_ptr<Workspace> m_workspace; ///< Scratch memory only: no result depends on it
};

} // namespace nendo
