// SPDX-License-Identifier: Apache-2.0
// Slave-particle elastoplasticity (Saida 2017; Saida report): masters carry matter, slaves are moving points at
// which velocity and stress are solved.
#pragma once

#include "core/host.h"
#include "core/stage_clock.h"
#include "elastoplastic/material.h"
#include "elastoplastic/params.h"
#include "elastoplastic/state.h"
#include "scene/scene.h"

#include <memory>
#include <string>
#include <vector>

namespace nendo::elastoplastic {

/// Matter that enters at a time: positions of its masters and slaves, and what it is made of.
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

/// One row of stats.jsonl: what a call of advance() did, and how the matter is at its end.
struct Report {
    int substeps = 0;
    int cg_iterations = 0;           ///< All substeps together
    int cg_unconverged = 0;          ///< Substeps whose solve ran out of iterations
    double shortest_step = 0;        ///< [s]
    double kinetic_energy = 0;       ///< [J]
    double elastic_energy = 0;       ///< [J]
    double gravity_energy = 0;       ///< [J], zero at the origin
    Vec3d momentum{0, 0, 0};         ///< [kg m/s]
    Vec3d angular_momentum{0, 0, 0}; ///< About the origin [kg m^2/s]
    std::int64_t masters = 0;
    std::int64_t slaves = 0;
    std::int64_t slaves_added = 0; ///< Since the start of the simulation
    std::int64_t slaves_removed = 0;
    std::int64_t bytes = 0;  ///< State and scratch memory
    std::int64_t ghosts = 0; ///< Masters and slaves that a process holds for its neighbors' sake
    std::int64_t sent_bytes = 0; ///< From process to process
    double max_speed = 0;        ///< [m/s]
    double min_jacobian = 1;     ///< Smallest det F_E
    double max_jacobian = 1;
    std::vector<StageTime> stages;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.substeps, field("substeps"));
        visit(self.cg_iterations, field("cg_iterations"));
        visit(self.cg_unconverged, field("cg_unconverged"));
        visit(self.shortest_step, field("shortest_step").unit("s"));
        visit(self.kinetic_energy, field("kinetic_energy").unit("J"));
        visit(self.elastic_energy, field("elastic_energy").unit("J"));
        visit(self.gravity_energy, field("gravity_energy").unit("J"));
        visit(self.momentum, field("momentum").unit("kg m/s"));
        visit(self.angular_momentum, field("angular_momentum").unit("kg m^2/s"));
        visit(self.masters, field("masters"));
        visit(self.slaves, field("slaves"));
        visit(self.slaves_added, field("slaves_added"));
        visit(self.slaves_removed, field("slaves_removed"));
        visit(self.bytes, field("bytes").unit("B"));
        visit(self.ghosts, field("ghosts"));
        visit(self.sent_bytes, field("sent_bytes").unit("B"));
        visit(self.max_speed, field("max_speed").unit("m/s"));
        visit(self.min_jacobian, field("min_jacobian"));
        visit(self.max_jacobian, field("max_jacobian"));
    }
};

/// Adds a body to the state now: columns filled, ids given, neighbors remembered.
template <class Real> void add_body(State<Real>& state, const Body& body, const Params& params);

template <class Real> struct Workspace;

template <class Real> class Solver {
public:
    Solver();
    ~Solver();
    Solver(Solver&&) noexcept;
    Solver& operator=(Solver&&) noexcept;

    /// Moves `state` on by `duration` [s] in as many substeps as it takes. Bodies enter at their
    /// start, those that are due at once even when the duration is zero. Commit or nothing: when
    /// this throws (Error, Interrupted, std::bad_alloc) the state is as it was.
    Report advance(State<Real>& state, const Scene& scene, const std::vector<Body>& bodies,
                   const Params& params, double duration, Host& host);

private:
    std::unique_ptr<Workspace<Real>> m_workspace; ///< Scratch only: nothing survives in it
};

extern template class Solver<float>;
extern template class Solver<double>;

} // namespace nendo::elastoplastic
