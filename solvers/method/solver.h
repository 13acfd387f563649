// SPDX-License-Identifier: Apache-2.0
// The solver that every method has. A method is a struct that names its types and its steps; the
// loop over substeps, the checks and the bookkeeping around them are in method/advance.h, once.
//
//     struct Method : MethodTypes<Params, Material, Body, Report> {
//         static constexpr std::string_view name = "dust";
//         template <class Real> using State = dust::State<Real>;         // tables and details
//         template <class Real> using Workspace = dust::Workspace<Real>; // scratch memory
//         template <class Real> using Call = dust::Call<Real>;           // the steps of one call
//         static const std::vector<Preset<Material>>& presets();         // named materials
//     };
//
// solvers/README.md, "A new method", walks through one.
#pragma once

#include "core/host.h"
#include "scene/scene.h"

#include <memory>
#include <type_traits>
#include <vector>

namespace nendo {

/// The types of a method that do not depend on its precision. Inputs are what enters over time:
/// bodies, or a struct that has bodies among others.
template <class Params_, class Material_, class Body_, class Report_,
          class Inputs_ = std::vector<Body_>>
struct MethodTypes {
    using Params = Params_;
    using Material = Material_;
    using Body = Body_;
    using Report = Report_;
    using Inputs = Inputs_;

    static const std::vector<Body>& bodies(const Inputs& inputs) {
        if constexpr (std::is_same_v<Inputs, std::vector<Body>>)
            return inputs;
        else
            return inputs.bodies;
    }
};

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
