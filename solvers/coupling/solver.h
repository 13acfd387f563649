// SPDX-License-Identifier: Apache-2.0
// Stretchy bodies in fluids (Hirato): smoothed particles for both, springs that hold bodies together,
// and a rest density that follows their stretch.
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

/// A fluid or a body that enters at a time.
struct Body {
    std::string name;
    double start = 0;          ///< When it appears [s]
    std::vector<Vec3d> points; ///< [m]
    double spacing = 0;        ///< Of the points [m]; 0: the fluid's
    Material material;
    Vec3d velocity{0, 0, 0};         ///< [m/s]
    Vec3d angular_velocity{0, 0, 0}; ///< About the center of the points [rad/s]
    std::int32_t index = 0;          ///< The `body` column
    /// Springs, as pairs of points; empty: by the material's connection radius.
    std::vector<std::array<std::uint32_t, 2>> edges;
    /// Triangles that hold fluid; empty and `membrane`: from the springs, see membrane_faces().
    std::vector<std::array<std::uint32_t, 3>> faces;
    bool membrane = false; ///< One layer of particles that holds fluid
};

/// Length and force of a muscle at a time; straight between keys, at rest outside.
struct MuscleKey {
    double time = 0;   ///< [s]
    double length = 1; ///< Of its springs at rest, over their own [1]
    double force = 0;  ///< With which each spring pushes, for unit mass [m/s^2]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.time, field("time").label("Time").unit("s").help("When these are reached."));
        visit(self.length, field("length").label("Length").above(0).help(
                               "Of its springs at rest, over what they have by themselves."));
        visit(self.force, field("force").label("Force").unit("m/s^2").help(
                              "With which each spring pushes (above 0) or pulls, a kilogram."));
    }
};

/// Works the springs of bodies that lie inside a shape when they enter.
struct Muscle {
    std::string name;
    SdfPtr shape;           ///< Null: all springs of its body
    std::int32_t body = -1; ///< Index of the body; -1: of all
    Vec3d axis{0, 0, 0};    ///< A ring muscle works springs around this axis; zero: all
    Vec3d center{0, 0, 0};  ///< Through which the axis goes [m]
    std::vector<MuscleKey> keys;
    double period = 0; ///< The keys repeat after this [s]; 0: they don't

    MuscleKey at(double time) const;
    /// Whether it works the spring from a to b [m].
    bool works(const Vec3d& a, const Vec3d& b) const;
};

/// Fluid that flows in through a disc, where there is room; under water it drives what is there.
struct Tap {
    std::string name;
    Vec3d center{0, 0, 0};     ///< [m]
    Vec3d direction{0, -1, 0}; ///< Where it flows to
    double radius = 0.1;       ///< [m]
    double speed = 1;          ///< [m/s]
    double start = 0;          ///< [s]
    double end = infinite;     ///< [s]
    Material material;
    std::int32_t index = 0; ///< The `body` column of its fluid

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.name, field("name").label("Name").help("How messages call it."));
        visit(self.center, field("center").label("Center").unit("m").help("Of the disc."));
        visit(self.direction, field("direction").label("Direction").help("Where it flows to."));
        visit(self.radius, field("radius").label("Radius").unit("m").above(0).help("Of the disc."));
        visit(self.speed, field("speed").label("Speed").unit("m/s").above(0).help("Of the flow."));
        visit(
            self.start,
            field("start").label("Start").unit("s").range(0, infinite).help("When it is opened."));
        visit(self.end, field("end").label("End").unit("s").may_be_none().help(
                            "When it is shut; null: never."));
    }
};

/// Fluid that gets inside is gone.
struct Drain {
    std::string name;
    SdfPtr shape;
};

/// What comes into the world, works in it and leaves it.
struct Inputs {
    std::vector<Body> bodies;
    std::vector<Muscle> muscles;
    std::vector<Tap> taps;
    std::vector<Drain> drains;
};

/// One row of stats.jsonl: what a call of advance() did, and how matter is at its end.
struct Report : CommonReport {
    int cg_iterations = 0;  ///< Of the springs' solves, all substeps together
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

/// Adds a body to the state now: columns filled, ids given, springs made.
template <class Real>
void add_body(State<Real>& state, const Body& body, const std::vector<Muscle>& muscles,
              const Params& params);

template <class Real> struct Workspace;
template <class Real> struct Call;

/// The method as the shared code sees it (method/solver.h).
struct Method {
    static constexpr std::string_view name = "coupling";
    template <class Real> using State = coupling::State<Real>;
    template <class Real> using Workspace = coupling::Workspace<Real>;
    template <class Real> using Call = coupling::Call<Real>;
    using Params = coupling::Params;
    using Material = coupling::Material;
    using Body = coupling::Body;
    using Inputs = coupling::Inputs;
    using Report = coupling::Report;
    static const std::vector<Preset<Material>>& presets() { return coupling::presets(); }
    static const std::vector<Body>& bodies(const Inputs& inputs) { return inputs.bodies; }
};

template <class Real> using Solver = nendo::Solver<Method, Real>;

} // namespace nendo::coupling

namespace nendo {
extern template class Solver<coupling::Method, float>;
extern template class Solver<coupling::Method, double>;
} // namespace nendo
