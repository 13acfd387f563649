// SPDX-License-Identifier: Apache-2.0
// Elastic bodies in fluids (Hirato): both are smoothed particles (SPH), springs hold bodies together,
// and the rest density of a body follows its stretch.
#pragma once

#include "coupling/material.h"
#include "coupling/params.h"
#include "coupling/state.h"
#include "method/report.h"
#include "method/solver.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace nendo::coupling {

/// A fluid or an elastic body that enters at a given time.
struct Body {
    std::string name;
    double start = 0;          ///< Time at which it appears [s]
    std::vector<Vec3d> points; ///< [m]
    double spacing = 0;        ///< Distance between points [m]; 0: the solver's
    Material material;
    Vec3d velocity{0, 0, 0};         ///< [m/s]
    Vec3d angular_velocity{0, 0, 0}; ///< About the center of the points [rad/s]
    std::int32_t index = 0;          ///< The `body` column
    /// Springs as pairs of points. If empty, points within the material's connection radius are joined.
    std::vector<std::array<std::uint32_t, 2>> edges;
    /// Triangles that hold fluid. If empty, a membrane gets them from its springs: membrane_faces().
    std::vector<std::array<std::uint32_t, 3>> faces;
    bool membrane = false; ///< One layer of particles that holds fluid
};

/// Length and force of a muscle at one time; linear between keys, constant outside.
struct MuscleKey {
    double time = 0;   ///< [s]
    double length = 1; ///< Rest length of its springs, relative to their own [1]
    double force = 0;  ///< Force per unit mass with which each spring pushes its ends apart [m/s^2]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.time, field("time").label("Time").unit("s").help(
                             "Time of this key, in seconds from the start."));
        visit(self.length, field("length").label("Length").above(0).help(
                               "Rest length of the springs, relative to their own. Below 1 the "
                               "muscle contracts."));
        visit(self.force, field("force").label("Force").unit("m/s^2").help(
                              "Force per kilogram with which each spring pushes its ends apart. "
                              "Negative values pull."));
    }
};

/// Contracts and stretches springs: those inside its shape when their body enters.
struct Muscle {
    std::string name;
    SdfPtr shape;           ///< Null: every spring of its body
    std::int32_t body = -1; ///< Index of the body; -1: all bodies
    Vec3d axis{0, 0, 0};    ///< A ring muscle uses only springs around this axis; zero: all springs
    Vec3d center{0, 0, 0};  ///< A point on the axis [m]
    std::vector<MuscleKey> keys;
    double period = 0; ///< Time after which the keys repeat [s]; 0: never

    MuscleKey at(double time) const;
    /// Whether it drives the spring from a to b [m].
    bool works(const Vec3d& a, const Vec3d& b) const;
};

/// A disc through which fluid flows in where there is space; under water it drives the fluid there.
struct Tap {
    std::string name;
    Vec3d center{0, 0, 0};     ///< [m]
    Vec3d direction{0, -1, 0}; ///< Direction of the flow
    double radius = 0.1;       ///< [m]
    double speed = 1;          ///< [m/s]
    double start = 0;          ///< [s]
    double end = infinite;     ///< [s]
    Material material;
    std::int32_t index = 0; ///< The `body` column of its fluid

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.name, field("name").label("Name").help("Name used in messages."));
        visit(self.center, field("center").label("Center").unit("m").help(
                               "Center of the disc through which fluid enters."));
        visit(self.direction,
              field("direction").label("Direction").help("Direction in which the fluid flows."));
        visit(self.radius,
              field("radius").label("Radius").unit("m").above(0).help("Radius of the disc."));
        visit(self.speed, field("speed").label("Speed").unit("m/s").above(0).help(
                              "Speed of the fluid at the tap."));
        visit(self.start, field("start")
                              .label("Start")
                              .unit("s")
                              .range(0, infinite)
                              .help("Time at which the tap opens."));
        visit(self.end, field("end").label("End").unit("s").may_be_none().help(
                            "Time at which the tap closes. Without a limit it stays open."));
    }
};

/// A shape that removes the fluid inside it.
struct Drain {
    std::string name;
    SdfPtr shape;
};

/// Everything that enters the scene, acts in it or leaves it.
struct Inputs {
    std::vector<Body> bodies;
    std::vector<Muscle> muscles;
    std::vector<Tap> taps;
    std::vector<Drain> drains;
};

/// One row of stats.jsonl.
struct Report : CommonReport {
    int cg_iterations = 0;  ///< Of the spring solves, in all substeps together
    int cg_unconverged = 0; ///< Substeps whose solve ran out of iterations
    int pressure_iterations = 0;
    int pressure_unconverged = 0;
    double spring_energy = 0;     ///< [J]
    double pressure_energy = 0;   ///< [J]; 0 where pressure is implicit
    Vec3d bodies_center{0, 0, 0}; ///< Mean position of the bodies' particles [m]
    std::int64_t particles = 0;
    std::int64_t springs = 0;
    std::int64_t springs_broken = 0; ///< Since the start of the simulation
    std::int64_t poured = 0;
    std::int64_t drained = 0;
    double max_compression = 0;    ///< Of fluid: density over rest density [1]
    double max_stretch = 0;        ///< Of any spring: length over length at rest [1]
    double collision_residual = 0; ///< Deepest overlap that sweeps left, in diameters [1]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        CommonReport::fields(self, visit);
        visit(self.cg_iterations, field("cg_iterations"));
        visit(self.cg_unconverged, field("cg_unconverged"));
        visit(self.pressure_iterations, field("pressure_iterations"));
        visit(self.pressure_unconverged, field("pressure_unconverged"));
        visit(self.spring_energy, field("spring_energy").unit("J"));
        visit(self.pressure_energy, field("pressure_energy").unit("J"));
        visit(self.bodies_center, field("bodies_center").unit("m"));
        visit(self.particles, field("particles"));
        visit(self.springs, field("springs"));
        visit(self.springs_broken, field("springs_broken"));
        visit(self.poured, field("poured"));
        visit(self.drained, field("drained"));
        visit(self.max_compression, field("max_compression"));
        visit(self.max_stretch, field("max_stretch"));
        visit(self.collision_residual, field("collision_residual"));
    }
};

/// Pairs of points within `radius` [m] of each other, lower index first, in rising order.
std::vector<std::array<std::uint32_t, 2>> connect_points(const std::vector<Vec3d>& points,
                                                         double radius);
/// Triangles whose three sides are edges no longer than `longest` [m]: they cover a layer of points
/// that is joined across its squares both ways.
std::vector<std::array<std::uint32_t, 3>>
membrane_faces(const std::vector<Vec3d>& points,
               const std::vector<std::array<std::uint32_t, 2>>& edges, double longest);

/// Adds a body to the state now: fills its columns, assigns ids, creates springs.
template <class Real>
void add_body(State<Real>& state, const Body& body, const std::vector<Muscle>& muscles,
              const Params& params);

template <class Real> struct Workspace;
template <class Real> struct Call;

/// The method as the shared code sees it (method/solver.h).
struct Method : MethodTypes<Params, Material, Body, Report, Inputs> {
    static constexpr std::string_view name = "coupling";
    template <class Real> using State = coupling::State<Real>;
    template <class Real> using Workspace = coupling::Workspace<Real>;
    template <class Real> using Call = coupling::Call<Real>;
    static const std::vector<Preset<Material>>& presets() { return coupling::presets(); }
};

template <class Real> using Solver = nendo::Solver<Method, Real>;

} // namespace nendo::coupling

namespace nendo {
extern template class Solver<coupling::Method, float>;
extern template class Solver<coupling::Method, double>;
} // namespace nendo
