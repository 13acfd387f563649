// SPDX-License-Identifier: Apache-2.0
// Oriented-particle clusters that melt (melting thesis): the shapes of overlapping clusters hold solid
// matter together, heat melts it particle by particle, and melted particles flow.
#pragma once

#include "melt/material.h"
#include "melt/params.h"
#include "melt/state.h"
#include "method/report.h"
#include "method/solver.h"

#include <string>
#include <vector>

namespace nendo::melt {

/// Matter that enters at a given time.
struct Body {
    std::string name;
    double start = 0;             ///< Time at which it appears [s]
    std::vector<Vec3d> particles; ///< At rest [m]
    Material material;
    double temperature = 20;         ///< [degC]
    bool liquid = false;             ///< If it is at the melting point: whether it is fully melted
    Vec3d radii{0, 0, 0};            ///< Half axes of its particles [m]; 0: half the spacing
    Vec3d squash{1, 1, 1};           ///< Scale when it enters, about the center of its base [1]
    Vec3d velocity{0, 0, 0};         ///< [m/s]
    Vec3d angular_velocity{0, 0, 0}; ///< About the body's center of mass [rad/s]
    std::int32_t index = 0;          ///< The `body` column
};

/// One row of stats.jsonl.
struct Report : CommonReport {
    int iterations = 0;           ///< Of the clusters, in all substeps together
    int pressure_iterations = 0;  ///< In all substeps together
    int pressure_unconverged = 0; ///< Substeps whose solve ran out of iterations
    int heat_steps = 0;
    double heat_energy = 0;          ///< [J], zero for solid matter at 0 degrees
    double heat_taken = 0;           ///< Heat gained from air and sources since the start [J]
    Vec3d angular_momentum{0, 0, 0}; ///< With spin, about the origin [kg m^2/s]
    std::int64_t particles = 0;
    std::int64_t liquid = 0;
    std::int64_t links = 0;
    std::int64_t clusters_solved = 0;
    std::int64_t pieces = 0;           ///< Connected solid pieces at the start of the call
    std::int64_t particles_melted = 0; ///< Since the start of the simulation
    std::int64_t particles_frozen = 0;
    double mass = 0;            ///< [kg]
    double deformation = 0;     ///< d_sum per pair, if watched [m] (melting thesis, eq 3.1)
    double work = 0;            ///< Pairs of particles visited per substep
    double work_most = 0;       ///< Pairs visited in the busiest substep
    double coldest = 0;         ///< [degC]
    double hottest = 0;         ///< [degC]
    std::vector<double> d_sums; ///< After each iteration of the last substep, if watched [m]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        CommonReport::fields(self, visit);
        visit(self.iterations, field("iterations"));
        visit(self.pressure_iterations, field("pressure_iterations"));
        visit(self.pressure_unconverged, field("pressure_unconverged"));
        visit(self.heat_steps, field("heat_steps"));
        visit(self.heat_energy, field("heat_energy").unit("J"));
        visit(self.heat_taken, field("heat_taken").unit("J"));
        visit(self.angular_momentum, field("angular_momentum").unit("kg m^2/s"));
        visit(self.particles, field("particles"));
        visit(self.liquid, field("liquid"));
        visit(self.links, field("links"));
        visit(self.clusters_solved, field("clusters_solved"));
        visit(self.pieces, field("pieces"));
        visit(self.particles_melted, field("particles_melted"));
        visit(self.particles_frozen, field("particles_frozen"));
        visit(self.mass, field("mass").unit("kg"));
        visit(self.deformation, field("deformation").unit("m"));
        visit(self.work, field("work"));
        visit(self.work_most, field("work_most"));
        visit(self.coldest, field("coldest").unit("degC"));
        visit(self.hottest, field("hottest").unit("degC"));
    }
};

/// Sets the mass, heat, phase and material values of row i for a `temperature` [degC]. At the melting
/// point itself it is liquid if `is_liquid`.
template <class Real>
void set_material(Particles<Real>& particles, std::size_t i, const Material& material,
                  double temperature, bool is_liquid, double spacing);

/// Adds a body to the state now: fills its columns, assigns ids, forms clusters.
template <class Real> void add_body(State<Real>& state, const Body& body, const Params& params);

template <class Real> struct Workspace;
template <class Real> struct Call;

/// The method as the shared code sees it (method/solver.h).
struct Method : MethodTypes<Params, Material, Body, Report> {
    static constexpr std::string_view name = "melt";
    template <class Real> using State = melt::State<Real>;
    template <class Real> using Workspace = melt::Workspace<Real>;
    template <class Real> using Call = melt::Call<Real>;
    static const std::vector<Preset<Material>>& presets() { return melt::presets(); }
};

template <class Real> using Solver = nendo::Solver<Method, Real>;

} // namespace nendo::melt

namespace nendo {
extern template class Solver<melt::Method, float>;
extern template class Solver<melt::Method, double>;
} // namespace nendo
