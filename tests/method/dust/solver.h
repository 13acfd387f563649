// SPDX-License-Identifier: Apache-2.0
// Dust that falls freely: the smallest method there can be. A test adds it to the others, and it
// shows what a new method has to bring: a state, parameters, a material, a body, a report and a
// Method that names them.
#pragma once

#include "method/preset.h"
#include "method/report.h"
#include "method/solver.h"

#include <string>
#include <vector>

namespace nendo::dust {

template <class Real> struct Particles {
    std::vector<std::int64_t> id;
    std::vector<Vec3<Real>> x;      ///< Position [m]
    std::vector<Vec3<Real>> v;      ///< Velocity [m/s]
    std::vector<Real> mass;         ///< [kg]
    std::vector<std::int32_t> body; ///< Index of its body
    std::vector<std::int32_t> pin;  ///< 1 + index of the pin that holds it, or 0

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.id, field("id").help("Stable name of the grain."));
        visit(self.x, field("P").unit("m").meaning(Meaning::point).help("Position."));
        visit(self.v, field("v").unit("m/s").meaning(Meaning::vector).help("Velocity."));
        visit(self.mass, field("mass").unit("kg").above(0).help("Mass."));
        visit(self.body, field("body").help("Index of the body the grain came from."));
        visit(self.pin, field("pin").help("1 + index of the pin that holds the grain, or 0."));
    }
};

struct Details {
    double time = 0; ///< [s]
    std::int64_t next_particle = 0;
    std::int64_t bodies_entered = 0;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.time, field("time").unit("s").help("Simulated time."));
        visit(self.next_particle, field("next_particle").help("Next unused id."));
        visit(self.bodies_entered, field("bodies_entered").help("Number of bodies that entered."));
    }
};

template <class Real> struct State {
    Particles<Real> particles;
    Details details;

    template <class Self, class Visit> static void tables(Self& self, Visit&& visit) {
        visit(self.particles, "particles");
    }
};

struct Params {
    double spacing = 0.1;    ///< [m]
    double time_step = 0.01; ///< [s]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.spacing, field("spacing").label("Spacing").unit("m").above(0).help(
                                "Distance between neighboring grains."));
        visit(self.time_step,
              field("time_step").label("Time step").unit("s").above(0).help("Longest substep."));
    }
};

struct Material {
    double density = 2000; ///< [kg/m^3]

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.density, field("density").label("Density").unit("kg/m^3").above(0).help(
                                "Mass per cubic meter."));
    }
};
const std::vector<Preset<Material>>& presets();

struct Body {
    std::string name;
    double start = 0;             ///< [s]
    std::vector<Vec3d> particles; ///< [m]
    Material material;
    Vec3d velocity{0, 0, 0};         ///< [m/s]
    Vec3d angular_velocity{0, 0, 0}; ///< [rad/s]
    std::int32_t index = 0;
};

struct Report : CommonReport {
    std::int64_t particles = 0;

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        CommonReport::fields(self, visit);
        visit(self.particles, field("particles"));
    }
};

template <class Real> struct Workspace;
template <class Real> struct Call;

struct Method : MethodTypes<Params, Material, Body, Report> {
    static constexpr std::string_view name = "dust";
    template <class Real> using State = dust::State<Real>;
    template <class Real> using Workspace = dust::Workspace<Real>;
    template <class Real> using Call = dust::Call<Real>;
    static const std::vector<Preset<Material>>& presets() { return dust::presets(); }
};

} // namespace nendo::dust

namespace nendo {
extern template class Solver<dust::Method, float>;
extern template class Solver<dust::Method, double>;
} // namespace nendo
