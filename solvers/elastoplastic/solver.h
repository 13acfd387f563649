// SPDX-License-Identifier: Apache-2.0
// Elastoplasticity with slave particles (Saida 2017; Saida report). Masters carry the matter; slaves
// are moving points at which velocity and stress are solved.
#pragma once

#include "elastoplastic/material.h"
#include "elastoplastic/params.h"
#include "elastoplastic/state.h"
#include "method/report.h"
#include "method/solver.h"

#include <string>
#include <vector>

namespace nendo::elastoplastic {

/// Matter that enters at a given time: positions of its masters and slaves, and its material.
struct Body {
    std::string name;
    double start = 0;           ///< When it appears [s]
    std::vector<Vec3d> masters; ///< [m]
    std::vector<Vec3d> slaves;  ///< [m]
    Material material;
    Vec3d velocity{0, 0, 0};         ///< [m/s]
    Vec3d angular_velocity{0, 0, 0}; ///< About the body's center of mass [rad/s]
    std::int32_t index = 0;          ///< The `body` column
    std::int32_t join = 0;           ///< The `join` column
};

/// One row of stats.jsonl.
struct Report : CommonReport {
    int cg_iterations = 0;           ///< In all substeps together
    int cg_unconverged = 0;          ///< Substeps whose solve ran out of iterations
    double elastic_energy = 0;       ///< [J]
    Vec3d angular_momentum{0, 0, 0}; ///< About the origin [kg m^2/s]
    std::int64_t masters = 0;
    std::int64_t slaves = 0;
    std::int64_t slaves_added = 0; ///< Since the start of the simulation
    std::int64_t slaves_removed = 0;
    std::int64_t ghosts = 0;     ///< Copies of other processes' masters and slaves
    std::int64_t sent_bytes = 0; ///< Between processes
    double min_jacobian = 1;     ///< Smallest det F_E
    double max_jacobian = 1;     ///< Largest det F_E

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        CommonReport::fields(self, visit);
        visit(self.cg_iterations, field("cg_iterations"));
        visit(self.cg_unconverged, field("cg_unconverged"));
        visit(self.elastic_energy, field("elastic_energy").unit("J"));
        visit(self.angular_momentum, field("angular_momentum").unit("kg m^2/s"));
        visit(self.masters, field("masters"));
        visit(self.slaves, field("slaves"));
        visit(self.slaves_added, field("slaves_added"));
        visit(self.slaves_removed, field("slaves_removed"));
        visit(self.ghosts, field("ghosts"));
        visit(self.sent_bytes, field("sent_bytes").unit("B"));
        visit(self.min_jacobian, field("min_jacobian"));
        visit(self.max_jacobian, field("max_jacobian"));
    }
};

/// Adds a body to the state now: fills its columns, assigns ids, remembers neighbors.
template <class Real> void add_body(State<Real>& state, const Body& body, const Params& params);

template <class Real> struct Workspace;
template <class Real> struct Call;

/// The method as the shared code sees it (method/solver.h).
struct Method : MethodTypes<Params, Material, Body, Report> {
    static constexpr std::string_view name = "elastoplastic";
    template <class Real> using State = elastoplastic::State<Real>;
    template <class Real> using Workspace = elastoplastic::Workspace<Real>;
    template <class Real> using Call = elastoplastic::Call<Real>;
    static const std::vector<Preset<Material>>& presets() { return elastoplastic::presets(); }
};

template <class Real> using Solver = nendo::Solver<Method, Real>;

} // namespace nendo::elastoplastic

namespace nendo {
extern template class Solver<elastoplastic::Method, float>;
extern template class Solver<elastoplastic::Method, double>;
} // namespace nendo
